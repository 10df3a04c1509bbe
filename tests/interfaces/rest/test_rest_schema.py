"""Whatever a request looks like, the answer is one the document describes, and never a crash.

A few hundred cases are part of the suite; `TACIT_SCHEMATHESIS_CASES=100` tries so many for each
operation.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, settings
from rest_server import running
from schemathesis.checks import (
    allow_header_conformance,
    content_type_conformance,
    negative_data_rejection,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from builders import a_fact, a_pattern, an_episode
from fakes import WordCounter
from tacit.encode import tokens as counting
from tacit.interfaces.rest.app import make_app
from tacit.interfaces.rest.house import House, Terms
from tacit.interfaces.rest.tokens import Tokens
from tacit.system import Tacit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CASES = int(os.environ.get("TACIT_SCHEMATHESIS_CASES", "6"))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    allow_header_conformance,
]
NOWHERE = "nowhere"
document = make_app(House(NOWHERE, terms=Terms(page=False)), Tokens(NOWHERE)).openapi()
# No token is needed here, and a made-up one may be no header at all; see test_rest_door.
del document["components"]["securitySchemes"]
for operations in document["paths"].values():
    for operation in operations.values():
        operation.pop("security", None)
REFUSED = ["400", "403", "404", "405", "409", "412", "413", "422"]
config = schemathesis.Config.from_dict(
    {"checks": {"negative_data_rejection": {"expected-statuses": REFUSED}}}
)
schema = schemathesis.openapi.from_dict(document, config=config)


@schemathesis.serializer("application/x-ndjson")
def lines(_context: schemathesis.SerializationContext, value: object) -> bytes:
    """Give the bytes of a body that is not one object."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a store that holds a memory of each kind that has routes of its own."""
    folder: Path = tmp_path_factory.mktemp("schema")
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("TACIT_")]:
            patch.delenv(name)
        patch.setenv("TACIT_HOME", str(folder / "home"))
        patch.setenv("TACIT_EMBEDDER", "off")
        patch.setenv("TACIT_USER", "ana")
        patch.setattr(counting, "open_counter", WordCounter)
        place = str(folder / "shop.db")
        with Tacit.open(place) as tacit:
            memories = [
                a_fact("Sign tokens with RS256", key="jwt", value="RS256", short="abcd2345"),
                a_pattern("Do not retry refunds", short="wxyz6723"),
                an_episode("Moved to Postgres 16", short="pgpg2222"),
            ]
            tacit.store.put([one.replace(scope=tacit.scope) for one in memories])
        app = make_app(House(place, terms=Terms(page=False)), Tokens(str(folder / "none")))
        with running(app) as port:
            yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    """Give connections that stay open from case to case."""
    with requests.Session() as found:
        found.trust_env = False
        yield found
    print(f"\n{len(tried):,} requests were sent")


tried: list[int] = []  # the status of each answer


@schema.parametrize()
@settings(
    max_examples=CASES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_one_that_is_described(
    case: schemathesis.Case, address: str, session: requests.Session
) -> None:
    response = case.call(base_url=address, session=session)

    tried.append(response.status_code)
    case.validate_response(response, checks=CHECKS)
