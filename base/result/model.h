/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model.h - builds and reads the result of an analysis
 *
 * A result is a tree of objects and lists with named numbers, strings, series
 * and tables. Renderers write it: as JSON (result_json.h), as tables for people
 * (result_text.h), as comma-separated values (result_csv.h). The words and
 * units are the builder's.
 *
 * A table is written to JSON as a list with an object for each row. People see
 * it through views: a view selects columns, the order and the number of rows. A
 * column without a key is for people only, as is a table without a key; a table
 * without a view is for machines only.
 *
 * The model owns the tree and the cells of tables. Keys, titles, units and
 * strings are borrowed: they live as long as the state that the result is built
 * from, or are copied into the model by
 * al_model_copy_string_empty_if_no_memory().
 *
 * When memory is short, the first failure is stored in struct al_model, and
 * what is added afterwards is dropped: check `error` once, at the end.
 *
 * Threads: one at a time.
 */
#ifndef BASE_RESULT_MODEL_H
#define BASE_RESULT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct an_text;

union al_cell {
	uint64_t number;
	double real;
	const char *text; /* text of the cell; NULL: the JSON object of the row
			     has no member for this column */
};

enum al_column_kind {
	/* Stored in each row. They are the first columns of a table. */
	AL_COLUMN_TEXT,
	AL_COLUMN_NUMBER,
	/* Derived from the stored cells of a row. For people only. */
	AL_COLUMN_RATIO,
	AL_COLUMN_LABEL,
};

/* How people read a number. */
enum al_number_style {
	AL_STYLE_GROUPED, /* 1,048,576 */
	AL_STYLE_PLAIN,	  /* 1048576 */
	AL_STYLE_BINARY,  /* 1M */
};

struct al_column {
	const char *key;   /* key of the member in JSON; NULL: for people
			      only */
	const char *id;	   /* name by which the program finds a column without
			      a key; NULL: none */
	const char *title; /* for people */
	const char *unit;  /* unit of a number; NULL: a plain count */
	enum al_column_kind kind;
	enum al_number_style style;
	bool left_aligned; /* whether a number is left-aligned; text always
			      is */

	/* A ratio: factor * numerator / denominator. It is "-" if the
	   denominator is 0. */
	unsigned numerator;   /* index of a stored column */
	unsigned denominator; /* index of a stored column, unless `total` is
				 used */
	bool has_total;	      /* the denominator is `total` */
	uint64_t total;
	double factor;	    /* 100 for a share in percent */
	unsigned decimals;  /* number of digits after the decimal point */
	const char *suffix; /* text after the ratio: "%"; NULL: none */

	/* A label, the last column of a view: return a string of at most @most
	   bytes that names the row. The caller frees it; NULL if memory is
	   short. */
	char *(*label)(const union al_cell *row, size_t most);
	/* Of a label: index of a stored column of texts, of which those that
	   are not empty follow the label in parentheses if there is room; 0:
	   there is none */
	unsigned note;
};

/* A column of counts. @key_, @title_: see struct al_column; NULL: none. */
#define AL_NUMBER_COLUMN(key_, title_)                                         \
	{                                                                      \
		.key = (key_), .title = (title_), .kind = AL_COLUMN_NUMBER     \
	}

/* A column of numbers that is not printed for people, such as addresses. */
#define AL_PLAIN_NUMBER_COLUMN(key_)                                           \
	{                                                                      \
		.key = (key_), .kind = AL_COLUMN_NUMBER,                       \
		.style = AL_STYLE_PLAIN                                        \
	}

/* A column, for people only, of the share of @numerator_ in @denominator_,
   which are indices of stored columns. */
#define AL_PERCENT_COLUMN(title_, numerator_, denominator_, decimals_)         \
	{                                                                      \
		.title = (title_), .kind = AL_COLUMN_RATIO,                    \
		.numerator = (numerator_), .denominator = (denominator_),      \
		.factor = 100, .decimals = (decimals_), .suffix = "%"          \
	}

/* A column, for people only, of the share that the stored column with index
   @numerator_ has in the number that the caller stores in `total` of the new
   column. */
#define AL_SHARE_COLUMN(title_, numerator_, decimals_)                         \
	{                                                                      \
		.title = (title_), .kind = AL_COLUMN_RATIO,                    \
		.numerator = (numerator_), .has_total = true, .factor = 100,   \
		.decimals = (decimals_), .suffix = "%"                         \
	}

#define AL_LABEL_COLUMN(title_, label_)                                        \
	{                                                                      \
		.title = (title_), .kind = AL_COLUMN_LABEL, .label = (label_)  \
	}

struct al_table {
	const char *key;
	const char *title;
	const struct al_column *column;
	unsigned n_columns;
	unsigned n_stored; /* number of columns, the first ones, whose cells are
			      stored */
	size_t n_rows;
	size_t capacity;     /* cells that are allocated */
	union al_cell *cell; /* [n_rows * n_stored] */
};

enum al_result_kind {
	AL_RESULT_OBJECT,
	AL_RESULT_LIST,
	AL_RESULT_NUMBER,
	AL_RESULT_REAL,
	AL_RESULT_STRING,
	AL_RESULT_WORD, /* "true", "false" or "null" */
	AL_RESULT_SERIES,
	AL_RESULT_REAL_SERIES,
	AL_RESULT_TABLE
};

struct al_result_node {
	enum al_result_kind kind;
	const char *key; /* NULL for a member of a list, and for a table for
			    people only */
	const char *title;
	const char *unit;
	struct al_result_node *parent;
	struct al_result_node *next;	     /* next member of the same object
						or list */
	struct al_result_node *first, *last; /* first and last member of an
						object or list; else NULL */
	union al_cell value;
	const uint64_t *series; /* [n] numbers of a series of integers in the
				   result; borrowed */
	const double *reals;	/* [n] numbers of a series of real numbers */
	size_t n;
	struct al_table *table;
};

enum { AL_UNSORTED = -1 };

/* A table as people see it, or a drawing. */
struct al_view {
	struct al_view *next;
	const char *title; /* heading; NULL: the rows follow those of the view
			      before */
	/* return a copy of the title, cut to @most columns, that the caller
	   frees, or NULL if memory is short. NULL: the title is not cut */
	char *(*cut_title)(const char *title, size_t most);
	bool is_detail; /* shown after the other views of all results */
	bool is_extra;	/* shown only if `full` of struct al_shown is set */
	bool is_one_of_many; /* cut to `max` of struct al_shown, so that all
				views of the result fit on a page */

	const struct al_table *table; /* NULL: a drawing */
	const unsigned *column;	      /* [n_columns] indices of the shown
					 columns in the table */
	unsigned n_columns;
	/* index of the stored column of numbers by which rows are sorted, the
	   largest first unless `ascending`; rows with 0 in it are left out.
	   AL_UNSORTED: all rows in the order of the table */
	int sort;
	bool ascending;
	size_t top; /* maximum of rows that are shown, unless the reader chooses
		       another; 0: all rows, always */
	size_t needless_rows; /* the view is left out if the previous view of
				 the list, which must have a table, may print at
				 least so many rows; 0: it is never left out */

	void (*draw)(const void *state, uint64_t what, struct an_text *);
	const void *state;
	uint64_t what;
};

/* The address of a view of @table_ with the columns of the array @columns_;
   other members follow as initialisers. */
#define AL_VIEW(title_, table_, columns_, ...)                                 \
	(&(struct al_view){                                                    \
		.title = (title_),                                             \
		.table = (table_),                                             \
		.column = (columns_),                                          \
		.n_columns = sizeof(columns_) / sizeof((columns_)[0]),         \
		__VA_ARGS__,                                                   \
	})

/* A result while it is built or read. al_model_init() initialises it. */
struct al_model {
	struct al_result_node root;  /* an object without a key */
	struct al_result_node *open; /* the innermost object or list that is
					open */
	/* heading under which the numbers of the root are printed for people;
	   NULL: they are not printed */
	const char *title;
	struct al_view *view; /* list of views, in the order of display */
	struct al_view **last_view;
	int error;		      /* 0 or -ENOMEM */
	struct al_model_piece *piece; /* list of the model's memory, newest
					 first */
	struct al_table_list *tables;
};

void al_model_init(struct al_model *);
void al_model_release(struct al_model *);

/* ---- build ---- */

/* Add an object or a list to the innermost one that is open, and open it for
   what is added next; end the innermost one. */
void al_model_begin_object(struct al_model *, const char *key);
void al_model_begin_list(struct al_model *, const char *key);
void al_model_end_object_or_list(struct al_model *);

/**
 * al_model_add_number() - Add a number.
 * @key: NULL in a list.
 * @title: the key for people; NULL: @key.
 * @unit: "bytes"; NULL: a plain count.
 */
void al_model_add_number(struct al_model *, const char *key, const char *title,
			 const char *unit, uint64_t value);

/* Add a finite real number. @title, @unit: as for al_model_add_number(). */
void al_model_add_real(struct al_model *, const char *key, const char *title,
		       const char *unit, double value);

/* Add a string. @value: borrowed, not copied. */
void al_model_add_uncopied_string(struct al_model *, const char *key,
				  const char *value);

/* Add a JSON word, which is borrowed: "true", "false" or "null". */
void al_model_add_true_false_or_null(struct al_model *, const char *key,
				     const char *uncopied_json_word);

/* Add a list of numbers. @value: [n_values]; borrowed. */
void al_model_add_uncopied_series(struct al_model *, const char *key,
				  const char *unit, const uint64_t *value,
				  size_t n_values);

/* Add a list of finite real numbers. @value: [n_values]; borrowed. */
void al_model_add_uncopied_real_series(struct al_model *, const char *key,
				       const char *unit, const double *value,
				       size_t n_values);

/* Return a copy of @columns, [@column_count], whose members can be set; NULL,
   and an error in the model, if memory is short. */
struct al_column *al_model_copy_columns(struct al_model *,
					const struct al_column *columns,
					unsigned column_count);

/**
 * al_model_add_table() - Add a table.
 * @borrowed_columns: [@column_count]; borrowed. Stored columns come first.
 *
 * Return: the table, or NULL if memory is short.
 */
struct al_table *al_model_add_table(struct al_model *, const char *key,
				    const char *title,
				    const struct al_column *borrowed_columns,
				    unsigned column_count);

/* Add a row to a table. @cell: [table->n_stored], copied. Do nothing if @table
   is NULL or the model has an error; set the error if memory is short. */
void al_table_add_row(struct al_model *, struct al_table *table,
		      const union al_cell *cell);

/* Add a copy of a view at the end of the list of views. A view with neither a
   table nor draw() is dropped. */
void al_model_add_view_copy(struct al_model *, const struct al_view *);

/* Return memory that lives as long as the model, aligned to 8 bytes; NULL, with
   an error in the model, if memory is short. */
void *al_model_alloc_uninitialised(struct al_model *, size_t bytes);

/* Return a copy of a string that lives as long as the model; "" if memory is
   short. */
const char *al_model_copy_string_empty_if_no_memory(struct al_model *,
						    const char *);

/* ---- read ---- */

/* Return the first direct member of an object with the key @key; NULL if there
   is none. */
const struct al_result_node *al_model_find_member(const struct al_result_node *,
						  const char *key);

/* Return the table in the root that has the key @key_or_title, or has no key
   and the title @key_or_title; NULL if there is none. */
const struct al_table *al_model_find_table(const struct al_model *,
					   const char *key_or_title);

/* Return the index of the column whose key, or whose id if it has no key, is
   @key_or_id; -1 if there is none. */
int al_table_find_column_index(const struct al_table *, const char *key_or_id);

static inline const union al_cell *al_table_row(const struct al_table *t,
						size_t row_index)
{
	return t->cell + row_index * t->n_stored;
}

/**
 * al_table_sorted_nonzero_rows() - Return row indices,
 * sorted by a number.
 * @sort_column_or_unsorted: index of a stored column of numbers. AL_UNSORTED:
 *         all rows in the order of the table.
 * @ascending: whether the smallest number comes first, not the largest.
 * @sorted_first_row_count_or_0: number of rows that the caller reads: the
 *         others may be in any order. 0: all rows are sorted.
 * @row_count: set to the number of returned indices.
 *
 * Rows with equal numbers stay in the order of the table. Rows whose number is
 * 0 are left out.
 *
 * Return: the indices, which the caller frees; NULL if memory is short.
 */
size_t *al_table_sorted_nonzero_rows(const struct al_table *,
				     int sort_column_or_unsorted,
				     bool ascending,
				     size_t sorted_first_row_count_or_0,
				     size_t *row_count);

#endif
