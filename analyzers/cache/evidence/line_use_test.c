/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_use_test.c - tests the level of the observer, the bytes used of lines
 * and the lines fetched once against simple models
 */
#include <stdlib.h>
#include <string.h>

#include "analyzers/cache/evidence/collectors.h"
#include "analyzers/cache/evidence/data_cache.h"
#include "tests/fixtures/toy_lru.h"
#include "tests/tap.h"

enum { LINES = 200, USES = 20000, SITES = 3, MAX_LINE = 128 };

/* A model: which bytes of each line of memory are used since it was fetched. */
struct model_line {
	bool is_used[MAX_LINE];
	bool is_resident;
	uint32_t owner;
	unsigned fetches;
	uint32_t first;
};

static struct model_line model[LINES];
static uint64_t fetched[SITES], used[SITES], single[SITES];

static void evict(struct model_line *l, unsigned size)
{
	for (unsigned i = 0; i < size; i++) {
		if (l->owner < SITES)
			used[l->owner] += l->is_used[i];
		l->is_used[i] = false;
	}
	if (l->owner < SITES)
		fetched[l->owner]++;
	l->is_resident = false;
}

/* Evict from the model the line that a way held. @line_of_way: by way, plus
   1. */
static void fetch(uint64_t *line_of_way, const struct an_line_touch *t,
		  uint32_t site, unsigned size)
{
	struct model_line *l = &model[t->line];

	if (line_of_way[t->way])
		evict(&model[line_of_way[t->way] - 1], size);
	line_of_way[t->way] = t->line + 1;
	l->is_resident = true;
	l->owner = site;
	if (l->fetches++ == 0)
		l->first = site;
}

static void count_single_lines(void)
{
	for (unsigned i = 0; i < LINES; i++)
		if (model[i].fetches == 1 && model[i].first < SITES)
			single[model[i].first]++;
}

static void check_site(void *use, void *once, uint32_t site)
{
	struct an_site_counts c = {.count = {0}};

	an_collect_line_use.add_counts(use, site, &c);
	an_collect_single_fetches.add_counts(once, site, &c);
	is_u64(c.count[AN_SITE_LINES], fetched[site], "lines fetched");
	is_u64(c.count[AN_SITE_USED_BYTES], used[site], "bytes used of them");
	is_u64(c.count[AN_SITE_SINGLE_LINES], single[site], "fetched once");
}

/* Make access @i: to a random one of the first lines, now and then to one of
   the last, which are used once. */
static struct an_observed_access make_access(unsigned i, unsigned line,
					     uint64_t *state)
{
	uint64_t number = i % 300 == 299 ? LINES - 1 - i / 300
					 : toy_lru_random(state) % (LINES / 2);
	struct an_observed_access a = {
		.addr = number * line + toy_lru_random(state) % (line - 7),
		.site = i % 7 == 6 ? AN_NO_SITE : i % SITES,
		.size = 8,
		.n_touches = 1};

	a.touch[0].line = number;
	return a;
}

static void evict_all(unsigned line)
{
	for (unsigned i = 0; i < LINES; i++)
		if (model[i].is_resident)
			evict(&model[i], line);
}

static void reset_model(void)
{
	memset(model, 0, sizeof(model));
	memset(fetched, 0, sizeof(fetched));
	memset(used, 0, sizeof(used));
	memset(single, 0, sizeof(single));
}

static void test(uint64_t sets, unsigned assoc, unsigned line)
{
	const struct an_level level = {
		.line = line, .assoc = assoc, .sets = sets};
	void *use = calloc(1, an_collect_line_use.state_size);
	void *once = calloc(1, an_collect_single_fetches.state_size);
	uint64_t *line_of_way = calloc(sets * assoc, sizeof(*line_of_way));
	struct toy_lru_sets lists = {.writebacks = 0};
	struct an_data_cache cache;
	uint64_t state = 88172645463325252u, differences = 0;

	reset_model();
	printf("# %u sets of %u ways of %u bytes\n", (unsigned)sets, assoc,
	       line);
	if (!ok(!an_data_cache_init(&cache, &level) &&
			!an_collect_line_use.init(use, &level),
		"initialised"))
		return;
	for (unsigned i = 0; i < USES; i++) {
		struct an_observed_access a = make_access(i, line, &state);
		struct an_line_touch *t = &a.touch[0];

		t->missed = an_data_cache_use_line_is_miss(&cache, t->line,
							   &t->way);
		differences += t->missed != toy_lru_use(&lists, (unsigned)sets,
							assoc, t->line, false);
		if (t->missed)
			fetch(line_of_way, t, a.site, line);
		memset(model[t->line].is_used + a.addr % line, true, a.size);
		an_collect_line_use.collect(use, &a, 1, SITES);
		an_collect_single_fetches.collect(once, &a, 1, SITES);
	}
	is_u64(differences, 0, "the level misses as LRU lists do");
	an_collect_line_use.finish(use);
	evict_all(line);
	count_single_lines();
	for (uint32_t site = 0; site < SITES; site++)
		check_site(use, once, site);
	ok(single[0] + single[1] + single[2] > 10 && fetched[0] > 1000,
	   "which there are");
	an_data_cache_release(&cache);
	an_collect_line_use.release(use);
	an_collect_single_fetches.release(once);
	free(use);
	free(once);
	free(line_of_way);
}

int main(void)
{
	test(8, 4, 64);
	test(1, 16, 32);
	test(5, 3, 128);
	return done_testing();
}
