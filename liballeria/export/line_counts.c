/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_counts.c - counts instructions, reads and writes by source line
 *
 * Counts are added up by instruction and then by line. The key of an
 * instruction is its process and the address at which liballeria stores its
 * bytes, which differs from block to block, and if another object was mapped at
 * the instruction's address.
 */
#include "liballeria/export/instr_walk.h"

#include <stdlib.h>
#include <string.h>

struct code_count {
	const uint8_t *bytes; /* NULL: the entry is free */
	struct ex_count count;
};

/* A hash table with open addressing, one entry for each instruction of each
   block of a process. Its key is the pointer `bytes`, not the bytes there, and
   the process. */
struct code_table {
	struct code_count *entry;
	size_t n;
	size_t size; /* a power of two, or 0 */
};

static struct code_count *
find_count_entry_or_empty_slot(struct code_table *t,
			       const uint8_t *code_pointer, uint32_t process)
{
	uint64_t h = ((uintptr_t)code_pointer + process) *
		     UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (size_t)(h >> 20) & (t->size - 1);

	while (t->entry[i].bytes != NULL &&
	       (t->entry[i].bytes != code_pointer ||
		t->entry[i].count.process != process))
		i = (i + 1) & (t->size - 1);
	return &t->entry[i];
}

static int double_table_size(struct code_table *t)
{
	struct code_table bigger = {.size = t->size ? 2 * t->size : 4096};

	bigger.entry = calloc(bigger.size, sizeof(*bigger.entry));
	if (bigger.entry == NULL)
		return -1;
	for (size_t i = 0; i < t->size; i++)
		if (t->entry[i].bytes != NULL)
			*find_count_entry_or_empty_slot(
				&bigger, t->entry[i].bytes,
				t->entry[i].count.process) = t->entry[i];
	bigger.n = t->n;
	free(t->entry);
	*t = bigger;
	return 0;
}

/* Count instruction @i of the cursor's last batch, and its accesses. Return: 0;
   enum alleria_error. */
static int count_instruction_and_accesses(struct code_table *t,
					  struct alleria_cursor *cursor,
					  const struct alleria_instruction *i)
{
	struct code_count *c;
	int err = 0;

	if (2 * t->n >= t->size && double_table_size(t) != 0)
		return ALLERIA_E_MEMORY;
	c = find_count_entry_or_empty_slot(t, i->bytes, i->process);
	if (c->bytes == NULL) {
		c->bytes = i->bytes;
		c->count.process = i->process;
		t->n++;
		err = alleria_name_in_batch(cursor, i->address, &c->count.name);
	}
	c->count.instructions++;
	for (unsigned a = 0; a < i->n_accesses; a++) {
		c->count.reads += i->access[a].kind != ALLERIA_WRITE;
		c->count.writes += i->access[a].kind != ALLERIA_READ;
	}
	return err;
}

static int count_all_instructions(struct ex_export_job *job,
				  struct code_table *t)
{
	const struct alleria_instruction *in;
	struct alleria_cursor *c = NULL;
	int err = 0;
	long n = alleria_cursor_open(job->profile, ALLERIA_INSTRUCTIONS, NULL,
				     &c);

	while (!err && ex_is_success_or_damage_noting_damage(job, n) &&
	       (n = alleria_instructions(c, &in)) != 0)
		for (long i = 0; i < n && !err; i++)
			err = count_instruction_and_accesses(t, c, &in[i]);
	if (err)
		ex_set_job_error_return_minus_1(job, err, NULL);
	else if (n < 0)
		err = ex_set_job_error_return_minus_1(job, (int)n, c);
	alleria_cursor_close(c);
	return err ? -1 : 0;
}

/* Move the entries to the start of the table, which is no hash table any
   more. */
static void move_table_entries_to_start_of_array(struct code_table *t)
{
	size_t n_kept = 0;

	for (size_t i = 0; i < t->size; i++)
		if (t->entry[i].bytes != NULL)
			t->entry[n_kept++] = t->entry[i];
}

static int compare_counts_by_process_and_line(const void *x, const void *y)
{
	const struct ex_count *a = &((const struct code_count *)x)->count;
	const struct ex_count *b = &((const struct code_count *)y)->count;
	int d = (a->process > b->process) - (a->process < b->process);

	if (d == 0)
		d = strcmp(a->name.object, b->name.object);
	if (d == 0)
		d = strcmp(a->name.file, b->name.file);
	if (d == 0)
		d = strcmp(a->name.function, b->name.function);
	if (d == 0)
		d = (a->name.line > b->name.line) -
		    (a->name.line < b->name.line);
	return d;
}

/* Sort the entries, add up those of each source line of a process, and call
   @callback with each sum. Return: 0; the first result of @callback that is not
   0, which ends the calls. */
static int add_up_entries_by_line_and_call_back(
	struct code_table *t,
	int (*callback)(void *arg, const struct ex_count *), void *arg)
{
	int rc = 0;

	qsort(t->entry, t->n, sizeof(*t->entry),
	      compare_counts_by_process_and_line);
	for (size_t i = 0; i < t->n && rc == 0;) {
		struct ex_count sum = t->entry[i].count;
		size_t next = i + 1;

		for (;
		     next < t->n && compare_counts_by_process_and_line(
					    &t->entry[i], &t->entry[next]) == 0;
		     next++) {
			sum.instructions += t->entry[next].count.instructions;
			sum.reads += t->entry[next].count.reads;
			sum.writes += t->entry[next].count.writes;
		}
		rc = callback(arg, &sum);
		i = next;
	}
	return rc;
}

int ex_count_instrs_and_accesses_by_line(
	struct ex_export_job *job,
	int (*callback)(void *arg, const struct ex_count *), void *arg)
{
	struct code_table t = {0};
	int rc = count_all_instructions(job, &t);

	move_table_entries_to_start_of_array(&t);
	if (rc == 0 && t.n > 0)
		rc = add_up_entries_by_line_and_call_back(&t, callback, arg);
	free(t.entry);
	return rc;
}
