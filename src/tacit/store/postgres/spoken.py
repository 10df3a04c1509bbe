"""What the driver says, in our words: what happened, where, and what to do."""

from __future__ import annotations

import psycopg
import psycopg_pool
from psycopg import errors

from tacit.errors import Busy, Conflict, Denied, Invalid, TacitError, Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.store.postgres.database import Database


def in_our_words(error: Exception, database: Database) -> TacitError:
    """Give one of our errors for one of the driver's."""
    said, path, wait_seconds = _said(error), database.path, database.wait_seconds
    match error:
        case errors.SerializationFailure() | errors.DeadlockDetected():
            return Busy(f"{path}: others wrote at the same time ({said}); try again")
        case errors.LockNotAvailable():
            return Busy(
                f"{path} was held by others for {wait_seconds:g} s; try again (nothing was written)"
            )
        case psycopg_pool.PoolTimeout():
            return Busy(f"{path}: no connection was free for {wait_seconds:g} s")
        case errors.UniqueViolation():
            held = error.diag.message_detail or said
            return Conflict(f"{path}: another memory has it already ({held})")
        case errors.InsufficientPrivilege():
            return Denied(
                f"{database.location.member or 'this login'} may not do this at {path} ({said})"
            )
        case errors.InvalidPassword() | errors.InvalidAuthorizationSpecification():
            return Denied(f"{path} does not let this login in; check user and password")
        case errors.QueryCanceled():
            return Unavailable(f"{path}: a statement took too long ({said})")
        case psycopg.DataError():
            return Invalid(f"{path} cannot hold this ({said})")
        case psycopg_pool.PoolClosed():
            return Unavailable(f"{path} was closed; open it again")
        case psycopg.OperationalError():
            return Unavailable(
                f"{path} cannot be reached or broke off ({said}); "
                "check that the server runs and try again"
            )
        case _:
            return Unavailable(f"{path}: {type(error).__name__}: {said}")


def lost(error: BaseException) -> bool:
    """Tell whether the connection broke, rather than the statement."""
    cause = error.__cause__
    return isinstance(cause, psycopg.OperationalError) and (
        cause.sqlstate is None or isinstance(cause, errors.AdminShutdown | errors.CannotConnectNow)
    )


def _said(error: Exception) -> str:
    """Give what the server said, in one line; its details may quote what a memory says."""
    diagnosis = getattr(error, "diag", None)
    said = diagnosis.message_primary if diagnosis else None
    return said or " ".join(str(error).split())
