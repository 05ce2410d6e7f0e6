/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time_slice.h - how long a thread may run before another takes its processor
 *
 * A program and its workers often want more processors than there are. Each
 * time that one takes the other's place it finds the caches full of the
 * other's lines, and they have megabytes of code and tables to fetch again.
 * Linux gives a thread some 3 ms at a time; since 6.12 one may ask for longer
 * turns, which gives it no greater share, and others that ask for short turns
 * do not wait longer. Before 6.12 asking changes nothing.
 */
#ifndef PROTO_SHARED_TIME_SLICE_H
#define PROTO_SHARED_TIME_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#define PT_SLICE UINT64_C(20000000) /* [ns] */

/* What Linux's sched_getattr() and sched_setattr() take, all of its first
   version. */
struct pt_schedule {
	uint32_t size;	 /* [bytes] of this */
	uint32_t policy; /* 0: the usual one */
	uint64_t flags;
	int32_t nice;	   /* -20..19, of the usual policy */
	uint32_t priority; /* 1..99, of real-time policies */
	uint64_t slice; /* [ns], of the usual policy; 0: as the kernel likes */
	uint64_t deadline; /* [ns], of the policy of deadlines */
	uint64_t period;   /* [ns], of the same */
};

_Static_assert(sizeof(struct pt_schedule) == 48, "the kernel's size");

/* A thread's schedule with a slice as long as PT_SLICE. Return: whether that
   differs; a user who has chosen another policy, or longer, knows why. Shorter
   ones cannot be told from the kernel's own. Context: any. */
static inline bool pt_slice_lengthen(struct pt_schedule *s)
{
	if (s->policy != 0 || s->slice >= PT_SLICE)
		return false;
	s->size = sizeof(*s);
	s->slice = PT_SLICE;
	return true;
}

#endif
