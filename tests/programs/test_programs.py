"""What the programs of processes do."""

import pytest

from app.core.model.values import Into, Move, Process, Refused, Sets
from app.programs.bank import Bank, covers, freeze, plus, thaw
from app.programs.machine import Edge, Machine
from app.programs.scripted import Scripted, Telegram
from app.programs.token import Token
from app.programs.variables import Letter, Values, Variables

P = Process("p", ("q->p",), ("p->q", "p->r"))
IDLE = Process("z", (), ())


def test_a_token_can_go_along_any_output_as_long_as_it_is_held() -> None:
    token = Token({"p": 1})
    assert token.moves(P, 1) == (Move("p", "p->q", "T"), Move("p", "p->r", "T"))
    assert token.moves(P, 0) == () and token.start(IDLE) == 0
    assert token.act(P, 1, Move("p", "p->q", "T")) == 0 and token.receive(P, 0, "q->p", "T") == 1
    with pytest.raises(Refused, match="p holds no token"):
        token.act(P, 0, Move("p", "p->q", "T"))
    with pytest.raises(Refused, match="the only thing that p can do is to send T"):
        token.act(P, 1, Move("p"))


def test_the_token_is_lost_where_nobody_has_it() -> None:
    token = Token({})
    assert token.stable({"p": 0}, {"p->q": ()}) is True
    assert token.stable({"p": 0}, {"p->q": ("T",)}) is False
    assert token.stable({"p": 1}, {}) is False


def test_a_bank_sends_what_its_balance_covers_each_amount_once() -> None:
    bank = Bank({"p": freeze(3)}, (freeze(1), freeze(5), freeze(1)))
    assert bank.moves(P, freeze(3)) == (Move("p", "p->q", freeze(1)), Move("p", "p->r", freeze(1)))
    assert thaw(bank.act(P, freeze(3), Move("p", "p->q", freeze(3)))) == 0
    assert thaw(bank.receive(P, freeze(3), "q->p", freeze(4))) == 7
    with pytest.raises(Refused, match="p has 3 and cannot send 4"):
        bank.act(P, freeze(3), Move("p", "p->q", freeze(4)))
    with pytest.raises(Refused, match="name a channel"):
        bank.act(P, freeze(3), Move("p"))


def test_a_balance_of_several_kinds_keeps_their_order() -> None:
    have = freeze({"money": 50, "widgets": 2000})
    assert thaw(plus(have, freeze({"widgets": 3}), -1)) == {"money": 50, "widgets": 1997}
    assert thaw(plus(freeze({"money": 1}), freeze({"widgets": 3}))) == {"money": 1, "widgets": 3}
    assert covers(have, freeze({"money": 50})) and not covers(have, freeze({"money": 51}))
    assert not covers(have, freeze({"gold": 1})) and not covers(freeze(1), freeze(-1))


def test_equal_balances_of_several_kinds_are_the_same_in_memory() -> None:
    have, one = freeze({"a": 10**12, "b": 10**12}), freeze({"a": 1, "b": 1})
    assert plus(have, one) is plus(freeze({"a": 10**12, "b": 10**12}), one)
    assert plus(have, one) != plus(have, one, -1)


def test_an_account_that_is_not_named_is_empty_of_everything() -> None:
    assert thaw(Bank({"p": freeze({"a": 1, "b": 2})}, ()).start(IDLE)) == {"a": 0, "b": 0}
    assert thaw(Bank({}, ()).start(IDLE)) == 0


def test_variables_count_themselves_up_and_name_their_messages() -> None:
    program = Variables({"p": (("X", 1), ("Y", "y"))})
    state = program.start(P)
    moves = program.moves(P, state)
    assert [move.payload for move in moves] == [Letter("p.1"), Letter("p.1"), None]
    assert program.view(program.act(P, state, moves[2])) == {"X": 2, "Y": "y"}
    assert program.act(P, state, moves[0]) == Values((("X", 1), ("Y", "y")), 1)
    assert program.view(program.receive(P, state, "q->p", Letter("m", (("Y", 5),)))) == {"X": 1, "Y": 5}
    with pytest.raises(Refused, match="p has no variable Q; it has X, Y"):
        program.act(P, state, Move("p", None, None, Sets((("Q", 1),))))


def test_a_process_without_variables_or_channels_does_nothing() -> None:
    assert Variables({}).moves(IDLE, Values(())) == ()


def test_a_machine_moves_along_its_edges_and_refuses_what_it_cannot_receive() -> None:
    edges = (
        Edge("A", "B", "p->q", "m"), Edge("A", "B", "p->q", "m"), Edge("A", "C", "p->q", "m"), Edge("A", "D"),
        Edge("B", "A", "q->p", receive="n"),
    )  # fmt: skip
    machine = Machine({"p": "A"}, {"p": edges}, ("D",))
    assert [(move.payload, move.detail) for move in machine.moves(P, "A")] == [
        ("m", Into("B")),
        ("m", Into("C")),
        (None, Into("D")),
    ]
    assert machine.act(P, "A", Move("p", "p->q", "m")) == "B"
    assert machine.act(P, "A", Move("p", "p->q", "m", Into("C"))) == "C"
    assert machine.refuses(P, "A", "q->p", "n") and not machine.refuses(P, "B", "q->p", "n")
    assert machine.receive(P, "B", "q->p", "n") == "A"
    assert machine.stable({"p": "D"}, {"p->q": ()}) is True and machine.stable({"p": "D"}, {"p->q": ("m",)}) is False
    assert Machine({}, {}).stable({}, {}) is None and machine.start(IDLE) == "idle"
    with pytest.raises(Refused, match="p in state B cannot send m on p->q"):
        machine.act(P, "B", Move("p", "p->q", "m"))
    with pytest.raises(Refused, match="p in state A cannot change its state"):
        machine.act(P, "A", Move("p", None, None, Into("Z")))
    with pytest.raises(Refused, match="p in state A cannot receive n on q->p"):
        machine.receive(P, "A", "q->p", "n")


def test_a_script_says_what_every_event_does() -> None:
    program = Scripted({"p": '{"k":1}'})
    assert program.view(program.start(P)) == {"k": 1} and program.start(IDLE) == "null"
    assert program.act(P, "1", Move("p", "p->q", Telegram('"m"'))) == "1"
    assert program.act(P, "1", Move("p", None, None, Into("2"))) == "2"
    assert program.receive(P, "1", "q->p", Telegram('"m"'), "3") == "3"
    assert program.receive(P, "1", "q->p", Telegram('"m"')) == "1"
    assert program.show(Telegram('["m",1]')) == ["m", 1]
