/* SPDX-License-Identifier: GPL-2.0-or-later */
/* interleave.c - prints marks and windows between accesses; see interleave.h */

#include "cli/print/interleave.h"

#include "cli/print/profile_text.h"

static bool is_mark_or_window_event(const struct alleria_event *e)
{
	return e->kind == ALLERIA_MARK || e->kind == ALLERIA_WINDOW_BEGIN ||
	       e->kind == ALLERIA_WINDOW_END;
}

/* Read on until @b->next is a mark or window event; at the end or on an error,
   close @b. Damaged blocks are skipped silently: the cursor that reads the
   accesses reports them. */
static void read_next_mark_or_window_or_close(struct cl_interleave *b)
{
	int n = 1;

	do
		n = alleria_next_event(b->cursor, &b->next);
	while (n == ALLERIA_E_DAMAGED ||
	       (n > 0 && !is_mark_or_window_event(b->next)));
	if (n <= 0)
		cl_interleave_close_event_cursor(b);
}

int cl_interleave_open_events_if_printed(struct cl_interleave *b,
					 struct alleria_profile *p,
					 const struct alleria_filter *filter,
					 const struct cl_format *format)
{
	int err = 0;

	*b = (struct cl_interleave){.format = format};
	if (format->mark)
		err = alleria_cursor_open(p, ALLERIA_EVENTS, filter,
					  &b->cursor);
	if (b->cursor)
		read_next_mark_or_window_or_close(b);
	return err;
}

static void print_mark_event(const struct cl_format *format,
			     struct cl_lines *out,
			     const struct alleria_event *e)
{
	const struct alleria_mark *const *mark;
	long n = alleria_marks(out->profile, e->process, e->image, &mark);
	const struct alleria_mark *m;

	if (n < 0 || e->value > (uint64_t)n)
		return;
	m = mark[e->value - 1];
	format->mark(out, e,
		     &(struct cl_mark_text){cl_mark_kind_name(m->kind), m->name,
					    m->kind == ALLERIA_MARK_REGION,
					    m->start, m->size});
}

static void print_mark_or_window_event(const struct cl_format *format,
				       struct cl_lines *out,
				       const struct alleria_event *e)
{
	const struct alleria_window *w;
	long n = alleria_windows(out->profile, &w);
	bool opens = e->kind == ALLERIA_WINDOW_BEGIN;

	if (e->kind == ALLERIA_MARK)
		print_mark_event(format, out, e);
	else if (e->value < (uint64_t)n)
		format->mark(out, e,
			     &(struct cl_mark_text){.word = opens ? "opens"
								  : "closes",
						    .name = w[e->value].name});
}

void cl_interleave_print_events_up_to_access(struct cl_interleave *b,
					     struct cl_lines *out,
					     uint64_t access_number)
{
	while (b->next && b->next->access <= access_number) {
		print_mark_or_window_event(b->format, out, b->next);
		read_next_mark_or_window_or_close(b);
	}
}

void cl_interleave_close_event_cursor(struct cl_interleave *b)
{
	alleria_cursor_close(b->cursor);
	b->cursor = NULL;
	b->next = NULL;
}
