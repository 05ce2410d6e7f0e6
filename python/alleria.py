# SPDX-License-Identifier: GPL-2.0-or-later
"""Profiles of memory accesses, read with liballeria.

    import alleria

    with alleria.open("ls.alp") as profile:
        print(profile.run.counts.accesses)
        for batch in profile.accesses(kinds=alleria.STORES):
            for access in batch:
                print(hex(access.code), hex(access.address), access.size)

A batch is an array of records as include/alleria/records.h describes them. It
lies in the library's memory until the next one is asked for, or the cursor is
moved: copy what is to stay. memoryview(batch) and numpy.asarray(batch) take it
without a copy. profile.calls() gives arguments and results of calls.
"""

import ctypes
import ctypes.util
import os
from ctypes import (POINTER, Structure, byref, c_char_p, c_int,
                    c_int32, c_long, c_uint8, c_uint16, c_uint32, c_uint64,
                    c_void_p)

import alleria_calls

LOAD, STORE, MODIFY = 0, 1, 2
LOADS, STORES, MODIFIES = 1 << LOAD, 1 << STORE, 1 << MODIFY
GUARDED, HELPER, ATOMIC, VALUE = 1, 2, 4, 8
MAX_VALUE = 64
HAS_VALUES, HAS_TIMES, HAS_CORES = 1 << 3, 1 << 7, 1 << 8
JUMP, CALL, RETURN, SYSCALL, HANDLER, START = range(6)
COMPLETE, LOSSY, TRUNCATED, UNFINISHED = range(4)
NONE, NOT = 2 ** 32 - 1, 2 ** 64 - 1
DAMAGED = -5
MARK = 12  # kind of an event; its value is the mark's number


def _load():
    path = os.environ.get("ALLERIA_LIBRARY")
    return ctypes.CDLL(path or ctypes.util.find_library("alleria")
                       or "liballeria.so.0", use_errno=True)


_lib = _load()


class Error(Exception):
    """What liballeria said; code is an enum alleria_error."""

    def __init__(self, code, what=""):
        text = _lib.alleria_error_text(code).decode()
        super().__init__(f"{text}: {what}" if what else text)
        self.code = code


class _Record(Structure):
    def __repr__(self):
        values = (f"{name}={getattr(self, name)!r}"
                  for name, *_ in self._fields_ if name[0] != "_")
        return f"{type(self).__name__}({', '.join(values)})"


def _record(name, *fields):
    return type(name, (_Record,), {"_fields_": list(fields)})


def _of(type_, names):
    return [(name, type_) for name in names.split()]


# ---- records.h ----

Access = _record(
    "Access", *_of(c_uint64, "number address code instruction"),
    *_of(c_uint32, "thread process"), ("size", c_uint16), ("kind", c_uint8),
    ("flags", c_uint8), ("window", c_uint32),
    *_of(c_uint64, "read written"))
Instruction = _record(
    "Instruction", *_of(c_uint64, "number address first_access"),
    ("access", c_uint64), ("bytes", c_uint64),
    *_of(c_uint32, "thread process"), ("n_accesses", c_uint16),
    ("size", c_uint8), ("flags", c_uint8), ("window", c_uint32))
Execution = _record(
    "Execution", *_of(c_uint64, "instruction access"), ("block", c_uint64),
    *_of(c_uint32, "thread process"),
    *_of(c_uint16, "exit n_instructions n_accesses image"),
    ("stamp", c_uint64))
Branch = _record(
    "Branch", *_of(c_uint64, "number to from_ from_number access"),
    *_of(c_uint32, "thread process"), ("kind", c_uint8), ("flags", c_uint8),
    ("image", c_uint16), ("_room", c_uint32))
Event = _record(
    "Event", *_of(c_uint64, "instruction access time_ns value detail"),
    *_of(c_uint32, "thread process"), ("kind", c_uint16), ("image", c_uint16),
    ("_room", c_uint32))

# ---- facts.h ----

Counts = _record(
    "Counts", *_of(c_uint64, "instructions accesses reads writes modifies "
                             "threads signals"), ("_room", c_uint64 * 5))
_strings = POINTER(c_char_p)
State = _record(
    "State", *_of(c_uint32, "status damage"), ("reason", c_char_p),
    *_of(c_uint64, "damage_at damage_bytes bytes blocks"))
Run = _record(
    "Run", *_of(c_char_p, "version valgrind system release machine processor"),
    ("options", _strings), ("command", _strings), ("directory", c_char_p),
    *_of(c_uint64, "started_ns wall_ns environment low_address high_address"),
    *_of(c_uint32, "page_size address_bits processors has"),
    ("memory", c_uint64), *_of(c_uint32, "format_major format_minor processes "
                                         "trees"), ("counts", Counts))
Process = _record(
    "Process", *_of(c_uint32, "index tree number parent pid images"),
    ("command", _strings), ("directory", c_char_p), ("ending", c_uint32),
    ("value", c_int32), *_of(c_uint32, "status has"), ("reason", c_char_p),
    *_of(c_uint64, "lost begin_ns end_ns waited_ns first_access "
                   "first_instruction"), ("counts", Counts))
Name = _record(
    "Name", *_of(c_char_p, "function file object"), ("value", c_uint64),
    *_of(c_uint32, "line number"), ("_room", c_uint64 * 4))
Object = _record(
    "Object", *_of(c_char_p, "path build_id"),
    *_of(c_uint64, "start size bias begin_ns end_ns"),
    *_of(c_uint32, "process image number _pad"))
Thread = _record(
    "Thread", *_of(c_uint32, "process image number ended"),
    *_of(c_uint64, "begin_instruction end_instruction begin_ns end_ns "
                   "instructions accesses"))

Window = _record(
    "Window", ("name", c_char_p),
    *_of(c_uint64, "openings instructions reads writes modifies"),
    ("_room", c_uint64 * 6))
Mark = _record(
    "Mark", ("name", c_char_p), *_of(c_uint64, "start size"),
    *_of(c_uint32, "kind number process image"))


class _Filter(Structure):
    _fields_ = [("process", POINTER(c_uint32)),
                *_of(c_uint32, "n_processes n_threads"),
                ("thread", POINTER(c_uint32)),
                *_of(c_char_p, "object function"),
                *_of(c_uint64, "code_from code_to data_from data_to "
                               "access_from access_to instruction_from "
                               "instruction_to time_from time_to"),
                *_of(c_uint32, "kinds pad"), ("room", c_uint64 * 8)]


def _declare(name, result, *arguments):
    function = getattr(_lib, name)
    function.restype = result
    function.argtypes = arguments


_declare("alleria_error_text", c_char_p, c_int)
_declare("alleria_version", c_char_p)
_declare("alleria_open", c_int, c_char_p, POINTER(c_void_p), c_char_p)
_declare("alleria_close", None, c_void_p)
_declare("alleria_refresh", c_int, c_void_p)
_declare("alleria_state", POINTER(State), c_void_p)
_declare("alleria_damaged_blocks", c_uint64, c_void_p)
_declare("alleria_run", POINTER(Run), c_void_p)
_declare("alleria_process", POINTER(Process), c_void_p, c_uint32)
_declare("alleria_time_of", c_uint64, c_void_p, c_uint64)
_declare("alleria_name", c_int, c_void_p, c_uint32, c_uint64, c_uint64,
         POINTER(Name))
_declare("alleria_objects", c_long, c_void_p, c_uint32,
         POINTER(POINTER(POINTER(Object))))
_declare("alleria_marks", c_long, c_void_p, c_uint32, c_uint32,
         POINTER(POINTER(POINTER(Mark))))
_declare("alleria_windows", c_long, c_void_p, POINTER(POINTER(Window)))
_declare("alleria_window_set", c_uint64, c_void_p, c_uint32)
_declare("alleria_threads", c_long, c_void_p, c_uint32,
         POINTER(POINTER(Thread)))
_declare("alleria_cursor_open", c_int, c_void_p, c_int, POINTER(_Filter),
         POINTER(c_void_p))
_declare("alleria_cursor_close", None, c_void_p)
_declare("alleria_cursor_error", c_char_p, c_void_p)
_declare("alleria_seek_access", c_int, c_void_p, c_uint64)
_declare("alleria_seek_instruction", c_int, c_void_p, c_uint64)
_declare("alleria_seek_time", c_int, c_void_p, c_uint32, c_uint64)
alleria_calls.declare(_lib)
_KINDS = {"accesses": (1, Access), "instructions": (2, Instruction),
          "executions": (3, Execution), "branches": (4, Branch),
          "events": (5, Event)}
for _name, (_, _type) in _KINDS.items():
    _declare("alleria_" + _name, c_long, c_void_p, POINTER(POINTER(_type)))


def _check(result, what=""):
    if result < 0:
        raise Error(result, what)
    return result


def strings(list_):
    """A NULL-ended list of C strings, such as command, as Python's."""
    out = []
    while list_[len(out)] is not None:
        out.append(os.fsdecode(list_[len(out)]))
    return out


def value_read(access):
    """The bytes that an access read, its first 64; None: not known."""
    return _bytes(access.read, access.size)


def value_written(access):
    """The bytes that it wrote; None: it did not, or it is not known."""
    return _bytes(access.written, access.size)


def _bytes(at, size):
    return ctypes.string_at(at, min(size, MAX_VALUE)) if at else None


def _make_filter(conditions):
    out = _Filter()
    for key, value in conditions.items():
        if key in ("process", "thread"):
            numbers = [value] if isinstance(value, int) else list(value)
            setattr(out, key, (c_uint32 * len(numbers))(*numbers))
            setattr(out, "n_processes" if key == "process" else "n_threads",
                    len(numbers))
        elif hasattr(out, key):
            setattr(out, key, os.fsencode(value) if isinstance(value, str)
                    else value)
        else:
            raise TypeError(f"no condition '{key}'")
    return out


class Cursor:
    """Batches of records; iterate over it."""

    def __init__(self, profile, kind, conditions):
        self._profile = profile
        self._what, self._type = _KINDS[kind]
        self._next = getattr(_lib, "alleria_" + kind)
        self._cursor = c_void_p()
        _check(_lib.alleria_cursor_open(profile._profile, self._what,
                                        byref(_make_filter(conditions)),
                                        byref(self._cursor)))

    def __iter__(self):
        return self

    def __next__(self):
        out = POINTER(self._type)()
        n = _check(self._next(self._cursor, byref(out)),
                   _lib.alleria_cursor_error(self._cursor).decode())
        if n == 0:
            raise StopIteration
        batch = (self._type * n).from_address(ctypes.addressof(out.contents))
        batch.cursor = self  # stays as long
        return batch

    def seek_access(self, number):
        _check(_lib.alleria_seek_access(self._cursor, number))

    def seek_instruction(self, number):
        _check(_lib.alleria_seek_instruction(self._cursor, number))

    def seek_time(self, process, time_ns):
        _check(_lib.alleria_seek_time(self._cursor, process, time_ns))

    def close(self):
        _lib.alleria_cursor_close(self._cursor)
        self._cursor = c_void_p()

    def __del__(self):
        if getattr(self, "_cursor", None):
            self.close()


class Profile:
    """A profile; see open()."""

    def __init__(self, path):
        self._profile = c_void_p()
        message = ctypes.create_string_buffer(320)
        code = _lib.alleria_open(os.fsencode(path), byref(self._profile),
                                 message)
        _check(code, message.value.decode(errors="replace"))

    def close(self):
        _lib.alleria_close(self._profile)
        self._profile = c_void_p()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def refresh(self):
        return _check(_lib.alleria_refresh(self._profile)) > 0

    @property
    def state(self):
        return _lib.alleria_state(self._profile).contents

    @property
    def damaged_blocks(self):
        """How many blocks of the file were found damaged so far."""
        if not self._profile:
            raise ValueError("the profile is closed")
        return _lib.alleria_damaged_blocks(self._profile)

    @property
    def run(self):
        return _lib.alleria_run(self._profile).contents

    @property
    def processes(self):
        return [_lib.alleria_process(self._profile, i).contents
                for i in range(self.run.processes)]

    def objects(self, process):
        out = POINTER(POINTER(Object))()
        n = _check(_lib.alleria_objects(self._profile, process, byref(out)))
        return [out[i].contents for i in range(n)]

    def marks(self, process, image=0):
        """What an image told by a name; number N is at N - 1."""
        out = POINTER(POINTER(Mark))()
        n = _check(_lib.alleria_marks(self._profile, process, image,
                                      byref(out)))
        return [out[i].contents for i in range(n)]

    def windows(self):
        """What was recorded for each; none: everything was recorded."""
        out = POINTER(Window)()
        n = _check(_lib.alleria_windows(self._profile, byref(out)))
        return [out[i] for i in range(n)]

    def window_set(self, number):
        """Windows that wanted a record whose `window` is number: bit i for
        window i."""
        return _lib.alleria_window_set(self._profile, number)

    def threads(self, process):
        out = POINTER(Thread)()
        n = _check(_lib.alleria_threads(self._profile, process, byref(out)))
        return [out[i] for i in range(n)]

    def name(self, process, address, at=NOT):
        out = Name()
        _check(_lib.alleria_name(self._profile, process, address, at,
                                 byref(out)))
        return out

    def time_of(self, instruction):
        return _lib.alleria_time_of(self._profile, instruction)

    def accesses(self, **conditions):
        return Cursor(self, "accesses", conditions)

    def instructions(self, **conditions):
        return Cursor(self, "instructions", conditions)

    def executions(self, **conditions):
        return Cursor(self, "executions", conditions)

    def branches(self, **conditions):
        return Cursor(self, "branches", conditions)

    def events(self, **conditions):
        return Cursor(self, "events", conditions)

    def calls(self, process=0, function=None):
        """Calls that window files intercept; see alleria_calls."""
        return alleria_calls.Calls(_lib, _check, self, process, function)


def open(path):
    """Open a profile; conditions of cursors are struct alleria_filter's."""
    return Profile(path)


def version():
    return _lib.alleria_version().decode()
