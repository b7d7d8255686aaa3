import asyncio
from pathlib import Path

import pytest

from app.web.teach.rooms.journal import Journal
from app.web.workers.fair_line import Crowded, FairLine, end_turn


async def _hold(line: FairLine, client: str, order: list[str], over: asyncio.Event) -> None:
    async with line.place(client):
        order.append(client)
        await over.wait()


async def _settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_one_client_never_has_all_places() -> None:
    async def trial() -> list[str]:
        line, order, over = FairLine(2, 9, 9, 60), list[str](), asyncio.Event()
        tasks = [asyncio.create_task(_hold(line, name, order, over)) for name in ("greedy", "greedy", "other")]
        await _settled()
        found = list(order)
        over.set()
        await asyncio.gather(*tasks)
        return found

    assert asyncio.run(trial()) == ["greedy", "other"]


def test_clients_take_turns() -> None:
    async def trial() -> list[str]:
        line, order, over = FairLine(1, 9, 9, 60), list[str](), asyncio.Event()
        over.set()
        async with line.place("first"):
            wanted = ["greedy", "greedy", "greedy", "other"]
            tasks = [asyncio.create_task(_hold(line, name, order, over)) for name in wanted]
            await _settled()
            assert line.waiting == 4
        await asyncio.gather(*tasks)
        return order

    assert asyncio.run(trial()) == ["greedy", "other", "greedy", "greedy"]


@pytest.mark.parametrize(("most", "share", "mine"), [(5, 2, True), (2, 5, False)])
def test_a_full_line_refuses_and_says_whose_share_it_is(most: int, share: int, mine: bool) -> None:
    async def trial() -> bool:
        line, order, over = FairLine(1, most, share, 60), list[str](), asyncio.Event()
        tasks = [asyncio.create_task(_hold(line, "greedy", order, over)) for _ in range(3)]
        await _settled()
        assert (len(order), line.waiting) == (1, 2)
        with pytest.raises(Crowded) as refused:
            async with line.place("greedy"):
                pass
        over.set()
        await asyncio.gather(*tasks)
        return refused.value.mine

    assert asyncio.run(trial()) is mine


def test_who_leaves_the_line_or_loses_patience_leaves_no_gap() -> None:
    async def trial() -> list[str]:
        line, order, over = FairLine(1, 9, 9, 0.05), list[str](), asyncio.Event()
        over.set()
        async with line.place("first"):
            leaving = asyncio.create_task(_hold(line, "leaving", order, over))
            impatient = asyncio.create_task(_hold(line, "impatient", order, over))
            await _settled()
            leaving.cancel()
            with pytest.raises(Crowded):
                await impatient
        assert line.waiting == 0
        await _hold(line, "last", order, over)
        return order

    assert asyncio.run(trial()) == ["last"]


def test_who_waits_only_for_the_disk_lets_the_next_one_begin_and_leaves_once() -> None:
    async def trial() -> None:
        line, over = FairLine(9, 9, 9, 60, own=1), asyncio.Event()
        begun: list[str] = []

        async def hold(name: str, *, ends: bool) -> None:
            async with line.place("hall"):
                begun.append(name)
                if ends:
                    end_turn()
                    end_turn()
                await over.wait()

        tasks = [asyncio.create_task(hold(name, ends=name == "first")) for name in ("first", "second", "third")]
        await _settled()
        assert begun == ["first", "second"] and line.busy == 1
        over.set()
        await asyncio.gather(*tasks)
        assert begun == ["first", "second", "third"] and line.busy == 0
        end_turn()  # outside of any turn

    asyncio.run(trial())


def test_what_a_room_writes_to_the_disk_is_waited_for_out_of_turn(tmp_path: Path) -> None:
    async def trial() -> None:
        line, journal = FairLine(9, 9, 9, 60, own=1), Journal(tmp_path)
        async with line.place("hall"):
            assert line.busy == 1
            await journal.write()
            assert line.busy == 0

    asyncio.run(trial())


def test_all_may_leave_in_the_same_moment() -> None:
    async def trial() -> list[str]:
        line, order, never = FairLine(1, 9, 9, 60), list[str](), asyncio.Event()
        tasks = [asyncio.create_task(_hold(line, name, order, never)) for name in ("a", "a", "a", "b", "b")]
        await _settled()
        for each in tasks:
            each.cancel()
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert {type(each) for each in found} == {asyncio.CancelledError}
        assert line.waiting == 0
        never.set()
        await _hold(line, "last", order, never)
        return order

    assert asyncio.run(trial()) == ["a", "last"]
