/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access_strides.c - counts strides that are not the most frequent one of their
   access; see access_strides.h */

#include "analyzers/loops/access_strides.h"

#include <stddef.h>

/* Return the first element of s->found with stride @stride_bytes, which may be
   one without a count if the stride is 0; NULL: none. All elements are
   compared, since a jump after each could not be predicted. */
static struct an_stride_count *find_stride_or_null(struct an_strides *s,
						   uint64_t stride_bytes)
{
	unsigned equal = 0;

#pragma GCC unroll 8
	for (unsigned i = 0; i < AN_STRIDES; i++)
		equal |= (unsigned)(s->found[i].stride == stride_bytes) << i;
	return equal == 0 ? NULL : &s->found[__builtin_ctz(equal)];
}

/* Return the first element of s->found without a count; NULL: none. */
static struct an_stride_count *find_room_or_null(struct an_strides *s)
{
	for (int i = 0; i < AN_STRIDES; i++)
		if (s->found[i].count == 0)
			return &s->found[i];
	return NULL;
}

static void set_filter_to_bits_of_no_found_stride(struct an_strides *s)
{
	s->filter = UINT64_MAX;
	for (int i = 0; i < AN_STRIDES; i++)
		s->filter &= ~an_stride_bloom_filter_bits(s->found[i].stride);
}

/* Exchange @found with the first stride of @s if it is more frequent, because
   the first one is counted fastest. */
static void move_to_front_if_most_frequent(struct an_strides *s,
					   struct an_stride_count *found)
{
	struct an_stride_count first = s->found[0];

	if (found->count <= first.count)
		return;
	s->found[0] = *found;
	*found = first;
}

void an_strides_count_stride_besides_most_frequent(struct an_strides *s,
						   uint64_t stride_bytes)
{
	struct an_stride_count *found = find_stride_or_null(s, stride_bytes);

	if (found == NULL)
		found = find_room_or_null(s);
	if (found == NULL) {
		s->others++;
		return;
	}
	found->stride = stride_bytes;
	if (found->count++ == 0 && found == &s->found[AN_STRIDES - 1])
		set_filter_to_bits_of_no_found_stride(s);
	move_to_front_if_most_frequent(s, found);
}
