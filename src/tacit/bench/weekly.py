"""Tasks that come again in other words, and tasks that only look as if they did."""

from __future__ import annotations

from tacit.value import Value


class Repeat(Value):
    """A goal, the same goal as asked a week later, and a goal that differs in what matters."""

    goal: str
    again: str
    near_miss: str
    files: tuple[str, ...]
    commands: tuple[str, ...] = ()


def _repeat(goal: str, again: str, near_miss: str, files: str, *commands: str) -> Repeat:
    return Repeat(
        goal=goal, again=again, near_miss=near_miss, files=tuple(files.split()), commands=commands
    )


# Read while the rules were made.
KNOWN = (
    _repeat(
        "update the changelog for the weekly release",
        "please bring the changelog up to date for this week's release",
        "remove the changelog from the weekly release",
        "CHANGELOG.md docs/releases.md",
        "make release",
    ),
    _repeat(
        "the nightly import job fails, please repair it",
        "nightly import is failing again, can you fix it",
        "disable the nightly import job",
        "jobs/importer.py jobs/schedule.yaml",
        "pytest tests/jobs",
    ),
    _repeat(
        "refresh the exchange rates in the price table",
        "the price table needs new exchange rates",
        "add 19 countries to the price table",
        "data/rates.csv shop/prices.py",
        "python scripts/rates.py",
    ),
    _repeat(
        "rebuild the search index after the schema change",
        "after changing the schema, rebuild the index of the search",
        "drop the search index",
        "search/index.py search/schema.sql",
        "make index",
    ),
    _repeat(
        "translate the new strings of the checkout page",
        "the checkout page has new strings that need a translation",
        "translate the new strings of the `AccountPage`",
        "locale/de.po web/checkout.html",
        "make messages",
    ),
    _repeat(
        "upgrade the dependencies and run the tests",
        "run the tests after upgrading our dependencies",
        "downgrade the dependencies",
        "pyproject.toml uv.lock",
        "uv lock",
        "uv run pytest",
    ),
    _repeat(
        "regenerate the API client from the schema",
        "the API client must be generated again from its schema",
        "regenerate the API client from schema v2",
        "client/api.ts openapi.json",
        "npm run generate",
    ),
    _repeat(
        "clean up the flaky tests of the payment service",
        "payment service: some tests are flaky, clean them up",
        "clean up the tests of the `InvoiceService`",
        "tests/test_payment.py payment/service.py",
        "pytest tests/test_payment.py",
    ),
    _repeat(
        "rotate the signing keys of the login service",
        "signing keys of the login service have to be rotated",
        "never rotate the signing keys of the login service",
        "login/keys.py deploy/login.yaml",
        "make deploy",
    ),
    _repeat(
        "write the weekly report of open incidents",
        "weekly report: list the open incidents",
        "write the monthly report of closed incidents",
        "reports/incidents.md scripts/report.py",
        "python scripts/report.py",
    ),
    _repeat(
        "add a migration for the customer table",
        "the customer table needs another migration",
        "revert migration 0042 of the customer table",
        "db/migrations/customer.sql db/models.py",
        "alembic upgrade head",
    ),
    _repeat(
        "speed up the slow query on the orders page",
        "orders page: the query is slow, make it faster",
        "log the slow query on the orders page for 30 days",
        "orders/query.py orders/views.py",
        "pytest tests/orders",
    ),
)
# Written afterwards, and not looked at since.
HELD_OUT = (
    _repeat(
        "make a backup of the staging database",
        "the staging database should be backed up",
        "delete the backups of the staging database",
        "ops/backup.sh ops/staging.env",
        "make backup",
    ),
    _repeat(
        "fix the broken links in the handbook",
        "handbook: some links are dead, repair them",
        "fix the broken layout of the handbook",
        "docs/handbook.md docs/links.txt",
        "make docs",
    ),
    _repeat(
        "bump the version and tag a patch release",
        "tag another patch release with a new version",
        "bump the version to 3.0 and tag a major release",
        "pyproject.toml CHANGELOG.md",
        "git push",
    ),
    _repeat(
        "investigate why the staging deployment times out",
        "deployment to staging runs into a timeout, find out why",
        "investigate why the production deployment is refused",
        "deploy/staging.yaml deploy/wait.py",
        "make deploy",
    ),
    _repeat(
        "sync the fixtures with the current schema",
        "bring our fixtures in line with the schema as it is now",
        "generate 500 more fixtures",
        "tests/fixtures.json tests/make_fixtures.py",
        "make fixtures",
    ),
    _repeat(
        "resolve the merge conflicts with the main branch",
        "there are conflicts when merging main, please resolve them",
        "revert the merge of the main branch",
        "src/app.ts src/routes.ts",
        "git push",
    ),
    _repeat(
        "tighten the lint rules for unused imports and fix what they find",
        "stricter linting of unused imports, and fix all findings",
        "loosen the lint rules for unused imports",
        "ruff.toml src/loader.py",
        "ruff check",
    ),
    _repeat(
        "collect the feedback of the reviewers and answer it",
        "go through what the reviewers said and respond to it",
        "ignore the feedback of the reviewers",
        "src/review.py tests/test_review.py",
        "make test",
        "git push",
    ),
)
