/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * din.c - writes the trace formats of DineroIV, in program order
 *
 *	2 401ab00		din: label, address; 0 read, 1 write, 2 fetch
 *	i 401ab00 3		xdin: letter, address, size; numbers in hex
 *
 * A modify is a read and a write.
 */
#include <stdbool.h>
#include <stdio.h>

#include "liballeria/export/atomic_file.h"

enum { FETCH, READ, WRITE };

/* Write one access or instruction fetch as a line: with its size, in the format
   xdin, if @with_size; else in the format din. @kind: FETCH, READ or WRITE. */
static int write_din_line(struct ex_file *f, bool with_size, int kind,
			  uint64_t address, unsigned size)
{
	static const char label[] = "201", letter[] = "irw";
	char line[64];
	int n;

	if (with_size)
		n = snprintf(line, sizeof(line), "%c %llx %x\n", letter[kind],
			     (unsigned long long)address, size);
	else
		n = snprintf(line, sizeof(line), "%c %llx\n", label[kind],
			     (unsigned long long)address);
	return ex_file_write(f, line, (size_t)n);
}

static int write_read_and_write_lines_of_access(struct ex_file *f,
						bool with_size,
						const struct alleria_access *a)
{
	int err = 0;

	if (a->kind != ALLERIA_WRITE)
		err = write_din_line(f, with_size, READ, a->address, a->size);
	if (a->kind != ALLERIA_READ && !err)
		err = write_din_line(f, with_size, WRITE, a->address, a->size);
	return err;
}

static int write_lines_of_instrs_and_their_accesses(
	struct ex_file *f, bool with_size,
	const struct alleria_instruction *instrs, long instr_count)
{
	int err = 0;

	for (long i = 0; i < instr_count && !err; i++) {
		err = write_din_line(f, with_size, FETCH, instrs[i].address,
				     instrs[i].size);
		for (unsigned a = 0; a < instrs[i].n_accesses && !err; a++)
			err = write_read_and_write_lines_of_access(
				f, with_size, &instrs[i].access[a]);
	}
	return err;
}

static int write_din_trace(struct ex_export_job *job, bool with_size)
{
	const struct alleria_instruction *in;
	struct alleria_cursor *c = NULL;
	struct ex_file f;
	int err = ex_file_open_for_atomic_write(&f, job, job->path);
	long n = alleria_cursor_open(job->profile, ALLERIA_INSTRUCTIONS, NULL,
				     &c);

	while (!err && ex_is_success_or_damage_noting_damage(job, n) &&
	       (n = alleria_instructions(c, &in)) != 0)
		err = write_lines_of_instrs_and_their_accesses(&f, with_size,
							       in, n);
	if (n < 0 && !err)
		err = ex_set_job_error_return_minus_1(job, (int)n, c);
	alleria_cursor_close(c);
	return ex_file_commit_or_discard(&f, err);
}

static int write_din(struct ex_export_job *job)
{
	return write_din_trace(job, false);
}

static int write_xdin(struct ex_export_job *job)
{
	return write_din_trace(job, true);
}

extern const struct ex_format ex_din, ex_xdin;

const struct ex_format ex_din = {
	.name = "din",
	.summary = "DineroIV's traditional trace (-informat d)",
	.needs = ALLERIA_HAS_INSTRUCTIONS | ALLERIA_HAS_ALL_ADDRESSES,
	.write = write_din,
};

const struct ex_format ex_xdin = {
	.name = "xdin",
	.summary = "DineroIV's extended trace (-informat D)",
	.needs = ALLERIA_HAS_INSTRUCTIONS | ALLERIA_HAS_ALL_ADDRESSES,
	.write = write_xdin,
};
