/* SPDX-License-Identifier: GPL-2.0-or-later */
/* windows.c - prints the windows of a run, with what was recorded in them, as
   text and JSON; see profile_text.h */

#include "cli/print/profile_text.h"

#include "base/text/json.h"
#include "base/text/line_writer.h"
#include "base/text/printable.h"

void cl_windows_print(const struct alleria_profile *p, FILE *f)
{
	const struct alleria_window *w;
	long n = alleria_windows(p, &w);
	char times[AL_NUMBER_BYTES], instructions[AL_NUMBER_BYTES],
		accesses[AL_NUMBER_BYTES];

	for (long i = 0; i < n; i++, w++) {
		fputs(i ? "           " : "windows    ", f);
		al_write_unprintable_as_question_marks(f, w->name, SIZE_MAX);
		fputs(", ", f);
		if (w->openings || !w->unended)
			fprintf(f, "opened %s, %s instructions, %s accesses%s",
				al_number_format_grouped(times, w->openings),
				al_number_format_grouped(instructions,
							 w->instructions),
				al_number_format_grouped(accesses,
							 w->reads + w->writes -
								 w->modifies),
				w->unended ? "; " : "");
		if (w->unended)
			fprintf(f, "not known yet of %s without end",
				al_number_format_grouped(times, w->unended));
		fputc('\n', f);
	}
}

void cl_windows_write_json_if_any(struct an_sink *out,
				  const struct alleria_profile *p)
{
	const struct alleria_window *w;
	long n = alleria_windows(p, &w);

	if (n == 0)
		return;
	out->begin_list(out, "windows");
	for (long i = 0; i < n; i++, w++) {
		out->begin(out, NULL);
		out->string(out, "name", w->name);
		out->number(out, "openings", w->openings);
		out->number(out, "instructions", w->instructions);
		out->number(out, "reads", w->reads);
		out->number(out, "writes", w->writes);
		out->number(out, "modifies", w->modifies);
		out->number(out, "unended", w->unended);
		out->end(out);
	}
	out->end(out);
}
