"""The type of a task by way of the facade, with what people have corrected."""

from __future__ import annotations

from tacit.system.opened import Opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.learn.detection import Correction
    from tacit.retrieve.task import Detected

CORRECTED_CHARS = 1_000  # of a text that are kept
CORRECTED_READ = 16_000  # half a secret is not known for one: it is cut where it would not be kept


class Detecting(Opened):
    """What learns by correction which type of task a text asks for."""

    def taken_for(self, text: str, actions: Sequence[str] = (), phase: str = "") -> Detected:
        """Tell what type of task a text asks for, as `detect` and with what was corrected here."""
        from tacit.learn.detection import kept_lesson, taken_for

        return taken_for(text, kept_lesson(self.store), actions, phase)

    def correct(self, text: str, task_type: str) -> Correction:
        """Say what type of task a text asks for; texts of like words are taken for it later.

        Saying it of a text that was taken rightly confirms it. Secrets are redacted.
        """
        from tacit.ingest.redaction import redact
        from tacit.learn.detection import correct

        self._require("remember")
        kept = redact(text[:CORRECTED_READ]).text[:CORRECTED_CHARS]
        return correct(self.store, kept, task_type, self.clock.now())

    def corrections(self) -> list[Correction]:
        """Give what was corrected, oldest first."""
        from tacit.learn.detection import corrections

        return corrections(self.store)

    def take_back_correction(self, number: int) -> Correction:
        """Take a correction back; what it had changed is as before."""
        from tacit.learn.detection import take_back

        self._require("remember")
        return take_back(self.store, number)
