# SPDX-License-Identifier: GPL-2.0-or-later
"""Symbols of the files that a program had mapped: where its variables lie.

A profile has the names of code that was executed; of data it has none. They are
read from the files themselves, where those still have the recorded build id.
"""

import struct

FUNCTION, VARIABLE = "function", "variable"
_FUNC, _IFUNC, _OBJECT = 2, 10, 1
_SYMTAB, _NOTE, _DYNSYM = 2, 7, 11
_BUILD_ID = 3
_TOOL = b"alleria-amd64-linux"


class Symbol:
    """A function or variable: `name`, `kind`, `object` (path), and the addresses
    from `start`, included, to `end`, not included; `size` is in bytes."""

    def __init__(self, name, kind, object_, start, size):
        self.name, self.kind, self.object = name, kind, object_
        self.start, self.size, self.end = start, size, start + size

    def __repr__(self):
        return (f"Symbol({self.name!r}, {self.kind}, {self.start:#x}, "
                f"{self.size} bytes, {self.object!r})")


class _Elf:
    """Sections of a little-endian ELF file of 64 bits; ValueError or struct.error
    if the file is something else or malformed."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        if self.data[:6] != b"\x7fELF\x02\x01":
            raise ValueError("no ELF file of 64 bits")
        at, = struct.unpack_from("<Q", self.data, 0x28)
        size, n = struct.unpack_from("<HH", self.data, 0x3a)
        self.sections = [struct.unpack_from("<IIQQQQIIQQ", self.data,
                                            at + i * size) for i in range(n)]

    def content(self, section):
        return self.data[section[4]:section[4] + section[5]]

    def build_id(self):
        """The build id in hex; "" if the file has none."""
        for section in self.sections:
            if section[1] != _NOTE:
                continue
            note, at = self.content(section), 0
            while at + 12 <= len(note):
                name, size, type_ = struct.unpack_from("<III", note, at)
                at += 12 + (name + 3) // 4 * 4
                if type_ == _BUILD_ID:
                    return note[at:at + size].hex()
                at += (size + 3) // 4 * 4
        return ""

    def symbols(self):
        """Name, kind, whether it is local, value and size of each defined symbol."""
        for section in self.sections:
            if section[1] not in (_SYMTAB, _DYNSYM):
                continue
            names = self.content(self.sections[section[6]])
            for name, info, _, index, value, size in struct.iter_unpack(
                    "<IBBHQQ", self.content(section)):
                type_ = info & 15
                if index and type_ in (_FUNC, _IFUNC, _OBJECT):
                    yield (names[name:names.index(b"\0", name)],
                           VARIABLE if type_ == _OBJECT else FUNCTION,
                           info >> 4 == 0, value, size)


def _of(object_, name):
    """Symbols of a name in an object: functions before variables, globals before
    local symbols."""
    path = object_.path.decode(errors="surrogateescape")
    try:
        elf = _Elf(path)
        if elf.build_id() != object_.build_id.decode():
            return []
        found = {(kind, local, value, size)
                 for at, kind, local, value, size in elf.symbols()
                 if at.split(b"@")[0] == name}
    except (OSError, ValueError, IndexError, struct.error):
        return []
    return [Symbol(name.decode(errors="surrogateescape"), kind, path,
                   value + object_.bias, size)
            for kind, local, value, size in sorted(found)]


def _is_tool(object_):
    """Whether an object is Alleria's tool, which Valgrind maps into each program;
    its symbols are not the program's."""
    return object_.path.rpartition(b"/")[2] == _TOOL


def find(objects, name):
    """Symbols of a name, object by object. An object that was mapped at several
    addresses has its symbols at each of them."""
    out, seen = [], set()
    for object_ in objects:
        key = object_.path, object_.bias
        if key not in seen and not _is_tool(object_):
            seen.add(key)
            out += _of(object_, name)
    return out
