# SPDX-License-Identifier: GPL-2.0-or-later
"""Data objects of a profile: heap blocks, variables, stacks, mapped memory.

    import alleria

    with alleria.open("app.alp") as profile:
        data = profile.data()
        for batch in profile.accesses(kinds=alleria.WRITES):
            for access in batch:
                found = data.at(access)
                if found:
                    id, offset = found
                    print(data[id].kind, data[id].name, offset)

The profile must have been recorded with --record=data,address.
include/alleria/data.h describes which data object owns an access.
"""

import os
from collections import namedtuple
from ctypes import (POINTER, Structure, byref, c_char_p, c_int, c_long,
                    c_uint32, c_uint64, c_void_p)

_KINDS = ("unknown", "heap", "static", "stack", "mapping", "code", "allocator",
          "tls", "pool", "region")
_RANGE = -6
_NOT = 2 ** 64 - 1
_NUMBERS = ("id address size born_instruction died_instruction born_access "
            "died_access").split()
_SMALL_NUMBERS = "kind process image thread site".split()

Frame = namedtuple("Frame", "function file line object")


class _Data(Structure):
    _fields_ = ([(name, c_uint64) for name in _NUMBERS]
                + [("name", c_char_p), ("object", c_char_p)]
                + [(name, c_uint32) for name in _SMALL_NUMBERS]
                + [("pad", c_uint32), ("room", c_uint64 * 4)])


def declare(lib, name_type):
    """Declare the functions of data.h; name_type: struct alleria_name."""
    for name, result, arguments in (
            ("alleria_data_open", c_int, [c_void_p, POINTER(c_void_p)]),
            ("alleria_data_close", None, [c_void_p]),
            ("alleria_data_count", c_uint64, [c_void_p]),
            ("alleria_data_get", c_int, [c_void_p, c_uint64, POINTER(_Data)]),
            ("alleria_data_type", c_char_p, [c_void_p, c_uint64]),
            ("alleria_data_at", c_int,
             [c_void_p, c_uint64, c_uint64, POINTER(c_uint64),
              POINTER(c_uint64)]),
            ("alleria_site_count", c_uint32, [c_void_p]),
            ("alleria_site_frames", c_long,
             [c_void_p, c_uint32, c_uint32, POINTER(name_type)])):
        function = getattr(lib, name)
        function.restype = result
        function.argtypes = arguments


class Data:
    """A data object. Members: `id`, from 1; `kind`, such as "heap"; `name`;
    `object`, the path of the object file of a variable; `process`, `image`;
    `address` and `size` [bytes]; `born_instruction`, `born_access`,
    `died_instruction`, `died_access`; `thread`; `site`. It owned accesses from
    number born_access on and before died_access. None: `died_...` of a data
    object that existed at the end, and `thread` and `site` if there is none."""

    def __init__(self, record):
        for name in _NUMBERS + _SMALL_NUMBERS:
            setattr(self, name, getattr(record, name))
        for name in ("died_instruction", "died_access"):
            if getattr(self, name) == _NOT:
                setattr(self, name, None)
        self.kind = _KINDS[record.kind]
        self.thread = record.thread or None
        self.site = record.site or None
        self.name = os.fsdecode(record.name)
        self.object = os.fsdecode(record.object)

    def __repr__(self):
        return (f"Data({self.id}, {self.kind} {self.name!r}, "
                f"{self.address:#x}, {self.size} bytes)")


class DataMap:
    """The data objects of a profile; close() frees their memory.

        len(data)     how many there are
        data[id]      a Data, by its id from 1 on
        for d in data
    """

    def __init__(self, lib, check, name_type, handle):
        self._lib, self._check, self._name_type = lib, check, name_type
        self._open = handle

    @property
    def _handle(self):
        handle = self._open
        if not handle:
            raise ValueError("the data objects are closed")
        return handle

    def __len__(self):
        return self._lib.alleria_data_count(self._handle)

    def __getitem__(self, id_):
        record = _Data()
        handle = self._handle  # stays open until the strings are copied
        if not isinstance(id_, int):
            raise TypeError(f"{id_!r} is no id of a data object")
        if not 0 < id_ <= len(self):
            raise IndexError(f"there is no data object {id_}")
        self._check(self._lib.alleria_data_get(handle, id_, byref(record)))
        return Data(record)

    def __iter__(self):
        return (self[id_] for id_ in range(1, len(self) + 1))

    def at(self, access):
        """Find the data object of an Access; its id and the offset of the access
        in it [bytes]. None: the access belongs to no data object."""
        return self.at_address(access.address, access.number)

    def at_address(self, address, access):
        """As at(), for the memory at an address when access number `access` was
        made. Error: there is no such access."""
        id_, offset = c_uint64(), c_uint64()
        found = self._check(self._lib.alleria_data_at(
            self._handle, address, access, byref(id_), byref(offset)))
        return (id_.value, offset.value) if found else None

    def type(self, id_):
        """Return the type of a variable or heap block, such as "struct node",
        from debug information; that of a block is the one that most accesses to
        the blocks of its call stack imply. None: it is not known."""
        handle = self._handle
        return os.fsdecode(self._lib.alleria_data_type(handle, id_)) or None

    @property
    def sites(self):
        """Numbers of all sites, call stacks that allocated or mapped memory."""
        return range(1, self._lib.alleria_site_count(self._handle) + 1)

    def frames(self, site):
        """Return the callers on the call stack of a site, the innermost first:
        Frames with function, file, line and object, which is a path. A name that
        is not known is "", a line 0."""
        handle = self._handle
        n = self._lib.alleria_site_frames(handle, site, 0, None)
        if n == _RANGE:
            raise IndexError(f"there is no site {site}")
        names = (self._name_type * self._check(n))()
        self._check(self._lib.alleria_site_frames(handle, site, n, names))
        return [Frame(os.fsdecode(name.function or b""),
                      os.fsdecode(name.file or b""), name.line,
                      os.fsdecode(name.object or b"")) for name in names]

    def close(self):
        """Free the memory. What was returned before stays valid."""
        self._open = None

    @property
    def closed(self):
        """Whether the data objects or their profile were closed."""
        return self._open is None
