"""Tables for the tests, by a generator of chance that gives the same rows everywhere."""


def chance(seed):
    """Numbers from 0 to 1 (the linear congruence of the C standard's example)."""
    state = seed
    while True:
        state = (1_103_515_245 * state + 12_345) % 2**31
        yield state / 2**31


def ring(rows, seed=1):
    """Numbers, categories and gaps; the class is in or out of a circle, a few labels wrong."""
    next_number = chance(seed)
    lines = ["x,y,colour,kind"]
    for row in range(rows):
        x, y = 2 * next(next_number) - 1, 2 * next(next_number) - 1
        colour = ["red", "blue", "green"][int(3 * next(next_number))]
        inside = (x * x + y * y < 0.6) != (row % 25 == 24)
        shown = "" if row % 17 == 16 else f"{y:.6f}"
        lines.append(f"{x:.6f},{shown},{colour},{'in' if inside else 'out'}")
    return ("\n".join(lines) + "\n").encode()


def three(rows, seed=1):
    """Three classes by the greatest of three numbers."""
    next_number = chance(seed)
    lines = ["a\tb\tc\tgreatest"]
    for _ in range(rows):
        values = [next(next_number) for _ in range(3)]
        lines.append("\t".join([*(f"{value:.6f}" for value in values), "abc"[values.index(max(values))]]))
    return ("\n".join(lines) + "\n").encode()
