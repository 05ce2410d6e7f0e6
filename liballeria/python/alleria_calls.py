# SPDX-License-Identifier: GPL-2.0-or-later
"""Calls of functions in a profile, with their arguments and results.

    import alleria

    with alleria.open("app.alp") as profile:
        for call in profile.calls(function="fill"):
            print(call.arguments["n"].at_call, call.result)

include/alleria/calls.h says what there is. Values are Python's: int, float (the
nearest one to a long double), str of one character, dict of a struct's fields,
Pointer; None is what was not recorded, or could not be.
"""

import ctypes
import struct
from ctypes import (POINTER, Structure, byref, c_char_p, c_int, c_size_t,
                    c_uint32, c_uint64, c_void_p)

_UNSIGNED, _SIGNED, _FLOAT, _ASCII, _UNICODE, _STRUCT, _POINTER = range(1, 8)
CUT, UNREADABLE, UNFOLLOWED, DOWNWARDS, TERMINATED, MISSING = (
    1 << i for i in range(6))
_AT_CALL, _AT_RETURN = 1, 2
_RESULT = 2 ** 32 - 1
_RETURNED, _LEFT = 1, 2


class _Value(Structure):
    pass


_Value._fields_ = [
    ("kind", c_uint32), ("flags", c_uint32), ("size", c_uint32),
    ("offset", c_uint32), ("name", c_char_p), ("type", c_char_p),
    ("number", c_uint64), ("first", c_uint64), ("bytes", c_void_p),
    ("element", POINTER(_Value)), ("n", c_uint32),
    ("element_kind", c_uint32), ("element_size", c_uint32),
    ("room", c_uint32)]


class _Parameter(Structure):
    _fields_ = [("name", c_char_p), ("type", c_char_p), ("index", c_uint32),
                ("room", c_uint32)]


class _Intercepted(Structure):
    _fields_ = [("function", c_char_p), ("parameter", POINTER(_Parameter)),
                ("n_parameters", c_uint32), ("pure", c_uint32),
                ("result", c_char_p)]


class _Call(Structure):
    _fields_ = [("of", POINTER(_Intercepted)), ("serial", c_uint64),
                ("entry", c_uint64), ("back", c_uint64),
                ("process", c_uint32), ("image", c_uint32),
                ("thread", c_uint32), ("flags", c_uint32),
                ("body", c_void_p), ("n_body", c_size_t)]


def declare(lib):
    """Declare the functions to ctypes."""
    for name, result, *arguments in (
            ("open", c_int, c_void_p, c_uint32, c_char_p, POINTER(c_void_p)),
            ("close", None, c_void_p)):
        function = getattr(lib, "alleria_calls_" + name)
        function.restype, function.argtypes = result, arguments
    lib.alleria_next_call.restype = c_int
    lib.alleria_next_call.argtypes = [c_void_p, POINTER(POINTER(_Call))]
    lib.alleria_call_value.restype = c_int
    lib.alleria_call_value.argtypes = [POINTER(_Call), c_uint32, c_uint32,
                                       POINTER(POINTER(_Value))]
    lib.alleria_value_free.restype = None
    lib.alleria_value_free.argtypes = [POINTER(_Value)]


# ---- values ----

class Pointer(list):
    """The elements that a pointer points to, a list of values. If they are
    characters, text is the string without the NUL at its end; else None."""

    def __init__(self, value):
        self.address = value.number
        self.first = value.first  # where the first element lies
        self.flags = value.flags  # CUT and its like
        self.text = None
        super().__init__(_elements(value))
        if value.element_kind in (_ASCII, _UNICODE) and not (
                value.flags & (UNREADABLE | UNFOLLOWED)):
            ended = value.flags & TERMINATED and self and self[-1] == "\0"
            self.text = "".join(self[:-1] if ended else self)

    def __repr__(self):
        what = repr(self.text) if self.text is not None else list.__repr__(self)
        return f"Pointer({self.address:#x}, {what})"


def _number(kind, raw):
    if kind == _FLOAT:
        return struct.unpack("<f" if len(raw) == 4 else "<d", raw)[0]
    number = int.from_bytes(raw, "little", signed=kind == _SIGNED)
    return _character(number) if kind in (_ASCII, _UNICODE) else number


def _character(number):
    return chr(number) if number < 0x110000 else "\ufffd"


def _wide(raw):
    """Return the float that is nearest to an x87 number."""
    mantissa = int.from_bytes(raw[:8], "little")
    exponent = int.from_bytes(raw[8:10], "little")
    sign = -1.0 if exponent >> 15 else 1.0
    exponent &= 0x7fff
    if exponent == 0x7fff:
        return sign * (float("nan") if mantissa << 1 & (2 ** 64 - 1)
                       else float("inf"))
    exponent -= 16383 + 63
    try:
        if exponent >= 0:
            return sign * float(mantissa << exponent)
        return sign * (mantissa / (1 << -exponent))
    except OverflowError:
        return sign * (float("inf") if exponent > 0 else 0.0)


def _elements(value):
    if value.element:
        return [_python(value.element[i]) for i in range(value.n)]
    if not value.bytes or not value.n:
        return []
    size = value.element_size
    raw = ctypes.string_at(value.bytes, value.n * size)
    make = (lambda kind, raw: _wide(raw)) if size == 16 else _number
    return [make(value.element_kind, raw[i:i + size])
            for i in range(0, len(raw), size)]


def _python(value):
    if value.flags & MISSING:
        return None
    if value.kind == _POINTER:
        return Pointer(value)
    if value.kind == _STRUCT:
        return {value.element[i].name.decode(): _python(value.element[i])
                for i in range(value.n)}
    if value.kind == _FLOAT:
        return struct.unpack("<d", struct.pack("<Q", value.number))[0]
    if value.kind in (_ASCII, _UNICODE):
        return _character(value.number)
    if value.kind == _SIGNED and value.number >> 63:
        return value.number - 2 ** 64
    return value.number


# ---- calls ----

class Argument:
    """An argument: its type, index and values at call and return."""

    def __init__(self, parameter, at_call, at_return):
        self.name = parameter.name.decode()
        self.type = parameter.type.decode()
        self.index = parameter.index
        self.at_call = at_call
        self.at_return = at_return

    def __repr__(self):
        return f"Argument({self.at_call!r} => {self.at_return!r})"


class Call:
    """A call. arguments is a dict by name, or by index for arguments without a
    name; body is the code of a pure function, or None."""

    def __init__(self, at, value):
        call = at.contents
        of = call.of.contents
        self.function = of.function.decode()
        for name in "serial entry back process image thread".split():
            setattr(self, name, getattr(call, name))
        self.returned = bool(call.flags & _RETURNED)
        self.left = bool(call.flags & _LEFT)  # longjmp(), an exception
        self.pure = bool(of.pure)
        self.body = (ctypes.string_at(call.body, call.n_body) if call.body
                     else None)
        self.arguments = {}
        for i in range(of.n_parameters):
            argument = Argument(of.parameter[i], value(at, i, _AT_CALL),
                                value(at, i, _AT_RETURN))
            self.arguments[argument.name or argument.index] = argument
        self.result = value(at, _RESULT, _AT_RETURN)

    def __repr__(self):
        return f"Call({self.function}, {self.arguments!r}, {self.result!r})"


class Calls:
    """Calls of a process, in the order in which they began; iterate over it."""

    def __init__(self, lib, check, handle):
        self._lib, self._check = lib, check
        self._handle = handle

    def __iter__(self):
        return self

    def __next__(self):
        at = POINTER(_Call)()
        handle = self._handle  # stays open until the call is copied
        if not handle:
            raise ValueError("the cursor is closed")
        if not self._check(self._lib.alleria_next_call(handle, byref(at))):
            raise StopIteration
        return Call(at, self._value)

    def _value(self, at, parameter, when):
        value = POINTER(_Value)()
        self._check(self._lib.alleria_call_value(at, parameter, when,
                                                 byref(value)))
        if not value:
            return None
        try:
            return _python(value.contents)
        finally:
            self._lib.alleria_value_free(value)

    def close(self):
        """Close the cursor. Calls that it returned stay valid."""
        self._handle = None

    @property
    def closed(self):
        """Whether the cursor or its profile was closed."""
        return self._handle is None
