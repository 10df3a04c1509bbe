"""Memory as files: the command set that models with a memory tool were trained on.

One file is one memory, a resource whose address is its path under `/memories`; an edit is a
revision, a deletion forgets. There are no folders but those that the paths of files name. The
answers and complaints are word for word those of the tool's reference, since models know them.
Programs read and write whole files by `read`, `files`, `put` and `remove`, and may say which
content they have seen, so that nobody writes over what another has changed meanwhile.
"""

from __future__ import annotations

from tacit.body import Resource
from tacit.errors import Conflict, Denied, Invalid, NotFound
from tacit.model import Kind, Origin, State, Trust
from tacit.session.file_paths import ROOT, ancestors, listing, moved, resolve
from tacit.session.file_record import body_of, file_of, text_of, unchanged
from tacit.session.file_text import EMPTY, inserted, is_blank, numbered, replaced
from tacit.store.protocol import EVERY_STATE, Filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from tacit.clock import Clock
    from tacit.draft import Draft
    from tacit.encode.ports import TokenCounter
    from tacit.model import Memory, Scope
    from tacit.session.file_record import File
    from tacit.store.protocol import Store
    from tacit.write.remember import Written

SOURCE = "memory-files"
MOST_BYTES = 100_000  # of one file: it is read as a whole
MOST_FILES = 2_000


class MemoryFiles:
    """The files of one scope."""

    def __init__(
        self,
        store: Store,
        *,
        scope: Scope,
        clock: Clock,
        counter: Callable[[], TokenCounter],
        write: Callable[[Sequence[Draft]], Written],
        permit: Callable[[], None] = lambda: None,
    ) -> None:
        """Take what files are kept with; `write` must not embed, it runs within the lock.

        `permit` raises where nothing may be changed.
        """
        self._store, self._scope, self._clock = store, scope, clock
        self._counter, self._write, self._permit = counter, write, permit

    def view(self, path: str, view_range: Sequence[int] = ()) -> str:
        """Give a file with line numbers, or what lies in a folder, two levels deep."""
        place = resolve(path)
        if (memory := self._find(place)) is not None:
            return numbered(path, text_of(memory), view_range)
        files = {name: len(text_of(memory).encode()) for name, memory in self._under(place).items()}
        if not files and place != ROOT:
            raise NotFound(f"The path {path} does not exist. Please provide a valid path.")
        return listing(place, files)

    def create(self, path: str, file_text: str) -> str:
        """Make a file; one that is there is not written over."""
        place = resolve(path)
        with self._locked():
            if self._is_there(place):
                raise Conflict(f"File {path} already exists")
            self._fits_below(place)
            if len(self._under(ROOT)) >= MOST_FILES:
                raise Denied(f"there are {MOST_FILES:,} memory files already; delete some first")
            _checked_size(path, file_text)
            if (gone := self._find(place, forgotten=True)) is not None:
                self._rewrite(gone, place, file_text)
            else:
                self._new(place, file_text)
        return f"File created successfully at: {path}"

    def str_replace(self, path: str, old_str: str, new_str: str) -> str:
        """Put other words in the place of some that stand in a file exactly once."""
        with self._locked():
            memory = self._file(path)
            text, told = replaced(path, text_of(memory), old_str, new_str)
            self._rewrite(memory, resolve(path), _checked_size(path, text))
        return told

    def insert(self, path: str, insert_line: int, insert_text: str) -> str:
        """Add lines below the given one; 0 puts them first."""
        with self._locked():
            memory = self._file(path)
            text = inserted(text_of(memory), insert_line, insert_text)
            self._rewrite(memory, resolve(path), _checked_size(path, text))
        return f"The file {path} has been edited."

    def delete(self, path: str) -> str:
        """Forget a file, or all files of a folder; they can be restored."""
        place = resolve(path)
        if place == ROOT:
            raise Denied(f"Cannot delete the {ROOT} directory itself")
        with self._locked():
            found = self._find(place)
            gone = [found] if found else list(self._under(place).values())
            if not gone:
                raise NotFound(f"The path {path} does not exist")
            self._alter(gone, lambda old: old.replace(state=State.FORGOTTEN), "forget")
        return f"Successfully deleted {path}"

    def rename(self, old_path: str, new_path: str) -> str:
        """Give a file or a folder another path; nothing is written over."""
        old, new = resolve(old_path), resolve(new_path)
        if old == ROOT:
            raise Denied(f"Cannot rename the {ROOT} directory itself")
        with self._locked():
            if self._is_there(new):
                raise Conflict(f"The destination {new_path} already exists")
            found = self._find(old)
            files = {old: found} if found else self._under(old)
            if not files:
                raise NotFound(f"The path {old_path} does not exist")
            if new.startswith(f"{old}/"):
                raise Invalid(f"Cannot rename {old_path} to {new_path}, which lies within it")
            self._fits_below(new)
            for name, memory in files.items():
                self._rewrite(memory, moved(name, old, new), text_of(memory), "rename")
        return f"Successfully renamed {old_path} to {new_path}"

    def clear(self) -> str:
        """Forget all files."""
        with self._locked():
            every = list(self._under(ROOT).values())
            self._alter(every, lambda old: old.replace(state=State.FORGOTTEN), "forget")
        return "All memory cleared"

    def read(self, path: str) -> File:
        """Give one file whole, with its hash and times."""
        return self._shown([self._file(path)])[0]

    def files(self, folder: str = ROOT) -> list[File]:
        """Give all files of a folder and of the folders within it, by path."""
        place = resolve(folder)
        under = self._under(place)
        if not under and place != ROOT:
            raise NotFound(f"The path {folder} does not exist. Please provide a valid path.")
        return self._shown([under[name] for name in sorted(under)])

    def put(self, path: str, text: str, *, sha256: str | None = None) -> File:
        """Write a whole file, new or in place of what is there; give it as it is kept.

        With `sha256` it must be there with this content; "" says that it must not be there.
        """
        place = resolve(path)
        with self._locked():
            there = self._find(place)
            unchanged(path, there, sha256)
            if there is None:
                self.create(path, text)
            else:
                self._rewrite(there, place, _checked_size(path, text))
            return self.read(path)

    def remove(self, path: str, *, sha256: str | None = None) -> File:
        """Forget one file, which must have this content if `sha256` is given; give it as it was."""
        with self._locked():
            unchanged(path, self._file(path), sha256)
            file = self.read(path)
            self.delete(path)
            return file

    def _shown(self, memories: Sequence[Memory]) -> list[File]:
        changed = [memory.id for memory in memories if memory.rev > 1]
        at = {each.memory.id: each.at for each in self._store.revisions(changed)} if changed else {}
        return [file_of(memory, at.get(memory.id, memory.recorded_at)) for memory in memories]

    def _locked(self) -> AbstractContextManager[None]:
        self._permit()
        self._counter().count("a")  # a tokenizer that is loaded now does not hold up others later
        return self._store.transaction()

    def _file(self, path: str) -> Memory:
        place = resolve(path)
        if (memory := self._find(place)) is not None:
            return memory
        if self._is_there(place):
            raise Invalid(f"The path {path} is not a file.")
        raise NotFound(f"The path {path} does not exist. Please provide a valid path.")

    def _is_there(self, place: str) -> bool:
        return place == ROOT or self._find(place) is not None or bool(self._under(place))

    def _fits_below(self, place: str) -> None:
        for above in ancestors(place):
            if self._find(above) is not None:
                raise Invalid(f"The path {above} is not a directory.")

    def _find(self, place: str, *, forgotten: bool = False) -> Memory | None:
        states = EVERY_STATE if forgotten else (State.ACTIVE,)
        where = Filter(sources=(f"{SOURCE}#{place}",), scopes=(self._scope,), states=states)
        found = [memory for memory in self._store.scan(where) if memory.retired_at is None]
        return found[-1] if found else None

    def _under(self, place: str) -> dict[str, Memory]:
        """Give the files of a folder by path, also those of folders within it."""
        where = Filter(kinds=(Kind.RESOURCE,), parts_of=SOURCE, scopes=(self._scope,))
        return {
            memory.body.uri: memory
            for memory in self._store.scan(where)
            if memory.retired_at is None
            and isinstance(memory.body, Resource)
            and memory.body.uri.startswith(f"{place}/")
        }

    def _new(self, place: str, text: str) -> None:
        from tacit.draft import Draft

        given = Draft(
            text=EMPTY if is_blank(text) else text,
            body=body_of(place, text),
            origin=Origin.AGENT,
            trust=Trust.AGENT,
            source_ref=f"{SOURCE}#{place}",
        )
        self._write([given])

    def _rewrite(self, memory: Memory, place: str, text: str, op: str = "edit") -> None:
        from tacit.write.change import rewritten
        from tacit.write.identity import content_hash

        body, source = body_of(place, text), f"{SOURCE}#{place}"

        def alter(old: Memory) -> Memory:
            new = rewritten(old, EMPTY if is_blank(text) else text, self._counter())
            hash_ = content_hash(
                new.text,
                body,
                polarity=new.polarity,
                author=new.author,
                session=new.session,
                valid_from=new.validity.valid_from,
            )
            return new.replace(body=body, source_ref=source, hash=hash_, state=State.ACTIVE)

        self._alter([memory], alter, op)

    def _alter(self, files: Sequence[Memory], by: Callable[[Memory], Memory], op: str) -> None:
        from tacit.write.history import change

        ids = [memory.id for memory in files]
        change(self._store, ids, by, op=op, by="agent", at=self._clock.now())


def _checked_size(path: str, text: str) -> str:
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MOST_BYTES:
        raise Invalid(
            f"File {path} would have {size:,} bytes, at most {MOST_BYTES:,} can be kept; split it"
        )
    return text
