/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pending_requests.c - stores requested marks and flushes; see
   pending_requests.h */

#include "vgtool/transport/pending_requests.h"

#include "vgtool/transport/named_marks.h"
#include "vgtool/transport/ring.h"

/* A requested mark, in a list in the order of arrival. */
struct mark {
	struct mark *next;
	HChar name[PT_MAX_NAME + 1];
};

static struct mark *first_mark, **last_link = &first_mark;
static Bool flush_is_pending;

void vt_pending_add_mark(const HChar *name, UInt name_bytes)
{
	struct mark *m = VG_(calloc)("vt.asked", 1, sizeof(*m));

	VG_(memcpy)
	(m->name, name, name_bytes < PT_MAX_NAME ? name_bytes : PT_MAX_NAME);
	*last_link = m;
	last_link = &m->next;
}

void vt_pending_set_ring_flush(void)
{
	flush_is_pending = True;
}

void vt_pending_write_marks_and_publish_chunk(void)
{
	struct mark *m;

	while ((m = first_mark) != NULL) {
		first_mark = m->next;
		last_link = first_mark == NULL ? &first_mark : last_link;
		vt_mark_write_or_skip(PT_NAMED_MARK, m->name, 0, 0);
		VG_(free)(m);
	}
	if (flush_is_pending)
		vt_ring_publish_chunk_if_room_and_notify();
	flush_is_pending = False;
}
