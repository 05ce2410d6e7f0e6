/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.h - reads calls of functions, with their arguments and results
 *
 * Calls are recorded for functions with `intercept` in the window file. A
 * program that prints the results of the first process:
 *
 *	struct alleria_calls *c;
 *	const struct alleria_call *call;
 *	struct alleria_value *v;
 *	int err = alleria_calls_open(profile, 1, NULL, &c);
 *
 *	while (!err && (err = alleria_next_call(c, &call)) > 0) {
 *		err = alleria_call_value(call, ALLERIA_RESULT,
 *					 ALLERIA_AT_RETURN, &v);
 *		printf("%s = %ld\n", call->of->function,
 *		       v ? (long)v->number : 0);
 *		alleria_value_free(v);
 *	}
 *	alleria_calls_close(c);
 *
 * A cursor holds in memory one block of the image's log, and the records of
 * returns whose call is in an earlier block. It may be used by one thread at a
 * time, and must be closed before alleria_refresh() and alleria_close().
 */
#ifndef ALLERIA_CALLS_H
#define ALLERIA_CALLS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct alleria_profile;

/* A parameter that the window file lists for a function. */
struct alleria_parameter {
	const char *name; /* name of the parameter in the window file; "":
			     unnamed */
	const char *type; /* name of the parameter's type in the window file */
	uint32_t index;	  /* position in the function's declaration, from 0 */
	uint32_t room;	  /* reserved */
};

/* A function with `intercept` in the window file. */
struct alleria_intercepted {
	const char *function;
	const struct alleria_parameter *parameter;
	uint32_t n_parameters;
	uint32_t pure;	    /* 1: the window file marks it `pure`: its result
			       depends on its arguments alone */
	const char *result; /* name of the result's type; "": results are not
			       recorded */
};

enum alleria_call_flags {
	ALLERIA_CALL_RETURNED = 1 << 0,
	ALLERIA_CALL_LEFT = 1 << 1, /* left by longjmp() or an exception. If
				       neither ALLERIA_CALL_RETURNED nor this
				       is set, no end was recorded */
};

struct alleria_call {
	const struct alleria_intercepted *of;
	uint64_t serial;  /* number of the call in its image, ascending */
	uint64_t entry;	  /* address of the function */
	uint64_t back;	  /* return address */
	uint32_t process; /* number of the calling process, as for
			     alleria_process() */
	uint32_t image;
	uint32_t thread; /* number of the calling thread in its image, from 1 */
	uint32_t flags;	 /* enum alleria_call_flags */
	/* The n_body bytes of machine code of a pure function, which begin at
	   address `entry`; NULL if they were not recorded completely. */
	const uint8_t *body;
	size_t n_body;
};

struct alleria_calls;

/**
 * alleria_calls_open() - Open a cursor at the first call of a process.
 * @process: number, as in alleria_process().
 * @function: return only calls of this function, named as in the window file;
 *            NULL: all calls. The string is copied.
 * @out: receives the cursor, for alleria_calls_close(); NULL on error.
 *
 * Nothing is read before the first call is requested.
 *
 * Return: 0; ALLERIA_E_RANGE: no such process; ALLERIA_E_MEMORY.
 */
int alleria_calls_open(struct alleria_profile *, uint32_t process,
		       const char *function, struct alleria_calls **out);
void alleria_calls_close(struct alleria_calls *); /* does nothing for NULL */

/**
 * alleria_next_call() - Return the next call.
 * @out: receives it. The cursor owns it; it is valid until this function is
 *       called again, and its `of` until the cursor is closed.
 *
 * Calls are returned in the order in which they began, image by image.
 *
 * Return: 1; 0 at the end; ALLERIA_E_DAMAGED after the readable calls of a
 *         damaged image: the next call of this function continues with the
 *         next image; ALLERIA_E_MEMORY, _FILE: may be tried again.
 */
int alleria_next_call(struct alleria_calls *, const struct alleria_call **out);

/* ---- values ---- */

enum alleria_value_kind {
	ALLERIA_UNSIGNED = 1,
	ALLERIA_SIGNED = 2,
	ALLERIA_FLOAT = 3,
	ALLERIA_ASCII = 4,   /* a character of 1 byte */
	ALLERIA_UNICODE = 5, /* a character of 4 bytes */
	ALLERIA_STRUCT = 6,
	ALLERIA_POINTER = 7,
};

enum alleria_value_flags {
	ALLERIA_CUT = 1 << 0,	     /* only the first elements were recorded,
					because the record was full or memory
					was unreadable */
	ALLERIA_UNREADABLE = 1 << 1, /* the memory of the value was unreadable
					or, for a pointer, of its first element
					*/
	ALLERIA_UNFOLLOWED = 1 << 2, /* the pointer was not followed: pointers
					are nested too deeply, or elements have
					no bytes. With ALLERIA_MISSING: the
					record was full */
	ALLERIA_DOWNWARDS = 1 << 3,  /* each element lies at a lower address
					than the one before it */
	ALLERIA_TERMINATED = 1 << 4, /* the last element is a sentinel */
	ALLERIA_MISSING = 1 << 5,    /* no value of the argument or result was
					recorded, for the reason in another
					flag */
};

/*
 * A value, with the fields and elements reachable from it. For numbers and
 * characters, `bytes` are their bytes in memory, and `number` is the value,
 * sign-extended if its type is signed, else zero-extended; for floats it holds
 * the bits of a double, for a long double those of the nearest double. The
 * elements of a pointer are adjacent in the program's memory and begin at
 * `first`. If they are numbers or characters, `element` is NULL and `bytes`
 * holds all of them.
 */
struct alleria_value {
	uint32_t kind;	  /* enum alleria_value_kind */
	uint32_t flags;	  /* enum alleria_value_flags */
	uint32_t size;	  /* size in memory [bytes]; for a float 4, 8 or 16 */
	uint32_t offset;  /* for a field: offset in its struct [bytes] */
	const char *name; /* for a field: its name; else "" */
	const char *type;
	uint64_t number; /* value of a number or character; for a pointer, its
			    address */
	uint64_t first;	 /* for a pointer: address of its first element;
			    ALLERIA_NOT: unknown */
	const uint8_t *bytes;
	const struct alleria_value *element; /* [n] elements of a pointer, or
						fields of a struct */
	uint32_t n;
	uint32_t element_kind; /* for a pointer: enum alleria_value_kind of its
				  elements */
	uint32_t element_size; /* for a pointer: size of an element [bytes] */
	uint32_t room;	       /* reserved */
};

enum alleria_when {
	ALLERIA_AT_CALL = 1,
	ALLERIA_AT_RETURN = 2,
};

#define ALLERIA_RESULT UINT32_MAX

/**
 * alleria_call_value() - Decode an argument or the result of a call.
 * @parameter: index in `of->parameter`; ALLERIA_RESULT for the result, which is
 *             recorded at the return only.
 * @when: enum alleria_when.
 * @out: receives the value, for alleria_value_free(); NULL: not recorded. It
 *       may be used after the cursor is closed, but not after alleria_close().
 *
 * Return: 0; ALLERIA_E_RANGE: the function has no such parameter;
 *         ALLERIA_E_ARGUMENT: @when is none of enum alleria_when;
 *         ALLERIA_E_DAMAGED; ALLERIA_E_MEMORY.
 */
int alleria_call_value(const struct alleria_call *, uint32_t parameter,
		       uint32_t when, struct alleria_value **out);
void alleria_value_free(struct alleria_value *);

#ifdef __cplusplus
}
#endif

#endif
