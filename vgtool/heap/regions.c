/* SPDX-License-Identifier: GPL-2.0-or-later */
/* regions.c - records the memory regions that the program names; see regions.h
 */

#include "vgtool/heap/regions.h"

#include <pub_tool_oset.h>

#include "vgtool/heap/text_unit.h"

struct bounds {
	Addr start, last; /* inclusive */
};

struct region {
	struct bounds bounds;
	HChar *name;
};

static OSet *regions; /* struct region, which do not overlap, by address */

/* Compare a range with a region; return 0 if they overlap. */
static Word compare_equal_if_overlapping(const void *bounds, const void *region)
{
	const struct bounds *b = bounds;
	const struct bounds *other = &((const struct region *)region)->bounds;

	return b->last < other->start ? -1 : b->start > other->last;
}

static struct bounds bounds_of(Addr start, SizeT size)
{
	Addr last = start + (size ? size - 1 : 0);

	return (struct bounds){start, last < start ? ~(Addr)0 : last};
}

/* Store a region. There must be none that it overlaps. */
static void insert_region(struct bounds b, const HChar *name)
{
	struct region *r;

	if (regions == NULL)
		regions = VG_(OSetGen_Create)(offsetof(struct region, bounds),
					      compare_equal_if_overlapping,
					      VG_(malloc), "vt.heap.regions",
					      VG_(free));
	r = VG_(OSetGen_AllocNode)(regions, sizeof(*r));
	r->bounds = b;
	r->name = VG_(strdup)("vt.heap.regions", name);
	VG_(OSetGen_Insert)(regions, r);
}

static Bool has_regions(void)
{
	return regions != NULL && VG_(OSetGen_Size)(regions) != 0;
}

static void free_removed_region(struct region *r)
{
	VG_(free)(r->name);
	VG_(OSetGen_FreeNode)(regions, r);
}

void vt_regions_cut_out(Addr start, SizeT size)
{
	const struct bounds b = bounds_of(start, size);
	struct region *r;

	if (!has_regions())
		return;
	while ((r = VG_(OSetGen_Remove)(regions, &b)) != NULL) {
		if (r->bounds.start < b.start)
			insert_region(
				(struct bounds){r->bounds.start, b.start - 1},
				r->name);
		if (r->bounds.last > b.last)
			insert_region(
				(struct bounds){b.last + 1, r->bounds.last},
				r->name);
		free_removed_region(r);
	}
}

static void write_named_memory_region_to_stream(const struct bounds *b,
						SizeT size, const HChar *name)
{
	const ULong word[] = {b->start, size};

	vt_text_unit_write_when_room(PT_REGION, 0, word, 2, name);
}

static void end_region_at_address_if_any(Addr addr)
{
	const struct bounds b = {addr, addr};
	struct region *r =
		has_regions() ? VG_(OSetGen_Remove)(regions, &b) : NULL;

	if (r != NULL)
		free_removed_region(r);
}

void vt_regions_write_unit_and_store(Addr start, SizeT size, const HChar *name)
{
	const struct bounds b = bounds_of(start, size);

	write_named_memory_region_to_stream(&b, size, name);
	if (size == 0) {
		end_region_at_address_if_any(start);
		return;
	}
	vt_regions_cut_out(start, size);
	insert_region(b, name);
}

void vt_regions_write_all(void)
{
	const struct region *r;

	if (regions == NULL)
		return;
	VG_(OSetGen_ResetIter)(regions);
	while ((r = VG_(OSetGen_Next)(regions)) != NULL)
		write_named_memory_region_to_stream(
			&r->bounds, r->bounds.last - r->bounds.start + 1,
			r->name);
}
