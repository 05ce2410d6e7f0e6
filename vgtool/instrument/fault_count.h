/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fault_count.h - how far a block that counts had come when a fault stopped it
 *
 * Code takes what it did off the meter where it may be left. A segment lies
 * between two such places, and is told to a shadow register at its beginning;
 * where in it a fault was tells the program counter.
 */
#ifndef VGTOOL_INSTRUMENT_FAULT_COUNT_H
#define VGTOOL_INSTRUMENT_FAULT_COUNT_H

#include "vgtool/core/prelude.h"

/* An instruction of a segment, or what is left of one. */
struct vt_step {
	Addr pc;
	UShort begun; /* 1: its beginning lies in the segment */
	UShort reads, writes;
	UShort last; /* 1: of the segment */
};

/* All code has been forgotten. */
void vt_segment_forget(void);

/* Whether they take so much memory that the code had better be forgotten. */
Bool vt_segment_is_full(void);

/* Room for @n steps of a block, zeroed, of which all but those used are given
   back with the next. */
struct vt_step *vt_segment_room(UInt n);
void vt_segment_used(UInt n);

/* What was done of a segment when the program counter was @pc: adds to
   what it is given. The accesses of the instruction there are not among it. */
void vt_segment_done(const struct vt_step *, Addr pc, UInt *instrs, UInt *reads,
		     UInt *writes);

#endif
