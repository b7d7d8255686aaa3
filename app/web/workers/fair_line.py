"""A line in which clients take turns, however many places one of them asks for."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar

_END: ContextVar[Callable[[], None]] = ContextVar("end", default=lambda: None)


def end_turn() -> None:
    """Let the next one begin already, if this is in its turn: what is left to do is to wait for the disk, and little
    more."""
    _END.get()()


class Crowded(Exception):
    """There is no room in the line: ``mine`` says that one client alone fills its share of it."""

    def __init__(self, *, mine: bool) -> None:
        super().__init__()
        self.mine = mine


class FairLine:
    """``places`` for those whose turn it is, of which one client has at most ``own``, without a number all but one;
    ``most`` may wait, at most ``share`` of one client, none of them longer than ``patience`` seconds."""

    def __init__(self, places: int, most: int, share: int, patience: float, own: int | None = None) -> None:
        self.places, self.most, self.share, self.patience = places, most, share, patience
        self.own = max(1, places - 1) if own is None else own
        self._taken: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return sum(map(len, self._waiting.values()))

    @property
    def busy(self) -> int:
        """How many places are taken."""
        return self._taken.total()

    @asynccontextmanager
    async def place(self, client: str) -> AsyncIterator[None]:
        """Wait for a place and hold it. Raises Crowded at once if the line is full, or after ``patience``."""
        if self._waiting.get(client) or not self._free(client):
            await self._turn(client)
        else:
            self._taken[client] += 1
        held = True

        def leave() -> None:
            nonlocal held
            if held:
                held = False
                self._leave(client)

        _END.set(leave)
        try:
            yield
        finally:
            leave()

    def _free(self, client: str) -> bool:
        """May the client take a place now?"""
        return self._taken.total() < self.places and self._taken[client] < self.own

    async def _turn(self, client: str) -> None:
        own = self._waiting.get(client, ())
        if len(own) >= self.share or self.waiting >= self.most:
            raise Crowded(mine=len(own) >= self.share)
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        try:
            async with asyncio.timeout(self.patience):
                await turn
        except (TimeoutError, asyncio.CancelledError) as error:
            if turn.done() and not turn.cancelled():
                self._leave(client)  # its turn came in the same moment
            elif turn in (queue := self._waiting.get(client, deque())):
                queue.remove(turn)
                if not queue:
                    del self._waiting[client]
            if isinstance(error, TimeoutError):
                raise Crowded(mine=False) from None
            raise

    def _leave(self, client: str) -> None:
        self._taken[client] -= 1
        if not self._taken[client]:
            del self._taken[client]
        for each in list(self._waiting):
            if self._free(each):
                queue = self._waiting.pop(each)
                while queue and queue[0].done():  # it is leaving
                    queue.popleft()
                if queue:
                    queue.popleft().set_result(None)
                    self._taken[each] += 1
                if queue:
                    self._waiting[each] = queue  # behind the others
