"""Teams by way of the facade: who belongs, what each may do, and the record of it."""

from __future__ import annotations

from datetime import timedelta

from tacit.system.guarding import Guarding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.roles import Invited, Member
    from tacit.store.postgres.members import Members

INVITED_DAYS = 7  # an invitation holds this long unless told


class Teams(Guarding):
    """What admins of a team do; everybody may see who belongs to it."""

    def members(self) -> list[Member]:
        """Give the members of the team, by name."""
        return self._members().all()

    def invited(self) -> list[Invited]:
        """Give who was asked in and has not come yet; only admins see them."""
        return self._members().invited(self.clock.now())

    def invite(self, name: str, role: str = "writer", *, until: datetime | None = None) -> str:
        """Ask somebody in; give the token they join with, once, which is kept nowhere."""
        now = self.clock.now()
        members = self._managed()
        token = members.invite(name, role, now=now, until=until or now + _days(INVITED_DAYS))
        self._audit("invite", f"{name} as {role}")
        return token

    def set_role(self, name: str, role: str) -> None:
        """Say what a member may do from now on; the last admin stays one."""
        self._managed().set_role(name, role)
        self._audit("role", f"{name} is {role}")

    def remove_member(self, name: str) -> None:
        """Take somebody out of the team; what they shared stays, what is private is out of reach."""
        self._managed().remove(name)
        self._audit("remove", name)

    def group(self, name: str, team: str, *, out: bool = False) -> None:
        """Put a member into a group within the team (scope `team:NAME`), or take them out."""
        self._managed().group(name, team, out=out)
        self._audit("group", f"{name} {'out of' if out else 'into'} {team}")

    def _members(self) -> Members:
        from tacit.store.connect import members_of

        return members_of(self.store)

    def _managed(self) -> Members:
        members = self._members()
        self._require("manage members")
        return members


def _days(number: int) -> timedelta:
    return timedelta(days=number)
