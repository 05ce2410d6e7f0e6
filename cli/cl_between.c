/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cl_between.c - see cl_between.h */

#include "cli/cl_between.h"

/* Damage is the accesses' to tell. */
static void find_next(struct cl_between *b)
{
	int n = 1;

	do
		n = alleria_next_event(b->cursor, &b->next);
	while (n == ALLERIA_E_DAMAGED ||
	       (n > 0 && b->next->kind != ALLERIA_MARK));
	if (n <= 0)
		cl_between_close(b);
}

int cl_between_open(struct cl_between *b, struct alleria_profile *p,
		    const struct alleria_filter *filter,
		    const struct cl_format *format)
{
	int err = 0;

	*b = (struct cl_between){.format = format};
	if (format->mark)
		err = alleria_cursor_open(p, ALLERIA_EVENTS, filter,
					  &b->cursor);
	if (b->cursor)
		find_next(b);
	return err;
}

void cl_between_print(struct cl_between *b, struct cl_lines *out,
		      uint64_t access)
{
	while (b->next && b->next->access <= access) {
		const struct alleria_event *e = b->next;
		const struct alleria_mark *const *mark;
		long n = alleria_marks(out->profile, e->process, e->image,
				       &mark);

		if (n >= 0 && e->value <= (uint64_t)n)
			b->format->mark(out, e, mark[e->value - 1]);
		find_next(b);
	}
}

void cl_between_close(struct cl_between *b)
{
	alleria_cursor_close(b->cursor);
	b->cursor = NULL;
	b->next = NULL;
}
