/* SPDX-License-Identifier: GPL-2.0-or-later */
/* data_cache.c - simulates one cache level; see data_cache.h */

#include "analyzers/cache/evidence/data_cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int an_data_cache_init(struct an_data_cache *c, const struct an_level *level)
{
	size_t ways = level->sets * level->assoc;

	*c = (struct an_data_cache){
		.line = malloc(ways * sizeof(*c->line)),
		.way = malloc(ways * sizeof(*c->way)),
		.sets = level->sets,
		.assoc = level->assoc,
		.shift = (uint32_t)__builtin_ctz(level->line)};
	if (c->line == NULL || c->way == NULL)
		return -ENOMEM;
	if ((c->sets & (c->sets - 1)) == 0)
		c->mask = c->sets - 1;
	memset(c->line, 0xff, ways * sizeof(*c->line));
	for (size_t i = 0; i < ways; i++)
		c->way[i] = (uint32_t)i;
	return 0;
}

void an_data_cache_release(struct an_data_cache *c)
{
	free(c->line);
	free(c->way);
	*c = (struct an_data_cache){0};
}

bool an_data_cache_search_fill_is_miss(struct an_data_cache *c,
				       uint64_t set_first_way_index,
				       uint64_t line)
{
	uint64_t *l = c->line + set_first_way_index;
	uint32_t *w = c->way + set_first_way_index, i = 0, way;
	bool missed;

	while (i < c->assoc - 1 && l[i] != line)
		i++;
	missed = l[i] != line;
	way = w[i];
	memmove(l + 1, l, i * sizeof(*l));
	memmove(w + 1, w, i * sizeof(*w));
	l[0] = line;
	w[0] = way;
	return missed;
}
