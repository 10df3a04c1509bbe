"""A route that does nothing, as a yardstick: what a request costs before any memory is asked.

Run as a process: `python -m tacit.bench.bare_route PORT`.
"""

from __future__ import annotations

import sys

ANSWER = {"hits": [], "pools": [], "cut": 0, "missing": []}


def main(port: int) -> None:
    """Serve the route until the process is ended."""
    import uvicorn
    from fastapi import FastAPI
    from pydantic import BaseModel

    class Question(BaseModel):
        """The body of a question."""

        query: str
        limit: int = 10

    app = FastAPI()

    async def bare(question: Question) -> dict[str, object]:
        return ANSWER | {"cut": question.limit}

    # By the class itself: a name that is local here could not be looked up.
    bare.__annotations__["question"] = Question
    app.post("/recall")(bare)
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error", access_log=False)


if __name__ == "__main__":
    main(int(sys.argv[1]))
