"""Requests as fast as they are answered, for some seconds: by wrk, or by a process of our own.

Bodies are one JSON text a line, sent in turn. `@` in a body stands for a number that is new each
time. Only this machine is asked.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from typing import Any

LUA = """
local bodies = {{}}
for line in io.lines("{bodies}") do bodies[#bodies + 1] = line end
local sent, id = 0, 0
local counter = 1
function setup(thread) thread:set("id", counter); counter = counter + 1 end
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
request = function()
  sent = sent + 1
  local body = bodies[(sent - 1) % #bodies + 1]
  return wrk.format(nil, nil, nil, (body:gsub("@", "{mark}x" .. id .. "x" .. sent)))
end
done = function(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '{{"requests": %d, "seconds": %.3f, "p50_ms": %.3f, "p95_ms": %.3f, "failed": %d}}\\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1000,
    latency:percentile(95) / 1000,
    errors.connect + errors.read + errors.write + errors.timeout + errors.status))
end
"""


def load(
    url: str, bodies: Sequence[str], *, seconds: float, connections: int = 1, mark: str = "n"
) -> dict[str, Any]:
    """Send bodies to an address for some seconds; give requests a second and percentiles."""
    with tempfile.TemporaryDirectory(prefix="tacit-bench-") as folder:
        path = os.path.join(folder, "bodies.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(bodies) + "\n")
        program = shutil.which("wrk")
        if program:
            script = os.path.join(folder, "load.lua")
            with open(script, "w", encoding="utf-8") as file:
                file.write(LUA.format(bodies=path, mark=mark))
            command = [
                program,
                *("-t1", f"-c{connections}", f"-d{max(1, round(seconds))}s"),
                *("--timeout", "30s", "-s", script, url),
            ]
        else:
            given = [url, path, str(seconds), str(connections), mark]
            command = [sys.executable, "-m", "tacit.bench.http_load", *given]
        ended = subprocess.run(
            command, capture_output=True, text=True, check=True, timeout=seconds * 2 + 120
        )
    told: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return {
        "rps": round(told["requests"] / told["seconds"], 1),
        "p50_ms": round(told["p50_ms"], 2),
        "p95_ms": round(told["p95_ms"], 2),
        "failed": told["failed"],
        "client": "wrk" if program else "python",
    }


def percentile(values: Sequence[float], share: float) -> float:
    """Give the value that a share of all does not exceed; 0 of nothing."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def _send(url: str, path: str, seconds: float, connections: int, mark: str) -> dict[str, Any]:
    """Send from threads, each with a connection that stays open."""
    host, _, rest = url.removeprefix("http://").partition("/")
    with open(path, encoding="utf-8") as file:
        bodies = file.read().splitlines()
    until, took, failed = time.perf_counter() + seconds, list[float](), [0]

    def worker(number: int) -> None:
        talk, sent = http.client.HTTPConnection(host, timeout=30), 0
        while (began := time.perf_counter()) < until:
            sent += 1
            body = bodies[sent % len(bodies)].replace("@", f"{mark}x{number}x{sent}")
            talk.request("POST", f"/{rest}", body, {"Content-Type": "application/json"})
            answer = talk.getresponse()
            answer.read()
            failed[0] += answer.status >= 400
            took.append(time.perf_counter() - began)
        talk.close()

    began = time.perf_counter()
    threads = [threading.Thread(target=worker, args=(number,)) for number in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {
        "requests": len(took),
        "seconds": time.perf_counter() - began,
        "p50_ms": 1000 * percentile(took, 0.5),
        "p95_ms": 1000 * percentile(took, 0.95),
        "failed": failed[0],
    }


if __name__ == "__main__":
    _url, _path, _seconds, _connections, _mark = sys.argv[1:]
    print(json.dumps(_send(_url, _path, float(_seconds), int(_connections), _mark)))
