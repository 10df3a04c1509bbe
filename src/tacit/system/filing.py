"""Filing by way of the facade: memory as files under `/memories`."""

from __future__ import annotations

from tacit.system.holding import Holding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.session.memory_files import MemoryFiles


class Filing(Holding):
    """What models with a memory tool work on."""

    @property
    def memory_files(self) -> MemoryFiles:
        """The commands of the memory tool: `memory_files.view("/memories")`."""
        from tacit.session.memory_files import MemoryFiles

        return MemoryFiles(
            self._held_in(),
            scope=self.scope,
            clock=self.clock,
            counter=lambda: self.counter,
            write=lambda drafts: self._hold(drafts, self.counter),
            permit=self._permit,
        )
