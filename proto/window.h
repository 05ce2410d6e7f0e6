/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * window.h - windows: what to record of a process, and when
 *
 * The daemon sends each process a plan of its own, in PT_MSG_PLAN packets after
 * the welcome. It is the part of the window file for the process with that
 * number, with references resolved. A plan consists of
 *
 *   struct pt_plan | pt_window[] | pt_event[] | pt_lane[] | pt_image[] |
 *   pt_function[] | pt_select[] | pt_interval[] | pt_intercept[] |
 *   pt_parameter[] | pt_type[] | pt_field[] | strings
 *
 * with each array at its offset in pt_plan. Strings are NUL-terminated; they
 * are referred to by their offset in the array of strings, and offset 0 is the
 * empty string. Windows and events have the same numbers in the plans of all
 * processes of a tree; a window that does not concern the process has no lanes.
 *
 * The filter of a window is a tree: lanes (one for each thread entry) contain
 * images, images functions, and functions instruction selects. On each level
 * the most specific entry applies to an instruction: a numbered thread before
 * any; a named image before any_but_system before any; a named function before
 * any; form before class before isa before extension before category before
 * any_mem before any. If no entry matches, nothing is recorded. The daemon has
 * sorted the entries of a level in this order, so the first match applies.
 *
 * A window with a warmup has each lane twice, first the normal lanes, then the
 * warm ones, with the same images. A warm lane selects instructions while the
 * window waits, or is between two samples or intervals. They are simulated to
 * warm the caches before recording begins, and are not counted.
 */
#ifndef PROTO_WINDOW_H
#define PROTO_WINDOW_H

#include <stdint.h>

enum {
	PT_PLAN_VERSION = 2,
	PT_MAX_PLAN = 1 << 24, /* greatest size of a plan [bytes] */
	PT_MAX_WINDOWS = 64,
	PT_MAX_LANES = 64, /* greatest number of lanes of all windows of a
			      process */
	PT_MAX_EVENTS = 1024,
	PT_MAX_DECODED = 64,	 /* greatest number of selects (instruction
				    filters) that need a decoder */
	PT_MAX_WARMUP = 1 << 28, /* greatest length of a warmup
				    [instructions] */
	PT_MAX_INTERCEPTS = 1024,
	PT_MAX_PARAMETERS = 32, /* greatest number of parameters of an
				   interceptor */
	PT_MAX_TYPES = 256,
	PT_MAX_TYPE = 1 << 16, /* greatest size of a type's values [bytes] */
	PT_MAX_NESTED = 16,    /* greatest depth of structs nested by value */
	PT_X87_BYTES = 16,     /* size of an x87 number in memory */
	PT_NO_EVENT = 0xffffffff,
	PT_NO_TYPE = 0xffffffff,
};

#define PT_NO_LIMIT UINT64_MAX

struct pt_array {
	uint32_t at; /* offset of the first element from the plan's beginning
			[bytes]; a multiple of 8 */
	uint32_t n;  /* number of elements */
};

struct pt_plan {
	uint32_t version; /* PT_PLAN_VERSION */
	uint32_t bytes;	  /* [bytes] of the whole plan */
	uint32_t process; /* number of the process in its tree, from 1 */
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
	PT_WINDOW_OWN_OUTPUT = 1u << 1, /* has its own report; the tool ignores
					   this flag */
};

/* Unit in which sampling is counted, for the whole process; intervals are
   always in instructions. */
enum pt_unit_of {
	PT_COUNT_INSTRUCTIONS = 0,
	PT_COUNT_ACCESSES = 1, /* loads and stores; a modify counts as two */
	PT_COUNT_NS = 2,
};

/*
 * A window opens when event @on happens, or at the start of the exec image if
 * there is none, and closes when @till happens. In a forked child it also opens
 * at the start if it was open in the parent at the fork. A RETURN event of
 * @till then waits for the call for which it waited in the parent, if the
 * thread that forked has made this call. While the window is open,
 * everything that its lanes select is recorded; with sampling, only during the
 * first @sample_for of each @sample_every units (@sample_unit) since the
 * opening; with intervals, only inside them. Intervals are counted in
 * instructions of the process.
 */
struct pt_window {
	uint32_t name;	/* name of the window: offset in the plan's strings */
	uint32_t flags; /* enum pt_window_flags */
	uint32_t on;	/* index of the event that opens the window, or
			   PT_NO_EVENT */
	uint32_t till;	/* index of the event that closes the window, or
			   PT_NO_EVENT */
	uint32_t first_lane; /* first of the window's lanes; without lanes the
				window records nothing of the process */
	uint32_t n_lanes;
	uint32_t first_interval;
	uint32_t n_intervals;
	uint64_t sample_every; /* 0: no sampling */
	uint64_t sample_for;
	uint32_t sample_unit; /* enum pt_unit_of */
	uint32_t n_warm;      /* number of warm lanes, which follow the normal
				 ones: n_lanes, or 0 */
	uint64_t warmup;      /* [instructions] simulated before each opening,
				 sample or interval */
};

struct pt_interval {
	uint64_t start;
	uint64_t duration;
};

enum pt_event_kind {
	PT_EVENT_ALL = 1,      /* all of the @n events from @first on have
				  happened */
	PT_EVENT_ANY = 2,      /* at least one of the @n events from @first on
				  has happened */
	PT_EVENT_CREATION = 3, /* thread @thread starts; if @thread is 0, the
				  process starts */
	PT_EVENT_TERMINATION = 4,
	PT_EVENT_LOAD = 5, /* an image is mapped */
	PT_EVENT_UNLOAD = 6,
	PT_EVENT_CALL = 7,	/* the count-th call begins */
	PT_EVENT_RETURN = 8,	/* the call that was the count-th to begin
				   returns or is unwound */
	PT_EVENT_THREADS = 9,	/* threads alive: at least @count, at most
				   @most */
	PT_EVENT_TIME = 10,	/* count: [ns] since the start of the process or
				   of thread @thread */
	PT_EVENT_ACCESSES = 11, /* @count loads and stores; a modify counts as
				   two */
	PT_EVENT_READS = 12,
	PT_EVENT_WRITES = 13,
	PT_EVENT_INSTRUCTIONS = 14,
	PT_EVENT_REQUEST = 15, /* name: argument of the program's request */
	PT_EVENT_SIGNAL = 16,  /* count: number of the signal that is
				  delivered */
	/* request from outside, by the window's name */
	PT_EVENT_MONITOR = 17,
};

enum pt_event_flags {
	PT_EVENT_BY_PATH = 1u << 0,   /* image is a path, else a file name */
	PT_EVENT_DECORATED = 1u << 1, /* name is a linker symbol */
	/* counts of all threads are added, and thread is 0. With neither this
	   flag nor a thread, each thread is counted separately */
	PT_EVENT_SUM = 1u << 2,
	PT_EVENT_SINCE_OPEN = 1u << 3, /* counts begin when the window opens */
	PT_EVENT_HAPPENED = 1u << 4,   /* the event happened before this process
					  began */
};

/*
 * Counts begin with the process; those of a window that reopens begin anew
 * whenever it closes. The daemon announces events of other processes by
 * PT_MSG_HAPPENED.
 */
struct pt_event {
	uint16_t kind;	  /* enum pt_event_kind */
	uint16_t flags;	  /* enum pt_event_flags */
	uint32_t process; /* number of the event's process; 0: the process of
			     the plan */
	uint32_t thread;  /* number; 0: any */
	uint32_t image;	  /* string; empty: the main executable */
	uint32_t name;	  /* string: name of a function or a request */
	uint32_t first;	  /* ALL, ANY: index of the first event; these events
			     have higher numbers than this one */
	uint32_t n;
	uint32_t pad;
	uint64_t count;
	uint64_t most; /* THREADS: most threads, or PT_NO_LIMIT */
};

/* A window's entry for a thread, or for all threads without an entry. */
struct pt_lane {
	uint32_t window;
	uint32_t thread; /* number; 0: any thread without a lane */
	uint32_t first_image;
	uint32_t n_images;
};

enum pt_image_kind {
	PT_IMAGE_PATH = 1,
	PT_IMAGE_NAME = 2,
	PT_IMAGE_MAIN = 3,
	PT_IMAGE_NO_SYSTEM = 4, /* neither below /lib, /usr/lib and the like,
				   nor without a file */
	PT_IMAGE_ANY = 5,
};

struct pt_image {
	uint32_t kind; /* enum pt_image_kind */
	uint32_t name; /* path or file name of the image: offset in the plan's
			  strings */
	uint32_t first_function;
	uint32_t n_functions; /* 0: nothing of the image is recorded */
};

enum pt_function_kind {
	PT_FUNCTION_DECORATED = 1,
	PT_FUNCTION_NAME = 2,
	PT_FUNCTION_ANY = 3, /* also code that belongs to no function */
};

struct pt_function {
	uint32_t kind; /* enum pt_function_kind */
	uint32_t name; /* name of the function: offset in the plan's strings */
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
	PT_RECORD_ADDRESS = 1u << 2, /* address and size of each access */
	PT_RECORD_VALUE = 1u << 3,
	PT_RECORD_BYTES = 1u << 4,
	PT_RECORD_CORE = 1u << 5,
	PT_RECORD_PHYSICAL = 1u << 6, /* reserved */
};

/* Selects instructions, and the fields to record of each. Kinds before
   PT_SELECT_ANY_MEM need a decoder: the tool asks the daemon (PT_MSG_DECODE).
   Their names are those of XED. */
struct pt_select {
	uint32_t kind;	 /* enum pt_select_kind */
	uint32_t name;	 /* name of the form, class, ...: offset in the plan's
			    strings */
	uint32_t record; /* enum pt_record_fields */
	uint32_t pad;
};

/* ---- interceptors: arguments and results of a function's calls ---- */

enum pt_intercept_flags {
	PT_INTERCEPT_PURE = 1u << 0, /* the function's code is recorded, too */
};

/* Position of a value, or of 8 bytes of it, in the processor's calling
   convention. */
enum pt_value_place {
	PT_IN_INTEGER = 1, /* slot: 0..5, rdi, rsi, rdx, rcx, r8, r9; for a
			      result 0..1, rax, rdx */
	PT_IN_VECTOR = 2,  /* slot: 0..7, xmm0 to xmm7; for a result 0..1 */
	PT_ON_STACK = 3,   /* a whole parameter; slot: number of its first 8
			      bytes, counted upwards from 0, which is directly
			      above the return address */
	PT_IN_X87 = 4,	   /* a whole result, in st0 */
	PT_IN_MEMORY = 5,  /* a whole result, in the memory that rax points
			      to */
};

struct pt_where {
	uint32_t place; /* enum pt_value_place; 0: none */
	uint32_t slot;
};

struct pt_intercept {
	uint32_t flags;	 /* enum pt_intercept_flags */
	uint32_t result; /* type, or PT_NO_TYPE */
	uint32_t first_parameter;
	uint32_t n_parameters;
	struct pt_where where[2]; /* the result's first 8 bytes, and its next
				     8 */
};

enum pt_parameter_flags {
	PT_PARAMETER_IN = 1u << 0,  /* recorded at the call */
	PT_PARAMETER_OUT = 1u << 1, /* recorded at the return */
};

struct pt_parameter {
	uint32_t name; /* name of the parameter: offset in the plan's strings */
	uint32_t type;
	uint32_t index;		  /* position in the function's declaration,
				     from 0 */
	uint32_t flags;		  /* enum pt_parameter_flags */
	struct pt_where where[2]; /* the first 8 bytes, and the next 8 */
};

enum pt_type_kind {
	PT_TYPE_UNSIGNED = 1,
	PT_TYPE_SIGNED = 2,
	PT_TYPE_FLOAT = 3,   /* a floating-point number; one of 16 bytes is an
				x87 number, which uses 10 */
	PT_TYPE_ASCII = 4,   /* a character of 1 byte */
	PT_TYPE_UNICODE = 5, /* a character of 4 bytes, wchar_t */
	PT_TYPE_STRUCT = 6,  /* n fields from @first on */
	PT_TYPE_POINTER = 7, /* pointer to elements of a type */
};

/*
 * How the number of a pointer's elements is found. A variable is identified by
 * its name: a field of the struct that contains the pointer, or else a
 * parameter of the interceptor.
 */
enum pt_bound {
	PT_BOUND_COUNT = 1,	/* @value elements */
	PT_BOUND_SENTINEL = 2,	/* up to and including the first equal to
				   @value */
	PT_BOUND_COUNT_VAR = 3, /* number of elements: in @variable */
	PT_BOUND_END_VAR = 4,	/* address of the end: in @variable */
	PT_BOUND_START_VAR = 5, /* the pointer is the end, @variable the start:
				   the reverse of PT_BOUND_END_VAR */
};

enum pt_type_flags {
	PT_TYPE_DOWN = 1u << 0, /* each element lies below its predecessor */
	PT_TYPE_END_VALID = 1u << 1, /* the element at the end address is
					included */
};

/* Types may refer to each other in cycles, so a reader that follows pointers
   needs a bound. No struct contains itself by value, and at most PT_MAX_NESTED
   structs are nested. */
struct pt_type {
	uint32_t name; /* name of the type: offset in the plan's strings */
	uint16_t kind; /* enum pt_type_kind */
	uint16_t flags;
	uint32_t size;	/* [bytes] of a value, at most PT_MAX_TYPE */
	uint32_t first; /* STRUCT: index of the first field */
	uint32_t n;
	uint32_t element;  /* POINTER: index of the type of an element */
	uint32_t bound;	   /* enum pt_bound */
	uint32_t variable; /* name of the variable: offset in the plan's
			      strings */
	uint64_t value;
};

struct pt_field {
	uint32_t name; /* name of the field: offset in the plan's strings */
	uint32_t type;
	uint32_t offset; /* [bytes] in its struct */
	uint32_t pad;
};

#endif
