"""A small dataflow with a crash: two sources, a sum, a sink. The sum ends at 36, as it would without the crash."""

FLOW = """
title: {en: A flow, zh: 数据流}
topology:
  processes: [JM, s1, s2, sum, out]
  channels: [JM->s1, JM->s2, s1->sum, s2->sum, sum->out]
program:
  kind: dataflow
  operators:
    JM: {coordinator: true}
    s1: {source: [1, 2, 3]}
    s2: {source: [10, 20]}
    sum: {sum: all}
    out: {sink: plain}
algorithm: aligned
script:
  - read: s1
  - read: s1
  - start: JM
  - deliver: JM->s1
  - read: s1
  - deliver: s1->sum
  - deliver: s1->sum
  - deliver: s1->sum
  - read: s2
  - deliver: JM->s2
  - deliver: s2->sum
  - deliver: s2->sum
  - wake: s1
  - wake: s2
  - wake: sum
  - deliver: sum->out
  - deliver: sum->out
  - deliver: sum->out
  - deliver: sum->out
  - wake: out
  - read: s2
  - deliver: s1->sum
  - crash: sum
  - restore: latest
"""
"""In step 8 the barrier blocks s1->sum, in step 12 sum records, in step 20 the checkpoint is complete, in step 23 sum
crashes, and in step 24 all roll back."""

CRASHED, RESTORED = 23, 24

TIGHT = """
title: {en: A tight flow, zh: 拥挤的数据流}
topology:
  processes: [JM, s1, s2, m, sum, out]
  channels: [JM->s1, JM->s2, s1->m, s2->sum, m->sum, sum->out]
program:
  kind: dataflow
  operators:
    JM: {coordinator: true}
    s1: {source: [{a: 1}, {b: 2}, {a: 3}, {c: 4}]}
    s2: {source: [{a: 10}, {b: 20}], ends: true}
    m: {filter: {below: 3}}
    sum: {sum: key}
    out: {sink: transactional}
algorithm: aligned
capacity: 2
script:
  - read: s1
  - read: s1
  - read: s1
  - read: s2
  - start: JM
  - deliver: JM->s2
  - crash: s2
"""
"""After step 3 s1->m is full and s1 is busy; in step 6 s2 records, in step 7 it crashes before that is stored."""
