"""The peers: what each is, what to install for it, and what its script is called."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SCRIPTS = Path(__file__).parent / "scripts"

CHROMA = ("chromadb==1.5.9",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """One system to measure; `script` is run by the interpreter of its own environment."""

    name: str
    script: Path
    searches: str
    """What its search looks at, for the reader of the table."""
    requirements: tuple[str, ...]
    alone: tuple[str, ...] = ()
    """Requirements installed without their dependencies, after the others."""
    loads_extensions: bool = False
    """Whether it needs an interpreter whose sqlite3 can load extensions."""
    sets_sync: bool = False
    """Whether it can be told to flush each commit to the disk (`PRAGMA synchronous = FULL`)."""
    lodges_with: str = ""
    """The peer in whose environment it runs; both ask for the same requirements."""
    python: Path | None = None
    """An interpreter that has everything already; such a peer needs no environment."""


_LISTED = (
    Peer(
        name="plain-sqlite",
        script=SCRIPTS / "plain_sqlite.py",
        searches="FTS5 OR + brute-force vectors, RRF",
        requirements=("numpy==2.4.6",),
        sets_sync=True,
    ),
    Peer(
        name="chroma",
        script=SCRIPTS / "chroma_store.py",
        searches="vectors (HNSW), filtered by metadata",
        requirements=CHROMA,
    ),
    Peer(
        name="chroma-collections",
        script=SCRIPTS / "chroma_collections.py",
        searches="vectors (HNSW), a collection a scope",
        requirements=CHROMA,
        lodges_with="chroma",
    ),
    Peer(
        name="langgraph",
        script=SCRIPTS / "langgraph_store.py",
        searches="vectors (sqlite-vec)",
        requirements=(
            "langgraph-checkpoint-sqlite==3.1.2",
            "langgraph-checkpoint==4.3.1",
            "sqlite-vec==0.1.9",
        ),
        loads_extensions=True,
        sets_sync=True,
    ),
    Peer(
        name="mcp-memory-service",
        script=SCRIPTS / "memory_service.py",
        searches="trigram FTS5 + vectors (sqlite-vec)",
        # 12.4.0 asks for a certifi newer than some package indexes have. Certificates play no
        # part here, so it is installed alone, after everything else that it asks for.
        alone=("mcp-memory-service==12.4.0",),
        requirements=(
            "aiofiles==25.1.0",
            "aiohttp==3.14.5",
            "aiosqlite==0.22.1",
            "apscheduler==3.11.3",
            "authlib==1.9.5",
            "build==1.6.1",
            "certifi==2026.10.18",
            "chardet==7.7.0",
            "click==8.5.1",
            "cryptography==50.0.2",
            "fastapi==0.162.4",
            "httpx==0.28.1",
            "mcp==1.30.0",
            "numpy==2.4.6",
            "psutil==7.2.2",
            "pyjwt[crypto]==2.15.1",
            "pypdf==7.0.1",
            "python-dotenv==1.2.4",
            "python-multipart==0.0.33",
            "pyyaml==6.0.3",
            "requests==2.34.2",
            "sqlite-vec==0.1.9",
            "sse-starlette==3.7.0",
            "uvicorn==0.54.0",
            "zeroconf==0.153.0",
        ),
        loads_extensions=True,
        sets_sync=True,
    ),
    Peer(
        name="mem0",
        script=SCRIPTS / "mem0_embedded.py",
        searches="vectors (local Qdrant)",
        requirements=("mem0ai==2.2.1", "qdrant-client==1.20.0", "numpy==2.4.6"),
    ),
    Peer(
        name="graphiti",
        script=SCRIPTS / "graphiti_kuzu.py",
        searches="vectors (Kuzu), nodes saved directly",
        # It imports httpx and does not ask for it.
        requirements=("graphiti-core==0.31.1", "kuzu==0.11.3", "httpx==0.28.1"),
    ),
)

PEERS = {peer.name: peer for peer in _LISTED}
