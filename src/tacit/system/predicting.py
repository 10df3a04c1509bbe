"""Predicting by way of the facade: what will be needed next, and how sure that is."""

from __future__ import annotations

from tacit.system.opened import Opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.assemble.predict import Prediction

READ_BYTES = 16 << 10  # of an open file that was never observed


class Predicting(Opened):
    """What looks ahead."""

    def predict(
        self,
        signals: Mapping[str, object] | None = None,
        limit: int = 10,
        *,
        record: bool = False,
        session: str = "",
        exclude: tuple[str, ...] = (),
        **named: object,
    ) -> Prediction:
        """Give the memories and files likely to be needed next, the surest first.

        Signals: file, files, branch, error, errors, time, collaborator, task. With `record` the
        prediction is kept as a query, so that what comes true of it teaches this store.
        """
        from tacit.assemble.predict import predict
        from tacit.assemble.signals import signals_of

        root = self.project.root if self.project else ""
        read = signals_of({**(signals or {}), **named}, root)
        found = predict(
            self._reader(),
            read,
            load=self._project_document,
            now=self.clock.now(),
            read=self._beginning,
            limit=limit,
            scopes=self._seen_with(read.collaborator),
            exclude=exclude,
        )
        if not record or not found.memories:
            return found
        from tacit.assemble.own_record import keep_prediction

        query_id = self.clock.new_id()
        told = "; ".join((*read.files, read.branch, *read.errors, read.task))
        keep_prediction(self.store, found, query_id, told, session=session, now=self.clock.now())
        return found.replace(query_id=query_id)

    def score_predictions(self) -> dict[str, tuple[int, int]]:
        """Count how many of this store's predictions came true; later ones are corrected by it."""
        from tacit.assemble.own_record import tally_predictions

        return tally_predictions(self.store)

    def _project_document(self, name: str) -> str | None:
        """Give a document of this project, or of the store as a whole."""
        return self.store.load(f"{name}:{self.scope.path}") or self.store.load(name)

    def _beginning(self, path: str) -> str:
        """Give the first lines of a file of the project; empty when it cannot be read."""
        import os

        if self.project is None:
            return ""
        root = os.path.realpath(self.project.root)
        try:
            full = os.path.realpath(os.path.join(root, path))
            # A pipe or a device is a file to nobody who only looks: it might never end.
            if not full.startswith(root + os.sep) or not os.path.isfile(full):
                return ""
            with open(full, "rb") as file:
                return file.read(READ_BYTES).decode("utf-8", "replace")
        except (OSError, ValueError):  # the second for what cannot be a path
            return ""
