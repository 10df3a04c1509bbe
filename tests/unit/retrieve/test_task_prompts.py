"""Prompts as people write them: nearly all must be read rightly, and few read wrongly.

Not to be read is no great harm, since the default is meant then; to be read as something else
is. So both are counted.
"""

from __future__ import annotations

import pytest

from tacit.profile import TASK_TYPES
from tacit.retrieve.task import detect

EXPLORATION, IMPLEMENTATION, DEBUGGING = "exploration", "implementation", "debugging"
REVIEW, REFACTORING, UNKNOWN = "review", "refactoring", "unknown"

PROMPTS = [
    ("Explain how the session cache is invalidated", EXPLORATION),
    ("where do we read the settings file?", EXPLORATION),
    ("Give me an overview of the billing module", EXPLORATION),
    ("why does the scheduler use two queues?", EXPLORATION),
    ("what happens when a worker takes a job?", EXPLORATION),
    ("I'm new here, walk me through the request path", EXPLORATION),
    ("Compare our two HTTP clients and tell me which one to keep", EXPLORATION),
    ("Which module owns retries?", EXPLORATION),
    ("Research options for full-text search", EXPLORATION),
    ("look into how uploads are chunked", EXPLORATION),
    ("is there already a date formatter somewhere?", EXPLORATION),
    ("How does the error handler decide what to log?", EXPLORATION),
    ("understand the deploy pipeline before we touch it", EXPLORATION),
    ("Add a --verbose flag to the export command", IMPLEMENTATION),
    ("implement pagination for /orders", IMPLEMENTATION),
    ("Please write a script that rotates the logs", IMPLEMENTATION),
    ("support dark mode", IMPLEMENTATION),
    ("we need a new endpoint for refunds, build it like the others", IMPLEMENTATION),
    ("Create an error page for 404s", IMPLEMENTATION),
    ("could we add tests for that method now?", IMPLEMENTATION),
    ("use Postgres instead of SQLite for the queue", IMPLEMENTATION),
    ("Add error handling to the upload path", IMPLEMENTATION),
    ("Add a check that rejects empty names", IMPLEMENTATION),
    ("Make the sidebar collapsible", IMPLEMENTATION),
    ("bump the minimum Python to 3.12", IMPLEMENTATION),
    ("As a user I want to export my data as CSV", IMPLEMENTATION),
    ("set up a nightly job that mails the report", IMPLEMENTATION),
    ("wire up the new settings dialog", IMPLEMENTATION),
    ("Fix the login redirect", DEBUGGING),
    ("The totals on the invoice are wrong when there are two discounts", DEBUGGING),
    ("tests are red", DEBUGGING),
    ("Clicking save does nothing in Safari", DEBUGGING),
    ("the app crashes on start", DEBUGGING),
    ("why does the export fail for large files?", DEBUGGING),
    ("Users can't reset their password since yesterday", DEBUGGING),
    ("find the bug in the parser", DEBUGGING),
    ("check why CI is red", DEBUGGING),
    ("The dropdown doesn't close when I press escape", DEBUGGING),
    ("build is failing on main again", DEBUGGING),
    ("investigate the error in the payment webhook", DEBUGGING),
    (
        "Traceback (most recent call last):\n"
        '  File "app.py", line 3, in <module>\n'
        "KeyError: 'user'",
        DEBUGGING,
    ),
    ("I get TypeError: cannot read properties of undefined (reading 'id')", DEBUGGING),
    ("--- FAIL: TestRefund (0.02s)\n    refund_test.go:14: got 3, want 2", DEBUGGING),
    ("memory keeps growing until the pod is killed, looks like a leak", DEBUGGING),
    ("what's wrong with this query?", DEBUGGING),
    ("figure out what broke the nightly job", DEBUGGING),
    ("GET /users returns 500 after the upgrade", DEBUGGING),
    ("Don't refactor anything, just fix the off by one in paging", DEBUGGING),
    ("please review my PR", REVIEW),
    ("Can you check the migration for anything risky?", REVIEW),
    ("verify that the docs match the flags", REVIEW),
    ("Audit our use of eval", REVIEW),
    ("does this look right to you? feedback on the diff please", REVIEW),
    ("Review the error handling in the client", REVIEW),
    ("take a second look at my changes and sign off", REVIEW),
    ("Review the fix for the crash before we merge", REVIEW),
    ("double-check that we validate every input", REVIEW),
    ("lint the new module and check it against our standards", REVIEW),
    ("Refactor the importer into smaller functions", REFACTORING),
    ("rename fetchAll to loadAll", REFACTORING),
    ("move the date helpers to their own module", REFACTORING),
    ("clean up the old feature flags", REFACTORING),
    ("The order service is a mess, split it up", REFACTORING),
    ("Extract the retry logic from the client", REFACTORING),
    ("simplify the config loader without changing behaviour", REFACTORING),
    ("get rid of the duplicated code in both readers", REFACTORING),
    ("restructure the tests so that they mirror src", REFACTORING),
    ("unify the two ways settings are parsed", REFACTORING),
    ("improve the structure of the handlers package", REFACTORING),
    ("yes", UNKNOWN),
    ("1", UNKNOWN),
    ("go on", UNKNOWN),
    ("Bitte mach mit dem nächsten Schritt weiter", UNKNOWN),
    ("次のステップに進んでください", UNKNOWN),
    ("continúa con lo siguiente", UNKNOWN),
    ("👍", UNKNOWN),
    ("what are the layers of this project?", EXPLORATION),
    ("describe the life of a job from enqueue to done", EXPLORATION),
    ("How do webhooks get signed?", EXPLORATION),
    ("dig into the caching code and summarize it for me", EXPLORATION),
    ("where's the code that sends the welcome mail", EXPLORATION),
    ("show me where permissions are enforced", EXPLORATION),
    ("what would it take to move to async?", EXPLORATION),
    ("Can you explain the difference between the two serializers?", EXPLORATION),
    ("why do we keep both a slug and an id?", EXPLORATION),
    ("do we have rate limiting anywhere?", EXPLORATION),
    ("Introduce a retry policy for outgoing calls", IMPLEMENTATION),
    ("I'd like to be able to filter the list by owner", IMPLEMENTATION),
    ("Write unit tests for the tokenizer", IMPLEMENTATION),
    ("let's build the settings page next", IMPLEMENTATION),
    ("add an issue template", IMPLEMENTATION),
    ("enable gzip for static files", IMPLEMENTATION),
    ("Show the number of unread messages in the tab title", IMPLEMENTATION),
    ("create a draft PR please", IMPLEMENTATION),
    ("commit these changes", IMPLEMENTATION),
    ("The API should also accept ISO dates", IMPLEMENTATION),
    ("generate a client from the schema", IMPLEMENTATION),
    ("Add a lint rule against print", IMPLEMENTATION),
    ("the page goes blank after I log in", DEBUGGING),
    ("Uploads hang at 99%", DEBUGGING),
    ("emails are sent twice", DEBUGGING),
    ("getting ECONNREFUSED when I start the dev server", DEBUGGING),
    ("resolve the merge conflict in package.json", DEBUGGING),
    ("why is the dashboard so slow?", DEBUGGING),
    ("Search no longer finds accented names", DEBUGGING),
    ("this worked yesterday, now it throws", DEBUGGING),
    ("analyze the crash in the attached log", DEBUGGING),
    ("Date picker shows the wrong month in UTC-8", DEBUGGING),
    ("diagnose the flaky integration test", DEBUGGING),
    ("thread 'main' panicked at src/main.rs:4:5:\nindex out of bounds", DEBUGGING),
    ("look at the failing lint job", DEBUGGING),
    ("can you go over my branch and tell me if anything is off?", REVIEW),
    ("validate the OpenAPI file against the spec", REVIEW),
    ("Inspect the pull request for security problems", REVIEW),
    ("make sure every route checks permissions", REVIEW),
    ("is this change ready to merge?", REVIEW),
    ("evaluate the quality of the new tests", REVIEW),
    ("code review: src/auth/token.py", REVIEW),
    ("pull the SQL out of the view into a repository class", REFACTORING),
    ("This function is too long, break it up", REFACTORING),
    ("rename the package from core to engine", REFACTORING),
    ("Convert the callbacks to async/await", REFACTORING),
    ("tidy the imports", REFACTORING),
    ("reorganize the folder by feature", REFACTORING),
    ("remove dead code from utils", REFACTORING),
    ("inline the one-line helpers", REFACTORING),
    ("ok", UNKNOWN),
    ("weiter so, danke", UNKNOWN),
    ("2", UNKNOWN),
    ("продолжай", UNKNOWN),
    ("sounds good", UNKNOWN),
    ("What's the story behind the two config formats?", EXPLORATION),
    ("Summarize what changed in the storage layer this month", EXPLORATION),
    ("how would I run a single test here?", EXPLORATION),
    ("find all callers of the legacy api", EXPLORATION),
    ("I want to understand how we shard tenants", EXPLORATION),
    ("List the places where we hit the network", EXPLORATION),
    ("Add OAuth login with GitHub", IMPLEMENTATION),
    ("please make the timeout configurable", IMPLEMENTATION),
    ("Implement the plan in docs/plan.md", IMPLEMENTATION),
    ("write a migration that adds the column", IMPLEMENTATION),
    ("expose the metrics on /metrics", IMPLEMENTATION),
    ("let users choose their own avatar", IMPLEMENTATION),
    ("Replace the spinner with a progress bar", IMPLEMENTATION),
    ("Allow comments to be edited for five minutes", IMPLEMENTATION),
    ("integrate Sentry so that errors are reported", IMPLEMENTATION),
    ("The cron job never runs", DEBUGGING),
    ("Images come out rotated on iPhones", DEBUGGING),
    ("npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve dependency tree", DEBUGGING),
    ("getting a 403 from the API even with a fresh token", DEBUGGING),
    ("my build broke after pulling main", DEBUGGING),
    ("solve the deadlock in the pool", DEBUGGING),
    ("The counter jumps back to zero, can you see why?", DEBUGGING),
    ("something's off with the totals, they don't add up", DEBUGGING),
    ("explain why this test fails on Windows", DEBUGGING),
    ("help, prod is down", DEBUGGING),
    ("the linter complains about unused imports, fix please", DEBUGGING),
    ("Review src/api for security holes", REVIEW),
    ("could you proofread the README?", REVIEW),
    ("check my work", REVIEW),
    ("please verify the numbers in the report", REVIEW),
    ("any concerns with this approach?", REVIEW),
    ("Is the new module up to our standards?", REVIEW),
    ("Split UserService into two classes", REFACTORING),
    ("this file is 2000 lines, let's break it into modules", REFACTORING),
    ("Move constants into constants.py", REFACTORING),
    ("make the parser more readable", REFACTORING),
    ("replace the copy paste in the two views by one function", REFACTORING),
    ("deduplicate the fixtures", REFACTORING),
    ("thanks!", UNKNOWN),
    ("mach bitte weiter", UNKNOWN),
    ("option B", UNKNOWN),
]


def named(prompt: str) -> str:
    found = detect(prompt)
    return found.task_type if found.known else UNKNOWN


def test_nearly_all_prompts_are_read_rightly() -> None:
    missed = [prompt for prompt, wanted in PROMPTS if named(prompt) != wanted]

    assert len(PROMPTS) > 160
    assert len(missed) / len(PROMPTS) <= 0.05, missed


def test_few_prompts_are_taken_for_something_else() -> None:
    wrong = [prompt for prompt, wanted in PROMPTS if named(prompt) not in (wanted, UNKNOWN)]

    assert len(wrong) / len(PROMPTS) <= 0.02, wrong


@pytest.mark.parametrize("task_type", [*TASK_TYPES, UNKNOWN])
def test_no_type_is_read_much_worse_than_the_others(task_type: str) -> None:
    rows = [prompt for prompt, wanted in PROMPTS if wanted == task_type]
    right = [prompt for prompt in rows if named(prompt) == task_type]

    assert len(rows) >= 10
    assert len(right) / len(rows) >= 0.9, set(rows) - set(right)
