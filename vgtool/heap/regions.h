/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regions.h - records the memory regions that the program names by
 * ALLERIA_REGION()
 *
 * Memory leaves a region when it is named again, mapped or unmapped, or lies in
 * a heap block that begins or ends. Regions that have not ended are stored for
 * a forked child. An operation takes O(log n) time for n regions, and for each
 * one that it removes.
 */
#ifndef VGTOOL_HEAP_REGIONS_H
#define VGTOOL_HEAP_REGIONS_H

#include "vgtool/core/prelude.h"

/* Store a region, in place of the parts of others there, and write its
   PT_REGION unit. @size: [bytes]; 0: end the region that contains @start. Waits
   for room in the ring. */
void vt_regions_write_unit_and_store(Addr start, SizeT size, const HChar *name);

/* Cut the addresses from @start to @start + @size - 1 out of the regions;
   @start alone if @size is 0. */
void vt_regions_cut_out(Addr start, SizeT size);

/* Write a PT_REGION unit for each region, by address. Waits for room in the
   ring. */
void vt_regions_write_all(void);

#endif
