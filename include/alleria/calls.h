/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.h - calls of functions, with their arguments and results
 *
 * They are there for functions with `intercept` in the window file. A program
 * that prints them:
 *
 *	struct alleria_calls *c;
 *	const struct alleria_call *call;
 *	struct alleria_value *v;
 *	int err = alleria_calls_open(profile, 0, NULL, &c);
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
 * A cursor holds one block of the log, and the ends of calls that were still
 * going on where a block of the log ended. It is for one thread at a time, and
 * is closed before alleria_refresh() and alleria_close().
 */
#ifndef ALLERIA_CALLS_H
#define ALLERIA_CALLS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct alleria_profile;

/* A parameter of a function that was to be recorded. */
struct alleria_parameter {
	const char *name; /* "" : it has none */
	const char *type; /* as in the window file */
	uint32_t index;	  /* in the function's declaration, from 0 */
	uint32_t room;
};

/* The function as the window file has it. */
struct alleria_intercepted {
	const char *function;
	const struct alleria_parameter *parameter;
	uint32_t n_parameters;
	uint32_t pure;	    /* 1: it depends on its arguments alone */
	const char *result; /* type; "": it is not recorded */
};

enum alleria_call_flags {
	ALLERIA_CALL_RETURNED = 1 << 0,
	ALLERIA_CALL_LEFT = 1 << 1, /* by longjmp() or an exception; neither: it
				       did not end */
};

struct alleria_call {
	const struct alleria_intercepted *of;
	uint64_t serial;  /* order of the call in its image */
	uint64_t entry;	  /* address of the function */
	uint64_t back;	  /* return address */
	uint32_t process; /* number, as in alleria_process() */
	uint32_t image;
	uint32_t thread; /* number, from 1 */
	uint32_t flags;	 /* enum alleria_call_flags */
	/* Code of a pure function, as it lay at `entry`, and how long; NULL: it
	   is not there, or not all of it. */
	const uint8_t *body;
	size_t n_body;
};

struct alleria_calls;

/**
 * alleria_calls_open() - Start at the first call of a process.
 * @process: number, as in alleria_process().
 * @function: only calls of this one, as the window file names it; NULL: all.
 * @out: receives the cursor, for alleria_calls_close(); NULL on error.
 *
 * Nothing is read before the first call is asked for.
 *
 * Return: 0; ALLERIA_E_RANGE: no such process; ALLERIA_E_MEMORY.
 */
int alleria_calls_open(struct alleria_profile *, uint32_t process,
		       const char *function, struct alleria_calls **out);
void alleria_calls_close(struct alleria_calls *); /* NULL: nothing */

/**
 * alleria_next_call() - The next call.
 * @out: receives it. It is the cursor's, and stays until the next is asked for;
 *       what it is `of`, until the cursor is closed.
 *
 * They come in the order in which they began, images one after the other.
 *
 * Return: 1; 0 at the end; ALLERIA_E_DAMAGED, behind what could be read of an
 *         image: the next call goes on with the next image; ALLERIA_E_MEMORY,
 *         _FILE: come again.
 */
int alleria_next_call(struct alleria_calls *, const struct alleria_call **out);

/* ---- values ---- */

enum alleria_value_kind {
	ALLERIA_UNSIGNED = 1,
	ALLERIA_SIGNED = 2,
	ALLERIA_FLOAT = 3,
	ALLERIA_ASCII = 4,   /* a character of 1 byte */
	ALLERIA_UNICODE = 5, /* of 4 */
	ALLERIA_STRUCT = 6,
	ALLERIA_POINTER = 7,
};

enum alleria_value_flags {
	ALLERIA_CUT = 1 << 0,	     /* there were more elements */
	ALLERIA_UNREADABLE = 1 << 1, /* there was no memory */
	ALLERIA_UNFOLLOWED = 1 << 2, /* too deep, or no room */
	ALLERIA_DOWNWARDS = 1 << 3,  /* each lies below the one before it */
	ALLERIA_TERMINATED = 1 << 4, /* the last element is a sentinel */
	ALLERIA_MISSING = 1 << 5,    /* of an argument or a result: for one of
					the above not even itself is there */
};

/*
 * A value, with all that it leads to. Of numbers and characters `bytes` are as
 * they lie in memory, and `number` the same, signs extended, or the bits of a
 * double, the nearest one to a long double. Elements of a pointer lie beside each other in the program's memory,
 * from `first` on. When they are numbers or characters there is no value of
 * each, but `bytes` has them all.
 */
struct alleria_value {
	uint32_t kind;	  /* enum alleria_value_kind */
	uint32_t flags;	  /* enum alleria_value_flags */
	uint32_t size;	  /* [bytes] in memory; of a float 4, 8 or 16 */
	uint32_t offset;  /* [bytes] of a field in its struct */
	const char *name; /* of a field, else "" */
	const char *type;
	uint64_t number; /* or address */
	uint64_t first;	 /* address, of a pointer's first element */
	const uint8_t *bytes;
	const struct alleria_value *element; /* [n] of a pointer; or fields */
	uint32_t n;
	uint32_t element_kind; /* of a pointer */
	uint32_t element_size; /* [bytes] */
	uint32_t room;
};

enum alleria_when {
	ALLERIA_AT_CALL = 1,
	ALLERIA_AT_RETURN = 2,
};

#define ALLERIA_RESULT UINT32_MAX

/**
 * alleria_call_value() - An argument, or the result.
 * @parameter: index in `of->parameter`; ALLERIA_RESULT, at the return.
 * @when: enum alleria_when.
 * @out: receives it, for alleria_value_free(); NULL: it was not recorded. It may
 *       outlive the call, but not the profile.
 *
 * Return: 0; ALLERIA_E_RANGE: the function has no such parameter;
 *         ALLERIA_E_DAMAGED; ALLERIA_E_MEMORY.
 */
int alleria_call_value(const struct alleria_call *, uint32_t parameter,
		       uint32_t when, struct alleria_value **out);
void alleria_value_free(struct alleria_value *);

#ifdef __cplusplus
}
#endif

#endif
