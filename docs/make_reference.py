"""Writes docs/reference from the code; with `--check` tells whether it is up to date.

python docs/make_reference.py
python docs/make_reference.py --check

Names, types, defaults and columns are read from the code; what they mean is said here, and a
name without a meaning, or a meaning without a name, is an error. So no page can fall behind.
"""

from __future__ import annotations

import inspect
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import agent_reference
import apsw
import cli_reference
import rest_reference

import tacit
from tacit import body, config, draft, errors, model, profile, roles, system
from tacit.consolidate import cycle, moves, room
from tacit.observe import importing, sources
from tacit.retrieve import audit, query
from tacit.store import backups, protocol, transfer
from tacit.store.sqlite import database
from tacit.system import reading
from tacit.value import Value
from tacit.write import agreement, merge, remember

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

REFERENCE = Path(__file__).parent / "reference"
MADE = "<!-- Written by docs/make_reference.py; change it there or in the code, then run: make docs -->"

# What the fields of a memory mean, wherever they turn up: in Python, in exports, in the schema.
FIELDS = {
    "id": "UUIDv7; ids sort by when they were made",
    "short": "8 base32 letters, more where those are taken; what people write to name it",
    "kind": "episode, fact, pattern, skill, resource or block; follows from the body",
    "body": "what it says in the form of its kind",
    "levels": "its text in four levels of detail, and what its line in a briefing costs at each",
    "hash": "of what it says; equal hashes in one scope are one memory",
    "scope": "whose it is, a path from wide to narrow such as `project:shop/agent:eng-1`",
    "validity": "when it was so in the world",
    "valid_from": "since when it was so in the world",
    "valid_to": "until when it was so in the world; empty: still",
    "recorded_at": "since when the system holds it",
    "retired_at": "when the system learnt that it had ended; empty: it has not",
    "subtype": "a finer word of your own, such as decision or gotcha",
    "polarity": "do, avoid or neutral: whether it recommends or warns",
    "rev": "how many times it was changed, plus one",
    "tier": "mandate, guardrail or reference: how binding it is",
    "pinned": "marked by a person as not to be touched by upkeep; nothing acts on it yet",
    "confirmed_by": "the person who confirmed it; empty: nobody",
    "state": "candidate, active, archived or forgotten; only active ones are served",
    "confidence": "0 to 1; rises when the same is said again",
    "importance": "0 to 1; as set, never decayed",
    "temporal": "episodic, habitual or timeless: how it ages; without one, by its kind",
    "visibility": "private, shared or system; kept, not enforced yet",
    "author": "who said it",
    "session": "the stretch of work it belongs to; memories of one session follow each other",
    "origin": "human, agent, hook, import, extracted or consolidated: how it was made",
    "trust": "human, agent, import, tool or web: whose word it is, strongest first",
    "source_ref": "where it comes from, such as `file:docs/setup.md#install`",
    "learn_tokens": "what it cost to learn, in tokens, where that is known",
    "mentions": "what it is about, each facet and role once",
    "text": "what to keep, at most 1,000,000 characters",
    "key": "subject.attribute of a fact that has one value at a time",
    "value": "the value the key has",
    "title": "at most 50 characters; made from the text where it is empty",
    "summary": "some sentences; made from the text where it is empty",
    "hint": "one line; made from the text where it is empty",
    "files": "files it is about; they become mentions",
    "tags": "tags it has; they become mentions",
    "links": "links to memories made from other sources, each named by its `source_ref`",
    "anchors": "files it speaks of, by their path and the git blob id they had",
    "unverified": "a file it is anchored to has changed since it was last seen to hold",
    "basis": "the words it was made from; weighed when machines propose it, and not kept",
    "evidence": "found and cited when asked for, but no memory: it is not handed over unasked",
    "renews": "takes the place of what was made from the same `source_ref` before",
}

METHODS = {
    "Opening and closing": ["open", "close"],
    "Writing": ["remember", "remember_many", "write", "edit", "set", "forget", "restore", "erase"],
    "Relating and using": ["link", "cite"],
    "Watching": [
        "observe",
        "observe_file",
        "observe_stream",
        "observe_pending",
        "candidates",
        "accept",
    ],
    "Reading": [
        "recall",
        "recall_explained",
        "list",
        "timeline",
        "learnt",
        "get",
        "show",
        "why",
        "handed",
    ],
    "Briefing and attending": [
        "brief",
        "attend",
        "sessions",
        "injected",
        "incognito",
        "take_troubles",
        "for_phase",
        "before_task",
    ],
    "Showing little first": ["index_view", "timeline_view", "load_topics", "expand"],
    "Counting the cost": ["report", "economics", "roi"],
    "Profiles": [
        "profiles",
        "find_profile",
        "adopt_profile",
        "change_profile",
        "keep_profile",
        "profile_history",
    ],
    "Seeing what helps": ["effects", "feedback", "close_session"],
    "Breeding profiles": [
        "profile_space",
        "replay",
        "evolve",
        "evolution",
        "champion",
        "adopt_champion",
    ],
    "Looking ahead": ["predict", "score_predictions"],
    "Advising": ["detect", "strategies", "drift", "advise", "trim"],
    "Learning": [
        "learn_rank",
        "transfer",
        "taken_for",
        "correct",
        "corrections",
        "take_back_correction",
    ],
    "Staying true": ["consolidate", "rest", "outlook", "contradictions", "resolve"],
    "Learning which profile helps": [
        "learn_start",
        "learn_status",
        "learn_explain",
        "learn_update",
        "learn_pause",
        "learn_resume",
        "learn_stop",
        "learn_rollback",
        "learn_log",
    ],
    "Asking about the whole": ["unverified", "refused", "status", "doctor"],
    "Moving and keeping": [
        "export",
        "import_",
        "export_to",
        "import_from",
        "backup",
        "backups",
        "load_backup",
    ],
    "Together": [
        "merge",
        "share",
        "members",
        "invite",
        "invited",
        "set_role",
        "remove_member",
        "group",
        "audit",
        "as_member",
        "may",
    ],
    "Where secrets are": ["keep_secret", "secrets", "secret_place"],
    "Vectors": ["reembed", "pending"],
}

# Properties whose object has methods of its own.
HELD = ("blocks", "ledgers", "handoffs", "continuity", "dead_letters", "memory_files")
OTHER_PROPERTIES = {
    "counter": "counts tokens",
    "embedder": "what turns text into vectors; None when it is off",
    "judge": "tells whether two statements contradict each other; None where none is installed",
    "language_model": "the optional language model; None when it is off",
    "profile": "the profile in use: the one that was named, else the one the store has adopted",
    "rules": "the rules of staying true, as the settings have them",
}

CLASH = {
    "id": "of the pair as it is now; the same whoever finds it",
    "a": "id of one memory",
    "b": "id of the other, which sorts behind it",
    "detector": "what found it: key, rules or judge",
    "score": "how sure it is, 0 to 1",
    "hashes": "of both when it was found",
    "detected_at": "when",
    "note": "why",
    "suggestion": "how it might end; none: nobody knows",
    "resolution": "a_wins, b_wins, both_valid or merged; none while it is open",
    "resolved_at": "when it ended",
    "resolved_by": "who ended it",
    "resolution_note": "why it ended so",
    "merged_into": "id of the memory both went into",
}

FILTERS = {
    "states": "in these states; without it, active ones",
    "kinds": "of these kinds",
    "tiers": "of these tiers",
    "polarities": "of these polarities",
    "scopes": "of exactly these scopes, such as `user:ana`",
    "subtypes": "of these subtypes, such as decision or commit",
    "facets": "about all of these, such as `file:src/auth.py` or `tag:auth`",
    "since": "that began then or later (an aware time)",
    "until": "that began before then (an aware time)",
    "ended": "that had ceased to hold by then (an aware time)",
    "sessions": "of these sessions",
    "authors": "said by these authors",
    "ids": "among these ids",
    "without": "not of these subtypes",
    "exclude": "not among these ids, such as those already in context",
    "after": "with a higher id than this: the next page, in the order of ids",
    "keys": "facts with these keys",
    "hashes": "with these content hashes",
    "sources": "made from exactly these sources, by their `source_ref`",
    "parts_of": "made from parts of this one source, such as `file:README.md`",
    "anchored": "anchored to files, if true",
    "unverified": "in doubt, if true",
    "evidence": "with evidence (none), evidence alone (true) or memories alone (false); "
    "`recall` begins with none, all else with false",
}

RESULTS: dict[type[Value], dict[str, str]] = {
    query.Hit: {
        "memory": "the memory found",
        "score": "the sum of the parts; comparable within one recall only",
        "level": "how much of it is shown by default, by its age",
        "parts": "how the score came about",
    },
    query.Parts: {
        "text": "from the words, scaled so that the best of all candidates has the whole share",
        "vector": "from the embedding, scaled alike",
        "facets": "for files, symbols, errors or keys that the query names",
        "signal": "for a file that is open now",
        "linked": "for a link to one of the best hits",
        "author": "for an author whom the query names",
        "human": "for a person's word, where the query does not ask the agent",
        "unverified": "against what is anchored to files that have changed since",
        "recency": "for being fresh, where the query is no question; what is timeless is always fresh",
        "used": "for having been cited and having helped",
        "covered": "for the share of the query's words it holds, where the profile weighs that",
        "near": "for the cosine as such, where the profile weighs that",
        "files": "for the files it is about, where the profile weighs that",
        "factor": "multiplies the sum: of the tier and the kind",
        "near_miss": "multiplies it too: below 1 for what was passed over where others were used",
        "coverage": "share of the query's weight that the text holds, 0 to 1",
        "cosine": "to the query, leaning towards its neighbours in the session; none without a vector",
        "rerank": "the cross-encoder's own score, where one was asked",
    },
    query.Recalled: {
        "hits": "the hits, best first",
        "pools": "what each channel gave: `channel`, `candidates`, `ms`",
        "cut": "how many candidates were dropped because they are not relevant enough",
        "missing": "channels that could not be used, each with the reason",
    },
    remember.Written: {
        "memories": "one for each draft, in order; a known one where the same is kept already",
        "fresh": "those that were not there before; `new` is their number",
        "reinforced": "how many were known in other words and were strengthened",
        "renewed": "how many were made from the same source before and changed with it",
        "closed": "ids of facts that ended because a newer one replaced them",
        "contradictions": "clashes that could not be settled by rule",
        "redacted": "how many secrets of each type were replaced",
    },
    reading.Explained: {
        "memory": "the memory",
        "history": "its revisions, oldest first",
        "links": "relation as read from this memory, and the other memory",
        "usage": "how often each usage event happened",
        "contradictions": "the clashes it is part of",
        "status": "one sentence: whether it is served now, and why",
        "near_misses": "sessions that passed it over and used others, since it was last cited",
        "near_miss": "what these leave of its score, by the profile in use; 1 is all",
    },
    sources.Report: {
        "sources": "what became of each source",
        "kinds": "how many memories are new, by kind and subtype",
        "evidence": "how much is new beside them, to be searched, likewise",
        "refused": "how many the gate refused, by reason",
        "examples": "one of what was refused, by reason",
        "redacted": "how many secrets of each type were replaced",
        "left_out": "what readers could not use, by name",
        "unverified": "how many memories are anchored to files that have changed since",
        "candidates": "how many of the new ones wait for review",
        "dry_run": "whether nothing was kept",
    },
    sources.SourceReport: {
        "source": "documents, notes, manifests, git, sessions, routines, code or stream",
        "seen": "how many documents, commits or sessions were looked at",
        "drafts": "how many memories they came to before the gate",
        "new": "how many are new",
        "renewed": "how many were known and changed with their source",
        "refused": "how many the gate refused",
        "ended": "how many the source no longer says",
        "seconds": "how long it took",
    },
    importing.ImportReport: {
        "format": "which format it was",
        "read": "what was read and what was left out, by name",
        "redacted": "how many secrets of each type were replaced",
        "memories": "how many memories it comes to",
        "new": "how many are new",
        "edited": "texts that were changed by hand, in files Tacit wrote",
        "kept_ours": "of those, texts that had changed here as well; they stay as they are here",
        "refused": "how many cannot be kept",
        "dry_run": "whether nothing was kept",
    },
    transfer.Imported: {
        "read": "how many records of each type were read",
        "new": "how many memories were not there before",
    },
    merge.Merged: {
        "new": "memories that were not there",
        "updated": "memories for which the other store's revision won",
        "duplicates": "memories that said the same and were folded into the first",
        "superseded": "keyed facts that were ended by a later one",
        "contradictions": "clashes that are new",
        "kept_private": "memories that stayed at home",
        "left_out": "memories of others that who asks may not bring into a team's store",
        "dry_run": "whether nothing was changed",
        "given": "the same of the other store, where it took in ours",
        "verified": "what both sides were found to have alike after giving, by type of record",
    },
    agreement.Agreed: {
        "type": "of records",
        "count": "how many were given",
        "later": "how many of them have gone on there since",
        "hash": "of the others, the same on both sides",
    },
    roles.Member: {
        "name": "who they are",
        "role": "reader, writer, curator or admin",
        "teams": "the groups within the team they are in",
    },
    roles.Invited: {
        "name": "who was asked in",
        "role": "what they will be",
        "by": "who asked them",
        "expires_at": "until when they may come",
    },
    roles.AuditEntry: {
        "at": "when",
        "member": "who",
        "act": "what was done, or refused",
        "subject": "to what or whom",
    },
    cycle.Report: {
        "counts": "what each pass did, by name",
        "seconds": "how long it took",
        "finished": "whether it came to its end; if not, the next one goes on",
        "resumed": "whether it went on with one that was left undone",
        "dry_run": "whether nothing was changed",
    },
    moves.Move: {
        "memory": "the memory as it is",
        "after": "as it would be",
        "what": "promote, demote, archive, forget or restore",
        "why": "the reason",
        "proposed": "whether it waits for a person",
    },
    model.Contradiction: CLASH,
    audit.Learnt: {
        "at": "when, in system time",
        "event": "recorded, changed, retired or restored",
        "memory": "the memory as it stood after",
        "op": "the verb in its history",
        "by": "who",
        "note": "why, where it was not a person who decided",
        "changes": "what changed: name, before, after",
    },
    backups.Backup: {
        "path": "where it lies",
        "bytes": "how large it is",
        "made_at": "when it was made",
    },
    protocol.Stats: {
        "memories": "all of them, in every state",
        "evidence": "records beside them: commits, sections of documents, turns of sessions",
        "live": "active and not ended",
        "by_kind": "number of each kind",
        "by_state": "number in each state",
        "by_tier": "number of each tier",
        "links": "links between memories",
        "facets": "things that memories are about",
        "revisions": "entries of the history",
        "usage": "usage events",
        "contradictions": "open clashes",
        "vectors": "vectors of each model",
        "bytes": "size of the file and its log",
        "schema": "version of the schema",
    },
    **agent_reference.RESULTS,
}

RULES = {
    "archive_episode_after": "Days after which an episode is archived that nothing refers to.",
    "archive_behind": "How many later episodes of each file it changed an episode needs before it is archived.",
    "forget_behind": "The same, before one that is archived is forgotten.",
    "archive_after": "Days after which anything else is archived that was offered and hardly used.",
    "archive_cited_below": "How often it must have been cited to be more than hardly used.",
    "grace": "Days that what is archived waits, unmissed, before it is forgotten.",
    "exempt_importance": "From this importance on a memory is neither archived nor forgotten.",
    "pattern_confidence": "Below this confidence a pattern, warning or skill waits for more evidence, or for you.",
    "most_memories": "Beyond so many, the least worth keeping are archived; without it there is no bound.",
    "promote_to_mandate": "Whether what surely helps becomes a mandate without asking a person.",
}

SETTINGS = {
    "store": (
        "Keep memories in this store instead of a file per project. The memories of all projects "
        "then lie together, and recall finds them all unless `--scope` narrows it. "
        "A store is a file, as a path or `sqlite://path`; a database of many people, "
        "`postgresql://login@host/database` (see [Use PostgreSQL](../howto/use-postgres.md)); or "
        "the address of a server (`http://127.0.0.1:7878`), which hooks cannot use. "
        "A relative path counts from the settings file, or from the present folder for the variable."
    ),
    "token": (
        "The token that a server asks for where `store` or `--store` is its address; better in "
        "the variable than in a file that others may read."
    ),
    "tenant": (
        "Whose memories are meant in a PostgreSQL store; by default `default`. "
        "A file has no tenants."
    ),
    "skip": "Switch off every hook: hosts are answered with nothing, and nothing is kept.",
    "embedder": (
        "What turns text into vectors: `default` is the packaged model, `off` none; others are "
        "`fastembed:<model>`, `sentence-transformers:<model>`, `model2vec:<path>` and "
        "`openai:<model>@<base url>`."
    ),
    "profile": (
        "The [profile](profiles.md) to use, before the one that the store has "
        "[taken into use](../howto/tune-a-profile.md); `default` leaves it to the store."
    ),
    "encode_by": (
        "A [function of your own](../howto/tune-a-profile.md) that makes memories of sessions, in "
        "the place of `tacit.encode.episodes:session_drafts`."
    ),
    "recall_by": (
        "The same for answering questions, in the place of `tacit.retrieve.recall:recall`."
    ),
    "care_by": "The same for staying true, in the place of `tacit.consolidate.cycle:cycle`.",
    "reranker": (
        "A cross-encoder for `--rerank`: a folder with `model.onnx` and `tokenizer.json`. "
        "None is packaged."
    ),
    "user": "The name that changes are recorded under; without it, the login name.",
    "write": (
        "How much may be written without being asked. `auto`: all that passes the gate; `review`: "
        "what is observed [waits for a person](../howto/review-what-was-found.md); `manual`: "
        "nothing is observed, only what is asked for is kept; `off`: nothing is written at all."
    ),
    "embed_threads": "How many texts the packaged model embeds at a time.",
    "llm": (
        "An optional [language model](../howto/use-a-language-model.md): `off`, "
        "`openai:<model>[@<base url>]`, `anthropic:<model>[@<base url>]` or "
        "`command:<program and arguments>`. Keys come from the SDKs' own variables."
    ),
    "llm_daily_tokens": "The most tokens the language model may use in a day (UTC); 0 allows none.",
    "inject": (
        "What [hooks](hooks.md) hand to an agent by themselves: `auto` what fits the moment, "
        "`index` only which topics there are, at the start, `off` nothing. A session begins with "
        "this; `tacit session incognito` changes it for one."
    ),
    "start_tokens": "The most tokens a session is handed at its start, beside at most 100 that name topics; 0 hands over nothing.",
    "prompt_tokens": "The most tokens a prompt is answered with; 0 hands over nothing between the start and the end.",
    "idle_seconds": (
        "How long nobody must have asked an MCP server before it starts a "
        "[cycle](../howto/stay-true.md) in a process of its own, if anything has changed; once "
        "each time. 0 starts none."
    ),
    "worker": (
        "Whether a hook may start a short process that makes memories of a session when it ends. "
        "Without it, `tacit observe --pending` does the same when you run it."
    ),
    "bypass": (
        "Whether prompts of a type of task go without memory "
        "[where it was never of use](../howto/spend-few-tokens.md)."
    ),
    "consolidate": (
        "Whether the short process after a session also runs a "
        "[cycle](../howto/stay-true.md) of at most 20 seconds: `auto`, or `manual` when you "
        "run `tacit consolidate` yourself or by a timer."
    ),
}
ENVIRONMENT_ONLY = {
    "TACIT_HOME": "The data directory, where stores, backups and `config.toml` lie.",
    "TACIT_PROJECT": "The name of the project, whatever the folder; wins over `.tacit.toml` and git.",
    "TACIT_DATA": "Where `tacit bench` looks for data sets when `--data` is not given.",
    "TACIT_DEBUG": "Show the whole traceback of an unexpected error instead of one line.",
}

PROFILE = {
    "name": "how it is chosen",
    "version": "rises when its numbers change",
    "pool": "candidates each channel gives at least",
    "pool_unasked": "the same where nobody asked: few are handed over then, and somebody waits",
    "overfetch": "candidates each channel gives at least, as a multiple of the limit",
    "most_terms": "terms of a query that count, rarest first",
    "text": "share of the text channel; takes the vector's share too where there is no vector",
    "vector": "share of the vector channel; takes the text's share too where there are no words",
    "facets": "for mentioning what the query names",
    "signal": "for touching a file that is open now",
    "linked": "for a link to one of the best hits",
    "lend_near": "what the neighbours one step away in a session lend to a text's terms",
    "lend_far": "what the neighbours two steps away lend",
    "lend_vector": "what neighbours lend to a cosine",
    "lend_terms": "length in terms above which a text lends less",
    "author": "for an author whom the query names",
    "human": "for a person's word, where the query does not ask the agent",
    "recency": "for being fresh, where the query is no question",
    "unverified": "against it: a file it is anchored to has changed since",
    "used": "for having been cited and having helped",
    "half_life_days": "days after which freshness is halved",
    "mandate_half_life_days": "the same for mandates",
    "mandate": "factor on the score of mandates",
    "guardrail": "factor on the score of guardrails",
    "kinds": "factors on the score by kind; 1 where none is set, never below .1",
    "avoid": "factor on the score of patterns that warn, in the place of their kind's",
    "evidence": "factor on the score of what is only evidence: commits, pages, turns of a chat",
    "brief_rank": "how steeply what a hit is worth to a briefing falls with its rank",
    "brief_level": "what a shorter level is worth: the share of the text it keeps, to this power",
    "brief_level_start": "the same at the start of a session: many things at a glance",
    "diversity": "what being about the same files as a better hit costs",
    "renewed": "share of an older statement's score from which a later one that tells of a change passes it",
    "renewed_words": "words of the question both must hold for that",
    "cut_words": "what covering all of the query's words adds to the cosine, for the cut",
    "cut_words_alone": "what covering all of the query's words is worth for the cut where there are no vectors",
    "cut_question": "least relevance of the best hit for a question to be answered at all",
    "cut_other": "the same for a text that is no question",
    "cut_hit": "least relevance of a single hit",
    "cut_document": "least relevance of the best hit for a long text",
    "cut_question_briefed": "least relevance of the best hit for a question that is briefed about",
    "cut_document_briefed": "the same where it is briefed about",
    "named_alone": "whether sharing a name is enough where nothing else is relevant",
    "cut_unasked": "least relevance of the best hit where nobody asked: at a prompt or an error",
    "cut_unasked_hit": "least relevance of a single hit where nobody asked",
    "covered": "for the share of the query's words that the text holds, as such",
    "cosine": "for the nearness to the query, as such and not beside the best",
    "files": "for the files it is about, ten or more counting whole",
    "near_miss": "the part of a score that being passed over may cost, at most .2",
    "granularity": "how a session is cut into episodes: action, session or hierarchical",
    "layers": "levels of detail the views use: 2, 3 or 4",
    "retrieval": "which channels are asked: vector, hybrid or graph",
    "retention": "what decides that a memory is put away: time, usage or importance",
    "compression": "to what part of a long text a summary shortens it: 5, 10 or 20 to one",
}

TABLES = {
    "scope": "The scopes that memories have.",
    "memory": "One row a memory as it is now; what it was before is in `revision`.",
    "memory_text": "The text index (FTS5, external content). Triggers on `memory` keep it in step.",
    "memory_vocabulary": "How many memories hold each term; reads `memory_text`.",
    "revision": "The history. A memory that never changed has no row here.",
    "link": "Directed, named relations; the inverse is derived.",
    "facet": "Things that memories are about, each once.",
    "mention": "That a memory is about a facet, and how.",
    "embedding": "Vectors, by model and part of the text.",
    "usage": "What became of a memory in a query; every counter is counted from here.",
    "contradiction": "Pairs that cannot both hold, open or resolved.",
    "judged": "What was found about pairs of memories, so that none is judged twice.",
    "touch": "A number for each memory that grows when it is new, says something else or is served again.",
    "document": "Small named documents of JSON, such as how far each source was read.",
    "observed": "Events of sessions that came piece by piece; dropped after 30 days.",
    "session": "Sessions of agents: where each stands.",
    "query": "What a session asked and was handed; usage events name their query.",
}
COLUMNS = {
    "scope": {"row": "number, internal", "path": "such as `project:shop/agent:eng-1`"},
    "memory": {
        "row": "number, internal",
        "full": "the full text",
        "summary": "level summary",
        "hint": "level hint",
        "title": "level title",
        "full_tokens": "tokens of its line in a briefing with the full text",
        "summary_tokens": "the same with the summary",
        "hint_tokens": "the same with the hint",
        "title_tokens": "the same with the title",
        "scope": "row of `scope`",
        "tags": "tokens such as `kind:fact` that narrow a text search without a join",
        "words": "the search text: normal forms with blanks between",
        "terms": "how many words",
    },
    "memory_text": {"tags": "as in `memory`, weight 0", "words": "as in `memory`, weight 1"},
    "memory_vocabulary": {
        "term": "a term",
        "doc": "memories that hold it",
        "cnt": "how often it occurs in all",
    },
    "revision": {
        "memory": "id of the memory",
        "rev": "which revision",
        "at": "when",
        "by": "who",
        "op": "such as remember, edit, forget, reinforce, supersede, renew, end, doubt or verify",
        "snapshot": "the memory after the change, as JSON",
        "note": "why, where it was not a person who decided",
    },
    "link": {
        "src": "row of the memory it goes out from",
        "relation": "one of the eleven relations",
        "dst": "row of the memory it points to",
        "weight": "0 to 1",
        "origin": "how it was made",
        "valid_from": "since when",
        "valid_to": "until when; empty: still",
    },
    "facet": {
        "row": "number, internal",
        "type": "topic, entity, file, symbol, tag, commit, pr, adr, error, tool or person",
        "norm": "the form facets are compared by",
        "compact": "the form a question may name it by: letters and digits, case folded",
    },
    "mention": {
        "memory": "row of the memory",
        "facet": "row of the facet",
        "role": "about, reads, writes, raises or fixes",
        "name": "as this memory spells it",
        "count": "how often",
    },
    "embedding": {
        "row": "number, internal; only ever grows",
        "memory": "row of the memory",
        "model": "id of the model; vectors of two models are never compared",
        "part": "which part of the text",
        "dim": "how many numbers",
        "text_hash": "hash of the memory when it was made; another one means it is out of date",
        "vec": "little-endian float32, of length one",
    },
    "usage": {
        "query": "id of the query",
        "memory": "id of the memory",
        "event": "loaded, cited, ignored, helped, hurt, expanded, prefetched or needed",
        "at": "when",
        "note": "a remark",
    },
    "contradiction": {
        "id": "of the pair as it is now; the same whoever finds it",
        "a": "id of one memory",
        "b": "id of the other, which sorts behind it",
        "detector": "what found it",
        "score": "how sure it is, 0 to 1",
        "hash_a": "hash of the first when it was found",
        "hash_b": "hash of the second when it was found",
        "detected_at": "when",
        "note": "why",
        "suggestion": "how it might end: a_wins, b_wins, both_valid or merged; empty: nobody knows",
        "resolution": "how it ended; empty while it is open",
        "resolved_at": "when it ended",
        "resolved_by": "who ended it",
        "resolution_note": "why it ended so",
        "merged_into": "id of the memory both went into",
    },
    "judged": {
        "pair": "a hash of both ids and of what they said",
        "detector": "who judged: rules alone, or the name of the judge",
        "score": "how surely they contradict each other, 0 to 1",
    },
    "touch": {
        "row": "the number; never used twice",
        "memory": "row of the memory",
    },
    "document": {"name": "its name", "json": "its content"},
    "observed": {
        "row": "number, internal; the order they came in",
        "source": "the session and the event's own id; the same event is kept once",
        "session": "the host and its id of the session, such as `claude:3f0c`",
        "at": "when it happened",
        "json": "the event, redacted",
    },
    "session": {
        "id": "the host and its id of the session, such as `claude:3f0c`",
        "seen": "when something last happened in it",
        "pending": "1 while it was not made into memories",
        "json": "all of it; the fields are those of [SessionRecord](python.md#sessionrecord)",
    },
    "query": {
        "id": "its id",
        "session": "whose it is; empty outside of one",
        "at": "when",
        "json": "all of it; the fields are those of [QueryRecord](python.md#queryrecord)",
    },
}

RECORDS = {
    "memory": "A memory as it is now.",
    "revision": "A memory as it was after one change.",
    "link": "A relation between two memories, by their ids.",
    "usage": "What became of one memory in one query.",
    "contradiction": "Two memories that cannot both hold, and how that was settled.",
    "session": "An agent's stretch of work, and where it stands.",
    "query": "What a session asked and was handed.",
}
INSIDE: tuple[type[Value], ...] = (
    model.Levels, model.Validity, model.Scope, model.Mention, model.Facet, model.Anchor,
)  # fmt: skip


def python_page() -> str:
    """The public API: every name of `tacit.__all__` and every public method of `Tacit`."""
    names = [name for name in dir(system.Tacit) if not name.startswith("_")]
    found = {name: inspect.getattr_static(system.Tacit, name) for name in names}
    public = {name for name in names if callable(getattr(system.Tacit, name))}
    properties = {name for name, member in found.items() if isinstance(member, property)}
    _same(public, {name for names in METHODS.values() for name in names}, "methods of Tacit")
    _same(properties, {*HELD, *OTHER_PROPERTIES}, "properties of Tacit")
    lines = [
        "# Python",
        "",
        MADE,
        "",
        "Everything is imported from `tacit`; names are loaded when they are first used.",
        "Times are aware `datetime` values; one without a zone is refused.",
        "A memory is named by its id, its short name, the beginning of either (three letters or "
        "more), or a citation such as `[M:abcd2345]`.",
        "One that was imported, or read from a source, is also named as it was there: `sem-001`, "
        "`skill:release`.",
        "How to use it is in [Use Tacit from Python](../howto/use-from-python.md).",
        "",
        f"The names are {_listed(tacit.__all__)}.",
        "",
        "## Tacit",
        "",
        *_doc(system.Tacit),
        "",
        "It is a context manager; leaving the block closes its files.",
        "It may be used from several threads at once.",
        "`Tacit(store, scope=…)` wires parts of your own together; `Tacit.open` finds them by "
        "convention:",
        "",
        "```text",
        _signature("Tacit", system.Tacit.__init__),
        "```",
    ]
    for title, names in METHODS.items():
        lines += ["", f"### {title}"]
        for name in names:
            method = inspect.getattr_static(system.Tacit, name)
            method = getattr(method, "__func__", method)
            dotted = f"Tacit.{name}" if name == "open" else f"tacit.{name}"
            lines += ["", "```text", _signature(dotted, method), "```", "", *_doc(method)]
    lines += ["", "### Holding", "", *_held()]
    filters = [n for n in protocol.Filter._fields if n not in ("at", "current", "known_at")]
    _same(set(filters), set(FILTERS), "filters")
    lines += [
        "",
        "### Filters",
        "",
        "`recall`, `recall_explained`, `list` and `timeline` take these, alone or together.",
        "Each but the times takes one value or several; several widen the choice, except that "
        "a memory has to be about all of the facets.",
        "",
        *_table(("filter", "memories"), [(f"`{n}`", FILTERS[n]) for n in filters]),
        "",
        "## Draft",
        "",
        *_doc(draft.Draft),
        "",
        "`remember` takes the same fields as keywords, and words such as `\"fact\"` for the enums.",
        "",
        *_fields(draft.Draft, FIELDS),
        "",
        "## Memory",
        "",
        *_doc(model.Memory),
        "",
        *_fields(model.Memory, FIELDS),
        "",
        "`memory.kind`, `memory.key` and `memory.text` are short for what stands in the body and "
        "the levels.",
        "`memory.levels.text(Level.HINT)` gives a level, `memory.levels.token_count(Level.HINT)` "
        "its tokens.",
        "`memory.replace(…)` gives a changed copy; storing it is what `edit` and `set` do.",
        "What a body holds per kind is in [Formats](formats.md#bodies).",
        "",
        "## Hit and other results",
    ]  # fmt: skip
    for cls, meanings in RESULTS.items():
        lines += ["", f"### {cls.__name__}", "", *_doc(cls), "", *_fields(cls, meanings)]
    lines += ["", "## Words", "", 'Each is a string; `Kind.FACT == "fact"`.', ""]
    enums = ("Kind", "Tier", "State", "Level", "Relation")
    rows = [(f"`{n}`", ", ".join(f"`{m}`" for m in getattr(model, n))) for n in enums]
    lines += _table(("enum", "values"), rows)
    lines += [
        "",
        "## Errors",
        "",
        "Every error raised on purpose is a `TacitError`; its message says what to do.",
        "",
    ]
    classes = [getattr(errors, n) for n in tacit.__all__ if hasattr(errors, n)]
    rows = [
        (f"`{c.__name__}`", f"`{c.code}`", f"`{c.__base__.__name__}`", _doc(c)[0]) for c in classes
    ]
    lines += _table(("error", "code", "is a", "means"), rows)
    return "\n".join(lines)


def _held() -> list[str]:
    """What stands behind the properties, with the methods of each."""
    lines = [
        "What agents hold and hand over stands behind properties.",
        "Others are " + ", ".join(f"`tacit.{n}` ({text})" for n, text in OTHER_PROPERTIES.items()) + ".",
    ]  # fmt: skip
    for name in HELD:
        found = inspect.getattr_static(system.Tacit, name).fget
        cls = _class_of(found)
        lines += ["", f"#### tacit.{name}", "", *_doc(cls), "", "```text"]
        methods = [n for n, member in vars(cls).items() if inspect.isfunction(member)]
        lines += [
            _signature(f"tacit.{name}.{each}", getattr(cls, each))
            for each in methods
            if not each.startswith("_")
        ]
        lines += ["```"]
    return lines


def _class_of(getter: Callable[..., Any]) -> type:
    """Give the class a property gives, by its annotation and the module that defines it."""
    name = str(getter.__annotations__["return"])
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    found = getattr(import_module(f"tacit.session.{snake}"), name)
    assert isinstance(found, type)
    return found


def _rules() -> list[tuple[str, str, str, str]]:
    """Give a row for every rule."""
    _same(set(config.RULE_KEYS), set(RULES), "rules")
    usual = room.Rules._defaults
    shown = {
        name: "–" if value is None else f"`{str(value).lower().removesuffix('.0')}`"
        for name, value in usual.items()
    }
    return [
        (f"`{name}`", config.allowed_rule(name), shown[name], RULES[name])
        for name in config.RULE_KEYS
    ]


def settings_page() -> str:
    """Every key of the settings file and every variable."""
    _same(set(config.FILE_KEYS), set(SETTINGS), "settings")
    rows = []
    for key, (_, allowed) in config.FILE_KEYS.items():
        default = config.Settings._defaults.get(key, "")
        shown = f"`{str(default).lower()}`" if default != "" else "–"
        allowed = allowed.replace("<", "&lt;").replace(">", "&gt;")
        rows.append((f"`{key}`", f"`TACIT_{key.upper()}`", allowed, shown, SETTINGS[key]))
    homes = {
        "Linux and others": config.default_home({"HOME": "/home/ana"}, "linux"),
        "macOS": config.default_home({"HOME": "/Users/ana"}, "darwin"),
        "Windows": config.default_home({"USERPROFILE": r"C:\Users\ana"}, "win32"),
    }
    return "\n".join(
        [
            "# Settings",
            "",
            MADE,
            "",
            "Nothing has to be set.",
            f"What is set stands in `{config.CONFIG_FILE}` in the data directory, or in the "
            "environment, which wins.",
            "An empty value counts as not given; an unknown key or a value that does not fit is an "
            "error that names it.",
            "",
            "## The file and the environment",
            "",
            *_table(("key", "variable", "allowed", "default", "what it does"), rows),
            "",
            "```toml",
            "# config.toml",
            'embedder = "off"',
            'user = "ana"',
            "```",
            "",
            "## The rules of staying true",
            "",
            f"They stand in the table `[{config.RULES}]`, below all other keys, and have no "
            "variables; [Stay true](../howto/stay-true.md) tells what goes by them.",
            "",
            *_table(("key", "allowed", "default", "what it does"), _rules()),
            "",
            "```toml",
            "# config.toml",
            f"[{config.RULES}]",
            "promote_to_mandate = true",
            "archive_episode_after = 60",
            "```",
            "",
            "## The environment alone",
            "",
            *_table(
                ("variable", "what it does"),
                [(f"`{name}`", text) for name, text in ENVIRONMENT_ONLY.items()],
            ),
            "",
            "`NO_COLOR` switches colours off; `VISUAL` or `EDITOR` names the editor of `tacit edit` "
            "and `tacit remember`.",
            "",
            "## The data directory",
            "",
            "Without `TACIT_HOME` it is where the system keeps the data of programs.",
            "",
            *_table(
                ("system", "for the user ana"),
                [(name, f"`{path}`") for name, path in homes.items()],
            ),
            "",
            "On Linux, `XDG_DATA_HOME` is honoured.",
            "The folders are made for their owner alone, and so are the files.",
            "",
            *_table(
                ("in it", "is"),
                [
                    ("`config.toml`", "the settings"),
                    ("`projects/<id>.db`", "the memories of one project"),
                    ("`user.db`", "your own memories, which belong to no project"),
                    ("`backups/`", "copies made by `tacit backup create`"),
                    ("`briefings/`", "the last good briefing of each project"),
                    (
                        "`install/`",
                        "what was changed in the settings of hosts, and how it was before",
                    ),
                    ("`working/`", "marks of processes that make memories of sessions"),
                    ("`tacit.log`", "what went wrong in hooks"),
                ],
            ),
            "",
            "Beside a `.db` there may be a `-wal` and a `-shm` file while it is in use; they belong "
            "to it.",
            "",
            "## The project's own file",
            "",
            'A file `.tacit.toml` with the one line `project = "name"` gives a folder\'s project '
            "its name; see [Share one project](../howto/share-a-project.md).",
        ]
    )


def schema_page() -> str:
    """The tables and columns of the SQLite file, as all migrations make them."""
    connection = apsw.Connection(":memory:")
    for path in database.migration_files():
        connection.execute(Path(path).read_text(encoding="utf-8"))
    shadow = ("memory_text_", "sqlite_")
    names = [
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        if not name.startswith(shadow)
    ]
    _same(set(names), set(TABLES), "tables")
    lines = [
        "# Schema of the SQLite file",
        "",
        MADE,
        "",
        f"This is schema {len(database.migration_files())}.",
        "It is described so that you can look at your data with any SQLite tool.",
        "It may change with any version; what does not change without notice is the "
        "[export](formats.md).",
        "To write, use Tacit: rows depend on each other in ways that only it keeps.",
        "",
        "Times are microseconds since 1970 in UTC.",
        "Row numbers are internal and never leave the file; ids and shorts do.",
        f"`application_id` is {database.APPLICATION_ID:#x}, `user_version` the schema's version.",
        "The whole as SQL is in `src/tacit/store/sqlite/schema.sql`.",
        "",
        "A PostgreSQL store has the same tables but `scope`, `facet` and `touch`, whose columns "
        "lie in `memory` and `mention`, each with a column `tenant`; what is personal has a column "
        "`member`, and `tenant`, `member`, `team_member`, `turn` and `space` come with it.",
        "It is described in `src/tacit/store/postgres/schema.sql`.",
    ]
    for name in names:
        lines += ["", f"## {name}", "", TABLES[name], ""]
        columns = [
            (column, sort or "–", "yes" if notnull or key else "no")
            for _, column, sort, notnull, _, key, hidden in connection.execute(
                f"PRAGMA table_xinfo({name})"
            )
            if hidden != 1
        ]
        meanings = (FIELDS if name == "memory" else {}) | COLUMNS[name]
        if name != "memory":
            _same({column for column, _, _ in columns}, set(COLUMNS[name]), f"columns of {name}")
        lines += _table(
            ("column", "type", "always there", "meaning"),
            [(f"`{c}`", sort, needed, meanings[c]) for c, sort, needed in columns],
        )
    return "\n".join(lines)


def formats_page() -> str:
    """The JSON lines of an export, and of drafts."""
    _same(set(transfer.TYPES), set(RECORDS), "record types")
    lines = [
        "# Formats",
        "",
        MADE,
        "",
        "## Export",
        "",
        "An export is the whole of a store but its vectors, which any embedder makes again.",
        "It is the form to keep for years, to compare, and to move between versions.",
        "",
        "- UTF-8, one JSON object a line, keys in alphabetical order.",
        f'- The first line is `{{"tacit": {transfer.FORMAT}}}`; a reader refuses a version it does '
        "not know.",
        "- Every other line has a `type`; lines come in the order of the table below and within a "
        "type in a fixed order, so that two stores with the same content give the same bytes.",
        "- A field that has its default is left out; types and defaults below are written as in Python.",
        "- Times are ISO 8601 in UTC with a `Z`.",
        "- Reading checks every field, refuses unknown ones and says which line is wrong; "
        "a file that is wrong anywhere changes nothing.",
        "",
        *_table(("type", "is"), [(f"`{n}`", text) for n, text in RECORDS.items()]),
    ]  # fmt: skip
    for name, cls in transfer.TYPES.items():
        lines += ["", f"### {name}", "", *_fields(cls)]
    lines += ["", "### Inside a memory", ""]
    for cls in INSIDE:
        lines += [f"**{cls.__name__}**: {' '.join(_doc(cls))}", "", *_fields(cls), ""]
    lines += [
        "### Bodies",
        "",
        "A body carries its `kind`, and the kind decides its fields.",
    ]
    for kind, cls in body.BODIES.items():
        lines += ["", f"**{kind}**: {' '.join(_doc(cls))}", "", *_fields(cls)]
    parts = (body.Action, body.Failure, body.Step, body.Fix)
    for part in parts:
        lines += ["", f"**{part.__name__}**: {' '.join(_doc(part))}", "", *_fields(part)]
    lines += [
        "",
        "## Drafts",
        "",
        "`tacit remember --jsonl -` reads one draft a line: an object with fields of "
        "[Draft](python.md#draft).",
        "`scope` is a path, times are ISO 8601, `mentions` are objects with `type` and `name`, "
        "and a `body` carries its `kind`.",
        "",
        "```json",
        '{"text": "Deploys need two reviews", "kind": "pattern", "tags": ["release"]}',
        '{"key": "db.version", "value": "16", "valid_from": "2026-01-31"}',
        "```",
        "",
        "## What commands print with --json",
        "",
        "Every field is always there, also when it is empty; new fields may be added, none changes "
        "its meaning.",
        "An error is `{\"error\": {\"code\": …, \"message\": …}}` on standard output, and the exit "
        "status tells the code.",
    ]  # fmt: skip
    return "\n".join(lines)


def profiles_page() -> str:
    """Every field of `Profile` with the values of each built-in one."""
    fields = profile.Profile._fields
    _same(set(fields), set(PROFILE), "fields of a profile")
    built = list(profile.PROFILES.values())
    rows = [
        (f"`{f}`", *(_number(getattr(each, f)) for each in built), PROFILE[f])
        for f in fields
        if f not in ("name",)
    ]
    return "\n".join(
        [
            "# Profiles",
            "",
            MADE,
            "",
            "A profile is every number that recall depends on, in one named and versioned value.",
            "Nothing else in the code holds a weight, a half-life or a cut, so two ways to retrieve "
            "can be compared and either can be had again.",
            "",
            "- `default` holds what measured best over all development sets at once; see "
            "[Benchmarks](../benchmarks.md).",
            "- `seed` holds the numbers Tacit began with, for comparison.",
            "- `static` is `seed` with fixed factors by kind and none by tier.",
            "- The others are `default` with the factors of a "
            "[type of task](../decisions/0036-task-types-share-out-a-briefing.md); nothing chooses them by "
            "itself.",
            "",
            'Choose one with `tacit recall --profile seed`, `recall(…, profile="seed")` or the '
            "[setting](settings.md) `profile`; `tacit profile set` [changes one and takes it into "
            "use](../howto/tune-a-profile.md).",
            "",
            *_table(("field", *(f"`{each.name}`" for each in built), "what it does"), rows),
            "",
            "The score of a hit is the sum of its parts times the factor of its tier and kind; "
            "`tacit recall --explain` shows each.",
        ]
    )


PAGES: dict[str, Callable[[], str]] = {
    "cli.md": cli_reference.cli_page,
    "python.md": python_page,
    "settings.md": settings_page,
    "schema.md": schema_page,
    "formats.md": formats_page,
    "profiles.md": profiles_page,
    "hooks.md": lambda: "\n".join(agent_reference.hooks_page(MADE)),
    "mcp.md": lambda: "\n".join(agent_reference.mcp_page(MADE)),
    "rest.md": lambda: "\n".join(rest_reference.rest_page(MADE)),
}


def stale() -> dict[Path, str]:
    """Give the pages that are not as the code would have them, with what they should be."""
    pages = {REFERENCE / name: page().rstrip("\n") + "\n" for name, page in PAGES.items()}
    return {
        path: text
        for path, text in pages.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    }


def main(arguments: list[str]) -> int:
    """Write the pages; with `--check` write nothing and give 1 when one is out of date."""
    check = "--check" in arguments
    REFERENCE.mkdir(exist_ok=True)
    for path, text in (found := stale()).items():
        if not check:
            path.write_text(text, encoding="utf-8")
        said = "is out of date; run: make docs" if check else "was written"
        sys.stderr.write(f"{path.name} {said}\n")
    return int(check and bool(found))


def _same(found: set[str], described: set[str], what: str) -> None:
    if found != described:
        missing, gone = sorted(found - described), sorted(described - found)
        raise SystemExit(f"{what}: not described {missing}, described but gone {gone}")


def _doc(thing: object) -> list[str]:
    """Give a docstring, one sentence a line."""
    paragraphs = (inspect.getdoc(thing) or "").split("\n\n")
    sentences = [re.sub(r"(?<=[.!?]) (?=[A-Z`])", "\n", " ".join(p.split())) for p in paragraphs]
    return "\n\n".join(sentences).split("\n")


def _signature(name: str, function: Callable[..., Any]) -> str:
    """Write a signature with its annotations, as it stands in the code."""
    found = inspect.signature(function)
    parts: list[str] = []
    star = False
    for each in found.parameters.values():
        if each.name in ("self", "cls"):
            continue
        if each.kind is each.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        mark = {each.VAR_KEYWORD: "**", each.VAR_POSITIONAL: "*"}.get(each.kind, "")
        default = "" if each.default is each.empty else f" = {_default(each.default)}"
        parts.append(f"{mark}{each.name}: {each.annotation}{default}")
    gives = f" -> {found.return_annotation}"
    line = f"{name}({', '.join(parts)}){gives}"
    if len(line) <= 88:
        return line
    inner = "".join(f"    {part},\n" for part in parts)
    return f"{name}(\n{inner}){gives}"


def _default(value: object) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_default, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, str) and type(value) is not str:
        return f"{type(value).__name__}.{value.name}"
    return "…" if callable(value) else repr(value)


def _fields(cls: type[Value], meanings: Mapping[str, str] | None = None) -> list[str]:
    """Give a table of a value's fields: type, default and, where there is one, the meaning."""
    hints: dict[str, str] = {}
    for parent in reversed(cls.__mro__):
        hints |= inspect.get_annotations(parent)
    rows: list[tuple[str, ...]] = []
    for name in cls._fields:
        default = f"`{_plain(cls._defaults[name])}`" if name in cls._defaults else "needed"
        row = (f"`{name}`", f"`{hints[name]}`", default)
        rows.append(row if meanings is None else (*row, meanings[name]))
    head = ("field", "type", "default")
    return _table(head if meanings is None else (*head, "meaning"), rows)


def _plain(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _number(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(f"{name} {_number(factor)}" for name, factor in value) or "–"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _listed(names: Iterable[str]) -> str:
    *most, last = [f"`{name}`" for name in names]
    return f"{', '.join(most)} and {last}"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    lines = [head, ("---",) * len(head), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
