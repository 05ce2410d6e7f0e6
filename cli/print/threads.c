/* SPDX-License-Identifier: GPL-2.0-or-later */
/* threads.c - prints the threads of a process as text and JSON; see
   profile_text.h */

#include "cli/print/profile_text.h"

#include "base/text/json.h"
#include "base/text/line_writer.h"

enum { MAX_LINES = 20 }; /* maximum number of lines printed for a process */
static void print_thread_line(const struct alleria_process *process,
			      const struct alleria_thread *t, FILE *f)
{
	char instructions[AL_NUMBER_BYTES], accesses[AL_NUMBER_BYTES];

	fprintf(f, "  thread   %u", t->number);
	if (process->images > 1)
		fprintf(f, " of command %u", t->image + 1);
	fprintf(f, ", %s instructions, %s accesses, from %.3f s to %.3f s\n",
		al_number_format_grouped(instructions, t->instructions),
		al_number_format_grouped(accesses, t->accesses),
		(double)t->begin_ns / 1e9, (double)t->end_ns / 1e9);
}

void cl_threads_print_20_lines_at_most(struct alleria_profile *p, FILE *f,
				       uint32_t process_index)
{
	const struct alleria_thread *t;
	long n = alleria_threads(p, process_index, &t);
	long shown = n > MAX_LINES ? MAX_LINES - 1 : n;

	for (long i = 0; i < shown; i++)
		print_thread_line(alleria_process(p, process_index), &t[i], f);
	if (shown < n)
		fprintf(f, "           ... and %ld more; --json=FILE has all\n",
			n - shown);
}

void cl_threads_write_json_of_process(struct an_sink *out,
				      struct alleria_profile *p,
				      uint32_t process_index)
{
	const struct alleria_thread *t;
	long n = alleria_threads(p, process_index, &t);

	out->begin_list(out, "thread_list");
	for (long i = 0; i < n; i++) {
		out->begin(out, NULL);
		out->number(out, "number", t[i].number);
		out->number(out, "image", t[i].image);
		out->number(out, "instructions", t[i].instructions);
		out->number(out, "accesses", t[i].accesses);
		out->number(out, "begin_instruction", t[i].begin_instruction);
		out->number(out, "end_instruction", t[i].end_instruction);
		out->number(out, "begin_ns", t[i].begin_ns);
		out->number(out, "end_ns", t[i].end_ns);
		out->end(out);
	}
	out->end(out);
}
