"""Two accounts of one fit, compared number by number."""

# Facts of one run on one machine: the time of day and of computing.
OF_THE_RUN = {"time", "seconds"}


def differences(one, other, tolerance, path=""):
    """Where two JSON values differ: in structure, in texts, or in numbers by more than the tolerance, relative above one."""
    if isinstance(one, dict) and isinstance(other, dict):
        if one.keys() != other.keys():
            return [f"{path}: {sorted(one.keys() ^ other.keys())}"]
        pairs = [(f"{path}.{key}", one[key], other[key]) for key in one if key not in OF_THE_RUN]
    elif isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            return [f"{path}: {len(one)} and {len(other)} entries"]
        pairs = [(f"{path}[{k}]", a, b) for k, (a, b) in enumerate(zip(one, other))]
    elif isinstance(one, (int, float)) and isinstance(other, (int, float)) and not isinstance(one, bool):
        far = abs(one - other) > tolerance * max(1.0, abs(one), abs(other))
        return [f"{path}: {one!r} and {other!r}"] if far else []
    else:
        return [] if one == other else [f"{path}: {one!r} and {other!r}"]
    return [difference for at, a, b in pairs for difference in differences(a, b, tolerance, at)]
