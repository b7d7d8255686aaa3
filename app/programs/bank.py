"""The bank: accounts that send each other money, or any other quantity that is neither made nor lost.

A balance is a whole number, or several under names (``{money: 50, widgets: 2000}``); a payload likewise.

Source: the conserved amounts of Chandy and Lamport 1985, section 3.1; several quantities after the trade in Coulouris
et al., Distributed Systems, section 14.5.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeAlias

from app.core.model.values import Json, Move, Process, Refused

NAME = "bank"
Balance: TypeAlias = tuple[tuple[str, int], ...]
PLAIN = ""
"""The name of a quantity that is the only one."""


def freeze(amount: Json) -> Balance:
    """Return a number or a mapping of numbers as a hashable value, quantities in the order given."""
    if isinstance(amount, Mapping):
        return tuple(amount.items())
    return ((PLAIN, amount),)


def thaw(balance: Balance) -> Json:
    """Return the number or mapping that ``freeze`` was given."""
    if len(balance) == 1 and balance[0][0] == PLAIN:
        return balance[0][1]
    return dict(balance)


def plus(a: Balance, b: Balance, sign: int = 1) -> Balance:
    """Return ``a`` with the amounts of ``b`` added, or, with ``sign`` -1, taken away."""
    if len(a) == 1 and len(b) == 1:
        name, have = a[0]
        other, more = b[0]
        if name == other:
            return ((name, have + sign * more),)
    return _several(a, b, sign)


@lru_cache(maxsize=1024)
def _several(a: Balance, b: Balance, sign: int) -> Balance:
    """Do the same with several quantities; equal balances, of which a run has many, are the same in memory."""
    change = dict(b)
    known = [name for name, _ in a]
    extra = [(name, sign * amount) for name, amount in b if name not in known]
    return (*((name, amount + sign * change.get(name, 0)) for name, amount in a), *extra)


@dataclass(frozen=True)
class Bank:
    """``accounts`` are the first balances; ``amounts`` is what a process may send without a script."""

    accounts: Mapping[str, Balance]
    amounts_sent: tuple[Balance, ...]

    NAME = NAME
    EAGER = False
    REFUSES = False

    def start(self, process: Process) -> Balance:
        """Return the first balance; zero for a process that is not named."""
        return self.accounts.get(process.name) or tuple((name, 0) for name in self.quantities)

    @cached_property
    def quantities(self) -> tuple[str, ...]:
        """Return the names of the conserved quantities."""
        return tuple(dict.fromkeys(name for balance in self.accounts.values() for name, _ in balance)) or (PLAIN,)

    @cached_property
    def _usual(self) -> tuple[Balance, ...]:
        return tuple(dict.fromkeys(self.amounts_sent))

    def moves(self, process: Process, state: Balance) -> tuple[Move, ...]:
        """Return the moves that send one of the usual amounts that the balance covers, along any output."""
        covered = [amount for amount in self._usual if covers(state, amount)]
        return _sending(process.name, process.outputs, tuple(covered))

    def act(self, process: Process, state: Balance, move: Move) -> Balance:
        """Return the balance without what was sent. Raises Refused where it does not cover it."""
        if move.channel is None:
            raise Refused("{process} can send, and nothing else; name a channel", process=process.name)
        payload: Balance = move.payload
        if len(state) == 1 and len(payload) == 1:  # one quantity, as almost always: without further calls
            name, have = state[0]
            other, need = payload[0]
            if name == other and 0 <= need <= have:
                return ((name, have - need),)
        if not covers(state, payload):
            raise Refused(
                "{process} has {balance} and cannot send {amount}",
                process=process.name,
                balance=thaw(state),
                amount=thaw(payload),
            )
        return plus(state, payload, -1)

    def refuses(self, process: Process, state: Balance, channel: str, payload: Balance) -> bool:
        """Return False: money can always be received."""
        return False

    def receive(
        self, process: Process, state: Balance, channel: str, payload: Balance, detail: str | None = None
    ) -> Balance:
        """Return the balance with what arrived."""
        return plus(state, payload)

    def hand_over(self, process: Process, state: Balance) -> Move | None:
        """Return the move that sends the whole balance to the first output."""
        return Move(process.name, process.outputs[0], state) if any(amount for _, amount in state) else None

    def view(self, state: Balance) -> Json:
        """Return the balance."""
        return thaw(state)

    def show(self, payload: Balance) -> Json:
        """Return the amount."""
        return thaw(payload)

    def amounts(self, state: Balance) -> dict[str, int]:
        """Return the balance by quantity."""
        return dict(state)

    def worth(self, payload: Balance) -> dict[str, int]:
        """Return the amount by quantity."""
        return dict(payload)

    def stable(self, states: Mapping[str, object], channels: Mapping[str, tuple[object, ...]]) -> None:
        """Return None: a bank has no stable property except its total, which has its own check."""
        return


@lru_cache(maxsize=4096)
def _sending(name: str, outputs: tuple[str, ...], amounts: tuple[Balance, ...]) -> tuple[Move, ...]:
    """Return the moves that send one of the amounts along one of the outputs. They are drawn from again and again."""
    return tuple(Move(name, channel, amount) for channel in outputs for amount in amounts)


def covers(balance: Balance, amount: Balance) -> bool:
    """Does the balance cover every quantity of the amount?"""
    if len(balance) == len(amount) == 1 and balance[0][0] == amount[0][0]:
        return 0 <= amount[0][1] <= balance[0][1]
    have = dict(balance)
    return all(0 <= need <= have.get(name, 0) for name, need in amount)
