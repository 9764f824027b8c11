"""What charts are made of: heads as points, and one value of each."""

from collections.abc import Sequence
from dataclasses import dataclass

UNASSIGNED = "no proven role"
UNDEFINED = "no case"


@dataclass(frozen=True)
class Role:
    label: str
    group: str


@dataclass(frozen=True)
class HeadPoint:
    """A point of a chart: one head."""

    layer: int
    head: int
    roles: tuple[Role, ...] | None = None  # None without an atlas

    @property
    def groups(self) -> set[str]:
        """The groups it holds a role of; a head without a role is in a group of its own."""
        return {role.group for role in self.roles or ()} or {UNASSIGNED}

    @property
    def description(self) -> list[str]:
        """Name and roles, for the text under the pointer."""
        name = f"L{self.layer} H{self.head}"
        if self.roles is None:
            return [name]
        return [name, ", ".join(role.label for role in self.roles) or UNASSIGNED]


@dataclass(frozen=True)
class Series:
    """One value a head, as an axis or a colour shows it; None where it is undefined."""

    label: str
    unit: str
    values: Sequence[float | str | None]
    classes: tuple[str, ...] = ()  # in the order to show them, where the values are names
    where: str = ""  # on what it was measured, and on how many cases

    @property
    def title(self) -> str:
        named = f"{self.label} ({self.unit})" if self.unit else self.label
        return f"{named}, {self.where}" if self.where else named

    def describe(self, place: int) -> str:
        """The value of one head, for the text under the pointer."""
        value = self.values[place]
        if value is None:
            return f"{self.label}: {UNDEFINED}"
        return f"{self.label}: {value if isinstance(value, str) else f'{value:.4g}'}"


def layer_series(heads: Sequence[HeadPoint]) -> Series:
    return Series("Layer", "from 0", [head.layer for head in heads])


def role_series(heads: Sequence[HeadPoint], groups: Sequence[str]) -> Series:
    """The first group, in the order given, that each head holds a role of."""
    classes = (*groups, UNASSIGNED)
    values = [next(group for group in classes if group in head.groups) for head in heads]
    return Series("Role", "", values, classes)
