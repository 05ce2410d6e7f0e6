/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache.c - implements the analyses "cache" and "cachegrind"
 *
 * Counts equal those of `cachegrind --cache-sim=yes` for the same geometry.
 * Each process image starts with empty caches, which its threads share.
 */

#include <errno.h>

#include "analyzers/cache/cachegrind.h"

struct cache {
	const struct an_env *env;
	unsigned parts;
	struct an_cachesim sim;
	struct an_cacheresult result;
};

static int cache_open(void *state, const struct an_env *env)
{
	struct cache *c = state;

	c->env = env;
	return 0;
}

static int cachegrind_open(void *state, const struct an_env *env)
{
	struct cache *c = state;

	c->env = env;
	c->result.by_place = true;
	return 0;
}

/* Add a block. The levels are created with the first block: an image that only
   merges the results of others needs no levels. */
static int cache_block(void *state, const struct an_block *block)
{
	struct cache *c = state;
	int err = 0;

	if (c->sim.hierarchy.geometry == NULL)
		err = an_cachesim_init(&c->sim, c->env, c->parts);
	return err ? err : an_cachesim_add(&c->sim, block);
}

static int cache_prepare(void *state, const struct an_batch *batch)
{
	return an_cachesim_prepare(&((struct cache *)state)->sim, batch);
}

/* Simulate a batch. A chunk without executions may come before the levels
   exist. */
static int cache_batch(void *state, const struct an_batch *batch)
{
	return batch->n_execs == 0
		       ? 0
		       : an_cachesim_run(&((struct cache *)state)->sim, batch);
}

static unsigned cache_partition(void *state, unsigned parts)
{
	struct cache *c = state;

	c->parts = an_hierarchy_parts(c->env->geometry, parts);
	return c->parts;
}

static enum an_course cache_begin(void *state, const struct an_batch *chunk)
{
	struct an_cachesim *s = &((struct cache *)state)->sim;

	return s->parts.lane ? an_spread_begin(s, chunk) : AN_ON;
}

static int cache_spread(void *state, const struct an_batch *batch)
{
	return an_spread_run(&((struct cache *)state)->sim, batch);
}

static int cache_part(void *state, const struct an_batch *chunk, unsigned part)
{
	struct an_cachesim *s = &((struct cache *)state)->sim;

	return chunk->n_execs ? an_part_run(s, chunk, part) : 0;
}

static int cache_join(void *state, const struct an_batch *chunk)
{
	return chunk->n_execs == 0
		       ? 0
		       : an_part_join(&((struct cache *)state)->sim, chunk);
}

static int cache_tail(void *state, const struct an_batch *chunk)
{
	return an_cachesend_run(&((struct cache *)state)->sim, chunk);
}

static int cache_finish(void *state)
{
	struct cache *c = state;
	int err = an_cacheresult_collect(&c->result, &c->sim, c->env);

	if (an_hierarchy_failed(&c->sim.hierarchy))
		err = -ENOMEM;
	an_cachesim_release(&c->sim);
	return err;
}

static int cache_merge(void *into, const void *from)
{
	return an_cacheresult_merge(&((struct cache *)into)->result,
				    &((const struct cache *)from)->result);
}

static void cache_totals(const void *state, struct an_sink *sink)
{
	an_cacheresult_totals(&((const struct cache *)state)->result, sink);
}

static void cache_how(const void *state, struct an_sink *sink)
{
	const struct cache *c = state;

	an_cacheresult_how(&c->result, c->env->geometry, sink);
}

static void cache_report(const void *state, struct an_sink *sink)
{
	const struct cache *c = state;

	an_cacheresult_report(&c->result, c->env->geometry, sink);
}

static void cache_print(const void *state, struct an_text *text)
{
	const struct cache *c = state;

	an_cacheresult_print(&c->result, c->env->geometry, text);
}

static void cache_details(const void *state, struct an_text *text)
{
	const struct cache *c = state;

	an_cacheresult_details(&c->result, c->env->geometry, text);
}

static int cachegrind_save(const void *state)
{
	const struct cache *c = state;

	return an_cachegrind_write(&c->result, c->env);
}

static void cache_close(void *state)
{
	struct cache *c = state;

	an_cachesim_release(&c->sim);
	an_cacheresult_release(&c->result);
}

extern const struct an_class an_cache, an_cachegrind;

const struct an_class an_cache = {
	.name = "cache",
	.summary = "simulate a cache hierarchy; where it misses",
	.needs = PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES,
	.names = true,
	.caches = true,
	.warms = true,
	.state_size = sizeof(struct cache),
	.open = cache_open,
	.block = cache_block,
	.prepare = cache_prepare,
	.batch = cache_batch,
	.partition = cache_partition,
	.begin = cache_begin,
	.spread = cache_spread,
	.part = cache_part,
	.join = cache_join,
	.tail = cache_tail,
	.finish = cache_finish,
	.merge = cache_merge,
	.totals = cache_totals,
	.how = cache_how,
	.report = cache_report,
	.print = cache_print,
	.details = cache_details,
	.close = cache_close,
};

static const struct an_option cachegrind_options[] = {
	{"file", "PATH", "where to [standard output]"},
	{NULL, NULL, NULL},
};

/* Uses the same simulation; writes a file for other tools. */
const struct an_class an_cachegrind = {
	.name = "cachegrind",
	.summary = "write a file that cg_annotate reads",
	.options = cachegrind_options,
	.needs = PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES,
	.names = true,
	.caches = true,
	.warms = true,
	.prints = true,
	.state_size = sizeof(struct cache),
	.open = cachegrind_open,
	.block = cache_block,
	.prepare = cache_prepare,
	.batch = cache_batch,
	.partition = cache_partition,
	.begin = cache_begin,
	.spread = cache_spread,
	.part = cache_part,
	.join = cache_join,
	.tail = cache_tail,
	.finish = cache_finish,
	.merge = cache_merge,
	.save = cachegrind_save,
	.close = cache_close,
};
