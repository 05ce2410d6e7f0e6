/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fault_count.c - where blocks that count are stopped; see fault_count.h */

#include "vgtool/instrument/fault_count.h"

enum {
	STEPS = 1 << 14, /* of a piece of memory; a block has fewer */
	MANY = 256,	 /* pieces: of 256 KiB each */
};

static struct vt_step **pieces;
static UInt n_pieces, current; /* in use: those before current, and of it */
static UInt used;

void vt_segment_forget(void)
{
	current = used = 0;
}

Bool vt_segment_is_full(void)
{
	return current >= MANY;
}

static void add_piece(void)
{
	pieces = VG_(realloc)("vt.segment", pieces,
			      (n_pieces + 1) * sizeof(*pieces));
	pieces[n_pieces++] =
		VG_(malloc)("vt.segment", STEPS * sizeof(struct vt_step));
}

struct vt_step *vt_segment_room(UInt n)
{
	tl_assert(n <= STEPS);
	if (used + n > STEPS) {
		current++;
		used = 0;
	}
	if (current == n_pieces)
		add_piece();
	VG_(memset)
	(pieces[current] + used, 0, n * sizeof(struct vt_step));
	return pieces[current] + used;
}

void vt_segment_used(UInt n)
{
	used += n;
}

static Bool has(const struct vt_step *s, Addr pc)
{
	while (s->pc != pc && !s->last)
		s++;
	return s->pc == pc;
}

void vt_segment_done(const struct vt_step *s, Addr pc, UInt *instrs,
		     UInt *reads, UInt *writes)
{
	if (!has(s, pc))
		return;
	for (; s->pc != pc; s++) {
		*instrs += s->begun;
		*reads += s->reads;
		*writes += s->writes;
	}
	*instrs += s->begun;
}
