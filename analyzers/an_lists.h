/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * an_lists.h - the lines of each set as a list in order of use: what the levels
 *              are compared with
 */
#ifndef AN_LISTS_H
#define AN_LISTS_H

#include "analyzers/an_level.h"

enum { AN_LISTS_SETS = 64 };

/* Most recently used first. Zeroed: empty. */
struct an_lists {
	struct {
		uint64_t line;
		bool dirty;
	} way[AN_LISTS_SETS][AN_WIDE];
	unsigned n[AN_LISTS_SETS];
	uint64_t writebacks;
	uint64_t thrown; /* as in struct an_ways */
};

/* Room for a line that is missing: at the end of its set's list. */
static inline unsigned an_lists_add(struct an_lists *l, unsigned set,
				    unsigned assoc)
{
	unsigned i = l->n[set];

	l->thrown = 0;
	if (i < assoc) {
		l->n[set]++;
		return i;
	}
	i--;
	l->thrown = (l->way[set][i].line + 1) |
		    (l->way[set][i].dirty ? AN_DIRTY : 0);
	l->writebacks += l->way[set][i].dirty;
	return i;
}

/* Return: whether it was missing. */
static inline bool an_lists_use(struct an_lists *l, unsigned sets,
				unsigned assoc, uint64_t line, bool write)
{
	unsigned set = line % sets, i = 0;
	bool dirty = write, missing;

	while (i < l->n[set] && l->way[set][i].line != line)
		i++;
	missing = i == l->n[set];
	if (missing)
		i = an_lists_add(l, set, assoc);
	else
		dirty |= l->way[set][i].dirty;
	for (; i > 0; i--)
		l->way[set][i] = l->way[set][i - 1];
	l->way[set][0].line = line;
	l->way[set][0].dirty = dirty;
	return missing;
}

/* A first level of code, beside one of data. */
static inline struct an_geometry an_lists_code(uint64_t sets, unsigned assoc,
					       unsigned line)
{
	return (struct an_geometry){
		.level = {{"I1", AN_INSTRUCTION, 0, assoc, line, sets,
			   AN_MEMORY},
			  {"D1", AN_DATA, 4096, 4, line, 16, AN_MEMORY}},
		.n_levels = 2,
		.first_data = 1,
	};
}

/* A number at random. */
static inline uint64_t an_lists_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

/* Of few lines more than there is room for; and each has a twin, so far behind
   it. */
static inline uint64_t an_lists_line(uint64_t *state, unsigned room,
				     uint64_t far)
{
	uint64_t line = an_lists_next(state) % (room + room / 4 + 2);

	return line + (an_lists_next(state) % 3 == 0) * far;
}

#endif
