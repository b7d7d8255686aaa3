"""A line in which clients take turns, however many places one of them asks for."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Crowded(Exception):
    """There is no room in the line: ``mine`` says that one client alone fills its share of it."""

    def __init__(self, *, mine: bool) -> None:
        super().__init__()
        self.mine = mine


class FairLine:
    """``places`` for those whose turn it is, of which one client has at most all but one; ``most`` may wait, at most
    ``share`` of one client, none of them longer than ``patience`` seconds."""

    def __init__(self, places: int, most: int, share: int, patience: float) -> None:
        self.places, self.most, self.share, self.patience = places, most, share, patience
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
        try:
            yield
        finally:
            self._leave(client)

    def _free(self, client: str) -> bool:
        """May the client take a place now?"""
        return self._taken.total() < self.places and self._taken[client] < max(1, self.places - 1)

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
                queue = deque(turn for turn in self._waiting.pop(each) if not turn.done())  # some may be leaving
                if queue:
                    queue.popleft().set_result(None)
                    self._taken[each] += 1
                if queue:
                    self._waiting[each] = queue  # behind the others
