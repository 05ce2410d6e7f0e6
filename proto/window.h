/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * window.h - windows: what to record of a process, and when
 *
 * The daemon gives each process a plan of its own, in PT_MSG_PLAN packets
 * behind the welcome: what the window file says of the process with that
 * number, references resolved. One plan holds
 *
 *   struct pt_plan | pt_window[] | pt_event[] | pt_lane[] | pt_image[] |
 *   pt_function[] | pt_select[] | pt_interval[] | pt_intercept[] |
 *   pt_parameter[] | pt_type[] | pt_field[] | strings
 *
 * each array at the offset that pt_plan tells. Strings are NUL-terminated, and
 * told by their offset in the strings; offset 0 is the empty string. Windows
 * and events have the same numbers in the plans of all processes of a tree; a
 * window that does not concern the process has no lanes.
 *
 * What a window records is a tree: lanes (one for each thread entry), in each
 * images, in these functions, in these instructions. Of each level one entry
 * holds for a given instruction, the most particular: a numbered thread before
 * any; a named image before any_but_system before any; a named function before
 * any; form before class before isa before extension before category before
 * any_mem before any. Where no entry holds, nothing is recorded. The compiler
 * has put the entries of a level into this order, so the first that matches is
 * the one.
 *
 * A window with a warmup has its lanes twice. The warm ones, which come second,
 * have the same images as the others, and stand for what these would want while
 * the window waits, or is between two samples or intervals: caches may have to
 * see that before they see what is recorded, and nobody else ever does.
 */
#ifndef PROTO_WINDOW_H
#define PROTO_WINDOW_H

#include <stdint.h>

enum {
	PT_PLAN_VERSION = 2,
	PT_MAX_PLAN = 1 << 24, /* [bytes] */
	PT_MAX_WINDOWS = 64,
	PT_MAX_LANES = 64, /* of all windows of a process */
	PT_MAX_EVENTS = 1024,
	PT_MAX_DECODED = 64,	 /* selects that need a decoder */
	PT_MAX_WARMUP = 1 << 28, /* [instructions] */
	PT_MAX_INTERCEPTS = 1024,
	PT_MAX_PARAMETERS = 32, /* of an interceptor */
	PT_MAX_TYPES = 256,
	PT_MAX_TYPE = 1 << 16, /* [bytes] of a value */
	PT_MAX_NESTED = 16,    /* structs, one in the other, by value */
	PT_X87_BYTES = 16,     /* of an x87 number in memory */
	PT_NO_EVENT = 0xffffffff,
	PT_NO_TYPE = 0xffffffff,
};

#define PT_NO_LIMIT UINT64_MAX

struct pt_array {
	uint32_t at; /* [bytes] from the plan's beginning; a multiple of 8 */
	uint32_t n;
};

struct pt_plan {
	uint32_t version; /* PT_PLAN_VERSION */
	uint32_t bytes;	  /* of it all */
	uint32_t process; /* number in its tree, from 1 */
	uint32_t pad;
	struct pt_array windows;
	struct pt_array events;
	struct pt_array lanes;
	struct pt_array images;
	struct pt_array functions;
	struct pt_array selects;
	struct pt_array intervals;
	struct pt_array intercepts;
	struct pt_array parameters;
	struct pt_array types;
	struct pt_array fields;
	struct pt_array strings; /* n is in bytes */
};

enum pt_window_flags {
	PT_WINDOW_REOPENS = 1u << 0,
	PT_WINDOW_OWN_OUTPUT = 1u << 1, /* it has a report of its own; the
					   tool does nothing about it */
};

/* What sampling and intervals count, of the whole process. */
enum pt_unit_of {
	PT_COUNT_INSTRUCTIONS = 0,
	PT_COUNT_ACCESSES = 1, /* loads and stores; a modify is both */
	PT_COUNT_NS = 2,
};

/*
 * Opens when @on happens, or at the start; closes when @till does. While it is
 * open, @sample_for of each @sample_every are recorded, or only what lies in
 * one of the intervals [instructions of the process].
 */
struct pt_window {
	uint32_t name;	     /* string */
	uint32_t flags;	     /* enum pt_window_flags */
	uint32_t on;	     /* event, or PT_NO_EVENT */
	uint32_t till;	     /* event, or PT_NO_EVENT */
	uint32_t first_lane; /* none: records nothing of the process */
	uint32_t n_lanes;
	uint32_t first_interval;
	uint32_t n_intervals;
	uint64_t sample_every; /* 0: no sampling */
	uint64_t sample_for;
	uint32_t sample_unit; /* enum pt_unit_of */
	uint32_t n_warm;      /* lanes behind the others; n_lanes, or 0 */
	uint64_t warmup;      /* [instructions] simulated before each opening */
};

struct pt_interval {
	uint64_t start;
	uint64_t duration;
};

enum pt_event_kind {
	PT_EVENT_ALL = 1, /* of the n events from first on */
	PT_EVENT_ANY = 2,
	PT_EVENT_CREATION = 3, /* of the thread, or of the process */
	PT_EVENT_TERMINATION = 4,
	PT_EVENT_LOAD = 5, /* of an image */
	PT_EVENT_UNLOAD = 6,
	PT_EVENT_CALL = 7,	/* count: the how many-th */
	PT_EVENT_RETURN = 8,	/* of the count-th call */
	PT_EVENT_THREADS = 9,	/* alive: at least count, at most most */
	PT_EVENT_TIME = 10,	/* count: [ns] */
	PT_EVENT_ACCESSES = 11, /* count loads and stores */
	PT_EVENT_READS = 12,
	PT_EVENT_WRITES = 13,
	PT_EVENT_INSTRUCTIONS = 14,
	PT_EVENT_REQUEST = 15, /* name: that the program gives */
	PT_EVENT_SIGNAL = 16,  /* count: the signal delivered */
	PT_EVENT_MONITOR =
		17, /* asked for from outside, by the window's name */
};

enum pt_event_flags {
	PT_EVENT_BY_PATH = 1u << 0,    /* image is a path, else a file's name */
	PT_EVENT_DECORATED = 1u << 1,  /* name is as the linker knows it */
	PT_EVENT_SUM = 1u << 2,	       /* counts of all threads together; thread
					  is 0. Neither: of any one thread */
	PT_EVENT_SINCE_OPEN = 1u << 3, /* counts begin when the window opens */
	PT_EVENT_HAPPENED = 1u << 4,   /* before this process began */
};

/*
 * Counts begin with the process; for a window that reopens, anew when it was
 * closed. An event in another process is told by the daemon (PT_MSG_HAPPENED).
 */
struct pt_event {
	uint16_t kind;	  /* enum pt_event_kind */
	uint16_t flags;	  /* enum pt_event_flags */
	uint32_t process; /* number; 0: the plan's own */
	uint32_t thread;  /* number; 0: any */
	uint32_t image;	  /* string; empty: the main executable */
	uint32_t name;	  /* string: a function's, a request's */
	uint32_t first;	  /* of ALL and ANY: these events, which come later */
	uint32_t n;
	uint32_t pad;
	uint64_t count;
	uint64_t most; /* or PT_NO_LIMIT */
};

/* A window's entry for a thread, or for any that has none of its own. */
struct pt_lane {
	uint32_t window;
	uint32_t thread; /* number; 0: any other */
	uint32_t first_image;
	uint32_t n_images;
};

enum pt_image_kind {
	PT_IMAGE_PATH = 1,
	PT_IMAGE_NAME = 2,
	PT_IMAGE_MAIN = 3,
	PT_IMAGE_NO_SYSTEM = 4, /* not below /lib, /usr/lib and the like, nor
				   without a file */
	PT_IMAGE_ANY = 5,
};

struct pt_image {
	uint32_t kind; /* enum pt_image_kind */
	uint32_t name; /* string */
	uint32_t first_function;
	uint32_t n_functions; /* 0: nothing of it */
};

enum pt_function_kind {
	PT_FUNCTION_DECORATED = 1,
	PT_FUNCTION_NAME = 2,
	PT_FUNCTION_ANY = 3, /* and code that belongs to none */
};

struct pt_function {
	uint32_t kind; /* enum pt_function_kind */
	uint32_t name; /* string */
	uint32_t first_select;
	uint32_t n_selects;
	uint32_t intercept; /* number of its interceptor, from 1; 0: none */
	uint32_t pad;
};

enum pt_select_kind {
	PT_SELECT_FORM = 1,
	PT_SELECT_CLASS = 2,
	PT_SELECT_ISA = 3,
	PT_SELECT_EXTENSION = 4,
	PT_SELECT_CATEGORY = 5,
	PT_SELECT_ANY_MEM = 6,
	PT_SELECT_ANY = 7,
};

enum pt_record_fields {
	PT_RECORD_ROUTINE = 1u << 0,
	PT_RECORD_TIMESTAMP = 1u << 1,
	PT_RECORD_ADDRESS = 1u << 2, /* and size */
	PT_RECORD_VALUE = 1u << 3,
	PT_RECORD_BYTES = 1u << 4,
	PT_RECORD_CORE = 1u << 5,
	PT_RECORD_PHYSICAL = 1u << 6, /* reserved */
};

/* Which instructions, and what of each. Kinds before PT_SELECT_ANY_MEM need a
   decoder: the tool asks the daemon (PT_MSG_DECODE). Their names are those of
   XED. */
struct pt_select {
	uint32_t kind;	 /* enum pt_select_kind */
	uint32_t name;	 /* string */
	uint32_t record; /* enum pt_record_fields */
	uint32_t pad;
};

/* ---- interceptors: arguments and results of a function's calls ---- */

enum pt_intercept_flags {
	PT_INTERCEPT_PURE = 1u << 0, /* its code is recorded, too */
};

/* Where the processor's calling convention puts a value, or 8 bytes of it. */
enum pt_place {
	PT_IN_INTEGER = 1, /* slot: 0..5, rdi, rsi, rdx, rcx, r8, r9; of a
			      result 0..1, rax, rdx */
	PT_IN_VECTOR = 2,  /* slot: 0..7, xmm0 to xmm7; of a result 0..1 */
	PT_ON_STACK = 3,   /* all of a parameter, from slot on: 8 bytes each,
			      above the return address */
	PT_IN_X87 = 4,	   /* all of a result: st0 */
	PT_IN_MEMORY = 5,  /* all of a result, where rax points to */
};

struct pt_where {
	uint32_t place; /* enum pt_place; 0: nowhere */
	uint32_t slot;
};

struct pt_intercept {
	uint32_t flags;	 /* enum pt_intercept_flags */
	uint32_t result; /* type, or PT_NO_TYPE */
	uint32_t first_parameter;
	uint32_t n_parameters;
	struct pt_where where[2]; /* the result's first 8 bytes, its next */
};

enum pt_parameter_flags {
	PT_PARAMETER_IN = 1u << 0,  /* recorded at the call */
	PT_PARAMETER_OUT = 1u << 1, /* recorded at the return */
};

struct pt_parameter {
	uint32_t name; /* string */
	uint32_t type;
	uint32_t index;		  /* in the function's declaration, from 0 */
	uint32_t flags;		  /* enum pt_parameter_flags */
	struct pt_where where[2]; /* its first 8 bytes, its next */
};

enum pt_type_kind {
	PT_TYPE_UNSIGNED = 1,
	PT_TYPE_SIGNED = 2,
	PT_TYPE_FLOAT = 3,   /* of 16 bytes: x87's, which has 10 */
	PT_TYPE_ASCII = 4,   /* a character of 1 byte */
	PT_TYPE_UNICODE = 5, /* of 4 bytes, a wchar_t */
	PT_TYPE_STRUCT = 6,  /* the n fields from first on */
	PT_TYPE_POINTER = 7, /* to elements of a type */
};

/*
 * Where a pointer's elements end. A variable is told by its name: a field of
 * the struct whose field the pointer is, else a parameter of the interceptor.
 */
enum pt_bound {
	PT_BOUND_COUNT = 1,	/* so many as value says */
	PT_BOUND_SENTINEL = 2,	/* with the first that equals value */
	PT_BOUND_COUNT_VAR = 3, /* so many as variable says */
	PT_BOUND_END_VAR = 4,	/* at the address in variable */
	PT_BOUND_START_VAR = 5, /* the pointer tells the end, variable the
				   start: PT_BOUND_END_VAR the other way round */
};

enum pt_type_flags {
	PT_TYPE_DOWN = 1u << 0, /* each element lies below the one before */
	PT_TYPE_END_VALID = 1u << 1, /* at the end there is an element */
};

/* Types refer to each other in circles: who follows pointers needs a bound. By
   value no struct contains itself, nor more than PT_MAX_NESTED others in each
   other. */
struct pt_type {
	uint32_t name; /* string */
	uint16_t kind; /* enum pt_type_kind */
	uint16_t flags;
	uint32_t size;	/* [bytes] of a value, at most PT_MAX_TYPE */
	uint32_t first; /* of STRUCT: fields */
	uint32_t n;
	uint32_t element;  /* of POINTER: type */
	uint32_t bound;	   /* enum pt_bound */
	uint32_t variable; /* string */
	uint64_t value;
};

struct pt_field {
	uint32_t name; /* string */
	uint32_t type;
	uint32_t offset; /* [bytes] in its struct */
	uint32_t pad;
};

#endif
