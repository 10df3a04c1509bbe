"""What will no longer be so in an hour: progress, states, plans for now, greetings. Pure.

Signs are weighed: what speaks of a moment against what speaks of a reason or a rule. A
sentence is transient when the moment wins.
"""

from __future__ import annotations

import re

LONGEST = 400  # characters; a longer text is an account, not a state
ENOUGH = 1.0

_THING = (
    r"(?:builds?|compil\w+|tests?|suites?|specs?|lint\w*|type ?checks?|ci|pipelines?|jobs?|checks?|deploy\w*|servers?|"
    r"containers?|process\w*|branch|working (?:tree|copy|directory)|rebase|merge|migrations?|index|pr|pull request|mr|"
    r"diff|changes|files?|workflow|release|install\w*|download|port|service|worker|queue|database|db|todo\w*|task|step|app|run)"
)
_MOMENT: tuple[tuple[float, re.Pattern[str]], ...] = tuple(
    (weight, re.compile(pattern, re.I | re.M))
    for weight, pattern in (
        # what somebody is doing or about to do
        (
            1.0,
            r"^\W*(?:ok(?:ay)?,? |so,? |now,? |alright,? |great,? )?(?:i am|i'm|we are|we're|the (?:user|agent|assistant) is)\s+(?:now |currently |still |just )?(?:working|looking|going|waiting|trying|checking|running|about|done|on|in|at|reading|reviewing|debugging|investigating|implementing|writing|editing|fixing|testing|using the|typing|away|back|finished|stuck|blocked)\b",
        ),
        (
            1.0,
            r"^\W*(?:now |next,? |first,? |then |so |okay,? )*(?:i(?:'ll| will| shall| am going to|'m going to)|let me|let's (?:see|look|check|start|continue|move on|go on)|going to|about to|next (?:i|up|step)|we will now|moving on)\b",
        ),
        (
            0.9,
            r"^\W*(?:i|we)(?:'ve| have)? (?:just |now |already |successfully )*(?:updated|added|fixed|created|changed|committed|pushed|finished|completed|ran|stashed|reverted|renamed|removed|deleted|moved|checked|looked|opened|applied|installed|restarted|started|implemented|refactored|rebased|merged|made the change|investigated|verified|marked|tried|wrote|saved|noticed|found nothing)\b",
        ),
        (
            0.9,
            r"^\W*(?:i|we)(?:'ve| have) (?:now |just |already )*read\b|^\W*i (?:cannot|can't|could not|couldn't) (?:reach|open|access|find|connect|load|see)\b",
        ),
        (
            0.9,
            r"^\W*(?:working on|looking (?:at|into)|investigat(?:ed|ing)|waiting (?:for|on)|starting|started|continuing|resuming|finished|completed|done|stashed|pushed|rebas(?:ed|ing)|checking|running|reading|reviewing|debugging|updated|committed|restarted|applied|reverted|switched to|checked out|opened|edited|created|added|removed|renamed|implemented|fixed)\b(?!.*\b(?:because|since|instead of|rather than|so that)\b)",
        ),
        (
            0.9,
            r"^\W*(?:\w+: )?(?:successfully |force-|re-?|already )?(?:pushed|installed|downloaded|downloading|uploaded|built|rebuilt|compiled|exited|retrying|awaiting|saved|wrote|loaded|fetched|pulled|cloned|deployed|restored|cached|launched|killed|marked|generated|formatted|linted|detected|spawned|cleaned)\b(?!.*\b(?:because|since|instead|must|never|always)\b)",
        ),
        (
            0.8,
            r"\b(?:retrying|awaiting|try(?:ing)? (?:it |that )?again|waiting for|marked (?:as|todo)|has been (?:read|updated|modified|edited|saved|written|created|opened|deleted|applied|sent|started|stopped|restarted)|modified since|up and running|did not apply|is next|are next)\b",
        ),
        (0.9, r"\[(?:x| |completed|in_progress|pending|done|todo)\]|\bin_progress\b"),
        (
            0.8,
            r"\b\d+ ?(?:s|secs?|seconds?|mins?|minutes?|hours?) ago\b|\bin a (?:moment|minute|second|bit)\b|\bat this (?:moment|point in time)\b|\bat \d{1,2}:\d\d\b|\bin \d+(?:\.\d+)? ?m?s(?:ec\w*)?\b\W*$",
        ),
        (
            0.6,
            r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b|\b(?:latest|last|newest|previous) (?:commit|run|build|edit|command|attempt|output|turn|message)\b",
        ),
        (
            0.8,
            r"\b(?:there (?:are|is|were)|we have|has|shows?) (?:still |now |only )*\d+ (?:\w+ ){0,2}(?:failing|failed|failures?|errors?|warnings?|open|unresolved|pending|conflicts?|todos?)\b|\bcoverage:? \d|\b\d+ (?:passed|failed|skipped|warnings?) in\b",
        ),
        # what says itself that it will pass
        (
            0.8,
            r"\b(?:right now|at the moment|at present|as of now|just now|currently (?!no|only|the only|supports?|requires?|pinned|set|use[sd]?)|this (?:session|morning|afternoon|evening|run|turn)|in (?:this|the current) (?:session|conversation|chat)|today|tonight|in progress|in flight|under way|not yet|until i|a (?:moment|minute|second) ago|still (?:running|waiting|failing|red|open|pending|downloading|building|in|on|to do|going)|shortly|later today|earlier today|tomorrow morning)\b",
        ),
        (
            0.5,
            r"\b(?:now|currently|today|still|again|pending|remaining|temporar(?:y|ily)|so far|for the (?:moment|time being))\b",
        ),
        (
            1.0,
            r"\b(?:step|task|item|phase|part|todo|test|file|chunk|batch) \d+ (?:of|/) ?\d+\b|\b\d+ ?/ ?\d+ (?:done|tests?|steps?|tasks?|items?|passed|complete\w*)\b|\b\d+ ?% (?:done|complete\w*|through|of the way)\b",
        ),
        (
            0.9,
            r"\b(?:uncommitted|unstaged|untracked|staged|unpushed|unresolved|unsaved|unread)\b.{0,40}\b(?:files?|changes?|commits?|comments?|threads?|hunks?)|\b\d+ (?:files?|commits?|tests?|comments?|errors?|warnings?|conflicts?|todos?) (?:left|remaining|to go|changed|modified|ahead|behind|pending|failed|passed|uncommitted|unstaged)\b|\b(?:ahead|behind) (?:of )?(?:origin|main|master|by)\b",
        ),
        (
            1.0,
            r"\bpid[ :=]*\d+|\b(?:process|job) (?:id )?\d{3,}\b|\b(?:context (?:window|usage|left|used)|tokens? (?:used|left|so far|remaining))\b|\bexit(?:ed)? (?:code|status|with) \d|\b(?:run|build|job|attempt) #?\d{2,}\b",
        ),
        (0.5, r"/(?:tmp|var/folders)/"),
        (
            0.8,
            r"\b(?:written|saved|logged|dumped|copied|moved) to /|\bdownloading\b|\b(?:is|at|to|was) (?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b|\btasks? \d+ (?:to|-|and) \d+\b|\bready for (?:your|review|feedback)\b",
        ),
        (
            1.0,
            r"^\W*(?:hi|hello|hey|thanks?|thank you|good (?:morning|evening|night)|brb|bye|see you|cheers|sure|ok(?:ay)?|yes|no problem|sounds good|great|perfect|got it|understood|you're welcome|happy to help|sorry|hmm+|ping|morning|np|will do|on it|go ahead|continue|keep going)\b[^a-z]*(?:$|.{0,60}$)",
        ),
        (
            1.0,
            r"^\W*(?:to-?do(?: list)?|plan|progress|status|next steps?|checklist|in progress|done|remaining|current (?:task|step|state|status|branch)|working branch|session (?:goal|summary|started|ended))\s*[:=-]",
        ),
        # a state of something that changes all the time
        (
            0.8,
            rf"\b{_THING}\b(?: \S+){{0,5}}? (?:is|are|was|were|has|have|had|just|now|all|looks?|went|came|shows?|reports?|says?)?\s*(?:now |all |been |currently |still |back |up and |both |already )*(?:succeeded|successful\w*|passed|passing|pass|failed|failing|fails?|green|red|clean|running|started|stopped|finished|done|complete[d]?|pending|queued|cancell?ed|up|down|locked|dirty|broken|ready|stuck|hung|hanging|conflict\w*|open|merged|approved|rebased|pushed|deployed|up[- ]to[- ]date|installed|restarted|live|empty)\b",
        ),
        (
            0.8,
            r"\b(?:all|both|\d+)(?: of the| the)?(?: \w+){0,3} (?:tests?|specs?|checks?|suites?|jobs?|linters?|builds?) (?:now |are |have |all |still )*(?:pass\w*|succeed\w*|fail\w*|green|ran|run|clean)\b",
        ),
        (
            0.8,
            r"\b(?:no|zero|0|without) (?:lint(?:er)? |type |compile |build |test |further |more |new |remaining )*(?:errors?|warnings?|issues?|failures?|problems?|findings|conflicts)(?: (?:left|found|remain\w*|reported|now))?\s*[.!]?$",
        ),
        (
            0.8,
            r"\b(?:server|app|site|service|container|dev server|watcher|worker|docs?|page|preview|storybook|api) (?:is |are |was )?(?:now |currently |up and |already )*(?:running|listening|started|up|live|served|available|reachable|down)\b|\blistening on\b|\blocalhost:\d+\b",
        ),
        (
            0.7,
            r"\b(?:on|checked out|switched to|working on) (?:the )?branch\b|\b(?:current|working|checked[- ]out) branch\b|\bHEAD (?:is |now |points )",
        ),
        (
            0.8,
            r"\b(?:the (?:user|human|developer)|user) (?:has |just |now )*(?:asked|asks|requested|wants me|said (?:yes|no|ok)|approved|confirmed|is (?:asking|happy|away|waiting|looking|now)|wanted me|told me to (?:go|continue|start|stop|look|check|run)|accepted|rejected|interrupted|will)\b",
        ),
    )
)
_LASTING: tuple[tuple[float, re.Pattern[str]], ...] = tuple(
    (weight, re.compile(pattern, re.I))
    for weight, pattern in (
        (
            0.8,
            r"\b(?:because|since (?=\w+ (?:is|are|was|were|does|do|has|have|needs?|can|cannot|reads?|runs?|uses?|holds?))|so that|otherwise|therefore|due to|the reason|caused by|which is why)\b",
        ),
        (
            0.8,
            r"\b(?:always|never|must|whenever|unless|by convention|on purpose|by design|by default|instead of|rather than|every time|as a rule|from v?\d|for ever|permanent\w*|fixed by|never again|in general|each (?:time|release|run)|only (?:when|if|after|with|on|in))\b",
        ),
        (
            0.7,
            r"\b(?:decided|decision|we (?:use|keep|chose|never|always|only|do not|don't|move|stay|will (?:use|keep|make|move|drop))|prefers?|preferred|convention|policy|agreed|owns?|rejected|turned down|wants? (?!me)\w+)\b",
        ),
        (
            0.7,
            r"\b(?:needs?|requires?|takes|depends on|breaks|fails? (?:when|if|with|on|unless|without|in)|works (?:when|if|only|with)|fix(?:ed by)?:|to (?:fix|avoid|debug|reproduce|run)\b|workaround|use `|set `|run `|pass `|if (?:you|it|the|a)|when (?:you|it|the|a|two|there))",
        ),
        (
            0.5,
            r"\b(?:v?\d+\.\d+(?:\.\d+)?|pinned|deprecated|until (?:v|the|version|then)|open question|still open|undecided|nobody|owner|limit|maximum|at most|at least)\b",
        ),
    )
)


def is_transient(text: str) -> bool:
    """Tell whether a short text speaks of a moment and of nothing that lasts."""
    text = " ".join(text.replace("\n", " \n ").split(" ")).strip()
    if len(text) > LONGEST:
        return False
    moment = sum(weight for weight, sign in _MOMENT if sign.search(text))
    if moment < 0.8:
        return False
    lasting = sum(weight for weight, sign in _LASTING if sign.search(text))
    return moment - lasting >= 0.2 + (0.3 if lasting else 0.0)
