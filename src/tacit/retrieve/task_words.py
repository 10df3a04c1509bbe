"""The words that tell what sort of work is asked for; `task` reads them.

A verb counts unless an article stands before it ("the build" builds nothing); a sign counts
wherever it stands. A phrase takes its words away from the shorter entries it holds, so
"investigate the error" is debugging and "error handling" is nothing in particular. Articles
are left out of phrases, and every word stands for all forms of its stem.
"""

from __future__ import annotations

NEUTRAL = ""  # the type of phrases that say nothing about the task

# What is asked for, as a verb. The first line of each holds the words that name the type.
VERBS = {
    "exploration": """
        explore understand research investigate analyze discover find
        analyse explain learn describe summarize summarise locate study clarify outline compare
    """,
    "implementation": """
        implement create build add write develop make construct
        introduce integrate scaffold extend expose generate
    """,
    "debugging": """
        fix debug
        repair troubleshoot diagnose resolve solve reproduce bisect
    """,
    "review": """
        review check validate verify audit inspect lint
        proofread critique assess evaluate
    """,
    "refactoring": """
        refactor restructure reorganize extract rename move
        reorganise simplify deduplicate inline decouple split consolidate unify tidy optimize
        optimise modernize modernise
    """,
}

# Verbs that mean work only where they lead the request: "use Postgres", not "we use Postgres".
LEADING = {
    "implementation": """
        support enable allow use show change update bump upgrade install configure set turn hook
        wire emit handle return log port replace remove delete drop disable bring put store send
        cache deploy publish release merge commit push draft
    """,
    "refactoring": "convert migrate",
    "exploration": "list",
}

# What is spoken of. Those of debugging are symptoms: looking at one is debugging.
SIGNS = {
    "exploration": "architecture structure overview summary",
    "debugging": """
        error bug issue broken failing crash exception
        failure regression traceback stacktrace segfault hang freeze deadlock leak flaky wrong
        incorrect unexpected stuck panic corrupt glitch misbehave intermittent crashloop problem
        conflict
    """,
    "review": "quality standards",
}

# Looking for something; at a symptom it is the beginning of debugging.
LOOKING = """
    find|investigate|analyze|analyse|check|understand|explain|look at|look into|dig into
    figure out|find out|see why|why do|why does|why is|why are|why did|why would|why have|locate
    why has|why can|why will|know why|tell me|show me|check if|check what|check how|check whether
    have look|take look
"""

PHRASES = {
    "exploration": """
        what is|what are|how does|how do|how is|how are|how can|how would|how should|how many
        where is|where are|where do|where does|where can|where did|which file|which module
        which function|who call|what call|walk me through|walk through|talk me through
        tell me about|tell me|show me where|show me how|look at|look into|dig into|figure out
        find out|why do|why does|why is|why are|why did|why would|why have|why has|see why
        why can|why will|know why|difference between|pros and cons|what happen|what would
        get familiar|deep dive|read through|when does|is there|do we have|does it support
        is it possible|should we|file structure|project structure|what do|what does|what did
        make sense of|find all|trade off|what was|what were|check what|check how|show me
        have look|take look
    """,
    "implementation": """
        new feature|set up|hook up|wire up|add support|add check|add validation|add test
        write test|write unit test|write integration test|write script|make it possible
        need way to|as user|add new|build out|spin up|add lint|add review|add rename|add move
        feature request|should also|able to
    """,
    "debugging": """
        investigate error|not working|not work|no longer work|no longer|stop work|stopped working
        go wrong|went wrong|what is wrong|something is wrong|what is cause|what cause|root cause
        is red|are red|turn red|went red|go red|stack trace|blow up|out of memory|return 500
        status 500|http 500|500 error|get 500|get 404|get 403|get 401|return 404|return 403
        return 401|nothing happen|do nothing|does nothing|is empty|is null|is blank|is missing
        are missing|used to work|does not|did not|is not|are not|was not|can not|will not
        unable to|keep get|keep restart|throw|null pointer|race condition|memory leak|broken build
        build fail|build broken|build is broken|build error|failing build|green again|pass again
        test fail|failing test|broken test|take forever|too slow|time out|figure out what broke
        what broke|why broke|lint error|lint fail|type error|merge conflict|bug report|off by one
        double charge|stop respond|not respond|goes blank|is slow|are slow|so slow|is stale
        are lost|is lost|gets lost|disappear|nan|broke|is down|are down|went down|something is off
        not add up|complain|never run|never call|never happen|shows no|is gone|are gone
    """,
    "review": """
        code review|do review|give review|review pr|look over|go over|pair of eye|second look
        anything is off
        sanity check|any concern|feedback on|give feedback|sign off|double check|make sure|is this ok
        does this look|look good|code quality|security review|check style|style guide|best practice
        vulnerability|look at pr|look at change|look at diff|look at branch|look at pull request
        ready to merge|poke hole|check if|check whether
    """,
    "refactoring": """
        clean up|improve structure|dead code|duplicate code|duplicated code|duplication|pull out
        break up|split up|break into|split into|tidy up|code smell|technical debt|tech debt
        more readable|less nested|make simpler|make consistent|change behaviour|change behavior
        behaviour change|behavior change|move out|pull up|get rid of|dry up|better name
        make smaller|copy paste|god class|spaghetti|break it up|split it up|clean it up|tidy it up
        break them up|break it into|split it into|pull it out|move it out|clean this up|remove dead code|remove unused
        remove duplicate|remove duplication|delete dead code|drop dead code
    """,
    NEUTRAL: """
        error handling|error handler|error message|error page|error code|error boundary|error state
        error report|error budget|error screen|error type|error response|error log|error class
        handle error|handle exception|handle fail|handle failure|issue tracker|issue template
        issue token|crash report|exception class|is not bug|is not error
        build system|build script|build step|build pipeline|build number|build time|build is
        check out|check in|health check|type check|check box|check mark|spell check
        write access|write lock|write path|write only|data structure|move on|make sense|make do
        find command|review comment|review app|add on|fixed width|fixed size|fixed point
        fail over|fail fast|bug bounty|unit test|good to know|do not know|is not urgent
        have fixed|has fixed|was fixed|already fixed|is fixed|got fixed
        if not|does not matter|is not need|is not necessary|does not need
    """,
}

# Tell a little, not enough to outweigh a word that names the task.
HINTS = {
    "debugging": """
        instead of|sometimes|suddenly|expected|slow|after upgrade|even though|randomly|ignored|stale
        twice
    """,
    "refactoring": "helper|readable|duplicate|duplicated",
    "exploration": "how|why|where",
}

# Words whose stem is that of an entry but which mean something else.
OTHERWISE = frozenset("except excepting valid building organ organs findings".split())
# Endings that make a noun of a verb: a developer develops nothing here, nor does an integration.
NOUN_ENDINGS = ("ion", "ions", "er", "ers", "or", "ors", "ment", "ments")

# What an agent does, in the names hosts and documents give to it.
ACTIONS = {
    "exploration": "read_file search list_files read grep glob ls websearch webfetch search_files",
    "implementation": "write_file create_file edit_file write edit multiedit apply_patch",
    "debugging": "run_test run_tests check_logs trace debug",
    "review": "diff review_pr check_style git_diff lint",
    "refactoring": "rename move_file extract_function git_mv rename_symbol",
}

PHASES = {
    "exploration": "planning discovery research exploration",
    "implementation": "development implementation coding feature",
    "debugging": "debugging troubleshooting fixing",
    "review": "review qa validation",
    "refactoring": "refactoring cleanup optimization optimisation",
}

# Words that may stand before the one that leads a request.
POLITE = frozenset(
    """
    please can could would you we i let us now then next ok okay hey hi hello want need to like
    should help me just also and so first go ahead try will must have had task goal todo yes great
    thanks thank quickly quick question it am not sure kindly maybe perhaps again still finally
    alright right well actually new job ticket story your is think
    """.split()
)

# "not" and its like; they take away the word that follows within a few places.
NEGATIONS = frozenset("not without never avoid no".split())
