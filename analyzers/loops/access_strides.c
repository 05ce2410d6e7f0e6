/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access_strides.c - counts strides that are not the most frequent one of their
   access; see access_strides.h */

#include "analyzers/loops/access_strides.h"

#include <stddef.h>

/* Return the bit of an_strides.filter for a stride: a multiplicative hash with
   2^64 divided by the golden ratio. */
static uint64_t filter_bit(uint64_t stride_bytes)
{
	return UINT64_C(1) << (stride_bytes * UINT64_C(0x9e3779b97f4a7c15) >>
			       58);
}

/* Return the element of s->found with stride @stride_bytes; NULL: none. */
static struct an_stride_count *find_stride_or_null(struct an_strides *s,
						   uint64_t stride_bytes)
{
	for (int i = 0; i < AN_STRIDES; i++)
		if (s->found[i].count > 0 && s->found[i].stride == stride_bytes)
			return &s->found[i];
	return NULL;
}

/* Count @found, a stride of @s, and exchange it with the first one if it is
   more frequent, because the first one is counted fastest. */
static void
count_stride_move_to_front_if_most_frequent(struct an_strides *s,
					    struct an_stride_count *found)
{
	struct an_stride_count first = s->found[0];

	found->count++;
	if (found->count > first.count) {
		s->found[0] = *found;
		*found = first;
		s->filter |= filter_bit(first.stride);
	}
}

static void add_stride_or_count_in_others(struct an_strides *s,
					  uint64_t stride_bytes)
{
	if (s->found[AN_STRIDES - 1].count > 0) {
		s->others++;
		return;
	}
	for (int i = 0; i < AN_STRIDES; i++)
		if (s->found[i].count == 0) {
			s->found[i].stride = stride_bytes;
			s->found[i].count = 1;
			s->filter |= filter_bit(stride_bytes);
			return;
		}
}

void an_strides_count_other(struct an_strides *s, uint64_t stride_bytes)
{
	struct an_stride_count *found = NULL;

	if (s->filter & filter_bit(stride_bytes))
		found = find_stride_or_null(s, stride_bytes);
	if (found != NULL)
		count_stride_move_to_front_if_most_frequent(s, found);
	else
		add_stride_or_count_in_others(s, stride_bytes);
}
