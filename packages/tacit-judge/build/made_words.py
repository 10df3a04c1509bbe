"""The words that made-up statements about projects and people are put together from."""

from __future__ import annotations


def listed(text: str) -> list[str]:
    """Give the parts between semicolons."""
    return [part.strip() for part in text.split(";") if part.strip()]


SERVICES = listed(
    "the API server; the billing service; the auth service; the web app; the search worker;"
    " the metrics exporter; the job runner; the gateway; the mail relay; the admin panel;"
    " the sync daemon; the report generator; the payment webhook; the import script;"
    " the mobile client; the indexer; the notification service; the proxy; the scheduler;"
    " the upload handler; the dashboard; the staging cluster; the test suite; the CLI;"
    " checkout-service; user-api; ingest-worker; the docs site; the feature store; the crawler"
)

# What is said of a service: ways to say it ({s} who, {v} what) | values that exclude each other.
ATTRIBUTES = [
    line.split("|")
    for line in """
{s} listens on port {v}/{s} runs on port {v}/port {v} is used by {s}/we expose {s} on port {v}|8080;3000;5432;9000;8443;6379;8000;4000
{s} stores its data in {v}/we use {v} as the database of {s}/the database behind {s} is {v}/{s} is backed by {v}|PostgreSQL;MySQL;SQLite;MongoDB;DynamoDB;MariaDB;CockroachDB
{s} is written in {v}/{s} is a {v} project/the code of {s} is {v}/we implemented {s} in {v}|Go;Rust;Python;Java;TypeScript;Kotlin;Ruby;Elixir
{s} requires Python {v}/{s} runs on Python {v}/the Python version of {s} is {v}/we pinned {s} to Python {v}|3.8;3.9;3.10;3.11;3.12;3.13
{s} uses Node {v}/Node {v} is required by {s}/{s} is built with Node.js {v}|14;16;18;20;22
{s} signs tokens with {v}/tokens of {s} are signed using {v}/the signing algorithm in {s} is {v}|RS256;HS256;ES256;EdDSA;PS512
{s} hashes passwords with {v}/passwords in {s} are hashed by {v}/{v} is the password hash of {s}|bcrypt;argon2id;scrypt;PBKDF2
{s} has a timeout of {v} seconds/requests to {s} time out after {v} seconds/the timeout of {s} is {v} s|5;10;15;30;45;60;90;120
{s} retries {v} times/failed calls to {s} are retried {v} times/the retry limit of {s} is {v}|2;3;4;5;7;10
{s} is deployed to {v}/we host {s} on {v}/{s} runs in {v}/{v} is where {s} is deployed|AWS ECS;Kubernetes;Heroku;Fly.io;a bare VM;Google Cloud Run;Azure App Service
{s} lives in {v}/the code of {s} is in {v}/you find {s} under {v}|src/core;services/api;apps/web;packages/server;lib/internal;cmd/main
{s} is tested with {v}/the tests of {s} use {v}/we test {s} using {v}|pytest;unittest;Jest;Vitest;JUnit;RSpec;Mocha
{s} is built by {v}/CI for {s} runs on {v}/we use {v} as the CI of {s}|GitHub Actions;Jenkins;CircleCI;GitLab CI;Buildkite;Travis
{s} logs at level {v}/the log level of {s} is {v}/logging in {s} is set to {v}|DEBUG;INFO;WARNING;ERROR
{s} is owned by {v}/{v} maintains {s}/{v} is responsible for {s}|Alice;the platform team;Bob;the data team;Carol;the infra team;Diego
{s} is released {v}/we release {s} {v}/releases of {s} happen {v}|every day;every week;every two weeks;once a month;once a quarter
{s} was launched in {v}/{s} went live in {v}/we shipped {s} in {v}|January;March;May;July;September;November
{s} caches results for {v} minutes/the cache TTL of {s} is {v} minutes/cached entries in {s} expire after {v} minutes|1;5;10;15;30;60
{s} sends its messages through {v}/the queue of {s} is {v}/{s} uses {v} for messaging|Kafka;RabbitMQ;Redis Streams;SQS;NATS
{s} returns {v}/responses of {s} are in {v}/the output format of {s} is {v}|JSON;XML;CSV;Protobuf;YAML
{s} uses {v} as package manager/dependencies of {s} are installed with {v}/we manage the packages of {s} with {v}|npm;pnpm;yarn;bun
{s} is at version {v}/the current version of {s} is {v}/{s} was released as {v}|1.2.0;1.4.1;2.0.0;2.3.5;3.1.0;0.9.8
{s} authenticates with {v}/logins to {s} use {v}/{v} is how users sign in to {s}|OAuth;session cookies;API keys;JWT;SAML;basic auth
{s} has a rate limit of {v} requests per minute/we allow {v} requests a minute on {s}/{s} accepts {v} requests per minute|30;60;100;250;500;1000
{s} has {v}% test coverage/test coverage of {s} is {v}%/{v}% of {s} is covered by tests|55;68;72;80;85;91;97
{s} is formatted with {v}/we run {v} over {s}/the formatter of {s} is {v}|black;ruff format;prettier;gofmt;yapf
{s} indents with {v}/the code of {s} is indented with {v}/indentation in {s} is {v}|tabs;two spaces;four spaces
{s} is licensed under {v}/the licence of {s} is {v}|MIT;Apache-2.0;GPL-3.0;BSD-3-Clause;AGPL-3.0
{s} is rendered {v}/pages of {s} are rendered {v}|on the server;in the browser;at build time
{s} is deployed from the {v} branch/the branch we deploy {s} from is {v}|main;develop;release;production
{s} uses {v} for the user interface/the front end of {s} is made with {v}/{v} is the UI framework of {s}|React;Vue;Svelte;Angular;plain HTML
{s} is backed up {v}/backups of {s} are made {v}|every hour;every night;every Sunday;once a month
""".strip().splitlines()
]

# Two sides that exclude each other, said of a service.
SWITCHES = [
    tuple(listed(side) for side in line.split("|"))
    for line in """
{s} is enabled; {s} is turned on; we switched {s} on|{s} is disabled; {s} is turned off; we switched {s} off; {s} is not enabled
{s} is thread-safe; {s} can be called from several threads|{s} is not thread-safe; {s} must stay on one thread
{s} supports pagination; results of {s} are paged|{s} does not support pagination; {s} returns everything at once
{s} is public; anyone can reach {s} from the internet|{s} is internal only; {s} is not reachable from outside
{s} validates its input; input to {s} is checked|{s} does not validate its input; {s} accepts input without any check
{s} runs synchronously; {s} blocks until it is done|{s} runs asynchronously; {s} returns at once and works in the background
{s} is still maintained; we keep maintaining {s}|{s} is no longer maintained; {s} has been abandoned; we stopped maintaining {s}
{s} is required; you need {s} to build|{s} is optional; you can build without {s}
{s} passes all tests; all tests of {s} are green|{s} fails its tests; tests of {s} are failing; the test run of {s} is red
{s} encrypts data at rest; stored data of {s} is encrypted|{s} stores data in plain text; {s} does not encrypt what it stores
{s} is deprecated; do not use {s} in new code|{s} is recommended for new code; new code should use {s}
{s} has documentation; {s} is documented|{s} has no documentation; nobody has documented {s}; {s} lacks documentation
{s} needs a restart after config changes; restart {s} when the config changes|{s} reloads its config without a restart; no restart of {s} is needed after config changes
{s} keeps the old data; old data of {s} is kept|{s} deletes the old data; old data of {s} is removed
{s} is fast enough; the performance of {s} is fine|{s} is too slow; {s} has bad performance
{s} is finished; {s} is complete and shipped|{s} is unfinished; {s} has not been shipped yet; work on {s} is still going on
{s} was migrated; we completed the migration of {s}|{s} has not been migrated; the migration of {s} never happened
""".strip().splitlines()
]

USES = [
    (listed(tools), listed(purposes))
    for tools, purposes in (
        line.split("|")
        for line in """
Redis;Memcached;an in-process LRU;Varnish|caching; the session cache
Terraform;Pulumi;CloudFormation;Ansible|provisioning; infrastructure
Sentry;Rollbar;Datadog;Bugsnag|error tracking; crash reports
Stripe;Adyen;Braintree;PayPal|payments; card processing
Elasticsearch;Meilisearch;Typesense;Postgres full-text search|search; the product search
SendGrid;Mailgun;Postmark;Amazon SES|sending mail; transactional email
Celery;RQ;Dramatiq;Huey|background jobs; scheduled tasks
SQLAlchemy;Django ORM;Peewee;raw SQL|database access; the data layer
Docker Compose;Vagrant;Nix;dev containers|local development; the development setup
Alembic;Flyway;Liquibase;plain SQL scripts|migrations; schema changes
Zod;Yup;Joi;io-ts|validation; checking forms
Redux;Zustand;MobX;Recoil|state management; client state
Tailwind;Bootstrap;styled-components;plain CSS|styling; the design
Playwright;Cypress;Selenium;Puppeteer|end-to-end tests; browser tests
FastAPI;Flask;Django;Starlette|the HTTP layer; the web framework
Slack;Teams;Discord;email|alerts; team communication
Notion;Confluence;the wiki;Google Docs|documentation; meeting notes
Vim;VS Code;PyCharm;Emacs|editing; writing code
""".strip().splitlines()
    )
]

RULES = listed(
    "run the linter before committing; squash commits before merging; commit to main directly;"
    " write a test for every bug; mock the database in tests; use global variables;"
    " log personal data; pin dependency versions; rebase feature branches;"
    " deploy on Fridays; catch broad exceptions; keep functions short; use type hints;"
    " store secrets in the repository; use wildcard imports; review your own pull requests;"
    " add docstrings to public functions; edit generated files; use async code in handlers;"
    " force-push to shared branches; run migrations by hand; put business logic in views;"
    " use tabs for indentation; add a changelog entry; prefer composition over inheritance;"
    " cache database queries; check return values; merge without approval;"
    " import from internal modules; return early; use feature flags; restart the workers after a deploy"
)

VERBS = {
    base: forms
    for base, *forms in (
        line.split()
        for line in """
write wrote written writing
use used used using
attend attended attended attending
complete completed completed completing
implement implemented implemented implementing
meet met met meeting
read read read reading
build built built building
deploy deployed deployed deploying
configure configured configured configuring
buy bought bought buying
visit visited visited visiting
try tried tried trying
submit submitted submitted submitting
take took taken taking
make made made making
fix fixed fixed fixing
set set set setting
run ran run running
hire hired hired hiring
enroll enrolled enrolled enrolling
work worked worked working
learn learned learned learning
play played played playing
receive received received receiving
join joined joined joining
speak spoke spoken speaking
create created created creating
add added added adding
apply applied applied applying
""".strip().splitlines()
    )
}

# verb | what was never done (general) | what was done (special) ...
ACTIONS = [
    (verb, any_, listed(specials))
    for verb, any_, specials in (
        line.split("|")
        for line in """
write|any unit tests for this project|unit tests for the parser with 85% coverage; twelve unit tests for the login form; tests in pytest last week
write|any SQL queries|a SQL query that joins orders and customers; a recursive SQL query for the report
write|any poems or short stories|a short story about my grandmother; a poem for the contest in May
use|Docker in this project|Docker to package the worker; a Docker image for the API since March
use|any budgeting app|YNAB to track the household budget; a budgeting app for three months
use|Redis for anything|Redis as the session store; Redis to cache the search results
use|a debugger|the VS Code debugger to find the leak; pdb to step through the importer
attend|any conferences or meetups|PyCon with two colleagues; the local Rust meetup in June
attend|any yoga classes|a yoga class every Tuesday; the beginner yoga class at the studio
attend|any writing workshops|the fiction workshop led by Dana; a two-day writing workshop
complete|any online courses|the deep learning course on Coursera; a course on data structures with a grade of 93%
complete|any practice problems on probability|20 probability problems with 90% accuracy; the practice set on conditional probability
complete|a marathon|the Berlin marathon in under four hours; my first marathon in April
implement|any rate limiting|rate limiting with a token bucket; a limit of 100 requests per minute in the gateway
implement|any form of user authentication|user authentication with Flask-Login; JWT login for the admin area
implement|input validation|input validation with Pydantic; validation of every form field
implement|any caching|a cache with a TTL of five minutes; response caching in the proxy
meet|Laura or anyone from her team|Laura at the kickoff; Laura from the design team twice
meet|my landlord in person|my landlord at the apartment on Monday; the landlord to sign the lease
read|any books on negotiation|a book on negotiation by Chris Voss; two books on negotiation
read|the deployment documentation|the deployment guide from start to end; the deployment docs before the release
build|any mobile apps|an Android app for tracking runs; a mobile app in Flutter
build|a recommendation system|a recommendation system with matrix factorisation; a movie recommender over the weekend
deploy|anything to production|the service to production on Friday; version 2.1 to production
deploy|to Kubernetes|the backend to a Kubernetes cluster; to Kubernetes with Helm charts
configure|any monitoring or alerts|Prometheus alerts for the queue; monitoring with Grafana dashboards
configure|HTTPS for the site|HTTPS with a certificate from Let's Encrypt; TLS on the load balancer
configure|a CI pipeline|a CI pipeline with GitHub Actions; the pipeline to run on every push
buy|any running shoes online|a pair of running shoes from an online shop; trail shoes online last week
buy|life insurance|a life insurance policy worth 200,000 dollars; term life insurance through Marta
visit|Japan or any other country in Asia|Kyoto and Osaka in the spring; Tokyo for two weeks
visit|a dentist this year|the dentist in February; Dr. Chen for a dental cleaning
try|any meditation apps|Headspace for a month; a meditation app recommended by Sam
try|intermittent fasting|intermittent fasting for six weeks; a 16:8 fasting schedule
submit|any patent applications|a patent application for the sensor; the provisional patent in October
submit|the grant proposal|the grant proposal before the deadline; the proposal to the foundation
submit|a pull request to an open source project|a pull request to the requests library; two pull requests to Django
take|any photos with a film camera|photos with an old Leica; a roll of film in Lisbon
take|piano lessons|piano lessons with Mrs. Ortega; a piano lesson every Thursday
make|a will or any estate plan|a will with a lawyer; an estate plan that names a guardian
make|sourdough bread|sourdough bread from my own starter; two loaves of sourdough on Sunday
fix|any memory leaks|a memory leak in the image cache; the leak that crashed the worker
fix|the login bug|the login bug by resetting the session; the bug that logged users out
set|up any backups|up nightly backups to S3; up a backup of the database
set|up two-factor authentication|up two-factor authentication for my account; up 2FA with an authenticator app
run|any load tests|a load test with 500 users; load tests with k6 before the launch
run|a security audit|a security audit with OWASP ZAP; an audit of the login flow
hire|any contractors|a contractor for the front end; two contractors from Poland
hire|an accountant|an accountant for the tax return; Mr. Webb as accountant
enroll|in any language classes|in a Spanish class at the college; in an evening class for German
enroll|in a retirement plan|in the company's 401(k) plan; in a pension plan with 5% matching
work|with GraphQL|with GraphQL on the reporting API; with Apollo and GraphQL for a year
work|remotely|remotely from Lisbon for a month; from home since January
learn|to swim|to swim at the community pool; to swim the crawl with a coach
learn|any functional programming|Haskell in a functional programming course; functional programming with Elixir
play|in any band|bass in a band called Northside; in a jazz band at college
play|chess competitively|in the city chess tournament; three rated chess games
receive|any feedback from my advisor|detailed feedback from my advisor; comments by my advisor on chapter two
receive|a job offer|a job offer from a startup in Austin; an offer with a salary of 95,000
join|any professional association|the association of translators; the bar association last year
join|a gym|a gym near the office; the gym on Market Street
speak|with a financial advisor|with a financial advisor about bonds; with advisor Nora on Tuesday
speak|at a conference|at a conference in Denver; at PyData about time series
create|any database indexes|an index on the email column; indexes for the orders table
create|a portfolio website|a portfolio website with Hugo; my portfolio site last month
add|error handling to the API calls|error handling with retries to the API calls; try/except around every API call
add|any logging|structured logging with JSON output; log lines for each request
apply|for a visa|for a student visa in Canada; for a visa at the consulate
apply|any regularization to the model|dropout of 0.3 to the model; L2 regularization with weight 0.01
""".strip().splitlines()
    )
]

MODULES = listed(
    "the parser; the tokenizer; auth.py; the cache layer; billing/invoice.py; the retry loop; the router;"
    " UserController; the settings page; the config loader; the CSV importer; the job queue; utils/dates.ts;"
    " the websocket client; the migration script; the login form; the GraphQL schema; the rate limiter;"
    " the export command; OrderRepository; the thumbnail worker; the search index"
)
CHANGES = listed(
    "fix a null pointer in {m}; add tests for {m}; refactor {m}; rename a variable in {m};"
    " handle empty input in {m}; remove dead code from {m}; speed up {m}; document {m};"
    " add a timeout to {m}; fix a race condition in {m}; move helper functions out of {m};"
    " use a context manager in {m}; log errors in {m}; catch the KeyError raised by {m};"
    " add type hints to {m}; split {m} into two files; make {m} accept a list; fix a typo in {m};"
    " drop support for the old format in {m}; bump the version used by {m}; add a flag to {m};"
    " fix the off-by-one error in {m}; cache the result of {m}; validate arguments of {m}"
)
FACTS = listed(
    "{m} raises ValueError on bad input; {m} is covered by integration tests; {m} reads its settings from the environment;"
    " {m} was written by an intern; {m} returns a list of dictionaries; {m} is about 400 lines long;"
    " {m} depends on the logging module; {m} is called once per request; {m} opens the file in binary mode;"
    " {m} needs a running database; {m} sorts the results by date; {m} is slow on large inputs;"
    " {m} keeps a lock while writing; {m} sends a metric for each call; {m} strips white space;"
    " {m} was rewritten last year; {m} uses a regular expression; {m} handles Unicode"
)
QUANTITIES = [
    line.split("|")
    for line in """
The film {n} holds an approval rating of {v}% on Rotten Tomatoes|{n} has a rating of {c} {v}%|20;98
{n} scored {v}% based on reviews by critics|{n} was rated {c} {v}%|20;98
The song {n} has received {v} million views on YouTube|{n} has {c} {v} million views|3;900
As of March, {v} cases have been reported in {n}|{n} had {c} {v} cases by March|120;90000
{n} sold {v} copies in its first week|in its first week, {n} sold {c} {v} copies|1000;90000
{n} has a population of {v}|the population of {n} is {c} {v}|2000;900000
{n} grossed {v} million dollars|{n} earned {c} {v} million dollars|2;900
{n} played {v} matches for the club|{n} appeared in {c} {v} matches for the club|4;300
{n} was founded in {v}|{n} came into being {y} {v}|1850;2015
{n} was released in {v}|{n} came out {y} {v}|1950;2022
{n} was born in {v}|{n} was born {y} {v}|1850;2000
The latency of {n} is {v} ms|{n} answers in {c} {v} ms|5;900
{n} has {v} open issues|there are {c} {v} open issues in {n}|3;900
Test coverage of {n} is {v}%|coverage of {n} is {c} {v}%|30;99
The build of {n} takes {v} minutes|{n} builds in {c} {v} minutes|2;90
{n} stores {v} GB of data|the data of {n} is {c} {v} GB|2;900
""".strip().splitlines()
]
NAMES = listed(
    "Silver Harbor; Night Lantern; Greenwood; Alva; Port Merrin; The Long Field; Delta Nine; Kestrel; Ironbridge;"
    " Maria Tolland; Paper Moons; Lake Orrin; Thornbury; The Quiet Hour; Novak; Red Canyon; Bluebell; Summit House;"
    " Juniper; Old Quarry; Sam Weller; Westmark; Crown Point; Little Rivers; the gateway; orders-db; the crawler"
)
