/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fault_count.c - counts the part of a block before a fault; see
   fault_count.h */

#include "vgtool/instrument/fault_count.h"

enum {
	SLAB_STEPS = 1 << 14, /* steps of a slab, 256 KiB; a block has fewer */
	MAX_SLABS = 256,
};

static struct vt_step **slabs;
static UInt n_slabs;
static UInt current_slab; /* index of the slab that steps are allocated from */
static UInt slab_used;	  /* steps of that slab in use */

void vt_segment_delete_all_steps(void)
{
	current_slab = slab_used = 0;
}

Bool vt_segment_is_memory_full(void)
{
	return current_slab >= MAX_SLABS;
}

static void allocate_slab(void)
{
	slabs = VG_(realloc)("vt.segment", slabs,
			     (n_slabs + 1) * sizeof(*slabs));
	slabs[n_slabs++] =
		VG_(malloc)("vt.segment", SLAB_STEPS * sizeof(struct vt_step));
}

struct vt_step *vt_segment_allocate_steps(UInt n)
{
	tl_assert(n <= SLAB_STEPS);
	if (slab_used + n > SLAB_STEPS) {
		current_slab++;
		slab_used = 0;
	}
	if (current_slab == n_slabs)
		allocate_slab();
	VG_(memset)
	(slabs[current_slab] + slab_used, 0, n * sizeof(struct vt_step));
	return slabs[current_slab] + slab_used;
}

void vt_segment_set_used_steps(UInt n)
{
	slab_used += n;
}

/* Whether a step of the segment that begins at @s has the address @pc. */
static Bool segment_has_pc(const struct vt_step *s, Addr pc)
{
	while (s->pc != pc && !s->is_last)
		s++;
	return s->pc == pc;
}

void vt_segment_add_counts(const struct vt_step *s, Addr pc, UInt *instrs,
			   UInt *reads, UInt *writes)
{
	if (!segment_has_pc(s, pc))
		return;
	for (; s->pc != pc; s++) {
		*instrs += s->begins_instr;
		*reads += s->reads;
		*writes += s->writes;
	}
	*instrs += s->begins_instr;
}
