"""Hooks killed in mid-write: real processes of the installed program, as a host would run them."""

from __future__ import annotations

import os
import subprocess
import time

from tacit.bench.faults.check import unreadable
from tacit.bench.faults.made_up import SCOPE, WordVectors, steps_of
from tacit.bench.faults.outcome import Outcome, Place
from tacit.bench.hook_calls import SECONDS, make_place, payload, program
from tacit.bench.hook_calls import Place as Host
from tacit.config import load_settings, make_folder, project_store_path
from tacit.project import resolve_project
from tacit.store.connect import connect
from tacit.system import Tacit

MOMENTS = {
    "SessionStart": "session_start",
    "UserPromptSubmit": "prompt",
    "PostToolUse": "post_tool",
}
HOOKS = 3  # killed in one run


def killed(place: Place) -> Outcome:
    """Kill hooks while they write what they saw; the next ones work, and no memory is lost."""
    host = make_place(place.folder, "off")
    settings = load_settings(host.environ)
    path = project_store_path(settings, resolve_project(host.folder, settings).id)
    make_folder(os.path.dirname(path))
    steps = steps_of(place.seed, 0, "mixed", 8)
    with Tacit(connect(path), scope=SCOPE, embedder=WordVectors()) as tacit:
        kept = {m.id: m.text for step in steps for m in tacit.remember_many(step.drafts)}
    began = time.perf_counter()
    _call(host, "SessionStart", steps[0].texts[0])
    usual = time.perf_counter() - began
    dead = 0
    for number in range(HOOKS):
        event = place.chance.choice(sorted(MOMENTS))
        hook = _started(host, event, f"s{number % 2}", steps[0].texts[0])
        time.sleep(usual * place.chance.uniform(0.3, 1.1))
        dead += hook.poll() is None
        hook.kill()
        hook.wait()
    last = _call(host, "UserPromptSubmit", steps[1].texts[0])
    wrong = [] if last == 0 else [f"the next hook ended with {last}"]
    store = connect(path)
    try:
        there = {memory.id: memory.text for memory in store.get(list(kept))}
        wrong += [f"lost: {id_}" for id_, text in kept.items() if there.get(id_) != text]
        wrong += [*store.check(), *unreadable(store)]
    finally:
        store.close()
    return Outcome(
        wrong=tuple(wrong),
        tried=HOOKS,
        acknowledged=len(kept),
        how=f"{dead} of {HOOKS} in mid-work",
    )


def _started(host: Host, event: str, session: str, prompt: str) -> subprocess.Popen[bytes]:
    told = payload(event, MOMENTS[event], host.folder, session=session, prompt=prompt)
    hook = subprocess.Popen(
        [*program(), "hook", "claude", event],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=host.folder,
        env=dict(host.environ),
    )
    assert hook.stdin is not None
    hook.stdin.write(told.encode())
    hook.stdin.close()
    return hook


def _call(host: Host, event: str, prompt: str) -> int:
    return _started(host, event, "s0", prompt).wait(SECONDS)
