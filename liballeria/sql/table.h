/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - what a table consists of
 *
 * Rows are the library's own structures, a batch at a time. A column says where
 * in the structure it lies and how it is told; the same for all tables
 * (column_value.c). What a condition on it means to the library is its bound
 * (constraints.c).
 */
#ifndef LIBALLERIA_SQL_TABLE_H
#define LIBALLERIA_SQL_TABLE_H

#include <alleria/alleria.h>
#include <stdbool.h>
#include <stddef.h>

#include "liballeria/sql/profiles.h"
#include "liballeria/sql/sqlite_api.h"

enum sq_type {
	SQ_NUMBER, /* unsigned, of the member's size; 64 bits as SQLite has
		      them, with a sign */
	SQ_SIGNED, /* int32_t */
	SQ_MAYBE,  /* uint64_t; NULL: ALLERIA_NOT */
	SQ_KNOWN,  /* unsigned; NULL: 0 */
	SQ_TEXT,   /* const char *; NULL: "" or "???" */
	SQ_WORDS,  /* const char *const *, told with spaces between */
	SQ_ONE_OF, /* unsigned, told by its name */
	SQ_TIME,   /* when the instruction of this number was executed */
	SQ_CODE,   /* const uint8_t *, an instruction's bytes */
	SQ_VALUE,  /* const uint8_t *, what an access read or wrote */
	/* Of the address here; see process_at. */
	SQ_FUNCTION,
	SQ_SOURCE,
	SQ_LINE,
	SQ_OBJECT,
};

/* What a condition on a column is for a cursor of the library. */
enum sq_bound {
	SQ_B_NONE,
	/* By these, blocks of the file are passed over. */
	SQ_B_ACCESS,
	SQ_B_NEXT_ACCESS, /* for records that may lack an access: number of the
			     next */
	SQ_B_INSTRUCTION,
	SQ_B_TIME,
	SQ_B_PROCESS,
	SQ_B_THREAD,
	SQ_B_IP,
	SQ_B_ADDRESS,
	SQ_B_NUMBERS, /* how many of the above there are, and NONE */
	SQ_B_OBJECT = SQ_B_NUMBERS,
	SQ_B_FUNCTION,
	/* By this, records of a block are. */
	SQ_B_KIND,
};

struct sq_column {
	const char *name;
	enum sq_type type;
	size_t at;   /* [bytes] in the row */
	size_t size; /* [bytes] */
	enum sq_bound bound;
	const char *const *names; /* SQ_ONE_OF: by value; NULL ends them */
};

/* Initialiser of at and size. */
#define SQ_AT(structure, member)                                               \
	offsetof(struct structure, member),                                    \
		sizeof(((struct structure *)0)->member)

struct sq_cursor;

struct sq_table {
	const char *name;
	const struct sq_column *column; /* ended by one without name; the
					   first is in ascending order where
					   `what` is set */
	size_t row;			/* [bytes] */
	size_t process_at;		/* uint32_t: process number, and */
	size_t number_at; /* uint64_t: instruction, for what code is called */
	enum alleria_what what; /* rows are records, of a cursor; 0: facts */
	/* The next rows. How many; 0 at the end; enum alleria_error. */
	long (*next)(struct sq_cursor *, const void **rows);
};

/* Ended by one without name. */
extern const struct sq_table sq_tables[];

extern const struct sq_column sq_accesses[];
extern const struct sq_column sq_instructions[];
extern const struct sq_column sq_executions[];
extern const struct sq_column sq_calls[];
extern const struct sq_column sq_events[];
long sq_next_accesses(struct sq_cursor *, const void **rows);
long sq_next_instructions(struct sq_cursor *, const void **rows);
long sq_next_executions(struct sq_cursor *, const void **rows);
long sq_next_calls(struct sq_cursor *, const void **rows);
long sq_next_events(struct sq_cursor *, const void **rows);

extern const struct sq_column sq_run[];
extern const struct sq_column sq_processes[];
extern const struct sq_column sq_threads[];
extern const struct sq_column sq_objects[];
extern const struct sq_column sq_functions[];
extern const struct sq_column sq_lines[];
long sq_next_run(struct sq_cursor *, const void **rows);
long sq_next_process(struct sq_cursor *, const void **rows);
long sq_next_threads(struct sq_cursor *, const void **rows);
long sq_next_object(struct sq_cursor *, const void **rows);
long sq_next_functions(struct sq_cursor *, const void **rows);
long sq_next_lines(struct sq_cursor *, const void **rows);

enum { SQ_NAMES = 256 };

/* The row of the table run. */
struct sq_run_row {
	struct alleria_run run;
	struct alleria_state state;
	uint64_t blocks_read;
	uint64_t bytes_read;
};

/* What an address is called, at some time in the batch. */
struct sq_called {
	uint64_t batch; /* 0: nothing is known */
	uint64_t address;
	struct alleria_name name;
};

/* A place in a table. */
struct sq_cursor {
	sqlite3_vtab_cursor base;
	const struct sq_table *table;
	struct sq_profile *from;
	struct alleria_profile *profile; /* its */
	struct alleria_cursor *cursor;	 /* of records; else NULL */
	const char *rows;
	long n;
	long at; /* == n: at the end */
	sqlite3_int64 rowid;
	uint32_t process; /* facts: the next */
	long index;	  /* in it */
	uint64_t batch;	  /* number of this one, from 1 */
	struct sq_called called[SQ_NAMES];
	struct sq_run_row run;
};

static inline const char *sq_row(const struct sq_cursor *c)
{
	return c->rows + (size_t)c->at * c->table->row;
}

/* column_value.c: tells a column of the row. Return: enum alleria_error. */
int sq_value(struct sq_cursor *, const struct sq_column *, sqlite3_context *);

/* query_plan.c: as xBestIndex. Of the column behind the last, the file's name
   is the condition. */
int sq_plan(const struct sq_table *, sqlite3_index_info *);

/* How the plan tells the conditions: for each argument two bytes, these. */
enum { SQ_PLAN_COLUMN = 0, SQ_PLAN_OP = 1, SQ_PLAN_BYTES = 2, SQ_PLAN_A = 'A' };

/* Conditions that a filter can hold. */
struct sq_bounds {
	struct alleria_filter filter;
	struct sq_range {
		sqlite3_int64 first; /* included, both */
		sqlite3_int64 last;
	} range[SQ_B_NUMBERS];
	uint32_t *process; /* for the filter */
	uint32_t *thread;
	bool none; /* no row can pass */
};

/* constraints.c: start with no condition; add them; make the filter of them;
   free what it needs. */
void sq_bounds_init(struct sq_bounds *);
void sq_bounds_add(struct sq_bounds *, const struct sq_column *,
		   char op, /* = < > l g, the last two for <= >= */
		   sqlite3_value *);
int sq_bounds_finish(struct sq_bounds *,
		     const struct alleria_profile *); /* 0; ALLERIA_E_MEMORY */
void sq_bounds_release(struct sq_bounds *);

/* module.c */
extern const struct sqlite3_module sq_module;

/* What a table is connected with. */
struct sq_door {
	const struct sq_table *table;
	struct sq_profiles *profiles;
};

#endif
