/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pending_requests.c - what somebody asks the daemon for; see
   pending_requests.h */

#include "vgtool/transport/pending_requests.h"

#include "vgtool/transport/named_marks.h"
#include "vgtool/transport/ring.h"

/* One that is to be left, in the order they came. */
struct mark {
	struct mark *next;
	HChar name[PT_MAX_NAME + 1];
};

static struct mark *first, **last = &first;
static Bool flush;

void vt_asked_mark(const HChar *name, UInt bytes)
{
	struct mark *m = VG_(calloc)("vt.asked", 1, sizeof(*m));

	VG_(memcpy)(m->name, name, bytes < PT_MAX_NAME ? bytes : PT_MAX_NAME);
	*last = m;
	last = &m->next;
}

void vt_asked_flush(void)
{
	flush = True;
}

void vt_asked_do(void)
{
	struct mark *m;

	while ((m = first) != NULL) {
		first = m->next;
		last = first == NULL ? &first : last;
		vt_names_tell(PT_NAMED_MARK, m->name, 0, 0);
		VG_(free)(m);
	}
	if (flush)
		vt_ring_flush();
	flush = False;
}
