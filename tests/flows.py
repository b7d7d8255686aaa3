"""Small dataflows for tests of how graphs in layers are drawn."""

from app.core.model.topology import Topology

FLOWS = {
    "two": "J>s1 J>s2 s1>sum s2>sum sum>out",
    "loop": "J>s s>H H>T T>H H>out",
    "line": "J>s s>H H>T T>H",
    "chain": "J>s s>map map>count count>filter filter>out",
    "skipping": "J>s1 J>s2 s1>map map>join s2>join join>out join>s3 s3>map",
    "nested": "J>s s>A A>B B>C C>B C>D D>A D>out",
    "twelve": "J>a J>b J>c a>k b>l c>m k>x l>x l>y m>y x>j y>j j>o j>p j>k",
    "many": "J>a J>b J>c J>d a>e b>f c>g d>h e>i e>k f>i f>k g>i g>k h>i h>k i>l k>m l>n m>n n>o m>f",
}
"""Graphs as "a>b b>c": one with two sources, loops, a chain, channels that skip layers, and larger ones."""


def links(flow: str) -> list[tuple[str, str]]:
    """Return the channels of a flow."""
    return [(a, b) for a, _, b in (each.partition(">") for each in flow.split())]


def topology(flow: str) -> Topology:
    """Return the graph of a flow, in layers; its processes in the order in which they are first named."""
    found = links(flow)
    return Topology(dict.fromkeys(name for link in found for name in link), found, layers=True)


def yaml(flow: str, seed: int = 3) -> str:
    """Return a scenario on that graph: J is the coordinator, its outputs lead to sources, processes without outputs
    are sinks, and all others pass items on; those that a loop leads back to keep small items, so that it ends."""
    graph = topology(flow)
    sources = [target for source, target in links(flow) if source == "J"]
    operators = ["    J: {coordinator: true}"]
    for name, process in graph.processes.items():
        if name in sources:
            operators.append(f"    {name}: {{source: [1, 2, 3, 4, 5, 6]}}")
        elif name != "J" and not process.outputs:
            operators.append(f"    {name}: {{sink: plain}}")
        elif name != "J":
            back = any(channel in graph.back_edges for channel in process.inputs)
            operators.append(f"    {name}: {{map: {{plus: 1}}{', filter: {below: 5}' if back else ''}}}")
    return f"""title: {{en: Flow, zh: 流}}
topology: {{processes: [{", ".join(graph.names)}], channels: [{", ".join(graph.channels)}]}}
program:
  kind: dataflow
  operators:
{chr(10).join(operators)}
algorithm: aligned
schedule: {{kind: seeded, seed: {seed}, moves: 40}}
initiators: [{{process: J, at: 12}}]
"""
