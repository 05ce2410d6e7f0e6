/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time_slice.h - asks Linux for longer turns of the processor
 *
 * A program and its workers often need more processors than there are. After
 * each switch a thread finds the caches full of the other's lines, and must
 * load megabytes of code and tables again. Linux runs a thread for some 3 ms at
 * a time. Since 6.12 a thread may ask for longer turns; this does not increase
 * its share, and does not delay threads that ask for short turns. Before 6.12
 * the request has no effect.
 */
#ifndef PROTO_SHARED_TIME_SLICE_H
#define PROTO_SHARED_TIME_SLICE_H

#include <stdbool.h>
#include <stdint.h>

/* Slice of processor time that is requested of Linux. [ns] */
#define PT_SLICE UINT64_C(20000000)

/* Argument of Linux's sched_getattr() and sched_setattr(), in its first
   version. */
struct pt_sched_attr {
	uint32_t size;	 /* [bytes] of this struct */
	uint32_t policy; /* scheduling policy; 0: SCHED_OTHER */
	uint64_t flags;
	int32_t nice;	   /* -20..19, for SCHED_OTHER */
	uint32_t priority; /* 1..99, for real-time policies */
	uint64_t slice;	   /* slice for SCHED_OTHER [ns]; 0: the kernel's
			      default */
	uint64_t deadline; /* deadline for SCHED_DEADLINE [ns] */
	uint64_t period;   /* period for SCHED_DEADLINE [ns] */
};

_Static_assert(sizeof(struct pt_sched_attr) == 48, "the kernel's size");

/* Set the slice in @s, which sched_getattr() has filled, to PT_SLICE; the
   caller then calls sched_setattr(). Return: whether @s was changed. A schedule
   with another policy than SCHED_OTHER, or with a slice of PT_SLICE or more, is
   a user's choice and is not changed. A shorter slice is lengthened, because a
   user's choice of one cannot be distinguished from the kernel's default.
   Context: any. */
static inline bool pt_sched_attr_lengthen_slice(struct pt_sched_attr *s)
{
	if (s->policy != 0 || s->slice >= PT_SLICE)
		return false;
	s->size = sizeof(*s);
	s->slice = PT_SLICE;
	return true;
}

#endif
