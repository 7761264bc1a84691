"""Model files taken apart, as the library's `classifier/file` describes them."""

import struct

import cbor2

# Sections that are no numbers that were computed: they are the same to the byte.
EXACT = {"inputs", "labels"}


def sections(content):
    """Names in the order of the file, and what each section holds; the header as a structure, the others as bytes or numbers."""
    magic, version, length = content[:8], *struct.unpack_from("<IQ", content, 8)
    assert magic == b"GPCLASS\n" and version == 3
    found, at = {}, 20
    while at < 20 + length:
        name_bytes, required, size = struct.unpack_from("<HBQ", content, at)
        body = at + 11 + name_bytes
        name = content[at + 11 : body].decode()
        found[name] = [required, held(name, content[body : body + size])]
        at = body + size
    return found


def held(name, content):
    if name == "header":
        return cbor2.loads(content)
    return content if name in EXACT else list(struct.unpack(f"<{len(content) // 8}d", content))
