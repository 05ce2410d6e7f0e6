/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_use.c - counts how many bytes of each line of the first level of data
 * are used until the line is evicted
 *
 * A byte is used if it is read or written, by any site (an access of an
 * instruction). A line belongs to the site that fetched it. Lines that are
 * resident when the exec image ends count as if they were evicted.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/cache/evidence/collectors.h"
#include "base/tables/array.h"

enum { WORD_BITS = 64 };

struct site_lines {
	uint64_t fetched;    /* lines that the site fetched, counted when they
				are evicted */
	uint64_t used_bytes; /* bytes used of the lines in `fetched`, summed */
};

struct line_counter {
	struct site_lines *site; /* [size] counts by site */
	uint32_t size;
	uint32_t line;	 /* [bytes] size of a line */
	uint32_t words;	 /* words of a line's bit map, a bit for each byte */
	size_t ways;	 /* of the whole level */
	uint32_t *owner; /* by way: site that fetched the way's line;
			    AN_NO_SITE: empty way, or line not counted */
	uint64_t *used;	 /* by way, `words` words each: bit map of the bytes
			    used of the way's line */
};

static int allocate_line_owners_and_used_bit_maps(void *state,
						  const struct an_level *level)
{
	struct line_counter *c = state;

	c->line = level->line;
	c->words = (level->line + WORD_BITS - 1) / WORD_BITS;
	c->ways = level->sets * level->assoc;
	c->owner = malloc(c->ways * sizeof(*c->owner));
	c->used = calloc(c->ways * c->words, sizeof(*c->used));
	if (c->owner == NULL || c->used == NULL)
		return -ENOMEM;
	memset(c->owner, 0xff, c->ways * sizeof(*c->owner));
	return 0;
}

/* Return the number of bits set in @word: sum pairs of bits, then fours, then
   bytes, then all bytes. The compiler's built-in function would call a
   library. */
static unsigned count_set_bits(uint64_t word)
{
	word -= word >> 1 & UINT64_C(0x5555555555555555);
	word = (word & UINT64_C(0x3333333333333333)) +
	       (word >> 2 & UINT64_C(0x3333333333333333));
	word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (unsigned)(word * UINT64_C(0x0101010101010101) >> 56);
}

/* Add the line in way @way, and its used bytes, to the counts of the site (an
   access of an instruction) that fetched it; do nothing if that is
   AN_NO_SITE. */
static void count_line_for_fetching_site(struct line_counter *c, size_t way)
{
	const uint64_t *used = c->used + way * c->words;
	struct site_lines *site;

	if (c->owner[way] == AN_NO_SITE)
		return;
	site = &c->site[c->owner[way]];
	site->fetched++;
	for (uint32_t i = 0; i < c->words; i++)
		site->used_bytes += count_set_bits(used[i]);
}

/* Set bits @begin to @end - 1 of a line's bit map: these bytes are used. */
static void mark_used_bytes_of_line(uint64_t *used_bit_map, uint32_t begin,
				    uint32_t end)
{
	while (begin < end) {
		uint32_t bit = begin % WORD_BITS;
		uint32_t n = end - begin < WORD_BITS - bit ? end - begin
							   : WORD_BITS - bit;

		used_bit_map[begin / WORD_BITS] |= UINT64_MAX >> (WORD_BITS - n)
									 << bit;
		begin += n;
	}
}

/* Mark as used the bytes of access @a that are in the line of @t. If that line
   was just fetched, first count the line that was evicted from its way. */
static void
count_evicted_and_mark_used_bytes(struct line_counter *c,
				  const struct an_observed_access *a,
				  const struct an_line_touch *t)
{
	uint64_t line_start = t->line * c->line;
	uint64_t *used = c->used + (size_t)t->way * c->words;
	uint64_t begin = a->addr > line_start ? a->addr - line_start : 0;
	uint64_t end = a->addr + a->size - line_start;

	if (t->missed) {
		count_line_for_fetching_site(c, t->way);
		c->owner[t->way] = a->site;
		memset(used, 0, c->words * sizeof(*used));
	}
	mark_used_bytes_of_line(used, (uint32_t)begin,
				end < c->line ? (uint32_t)end : c->line);
}

static int
mark_used_bytes_count_evicted_lines(void *state,
				    const struct an_observed_access *access,
				    size_t access_count, uint32_t n_sites)
{
	struct line_counter *c = state;

	if (al_array_reserve_zeroed(c->site, c->size, n_sites) != 0)
		return -ENOMEM;
	for (size_t i = 0; i < access_count; i++)
		for (unsigned k = 0; k < access[i].n_touches; k++)
			count_evicted_and_mark_used_bytes(c, &access[i],
							  &access[i].touch[k]);
	return 0;
}

static int count_resident_lines_as_evicted(void *state)
{
	struct line_counter *c = state;

	for (size_t way = 0; way < c->ways; way++)
		count_line_for_fetching_site(c, way);
	return 0;
}

static void add_line_and_used_byte_counts_of_site(const void *state,
						  uint32_t site,
						  struct an_site_counts *out)
{
	const struct line_counter *c = state;

	if (site >= c->size)
		return;
	out->count[AN_SITE_LINES] += c->site[site].fetched;
	out->count[AN_SITE_USED_BYTES] += c->site[site].used_bytes;
}

static void release_line_counter(void *state)
{
	struct line_counter *c = state;

	free(c->site);
	free(c->owner);
	free(c->used);
}

const struct an_collector an_collect_line_use = {
	.state_size = sizeof(struct line_counter),
	.init = allocate_line_owners_and_used_bit_maps,
	.collect = mark_used_bytes_count_evicted_lines,
	.finish = count_resident_lines_as_evicted,
	.add_counts = add_line_and_used_byte_counts_of_site,
	.release = release_line_counter,
};
