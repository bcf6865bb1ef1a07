"""Lays a graph out in layers, from left to right, with few crossings and short edges."""

# In pixels: a box, the space below it and to its right, and the height that an edge takes which passes a layer.
WIDTH, HEIGHT, BELOW, BESIDE, PASSING = 184, 62, 16, 46, 10

SWEEPS = 6


def placed(nodes, edges):
    """Returns the left upper corner of each node, the points of each edge, and the size of the whole. Parts of the graph that
    aren't connected are below each other, and below them, side by side, nodes without edges."""
    neighbours = {node: set() for node in nodes}
    for one, other in edges:
        neighbours[one].add(other)
        neighbours[other].add(one)
    corners, routes, width, top = {}, {}, 0, 0
    for part in sorted(parts(nodes, neighbours), key=len, reverse=True):
        if len(part) == 1:
            continue
        inside = set(part)
        layers, ways = layered(part, [edge for edge in edges if edge[0] in inside])
        heights = settled(layers, ways)
        least = min(heights[node] for layer in layers for node in layer)
        for number, layer in enumerate(layers):
            for node in layer:
                corners[node] = (number * (WIDTH + BESIDE), heights[node] - least + top)
        routes.update(ways)
        width = max(width, len(layers) * (WIDTH + BESIDE) - BESIDE)
        top += max(heights[node] - least + size(node) for layer in layers for node in layer) + 2 * BELOW
    single = [node for node in nodes if not neighbours[node]]
    across = max(5, width // (WIDTH + BELOW))
    for number, node in enumerate(single):
        corners[node] = (number % across * (WIDTH + BELOW), top + number // across * (HEIGHT + BELOW))
    if single:
        width = max(width, min(across, len(single)) * (WIDTH + BELOW) - BELOW)
        top += -(-len(single) // across) * (HEIGHT + BELOW)
    ways = {edge: points(way, corners) for edge, way in routes.items()}
    return {node: corners[node] for node in nodes}, ways, (width, top)


def parts(nodes, neighbours):
    seen = set()
    for node in nodes:
        if node not in seen:
            part = [node]
            seen.add(node)
            for one in part:
                fresh = [other for other in neighbours[one] if other not in seen]
                seen.update(fresh)
                part += fresh
            yield part


class Passing:
    """Where an edge passes a layer."""


def size(node):
    return PASSING if isinstance(node, Passing) else HEIGHT


def layered(nodes, edges):
    """Returns the layers, and through which nodes of them each edge goes."""
    after = {node: [] for node in nodes}
    for one, other in edges:
        after[one].append(other)
    order, backward = topological(nodes, after)
    forward = [edge for edge in edges if edge not in backward]
    before = {node: [] for node in nodes}
    for one, other in forward:
        before[other].append(one)
    level = {}
    for node in order:
        level[node] = max((level[one] + 1 for one in before[node]), default=0)
    for node in order:
        # A source stands just before what it leads to.
        if not before[node] and (following := [level[other] for other in after[node] if (node, other) not in backward]):
            level[node] = min(following) - 1
    layers = [[] for _ in range(max(level.values()) + 1)]
    for node in order:
        layers[level[node]].append(node)
    ways = {}
    for one, other in edges:
        if level[other] <= level[one]:
            ways[one, other] = [one, other]
            continue
        passing = [Passing() for _ in range(level[one] + 1, level[other])]
        for number, node in enumerate(passing):
            layers[level[one] + 1 + number].append(node)
        ways[one, other] = [one, *passing, other]
    return layers, ways


def topological(nodes, after):
    """Returns the nodes in an order that all edges follow, but those that close circles, and these."""
    order, backward, state = [], set(), {}
    for root in nodes:
        stack = [(root, iter(after[root]))] if root not in state else []
        state.setdefault(root, "open")
        while stack:
            node, rest = stack[-1]
            for other in rest:
                if state.get(other) == "open":
                    backward.add((node, other))
                elif other not in state:
                    state[other] = "open"
                    stack.append((other, iter(after[other])))
                    break
            else:
                state[node] = "done"
                order.append(node)
                stack.pop()
    return order[::-1], backward


def settled(layers, ways):
    """Orders each layer by the middle of its neighbours, and returns the heights at which the nodes stand."""
    links = {node: ([], []) for layer in layers for node in layer}
    for way in ways.values():
        for one, other in zip(way, way[1:]):
            links[one][1].append(other)
            links[other][0].append(one)
    heights = {}
    for layer in layers:
        for number, node in enumerate(layer):
            heights[node] = number * (HEIGHT + BELOW)
    for sweep in range(2 * SWEEPS):
        side = sweep % 2
        for layer in reversed(layers) if side else layers:
            wanted = {node: middle(links[node][side], heights, heights[node] + size(node) / 2) - size(node) / 2 for node in layer}
            layer.sort(key=wanted.get)
            end, shift = float("-inf"), 0
            for node in layer:
                heights[node] = max(wanted[node], end)
                end = heights[node] + size(node) + BELOW
                shift += wanted[node] - heights[node]
            # What was moved only down is moved up by half of it, on average.
            for node in layer:
                heights[node] += shift / len(layer)
    return heights


def middle(nodes, heights, otherwise):
    return sum(heights[node] + size(node) / 2 for node in nodes) / len(nodes) if nodes else otherwise


def points(way, corners):
    """Returns the points that an edge goes through: of each node that it passes, the left and the right one."""
    found = []
    for node in way:
        left, top = corners[node]
        found += [(left, top + size(node) / 2), (left + WIDTH, top + size(node) / 2)]
    return found[1:-1]
