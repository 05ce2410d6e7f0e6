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
static UInt slab_used;	  /* number of steps of the current slab in use */

void vt_segment_delete_steps_of_all_segments(void)
{
	current_slab = slab_used = 0;
}

Bool vt_segment_is_memory_of_steps_used_up(void)
{
	return current_slab >= MAX_SLABS;
}

static void append_step_slab(void)
{
	slabs = VG_(realloc)("vt.segment", slabs,
			     (n_slabs + 1) * sizeof(*slabs));
	slabs[n_slabs++] =
		VG_(malloc)("vt.segment", SLAB_STEPS * sizeof(struct vt_step));
}

struct vt_step *vt_segment_reserve_steps(UInt max_steps)
{
	tl_assert(max_steps <= SLAB_STEPS);
	if (slab_used + max_steps > SLAB_STEPS) {
		current_slab++;
		slab_used = 0;
	}
	if (current_slab == n_slabs)
		append_step_slab();
	VG_(memset)
	(slabs[current_slab] + slab_used, 0,
	 max_steps * sizeof(struct vt_step));
	return slabs[current_slab] + slab_used;
}

void vt_segment_commit_first_reserved_steps(UInt used_step_count)
{
	slab_used += used_step_count;
}

/* Whether a step of the segment that begins at @first_step has the address @pc.
   */
static Bool segment_has_pc(const struct vt_step *first_step, Addr pc)
{
	while (first_step->pc != pc && !first_step->is_last)
		first_step++;
	return first_step->pc == pc;
}

void vt_segment_add_counts_until_pc(const struct vt_step *first_step, Addr pc,
				    UInt *instrs, UInt *reads, UInt *writes)
{
	if (!segment_has_pc(first_step, pc))
		return;
	for (; first_step->pc != pc; first_step++) {
		*instrs += first_step->begins_instr;
		*reads += first_step->reads;
		*writes += first_step->writes;
	}
	*instrs += first_step->begins_instr;
}
