"""What happened in an undone life is not a fault of the next."""

from tests.tiny import run

LINE = """
    topology: {processes: [JM, s, o, k], channels: [JM->s, s->o, o->k]}
    program:
      kind: dataflow
      operators: {JM: {coordinator: true}, s: {source: [1, 2]}, o: {sum: all}, k: {sink: plain}}
    algorithm: aligned
    script:
      - {read: s}
      - {duplicate: s->o}
      - {crash: o}
      - {restore: 0}
      - {read: s}
      - {deliver: s->o}
      - {start: JM}
"""
BANK = """
    topology: {processes: [p, q], channels: [p->q, q->p]}
    program: {kind: bank, accounts: {p: 100, q: 100}}
    recovery: true
    script:
      - {send: {on: p->q, message: 10}}
      - {drop: p->q}
      - {crash: q}
      - {restore: 0}
      - {send: {on: p->q, message: 5}}
      - {deliver: p->q}
      - {start: p}
"""


def test_a_copy_of_a_message_that_was_taken_back_crosses_no_later_cut() -> None:
    assert set(run(LINE).verdicts[1].checks.values()) == {True, None}


def test_a_loss_that_was_taken_back_is_missing_nowhere() -> None:
    checks = run(BANK).verdicts[1].checks
    assert checks["conserved"] is True and checks["channels"] is True


def test_values_in_a_loop_stop_growing_and_what_a_join_makes_there_keeps_its_identity() -> None:
    looped = run("""
    topology: {processes: [JM, a, b, m, j], channels: [JM->a, JM->b, a->m, b->j, m->j, j->m]}
    program:
      kind: dataflow
      operators:
        JM: {coordinator: true}
        a: {source: [{x: 2}]}
        b: {source: [{x: 3}]}
        m: {map: {times: 1000}}
        j: {join: key}
    algorithm: loops
    steps: 300
    """)
    states = [looped.world(step.number).states["j"] for step in looped.steps]
    values = {record.value for state in states for side in state.sides for record in side}
    assert max(values) == 10**15
    ids = [record.id for record in states[-1].sides[0]] + [record.id for record in states[-1].sides[1]]
    assert len(ids) == len(set(ids))


UNDONE = """
    topology: {processes: [JM, s, o, k], channels: [JM->s, s->o, o->k]}
    program:
      kind: dataflow
      operators: {JM: {coordinator: true}, s: {source: [1, 2, 3]}, o: {sum: all}, k: {sink: plain}}
    algorithm: at-most-once
    script:
      - {read: s}
      - {deliver: s->o}
      - {crash: o}
      - {restart: o}
      - {read: s}
      - {deliver: s->o}
"""


def test_a_message_whose_receipt_was_taken_back_is_in_nobodys_way() -> None:
    made = run(UNDONE)
    lost = next(iter(made.history.sends.values())).message
    assert lost is not None and made.history.lost(lost.identity)
    assert made.undisturbed
