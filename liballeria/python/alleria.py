# SPDX-License-Identifier: GPL-2.0-or-later
"""Profiles of memory accesses, read with liballeria.

    import alleria

    with alleria.open("ls.alp") as profile:
        print(profile.run.counts.accesses)
        for batch in profile.accesses(kinds=alleria.WRITES, function="main"):
            for access in batch:
                print(hex(access.code), hex(access.address), access.size)

Profile has what there is. accesses(), instructions(), executions(), branches()
and events() take the conditions below; calls() gives arguments and results of
calls; symbol() gives the address of a variable; data() finds the data object
of an access.

A batch is an array of records as include/alleria/records.h describes them. It
lies in the library's memory until the next one is asked for, or the cursor is
moved: copy what is to stay. memoryview(batch) and numpy.asarray(batch) take it
without a copy.

Conditions. A record passes when all of those that are given hold; a range is
from `..._from`, included, to `..._to`, not included, and either may be left out:

    process           number of the process, from 1, or a list of them
    thread            number of the thread in its process's image, from 1, or a
                      list of them
    instruction_from, instruction_to
                      number of the instruction, from 0 over the whole profile
    access_from, access_to
                      number of the access, from 0 over the whole profile
    time_from, time_to
                      [ns] since the run began
    object            file that the code is of: its path, or its name alone
    function          name of the function that the code is of
    code_from, code_to
                      address of the instruction
    data_from, data_to
                      address: a byte of the access lies there
    kinds             READS, WRITES, MODIFIES or an OR of them; a modify reads
                      and writes. Not READ, WRITE, MODIFY, the values of a
                      record's `kind`

A list without numbers and a range that ends where it begins select nothing. A
number that a condition cannot have raises ValueError.

Instructions pass if one of their accesses does, executions of blocks if one of
their instructions does. For branches, conditions on the code are about where
they come from; `data_...` and `kinds` are for neither branches nor events, and
`object`, `function` and `code_...` not for events.

After close() every operation of a profile, and of the cursors that it gave,
raises ValueError. Records, batches and values that were taken before stay.
"""

import ctypes
import ctypes.util
import operator
import os
import threading
import weakref
from ctypes import (POINTER, Structure, byref, c_char_p, c_int,
                    c_int32, c_long, c_uint8, c_uint16, c_uint32, c_uint64,
                    c_void_p)

import alleria_calls
import alleria_data
import alleria_symbols

READ, WRITE, MODIFY = 0, 1, 2
READS, WRITES, MODIFIES = 1 << READ, 1 << WRITE, 1 << MODIFY
LOAD, STORE, LOADS, STORES = READ, WRITE, READS, WRITES  # earlier names
GUARDED, HELPER, ATOMIC, VALUE = 1, 2, 4, 8
MAX_VALUE = 64
HAS_VALUES, HAS_TIMES, HAS_CORES = 1 << 3, 1 << 7, 1 << 8
JUMP, CALL, RETURN, SYSCALL, HANDLER, START = range(6)
COMPLETE, LOSSY, TRUNCATED, UNFINISHED = range(4)
NONE, NOT = 2 ** 32 - 1, 2 ** 64 - 1
DAMAGED = -5
VARIABLE, FUNCTION = alleria_symbols.VARIABLE, alleria_symbols.FUNCTION
MARK = 12  # kind of an event; its value is the mark's number


def _load():
    """Load the library: ALLERIA_LIBRARY, this installation's, or the system's."""
    path = os.environ.get("ALLERIA_LIBRARY")
    folder = os.path.dirname(os.path.realpath(__file__))
    for _ in range(3):
        if path:
            break
        beside = os.path.join(folder, "liballeria.so.0")
        path = beside if os.path.exists(beside) else None
        folder = os.path.dirname(folder)
    return ctypes.CDLL(path or ctypes.util.find_library("alleria")
                       or "liballeria.so.0", use_errno=True)


_lib = _load()


class Error(Exception):
    """An error of liballeria; code is an enum alleria_error."""

    def __init__(self, code, what=""):
        text = _lib.alleria_error_text(code).decode()
        super().__init__(f"{text}: {what}" if what else text)
        self.code = code


class _Record(Structure):
    """A structure of the library. Structures with pointers are returned as
    copies, see _copy()."""

    def __repr__(self):
        return _show(self, (name for name, *_ in self._fields_))


class _Copy:
    """A copy of a structure's members: strings are bytes, lists of strings are
    lists of bytes."""

    def __init__(self, record):
        for name, type_ in record._fields_:
            if name[0] != "_":
                value = getattr(record, name)
                if isinstance(value, Structure):
                    value = type(value).from_buffer_copy(value)
                elif isinstance(value, _strings):
                    value = _list(value)
                setattr(self, name, value)

    def __repr__(self):
        return _show(self, vars(self))


def _show(record, names):
    values = (f"{name}={getattr(record, name)!r}"
              for name in names if name[0] != "_")
    return f"{type(record).__name__}({', '.join(values)})"


def _list(strings_):
    out = []
    while strings_ and strings_[len(out)] is not None:
        out.append(strings_[len(out)])
    return out


_strings = POINTER(c_char_p)
_copies = {}


def _copy(record):
    """A record without pointers into the library's memory."""
    type_ = type(record)
    if type_ not in _copies:
        _copies[type_] = type(type_.__name__, (_Copy,), {})
    return _copies[type_](record)


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
Function = _record(
    "Function", *_of(c_char_p, "name file object"), ("value", c_uint64),
    *_of(c_uint32, "line number"))
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
    *_of(c_uint64, "openings instructions reads writes modifies unended"),
    ("_room", c_uint64 * 5))
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
_declare("alleria_name_in_batch", c_int, c_void_p, c_uint64, POINTER(Name))
_declare("alleria_functions", c_long, c_void_p, POINTER(POINTER(Function)))
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
alleria_data.declare(_lib, Name)
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
    """Return a list of strings of the library, such as `command`, as str."""
    return [os.fsdecode(text) for text in list_]


def value_read(access):
    """The bytes that an access read, its first 64; None: not known."""
    return _bytes(access.read, access.size)


def value_written(access):
    """The bytes that an access wrote, its first 64; None: none, or unknown."""
    return _bytes(access.written, access.size)


def _bytes(at, size):
    return ctypes.string_at(at, min(size, MAX_VALUE)) if at else None


_RANGES = ("code", "data", "access", "instruction", "time")
_CONDITIONS = ("process", "thread", "object", "function", "kinds",
               *(f"{name}_{end}" for name in _RANGES for end in ("from", "to")))


def _number(value, bits):
    """Return an integer of a condition; raise ValueError if it has more bits."""
    number = operator.index(value)
    if number >> bits:
        raise ValueError
    return number


def _numbers(value):
    """Return an array of the numbers of a condition, which is a number or a list."""
    try:
        numbers = [operator.index(value)]
    except TypeError:
        numbers = list(value)
    return (c_uint32 * len(numbers))(*(_number(n, 32) for n in numbers))


def _set_condition(filter_, key, value):
    """Set a condition; raise TypeError if its value has a wrong type, ValueError
    if it is none of the numbers that the condition can have."""
    if key in ("process", "thread"):
        numbers = _numbers(value)
        setattr(filter_, key, numbers)
        setattr(filter_, "n_processes" if key == "process" else "n_threads",
                len(numbers))
    elif key in ("object", "function"):
        setattr(filter_, key, None if value is None else os.fsencode(value))
    elif key == "kinds":
        filter_.kinds = _number(value, 3)
        if filter_.kinds == 0:
            raise ValueError
    else:
        setattr(filter_, key, _number(value, 64))


_WANTED = {"object": "a path or a file's name", "function": "a name",
           "kinds": "READS, WRITES, MODIFIES or an OR of them",
           "process": "a number below 2^32 or a list of them",
           "thread": "a number below 2^32 or a list of them"}


def _make_filter(conditions):
    out = _Filter()
    for key, value in conditions.items():
        if key not in _CONDITIONS:
            raise TypeError(f"no condition '{key}'; there are "
                            + ", ".join(_CONDITIONS))
        try:
            _set_condition(out, key, value)
        except (TypeError, ValueError) as error:
            wanted = _WANTED.get(key, "a number below 2^64")
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"{key}={value!r}: wanted is {wanted}") from None
    for name in _RANGES:
        if conditions.get(f"{name}_to", 1) == 0:  # 0: no bound in the library
            setattr(out, f"{name}_to", 1)
            setattr(out, f"{name}_from",
                    max(getattr(out, f"{name}_from"), 1))
    for key, n in (("process", out.n_processes), ("thread", out.n_threads)):
        if key in conditions and n == 0:
            out.access_from = out.access_to = 1
    return out


class _Handle:
    """An object that the library opened, passed to its functions. It is closed
    when nothing refers to it any more, calls of other threads included, and,
    in whatever order Python frees objects, only after everything that was
    opened from it (`of`)."""

    _lock = threading.RLock()  # of all users; __del__ may interrupt its holder

    def __init__(self, close, of=None):
        self.pointer = self._as_parameter_ = c_void_p()
        self._close = close
        self._of = of
        self._users = 1
        if of:
            with self._lock:
                of._users += 1

    def __del__(self):
        self._release()

    def _release(self):
        with self._lock:
            self._users -= 1
            last = self._users == 0
        if last:
            self._close(self.pointer)
            if self._of:
                self._of._release()


class Cursor:
    """Batches of records; iterate over it. See help(alleria) for conditions."""

    def __init__(self, profile, kind, conditions):
        self._what, self._type = _KINDS[kind]
        self._next = getattr(_lib, "alleria_" + kind)
        filter_ = _make_filter(conditions)
        of = profile._pointer
        handle = _Handle(_lib.alleria_cursor_close, of)
        _check(_lib.alleria_cursor_open(of, self._what, byref(filter_),
                                        byref(handle.pointer)))
        self._handle = handle
        profile._cursors.add(self)

    @property
    def _pointer(self):
        handle = self._handle
        if not handle:
            raise ValueError("the cursor is closed")
        return handle

    def __iter__(self):
        return self

    def __next__(self):
        out = POINTER(self._type)()
        handle = self._pointer
        n = _check(self._next(handle, byref(out)),
                   _lib.alleria_cursor_error(handle).decode())
        if n == 0:
            raise StopIteration
        batch = (self._type * n).from_address(ctypes.addressof(out.contents))
        batch.cursor = handle  # stays as long
        return batch

    def name(self, address):
        """Function, file and line of the code at an address, an instruction of a
        record in the last batch; struct alleria_name. Uses the objects that were
        mapped when the record was made."""
        out = Name()
        _check(_lib.alleria_name_in_batch(self._pointer, address, byref(out)))
        return _copy(out)

    def seek_access(self, number):
        """Move to the first record at or after access `number`, from 0."""
        _check(_lib.alleria_seek_access(self._pointer, number))

    def seek_instruction(self, number):
        """Move to the first record at or after instruction `number`."""
        _check(_lib.alleria_seek_instruction(self._pointer, number))

    def seek_time(self, process, time_ns):
        """Move to the first record of a process at or after a time [ns since the
        run began]."""
        _check(_lib.alleria_seek_time(self._pointer, process, time_ns))

    def close(self):
        """Close the cursor. Batches that it returned stay valid."""
        self._handle = None

    @property
    def closed(self):
        """Whether the cursor or its profile was closed."""
        return self._handle is None


class Profile:
    """A profile; see open(). Processes have numbers from 1: `index` of
    processes, `process` elsewhere."""

    def __init__(self, path):
        self._handle = None
        self._cursors = weakref.WeakSet()
        handle = _Handle(_lib.alleria_close)
        message = ctypes.create_string_buffer(320)
        code = _lib.alleria_open(os.fsencode(path), byref(handle.pointer),
                                 message)
        _check(code, message.value.decode(errors="replace"))
        self._handle = handle

    @property
    def _pointer(self):
        handle = self._handle
        if not handle:
            raise ValueError("the profile is closed")
        return handle

    def close(self):
        """Close the profile and its cursors. Batches stay valid as long as they
        are referenced."""
        for cursor in list(self._cursors):
            cursor.close()
        self._handle = None

    @property
    def closed(self):
        """Whether close() was called."""
        return self._handle is None

    def __enter__(self):
        return self if self._pointer else None

    def __exit__(self, *_):
        self.close()

    def refresh(self):
        """Read blocks that were written since. Return whether there were any.
        What calls() and data() have returned is closed."""
        for cursor in list(self._cursors):
            if not isinstance(cursor, Cursor):
                cursor.close()
        return _check(_lib.alleria_refresh(self._pointer)) > 0

    @property
    def state(self):
        """Status and damage; struct alleria_state."""
        handle = self._pointer
        return _copy(_lib.alleria_state(handle).contents)

    @property
    def damaged_blocks(self):
        """Return how many blocks of the file were found damaged so far."""
        return _lib.alleria_damaged_blocks(self._pointer)

    @property
    def run(self):
        """Facts about the run and its total counts; struct alleria_run."""
        handle = self._pointer
        return _copy(_lib.alleria_run(handle).contents)

    @property
    def processes(self):
        """All processes, number 1 first; struct alleria_process."""
        handle = self._pointer
        return [_copy(_lib.alleria_process(handle, i).contents)
                for i in range(1, self.run.processes + 1)]

    def objects(self, process=1):
        """Files with code that a process had mapped; struct alleria_object."""
        out = POINTER(POINTER(Object))()
        handle = self._pointer
        n = _check(_lib.alleria_objects(handle, process, byref(out)))
        return [_copy(out[i].contents) for i in range(n)]

    def marks(self, process=1, image=0):
        """Marks, events and regions that an image named; number N has index
        N - 1."""
        out = POINTER(POINTER(Mark))()
        handle = self._pointer
        n = _check(_lib.alleria_marks(handle, process, image,
                                      byref(out)))
        return [_copy(out[i].contents) for i in range(n)]

    def windows(self):
        """Counts of each window; empty if everything was recorded."""
        out = POINTER(Window)()
        handle = self._pointer
        n = _check(_lib.alleria_windows(handle, byref(out)))
        return [_copy(out[i]) for i in range(n)]

    def window_set(self, number):
        """Windows for which a record whose `window` is `number` was recorded: bit i
        for window i."""
        return _lib.alleria_window_set(self._pointer, number)

    def threads(self, process=1):
        """Threads of a process, image by image; struct alleria_thread."""
        out = POINTER(Thread)()
        handle = self._pointer
        n = _check(_lib.alleria_threads(handle, process, byref(out)))
        return [_copy(out[i]) for i in range(n)]

    def name(self, process, address, at=NOT):
        """Function, file and line of the code at an address, at the time when
        instruction `at` was executed, or at the end; struct alleria_name."""
        out = Name()
        handle = self._pointer
        _check(_lib.alleria_name(handle, process, address, at,
                                 byref(out)))
        return _copy(out)

    def time_of(self, instruction):
        """Time of an instruction [ns since the run began]; NOT: no such number."""
        return _lib.alleria_time_of(self._pointer, instruction)

    def functions(self):
        """Functions that were executed, by object and value; struct
        alleria_function."""
        out = POINTER(Function)()
        handle = self._pointer
        n = _check(_lib.alleria_functions(handle, byref(out)))
        return [_copy(out[i]) for i in range(n)]

    def symbols(self, name, process=1):
        """Functions and variables of that name in the files that a process had
        mapped, as alleria_symbols.Symbol: those of files with executed code come
        first; files are otherwise in the order in which they were mapped, and of a
        file functions come first.
        A file that is not there any more, or was built again, has none."""
        executed = {function.object for function in self.functions()}
        objects = sorted(self.objects(process),
                         key=lambda o: o.path not in executed)
        return alleria_symbols.find(objects, os.fsencode(name))

    def symbol(self, name, process=1, kind=None):
        """The first of symbols(), of a kind if it is given: alleria.VARIABLE or
        alleria.FUNCTION.

            a = profile.symbol("a", kind=alleria.VARIABLE)
            profile.accesses(data_from=a.start, data_to=a.end)

        KeyError: there is none."""
        for symbol in self.symbols(name, process):
            if kind is None or symbol.kind == kind:
                return symbol
        raise KeyError(name)

    def accesses(self, **conditions):
        """Accesses to data, in order; a Cursor over batches of Access.

        Conditions: process, thread; instruction_from, instruction_to,
        access_from, access_to, time_from, time_to; object, function,
        code_from, code_to; data_from, data_to, kinds. See help(alleria)."""
        return Cursor(self, "accesses", conditions)

    def instructions(self, **conditions):
        """Executed instructions, in order; a Cursor over batches of Instruction.

        Conditions: as of accesses()."""
        return Cursor(self, "instructions", conditions)

    def executions(self, **conditions):
        """Executions of blocks of code; a Cursor over batches of Execution.

        Conditions: as of accesses()."""
        return Cursor(self, "executions", conditions)

    def branches(self, **conditions):
        """Taken branches, calls and returns; a Cursor over batches of Branch.

        The iterations of a rep instruction are executions of it, but no branches.
        Conditions: as of accesses(), but data_from, data_to and kinds."""
        return Cursor(self, "branches", conditions)

    def events(self, **conditions):
        """Threads, signals, marks and more; a Cursor over batches of Event.

        Conditions: process, thread; instruction_from, instruction_to,
        access_from, access_to, time_from, time_to. See help(alleria)."""
        return Cursor(self, "events", conditions)

    def calls(self, process=1, function=None):
        """Calls that window files intercept; see alleria_calls.

        function: the name in the window file; None: all of them."""
        of = self._pointer
        handle = _Handle(_lib.alleria_calls_close, of)
        name = os.fsencode(function) if function else None
        _check(_lib.alleria_calls_open(of, process, name,
                                       byref(handle.pointer)))
        cursor = alleria_calls.Calls(_lib, _check, handle)
        self._cursors.add(cursor)
        return cursor

    def data(self):
        """Data objects of a profile that was recorded with --record=data: heap
        blocks, variables, stacks, mapped memory; an alleria_data.DataMap."""
        of = self._pointer
        handle = _Handle(_lib.alleria_data_close, of)
        _check(_lib.alleria_data_open(of, byref(handle.pointer)))
        data = alleria_data.DataMap(_lib, _check, Name, handle)
        self._cursors.add(data)
        return data


def open(path):
    """Open a profile, also one that is being written or damaged; a Profile."""
    return Profile(path)


def version():
    """The library's version."""
    return _lib.alleria_version().decode()
