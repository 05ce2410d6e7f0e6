/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - declares the virtual tables and their columns
 *
 * The rows of a table are structures of the library, a batch at a time. A
 * column names a member of the structure and how it is converted to a value of
 * SQLite (column_value.c). Its bound names the condition of the library's
 * filter to which a condition on the column is converted (constraints.c).
 */
#ifndef LIBALLERIA_SQL_TABLE_H
#define LIBALLERIA_SQL_TABLE_H

#include <alleria/alleria.h>
#include <stdbool.h>
#include <stddef.h>

#include "liballeria/sql/profiles.h"
#include "liballeria/sql/sqlite_api.h"

/* Type of a member, and how it is converted to a value of SQLite. */
enum sq_type {
	SQ_NUMBER, /* unsigned, of the member's size; SQLite shows 64 bits
		      as signed */
	SQ_SIGNED, /* int32_t */
	SQ_MAYBE,  /* uint64_t; ALLERIA_NOT becomes NULL */
	SQ_KNOWN,  /* unsigned; 0 becomes NULL */
	SQ_TEXT,   /* const char *; "" and "???" become NULL */
	SQ_WORDS,  /* const char *const *, joined by spaces */
	SQ_ONE_OF, /* unsigned, converted to its name */
	SQ_TIME,   /* number of an instruction, converted to its time in ns */
	SQ_CODE,   /* const uint8_t *, an instruction's bytes */
	SQ_VALUE,  /* const uint8_t *, bytes that an access read or wrote */
	/* Address of an instruction of a record, converted to its function,
	   source file, line or object. */
	SQ_FUNCTION,
	SQ_SOURCE,
	SQ_LINE,
	SQ_OBJECT,
	SQ_DATA,	/* struct alleria_access, converted to the id of its
			   data object; NULL: none */
	SQ_DATA_OFFSET, /* struct alleria_access, converted to its offset in
			   its data object; NULL: none */
	SQ_DATA_TYPE,	/* id of a data object, converted to its type */
};

/* Condition of a filter to which a condition on a column is converted. */
enum sq_bound {
	SQ_B_NONE,
	/* With a condition from here to SQ_B_FUNCTION, except SQ_B_ID, the
	   library can skip whole file blocks. */
	SQ_B_ACCESS,
	SQ_B_NEXT_ACCESS, /* number of the next access, for records that
			     may have none */
	SQ_B_INSTRUCTION,
	SQ_B_TIME,
	SQ_B_PROCESS,
	SQ_B_THREAD,
	SQ_B_IP,
	SQ_B_ADDRESS,
	SQ_B_DATA,    /* id of the data object that an access belongs to */
	SQ_B_ID,      /* id of a data object or number of a site: column of
			 a table of facts */
	SQ_B_NUMBERS, /* number of the bounds above, SQ_B_NONE included */
	SQ_B_OBJECT = SQ_B_NUMBERS,
	SQ_B_FUNCTION,
	/* With this condition, the library skips records, but no whole file
	   blocks. */
	SQ_B_KIND,
};

struct sq_column {
	const char *name;
	enum sq_type type;
	size_t offset; /* [bytes] offset of the member in the row */
	size_t size;   /* [bytes] size of the member */
	enum sq_bound bound;
	const char *const *names; /* SQ_ONE_OF: names by value, ended by NULL */
};

/* Initialiser of the members offset and size. */
#define SQ_MEMBER(structure, member)                                           \
	offsetof(struct structure, member),                                    \
		sizeof(((struct structure *)0)->member)

struct sq_counts;
struct sq_cursor;

/* How the rowid of a row is found. The conditions of a query do not change it:
   SQLite combines the rows of several scans by their rowids. */
enum sq_rowid {
	SQ_ROWID_ORDINAL, /* number of the row in a table that conditions do
			     not restrict */
	SQ_ROWID_COLUMN,  /* value of the first column */
	SQ_ROWID_EVENT,	  /* number of the event among all events */
	SQ_ROWID_SITE,	  /* from site and depth */
	SQ_ROWID_COUNT,	  /* sq_count_row.number */
};

struct sq_table {
	const char *name;
	const struct sq_column *column; /* ended by a column without a name; if
					   `what` is set, rows are in ascending
					   order of the first column */
	size_t row;			/* [bytes] size of a row */
	enum alleria_what what; /* kind of records that a cursor reads; 0:
				   facts */
	/* Return the next batch of rows: their number; 0 at the end; enum
	   alleria_error. */
	long (*next)(struct sq_cursor *, const void **rows);
	enum sq_rowid rowid;
};

/* All tables, ended by one without a name. */
extern const struct sq_table sq_tables[];

extern const struct sq_column sq_accesses[];
extern const struct sq_column sq_instructions[];
extern const struct sq_column sq_executions[];
extern const struct sq_column sq_calls[];
extern const struct sq_column sq_events[];
extern const struct sq_column sq_counts_columns[];
long sq_read_access_batch(struct sq_cursor *, const void **rows);
long sq_read_instruction_batch(struct sq_cursor *, const void **rows);
long sq_read_execution_batch(struct sq_cursor *, const void **rows);
long sq_read_branch_batch(struct sq_cursor *, const void **rows);
long sq_read_event_batch(struct sq_cursor *, const void **rows);
long sq_read_all_counts_then_none(struct sq_cursor *, const void **rows);

extern const struct sq_column sq_run[];
extern const struct sq_column sq_processes[];
extern const struct sq_column sq_threads[];
extern const struct sq_column sq_objects[];
extern const struct sq_column sq_functions[];
extern const struct sq_column sq_lines[];
extern const struct sq_column sq_data[];
extern const struct sq_column sq_sites[];
long sq_read_run_row_then_none(struct sq_cursor *, const void **rows);
long sq_read_next_process_row(struct sq_cursor *, const void **rows);
long sq_read_threads_of_next_process(struct sq_cursor *, const void **rows);
long sq_read_next_object_file_row(struct sq_cursor *, const void **rows);
long sq_read_all_functions_then_none(struct sq_cursor *, const void **rows);
long sq_read_all_lines_then_none(struct sq_cursor *, const void **rows);
long sq_read_next_data_object_row(struct sq_cursor *, const void **rows);
long sq_read_frames_of_next_site(struct sq_cursor *, const void **rows);

enum {
	SQ_CACHED_NAMES = 256,
	SQ_MAX_FRAMES = 64, /* greatest number of frames that the table
			       "sites" lists for a site */
};

/* Row of the table "sites": one frame of the call stack of an allocation. */
struct sq_site_row {
	uint32_t site;
	uint32_t depth; /* 0: innermost caller of the allocator's function */
	struct alleria_name name;
};

/* Row of the table "counts". */
struct sq_count_row {
	uint32_t process;
	uint32_t thread;
	uint32_t line; /* source line; 0: unknown */
	const char *function;
	const char *file;
	const char *object;
	uint64_t instructions;
	uint64_t reads;
	uint64_t writes;
	uint64_t modifies;
	uint64_t bytes;	 /* sum of the sizes of all accesses */
	uint64_t number; /* number of the process, thread and source line among
			    those of all scans of the profile */
};

/* Row of the table "run". */
struct sq_run_row {
	struct alleria_run run;
	struct alleria_state state;
	uint64_t blocks_read;
	uint64_t bytes_read;
};

/* Cached name of an address, valid for one batch. */
struct sq_cached_name {
	uint64_t batch; /* number of the batch; 0: empty */
	uint64_t address;
	struct alleria_name name;
};

/* A cursor of a table. */
struct sq_cursor {
	sqlite3_vtab_cursor base;
	const struct sq_table *table;
	struct sq_profile *opened;
	struct alleria_profile *profile; /* opened->profile */
	struct alleria_cursor *cursor;	 /* cursor of records; NULL for facts */
	const char *rows;
	long n;
	long row; /* index of the current row in `rows`; n: at the end of the
		     table */
	sqlite3_int64 ordinal; /* number of the current row in the scan, from
				  0 */
	struct alleria_event first_event; /* table of events: the first row */
	/* table of events: number of events before the first row; -1: not
	   counted yet */
	sqlite3_int64 events_before;
	uint32_t process; /* facts: number of the next process */
	long index;	  /* facts: index of the next object file in the
			     process; run, functions, lines: 0 until the rows
			     are read */
	uint64_t batch;	  /* number of the current batch, counted from 1 */
	struct sq_cached_name cached_names[SQ_CACHED_NAMES];
	struct sq_run_row run;
	struct sq_counts *counts; /* table of counts; NULL before its first
				     row */
	uint64_t next_id; /* tables of data objects and sites: id of the next
			     data object or number of the next site */
	uint64_t last_id; /* last id of a data object, or last number of a site,
			     that the query's conditions pass */
	struct alleria_data data;
	struct sq_site_row frame[SQ_MAX_FRAMES];
};

static inline const char *sq_current_row(const struct sq_cursor *c)
{
	return c->rows + (size_t)c->row * c->table->row;
}

/* Set the result of an SQLite function to the value of a column of the cursor's
   current row. Return: 0; enum alleria_error. Defined in column_value.c. */
int sq_set_result_to_column_value(struct sq_cursor *, const struct sq_column *,
				  sqlite3_context *);

/* Implement xBestIndex. The hidden column `profile` has the number after the
   last column. Defined in query_plan.c. */
int sq_plan_query(const struct sq_table *, sqlite3_index_info *);

/* Format of the plan's string: two bytes for each argument of xFilter, at these
   offsets. The column's number is added to SQ_INDEX_A. */
enum {
	SQ_INDEX_COLUMN = 0,
	SQ_INDEX_OP = 1,
	SQ_INDEX_BYTES = 2,
	SQ_INDEX_A = 'A'
};

/* Conditions of a query, and the filter to which they are converted. */
struct sq_bounds {
	struct alleria_filter filter;
	struct sq_range {
		sqlite3_int64 first; /* smallest and largest value, both
					included */
		sqlite3_int64 last;
	} range[SQ_B_NUMBERS];
	uint32_t *process; /* arrays that filter.process and filter.thread
			      point to; owned */
	uint32_t *thread;
	bool is_empty; /* no row can pass */
};

/* Initialise the bounds without conditions.
   sq_bounds_narrow_by_column_condition(): narrow them by one condition on a
   column. sq_bounds_convert_to_filter(): convert all conditions to the filter,
   and set is_empty if no row can pass; return 0 or ALLERIA_E_MEMORY.
   sq_bounds_release_number_lists(): free the arrays. Defined in constraints.c.
   */
void sq_bounds_init(struct sq_bounds *);
void sq_bounds_narrow_by_column_condition(
	struct sq_bounds *, const struct sq_column *,
	char op, /* '=', '<', '>', 'l' for <=, 'g' for >= */
	sqlite3_value *);
int sq_bounds_convert_to_filter(struct sq_bounds *,
				const struct alleria_profile *);
void sq_bounds_release_number_lists(struct sq_bounds *);

/* Whether the range of a bound has a lower or an upper limit. */
bool sq_bounds_has_lower_or_upper_limit(const struct sq_bounds *,
					enum sq_bound);

/* Restrict the filter to the addresses and accesses of the one data object that
   the conditions on SQ_B_DATA require; set is_empty if none can pass; no-op if
   several can. @all_objects_or_null: NULL: there are no data objects. Context:
   after sq_bounds_convert_to_filter(). Defined in constraints.c. */
void sq_bounds_restrict_to_data_object(
	struct sq_bounds *, const struct alleria_data_map *all_objects_or_null);

/* Find the data objects of the cursor's profile, which are read at the first
   call. *@map: NULL: they were not recorded. Return: 0; enum alleria_error.
   Defined in data_objects.c. */
int sq_open_data_map_once_or_null(struct sq_cursor *,
				  const struct alleria_data_map **map);

/* Set the result of an SQLite function to a column about the data object of the
   cursor's current row; NULL: there is none. Return: 0; enum alleria_error.
   Defined in data_objects.c. */
int sq_set_data_column_result(struct sq_cursor *, const struct sq_column *,
			      sqlite3_context *);

/* Free the counts of a cursor; does nothing for NULL. Defined in counts.c. */
void sq_counts_free(struct sq_counts *);

/* SQLite's functions for all tables; defined in module.c. */
extern const struct sqlite3_module sq_module;

/* Client data of a table's module. */
struct sq_module_data {
	const struct sq_table *table;
	struct sq_profiles *profiles;
};

#endif
