/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counts.c - defines the table of counts: a row for each process, thread and
 * source line
 *
 * The executions of each block by each thread are counted for each exit and
 * then multiplied by the instructions and accesses before that exit. Accesses
 * are read only for executions in which a guard, the condition of an access,
 * prevented one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "base/tables/compare.h"
#include "base/tables/key_table.h"
#include "liballeria/sql/extension.h"
#include "liballeria/sql/table.h"

/* Used in place of the number of the exit in the keys of executions in which a
   guard prevented an access: their accesses are counted one by one, when they
   are read. */
enum { NO_EXIT = UINT16_MAX };

struct sq_counts {
	struct al_key_table executions; /* keys: block, thread, exit and number
					   of instructions */
	uint64_t *execution_count;	/* indexed by number of the key */
	uint32_t execution_count_size;
	struct al_key_table names;  /* keys: function, file, object */
	struct al_key_table places; /* keys: name and line, process and
				       thread */
	struct sq_count_row *row;   /* indexed by number of the place; sorted
				       when all are counted */
	uint32_t row_size;
	bool is_finished;
};

#define COUNT(member) SQ_MEMBER(sq_count_row, member)
const struct sq_column sq_counts_columns[] = {
	{"process", SQ_NUMBER, COUNT(process), SQ_B_PROCESS, NULL},
	{"thread", SQ_NUMBER, COUNT(thread), SQ_B_THREAD, NULL},
	{"function", SQ_TEXT, COUNT(function), SQ_B_FUNCTION, NULL},
	{"file", SQ_TEXT, COUNT(file), SQ_B_NONE, NULL},
	{"line", SQ_KNOWN, COUNT(line), SQ_B_NONE, NULL},
	{"object", SQ_TEXT, COUNT(object), SQ_B_OBJECT, NULL},
	{"instructions", SQ_NUMBER, COUNT(instructions), SQ_B_NONE, NULL},
	{"reads", SQ_NUMBER, COUNT(reads), SQ_B_NONE, NULL},
	{"writes", SQ_NUMBER, COUNT(writes), SQ_B_NONE, NULL},
	{"modifies", SQ_NUMBER, COUNT(modifies), SQ_B_NONE, NULL},
	{"bytes", SQ_NUMBER, COUNT(bytes), SQ_B_NONE, NULL},
	{0},
};

void sq_counts_free(struct sq_counts *counts)
{
	if (!counts)
		return;
	al_key_table_release(&counts->executions);
	al_key_table_release(&counts->names);
	al_key_table_release(&counts->places);
	free(counts->execution_count);
	free(counts->row);
	free(counts);
}

/* Return the number of a row's process, thread and source line in @places,
   which are added if they are new; -1 if memory is short.
   @function_file_object_keys: keys: function, file, object. */
static int64_t find_or_add_key_of_process_thread_line(
	struct al_key_table *function_file_object_keys,
	struct al_key_table *places, const struct sq_count_row *row)
{
	const struct al_key texts = {{(uintptr_t)row->function,
				      (uintptr_t)row->file,
				      (uintptr_t)row->object}};
	int64_t text = al_key_table_find_or_add_index(function_file_object_keys,
						      &texts);
	const struct al_key place = {
		{(uint64_t)text << 32 | row->line,
		 (uint64_t)row->process << 32 | row->thread}};

	return text < 0 ? -1 : al_key_table_find_or_add_index(places, &place);
}

/* Return the row of the source line @name in a process and thread, which is
   added if it is new; NULL if memory is short. The row is valid until a row is
   added. */
static struct sq_count_row *find_or_add_row(struct sq_counts *counts,
					    const struct alleria_name *name,
					    uint32_t process_index,
					    uint32_t thread)
{
	const struct sq_count_row new = {
		.process = process_index,
		.thread = thread,
		.line = name->line,
		.function = name->function,
		.file = name->file,
		.object = name->object,
	};
	uint32_t n = counts->places.n;
	int64_t i = find_or_add_key_of_process_thread_line(
		&counts->names, &counts->places, &new);

	if (i < 0 || al_array_reserve_zeroed(counts->row, counts->row_size,
					     counts->places.n))
		return NULL;
	if (i == n)
		counts->row[i] = new;
	return &counts->row[i];
}

/* Find the row of the source line of instruction @index of a block, and add it
   if it is new. Return: 0; enum alleria_error. */
static int find_or_add_source_line_row_of_instr(
	struct sq_cursor *c, const struct alleria_block *block, uint32_t index,
	uint32_t thread, struct sq_count_row **row)
{
	struct alleria_name name;
	int err = alleria_name_block(c->profile, block, index, &name);

	if (err)
		return err;
	*row = find_or_add_row(c->counts, &name, block->process, thread);
	return *row ? 0 : ALLERIA_E_MEMORY;
}

/* Add @count accesses of one kind and size [bytes] to a row. */
static void add_accesses_to_row(struct sq_count_row *row, uint8_t kind,
				uint16_t size, uint64_t count)
{
	row->reads += kind != ALLERIA_WRITE ? count : 0;
	row->writes += kind != ALLERIA_READ ? count : 0;
	row->modifies += kind == ALLERIA_MODIFY ? count : 0;
	row->bytes += size * count;
}

/* Return the index of the instruction at @address in a block; the last index if
   no instruction begins there. */
static uint32_t
find_instruction_index_or_last(const struct alleria_block *block,
			       uint64_t address)
{
	uint32_t i = 0;

	while (i + 1u < block->n_code && block->code[i].address != address)
		i++;
	return i;
}

/* Count the accesses that an execution made in the rows of their source lines,
   one by one. Return: 0; enum alleria_error. */
static int
count_accesses_of_execution_in_line_rows(struct sq_cursor *c,
					 const struct alleria_execution *e)
{
	struct alleria_access access[ALLERIA_MAX_ACCESSES];
	long n = alleria_execution_accesses(c->cursor, e, access);
	struct sq_count_row *row;
	int err;

	for (long i = 0; i < n; i++) {
		err = find_or_add_source_line_row_of_instr(
			c, e->block,
			find_instruction_index_or_last(e->block,
						       access[i].code),
			e->thread, &row);
		if (err)
			return err;
		add_accesses_to_row(row, access[i].kind, access[i].size, 1);
	}
	return n < 0 ? (int)n : 0;
}

/* Count an execution of a block. If a guard (condition of an access) prevented
   one of its accesses, also add the accesses that the execution made to their
   rows. Return: 0; enum alleria_error. */
static int count_execution_by_block_and_exit(struct sq_cursor *c,
					     const struct alleria_execution *e)
{
	struct sq_counts *counts = c->counts;
	bool made_all = e->n_accesses == e->block->exit[e->exit].n_accesses;
	const struct al_key key = {
		{(uintptr_t)e->block, e->thread,
		 (uint64_t)(made_all ? e->exit : NO_EXIT) << 16 |
			 e->n_instructions}};
	int64_t i = al_key_table_find_or_add_index(&counts->executions, &key);

	if (i < 0 || al_array_reserve_zeroed(counts->execution_count,
					     counts->execution_count_size,
					     counts->executions.n))
		return ALLERIA_E_MEMORY;
	counts->execution_count[i]++;
	return made_all ? 0 : count_accesses_of_execution_in_line_rows(c, e);
}

/* Add @count executions of a block by one thread to the rows of its
   instructions. @exit_index_or_no_exit: index of the exit, or NO_EXIT: add no
   accesses. Return: 0; enum alleria_error. */
static int add_executions_to_rows(struct sq_cursor *c,
				  const struct alleria_block *block,
				  uint32_t thread,
				  unsigned exit_index_or_no_exit,
				  unsigned n_instructions, uint64_t count)
{
	unsigned n_accesses =
		exit_index_or_no_exit == NO_EXIT
			? 0
			: block->exit[exit_index_or_no_exit].n_accesses;
	struct sq_count_row *row;
	int err = 0;

	for (unsigned i = 0, a = 0; !err && i < n_instructions; i++) {
		err = find_or_add_source_line_row_of_instr(c, block, i, thread,
							   &row);
		if (err)
			break;
		row->instructions += count;
		for (; a < n_accesses && block->access[a].code == i; a++)
			add_accesses_to_row(row, block->access[a].kind,
					    block->access[a].size, count);
	}
	return err;
}

/* Multiply the executions that count_remaining_executions() has counted by
   their instructions and accesses, and add the products to the rows. Return: 0;
   enum alleria_error. */
static int add_counted_executions_to_rows(struct sq_cursor *c)
{
	struct sq_counts *counts = c->counts;
	int err = 0;

	for (uint32_t i = 0; !err && i < counts->executions.n; i++) {
		const uint64_t *word = counts->executions.key[i].word;

		err = add_executions_to_rows(
			c, (const struct alleria_block *)(uintptr_t)word[0],
			(uint32_t)word[1], (unsigned)(word[2] >> 16),
			(unsigned)(word[2] & UINT16_MAX),
			counts->execution_count[i]);
	}
	return err;
}

/* Set the number of each row, which no other row has in any scan of the
   profile. Return: 0; ALLERIA_E_MEMORY. */
static int assign_row_numbers_unique_in_profile(struct sq_cursor *c)
{
	struct sq_count_row *row = c->counts->row;
	int64_t number;

	for (uint32_t i = 0; i < c->counts->places.n; i++) {
		number = find_or_add_key_of_process_thread_line(
			&c->opened->count_names, &c->opened->count_places,
			&row[i]);
		if (number < 0)
			return ALLERIA_E_MEMORY;
		row[i].number = (uint64_t)number;
	}
	return 0;
}

/* Compare two rows by process, thread, object, file, line and function. */
static int compare_rows_by_process_thread_and_line(const void *left,
						   const void *right)
{
	const struct sq_count_row *a = left, *b = right;
	int by = al_compare_u64(a->process, b->process);

	if (!by)
		by = al_compare_u64(a->thread, b->thread);
	if (!by)
		by = strcmp(a->object, b->object);
	if (!by)
		by = strcmp(a->file, b->file);
	if (!by)
		by = al_compare_u64(a->line, b->line);
	return by ? by : strcmp(a->function, b->function);
}

/* Count the executions of the next batches, up to the end, the first error or a
   request to stop. Return: 0; enum alleria_error. */
static int count_remaining_executions(struct sq_cursor *c)
{
	const struct alleria_execution *e;
	long n;
	int err = 0;

	while (!err && !sq_is_stop_requested() &&
	       (n = alleria_executions(c->cursor, &e)) != 0) {
		if (n < 0)
			return (int)n;
		for (long i = 0; !err && i < n; i++)
			err = count_execution_by_block_and_exit(c, &e[i]);
	}
	return err;
}

long sq_read_all_counts_then_none(struct sq_cursor *c, const void **rows)
{
	struct sq_counts *counts = c->counts;
	int err;

	if (!counts)
		counts = c->counts = calloc(1, sizeof(*counts));
	if (!counts)
		return ALLERIA_E_MEMORY;
	if (counts->is_finished)
		return 0;
	err = count_remaining_executions(c);
	if (!err && sq_is_stop_requested())
		return 0;
	if (!err)
		err = add_counted_executions_to_rows(c);
	if (!err)
		err = assign_row_numbers_unique_in_profile(c);
	if (err)
		return err;
	counts->is_finished = true;
	if (counts->places.n > 0)
		qsort(counts->row, counts->places.n, sizeof(*counts->row),
		      compare_rows_by_process_thread_and_line);
	*rows = counts->row;
	return counts->places.n;
}
