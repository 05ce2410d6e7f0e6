/* SPDX-License-Identifier: GPL-2.0-or-later */
/* marks.c - prints the named marks of a profile as text and JSON; see
   profile_text.h */

#include "cli/print/profile_text.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/text/json.h"
#include "base/text/line_writer.h"

enum { MAX_LINES = 20 }; /* maximum number of lines printed for an image */

/* The named marks of an exec image, and the number of times that the program
   reached each of them. */
struct image_marks {
	const struct alleria_mark *const *mark;
	long n;		 /* number of marks of the image; 0: none, they cannot
			    be read, or memory is short */
	uint64_t *times; /* [n] number of events of each mark; owned */
};

const char *cl_mark_kind_name(uint32_t mark_kind)
{
	static const char *const words[] = {
		[ALLERIA_MARK_PLACE] = "mark",
		[ALLERIA_MARK_EVENT] = "event",
		[ALLERIA_MARK_BEGIN] = "begin",
		[ALLERIA_MARK_END] = "end",
		[ALLERIA_MARK_START] = "start",
		[ALLERIA_MARK_STOP] = "stop",
		[ALLERIA_MARK_REGION] = "region",
	};

	return mark_kind > 0 && mark_kind < sizeof(words) / sizeof(*words)
		       ? words[mark_kind]
		       : "?";
}

/* Add to t->times[i] the number of times that the program reached named mark i
   of the exec image. */
static void count_occurrences_of_image_marks(struct image_marks *t,
					     struct alleria_profile *p,
					     uint32_t process_index,
					     uint32_t image_index)
{
	const struct alleria_filter filter = {.process = &process_index,
					      .n_processes = 1};
	const struct alleria_event *e;
	struct alleria_cursor *c;
	int n = 1;

	if (alleria_cursor_open(p, ALLERIA_EVENTS, &filter, &c))
		return;
	while ((n = alleria_next_event(c, &e)) > 0 || n == ALLERIA_E_DAMAGED)
		if (n > 0 && e->kind == ALLERIA_MARK &&
		    e->image == image_index && e->value <= (uint64_t)t->n)
			t->times[e->value - 1]++;
	alleria_cursor_close(c);
}

static struct image_marks
read_image_marks_with_occurrences(struct alleria_profile *p,
				  uint32_t process_index, uint32_t image_index)
{
	struct image_marks t = {
		.n = alleria_marks(p, process_index, image_index, &t.mark)};

	if (t.n > 0)
		t.times = calloc((size_t)t.n, sizeof(*t.times));
	if (!t.times)
		t.n = 0;
	else
		count_occurrences_of_image_marks(&t, p, process_index,
						 image_index);
	return t;
}

static void print_mark_line(FILE *f, const struct alleria_mark *m,
			    uint64_t occurrence_count)
{
	struct al_text text;
	char number[AL_NUMBER_BYTES];

	al_text_init(&text, f, false);
	fprintf(f, "  %-8s ", cl_mark_kind_name(m->kind));
	al_text_write(&text, AL_PLAIN, m->name);
	if (m->kind == ALLERIA_MARK_REGION)
		fprintf(f, ", 0x%" PRIx64 ", %s bytes", m->start,
			al_number_format_grouped(number, m->size));
	if (occurrence_count != 1)
		fprintf(f, ", %s times",
			al_number_format_grouped(number, occurrence_count));
	fputc('\n', f);
}

void cl_marks_print_of_process(struct alleria_profile *p, FILE *f,
			       uint32_t process_index)
{
	for (uint32_t i = 0; i < alleria_process(p, process_index)->images;
	     i++) {
		struct image_marks t =
			read_image_marks_with_occurrences(p, process_index, i);
		long shown = t.n > MAX_LINES ? MAX_LINES - 1 : t.n;

		for (long k = 0; k < shown; k++)
			print_mark_line(f, t.mark[k], t.times[k]);
		if (shown < t.n)
			fprintf(f,
				"           ... and %ld more; --json=FILE has "
				"all\n",
				t.n - shown);
		free(t.times);
	}
}

static void write_mark_json(struct an_sink *out, const struct alleria_mark *m,
			    uint64_t occurrence_count)
{
	out->begin(out, NULL);
	out->string(out, "kind", cl_mark_kind_name(m->kind));
	out->string(out, "name", m->name);
	out->number(out, "image", m->image);
	out->number(out, "times", occurrence_count);
	if (m->kind == ALLERIA_MARK_REGION) {
		out->number(out, "start", m->start);
		out->number(out, "size", m->size);
	}
	out->end(out);
}

void cl_marks_write_json_of_process(struct an_sink *out,
				    struct alleria_profile *p,
				    uint32_t process_index)
{
	out->begin_list(out, "marks");
	for (uint32_t i = 0; i < alleria_process(p, process_index)->images;
	     i++) {
		struct image_marks t =
			read_image_marks_with_occurrences(p, process_index, i);

		for (long k = 0; k < t.n; k++)
			write_mark_json(out, t.mark[k], t.times[k]);
		free(t.times);
	}
	out->end(out);
}
