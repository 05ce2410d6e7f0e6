/* SPDX-License-Identifier: GPL-2.0-or-later */
/* marks.c - stores named marks: events and memory regions; see marks.h */

#include "lib/recover/marks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "base/tables/intern.h"

int al_marks_add_from_log_record(struct al_marks *m, struct al_intern *strings,
				 const struct pt_log_named *r)
{
	const char *name = (const char *)(r + 1), *end;
	struct al_mark mark;

	if (r->head.bytes <= sizeof(*r) || r->id != m->n + 1 ||
	    m->n == PT_MAX_NAMES)
		return -EPROTO;
	end = memchr(name, 0, r->head.bytes - sizeof(*r));
	if (end == NULL || end - name > PT_MAX_NAME)
		return -EPROTO;
	mark = (struct al_mark){
		.name = al_intern_question_marks_if_no_memory(strings, name),
		.start = r->start,
		.size = r->size,
		.kind = r->kind,
	};
	if (al_array_reserve(m->mark, m->size, m->n + 1) != 0)
		return -ENOMEM;
	m->mark[m->n++] = mark;
	return 0;
}

const struct al_mark *al_marks_find(const struct al_marks *m, uint32_t id)
{
	return id > 0 && id <= m->n ? &m->mark[id - 1] : NULL;
}

void al_marks_release(struct al_marks *m)
{
	free(m->mark);
	*m = (struct al_marks){0};
}
