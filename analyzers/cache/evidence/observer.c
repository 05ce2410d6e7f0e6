/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * observer.c - passes every data access to the collectors; see observer.h
 *
 * Accesses are decoded into a buffer that stays in the host's first cache
 * level; each collector then processes the whole buffer.
 */
#include "analyzers/cache/evidence/observer.h"

#include <errno.h>
#include <stdlib.h>

#include "analyzers/arena.h"
#include "analyzers/cache/evidence/collectors.h"
#include "analyzers/cache/evidence/data_cache.h"
#include "analyzers/cache/evidence/load_chains.h"
#include "base/tables/array.h"

enum {
	BUFFER = 256,	    /* maximum number of buffered accesses */
	MAX_COLLECTORS = 8, /* see an_collectors */
};

const struct an_collector *const an_collectors[] = {
	&an_collect_misses,
	&an_collect_strides,
	&an_collect_line_use,
	&an_collect_single_fetches,
	&an_collect_twin_misses,
	&an_collect_dead_writes,
	NULL,
};

_Static_assert(sizeof(an_collectors) / sizeof(*an_collectors) <=
		       MAX_COLLECTORS + 1,
	       "an observer has the states of all collectors");

/* The first observed access of a site (one access of the instruction at an
   address; several blocks can contain it). */
struct site {
	const struct an_block *block;
	uint16_t access; /* index in the block */
	uint16_t number; /* number of the access in its instruction */
};

struct an_observer {
	const struct an_geometry *geometry;
	unsigned smallest_line; /* [bytes] shortest line of all levels */
	bool sees_code; /* code and data share the first level of data */
	struct an_data_cache cache;
	uint32_t turn;		       /* an_observed_access.turn of the next
					  access */
	uint32_t memory_epoch;	       /* an_observed_access.memory_epoch of
					  the next access */
	struct al_key_table site_keys; /* by address of the instruction and
					  number of the access */
	struct site *site;	       /* [sites_size] first observed access
					  of each site, by number in
					  site_keys */
	uint32_t sites_size;
	const uint32_t **block_sites; /* by block id: sites of the block's
					 accesses; NULL: not known yet */
	uint32_t blocks_size;
	struct an_arena arena; /* owns the arrays that block_sites points to */
	struct an_load_chains chains;
	void *collector[MAX_COLLECTORS]; /* states of an_collectors[] */
	struct an_observed_access access[BUFFER];
	size_t n;
	int error; /* 0, or -ENOMEM if memory was short: the observer does
		      nothing more */
};

/* ---- sites ---- */

/* Return the number of the site (address of the instruction and number in it)
   of an access, which is created if it is new; AN_NO_SITE if memory is
   short. */
static uint32_t find_or_add_site_number(struct an_observer *o,
					const struct an_block *b,
					unsigned access,
					unsigned access_number_in_instr)
{
	struct al_key key = {{b->instr[b->access[access].instr].addr,
			      access_number_in_instr, 0}};
	uint32_t n = o->site_keys.n;
	int64_t site = al_key_table_find_or_add_index(&o->site_keys, &key);

	if (site < 0 ||
	    al_array_reserve(o->site, o->sites_size, o->site_keys.n) != 0) {
		o->error = -ENOMEM;
		return AN_NO_SITE;
	}
	if (site == n)
		o->site[site] = (struct site){b, (uint16_t)access,
					      (uint16_t)access_number_in_instr};
	return (uint32_t)site;
}

/* Find or create the site (address of the instruction and number in it) of each
   access of a block, and store them in o->block_sites. Accesses of a block of a
   warm-up get AN_NO_SITE, and so do those for whose site memory is short;
   o->error is then set. Return: the array of site numbers, by access; NULL,
   with o->error set, if memory is short for an array. */
static const uint32_t *
find_or_add_sites_of_block_accesses(struct an_observer *o,
				    const struct an_block *b)
{
	uint32_t *site =
		an_arena_alloc(&o->arena, (b->n_accesses + 1u) * sizeof(*site));
	unsigned number = 0;

	if (site == NULL ||
	    al_array_reserve_zeroed(o->block_sites, o->blocks_size,
				    b->id + 1u) != 0) {
		o->error = -ENOMEM;
		return NULL;
	}
	for (unsigned i = 0; i < b->n_accesses; i++) {
		bool same =
			i > 0 && b->access[i].instr == b->access[i - 1].instr;

		number = same ? number + 1 : 0;
		site[i] = b->warm ? AN_NO_SITE
				  : find_or_add_site_number(o, b, i, number);
	}
	o->block_sites[b->id] = site;
	return site;
}

static const uint32_t *get_or_add_block_sites(struct an_observer *o,
					      const struct an_block *b)
{
	const uint32_t *site =
		b->id < o->blocks_size ? o->block_sites[b->id] : NULL;

	return site ? site : find_or_add_sites_of_block_accesses(o, b);
}

/* ---- accesses ---- */

static void pass_buffer_to_collectors_and_clear(struct an_observer *o)
{
	for (int i = 0; an_collectors[i] != NULL && !o->error; i++)
		o->error = an_collectors[i]->collect(o->collector[i], o->access,
						     o->n, o->site_keys.n);
	o->n = 0;
}

static void simulate_d1_append_line_touch_to_access(
	struct an_observer *o, struct an_observed_access *a, uint64_t line)
{
	struct an_line_touch *t = &a->touch[a->n_touches++];

	t->line = line;
	t->missed = an_data_cache_use_line_is_miss(&o->cache, line, &t->way);
	a->missed |= t->missed;
}

/* Simulate the use of bytes @addr to @addr + @size - 1 in the first level of
   data, and add it to the buffer. A full buffer is passed to the collectors and
   emptied. */
static void simulate_and_buffer_access(struct an_observer *o, uint64_t addr,
				       unsigned size, unsigned full_size,
				       uint8_t kind, uint32_t site,
				       bool is_address_from_load_chain)
{
	struct an_observed_access *a = &o->access[o->n++];
	uint64_t first = addr >> o->cache.shift;
	uint64_t last = (addr + size - 1) >> o->cache.shift;

	a->addr = addr;
	a->site = site;
	a->turn = o->turn;
	a->memory_epoch = o->memory_epoch;
	a->size = (uint16_t)size;
	a->full_size = (uint16_t)full_size;
	a->kind = kind;
	/* Memory epoch 0: only windows (parts of the run) are recorded. Then
	   instructions that are not recorded may have written the registers, so
	   chains of loads are ignored. */
	a->walks = o->memory_epoch && is_address_from_load_chain;
	a->n_touches = 0;
	a->missed = false;
	simulate_d1_append_line_touch_to_access(o, a, first);
	if (last != first)
		simulate_d1_append_line_touch_to_access(o, a, last);
	if (o->n == BUFFER)
		pass_buffer_to_collectors_and_clear(o);
}

/* Simulate and buffer the fetches of instructions @first_instr to
   @end_instr - 1. */
static void simulate_and_buffer_fetches(struct an_observer *o,
					const struct an_block *b,
					unsigned first_instr,
					unsigned end_instr)
{
	for (; first_instr < end_instr; first_instr++)
		simulate_and_buffer_access(o, b->instr[first_instr].addr,
					   b->instr[first_instr].len,
					   b->instr[first_instr].len, PT_LOAD,
					   AN_NO_SITE, false);
}

/* Begin a new memory epoch (time between two system calls), unless the epoch is
   0, and make the load chains of all registers empty: the kernel may have read
   memory and written registers. */
static void advance_memory_epoch_clear_load_chains(struct an_observer *o)
{
	if (o->memory_epoch != 0)
		o->memory_epoch++;
	an_load_chains_clear_all(&o->chains);
}

/* Simulate and buffer the accesses of an execution of block @b that left by
   exit @x, in program order; also the fetches if code and data share their
   first level. */
static void simulate_and_append_accesses_and_fetches(struct an_observer *o,
						     const struct an_block *b,
						     const struct pt_exit *x,
						     const uint32_t *site,
						     const uint32_t *slots)
{
	unsigned fetched = 0;
	struct an_ref r;

	if (an_load_chains_begin_block_decode_if_new(&o->chains, b) != 0)
		o->error = -ENOMEM;
	for (unsigned i = 0; i < x->n_accesses; i++) {
		const struct pt_access *a = &b->access[i];
		bool walks =
			an_load_chains_advance_to_is_walk(&o->chains, a->instr);

		if (o->sees_code && a->instr >= fetched) {
			simulate_and_buffer_fetches(o, b, fetched,
						    a->instr + 1u);
			fetched = a->instr + 1u;
		}
		if (an_block_compute_access_ref(b, o->smallest_line, i, slots,
						&r))
			simulate_and_buffer_access(o, r.addr, r.size, a->size,
						   a->kind, site[i], walks);
	}
	if (o->sees_code)
		simulate_and_buffer_fetches(o, b, fetched, x->n_instrs);
	an_load_chains_advance_to_end(&o->chains, x->n_instrs);
	if (x->jump == PT_JUMP_SYSCALL)
		advance_memory_epoch_clear_load_chains(o);
}

/* Process the marks, from number @mark on, that are before execution
   @exec_index. At each switch to another thread (PT_THREAD), o->turn changes.
   At each such switch and each delivery of a signal, all load chains become
   empty, because registers have other values. When a window opens, only parts
   of the run are recorded, and o->memory_epoch is 0 from then on. Return:
   number of the first mark not processed. */
static size_t apply_marks_up_to_exec_get_next_mark(struct an_observer *o,
						   const struct an_batch *batch,
						   size_t mark,
						   size_t exec_index)
{
	for (; mark < batch->n_marks &&
	       batch->mark[mark].before_exec <= exec_index;
	     mark++) {
		uint32_t kind = batch->mark[mark].kind;

		o->turn += kind == PT_THREAD;
		if (kind == PT_WINDOW_OPEN)
			o->memory_epoch = 0;
		if (kind == PT_THREAD || kind == PT_SIGNAL)
			an_load_chains_clear_all(&o->chains);
	}
	return mark;
}

int an_observer_simulate_and_buffer_batch(struct an_observer *o,
					  const struct an_plan *plan_of_block,
					  const struct an_batch *batch)
{
	size_t mark = 0;

	for (size_t i = 0; i < batch->n_execs && !o->error; i++) {
		struct an_exec e = batch->exec[i];
		const struct an_block *b = plan_of_block[e.block].data->block;
		const uint32_t *site = get_or_add_block_sites(o, b);

		mark = apply_marks_up_to_exec_get_next_mark(o, batch, mark, i);
		if (site != NULL)
			simulate_and_append_accesses_and_fetches(
				o, b, &b->exit[an_exec_exit_number(e)], site,
				batch->slots +
					an_exec_first_slot_word_index(e));
	}
	apply_marks_up_to_exec_get_next_mark(o, batch, mark, batch->n_execs);
	return o->error;
}

/* ---- begin and end ---- */

static int alloc_and_init_collector_states(struct an_observer *o)
{
	const struct an_level *level =
		&o->geometry->level[o->geometry->first_data];
	int err = 0;

	for (int i = 0; an_collectors[i] != NULL && !err; i++) {
		o->collector[i] = calloc(1, an_collectors[i]->state_size);
		if (o->collector[i] == NULL)
			err = -ENOMEM;
		else if (an_collectors[i]->init)
			err = an_collectors[i]->init(o->collector[i], level);
	}
	return err;
}

struct an_observer *an_observer_new(const struct an_geometry *geometry)
{
	struct an_observer *o = calloc(1, sizeof(*o));

	if (o == NULL)
		return NULL;
	o->geometry = geometry;
	o->memory_epoch = 1;
	o->smallest_line = ~0u;
	for (int i = 0; i < geometry->n_levels; i++)
		if (geometry->level[i].line < o->smallest_line)
			o->smallest_line = geometry->level[i].line;
	o->sees_code = geometry->first_instruction == geometry->first_data;
	if (an_data_cache_init(&o->cache,
			       &geometry->level[geometry->first_data]) == 0 &&
	    alloc_and_init_collector_states(o) == 0)
		return o;
	an_observer_free(o);
	return NULL;
}

void an_observer_free(struct an_observer *o)
{
	if (o == NULL)
		return;
	for (int i = 0; an_collectors[i] != NULL; i++) {
		if (o->collector[i] != NULL)
			an_collectors[i]->release(o->collector[i]);
		free(o->collector[i]);
	}
	an_data_cache_release(&o->cache);
	al_key_table_release(&o->site_keys);
	an_arena_free_all_and_reset(&o->arena);
	an_load_chains_release(&o->chains);
	free(o->block_sites);
	free(o->site);
	free(o);
}

/* Add to table @out the counts of site number @site (an access of an
   instruction): those of all collectors, and @lower, those of the lower cache
   levels. Return: 0 or -ENOMEM. */
static int add_site_counts_to_table(const struct an_observer *o, uint32_t site,
				    const struct an_site_counts *lower,
				    struct an_site_table *out,
				    const struct an_env *env)
{
	const struct site *s = &o->site[site];
	const struct pt_access *a = &s->block->access[s->access];
	struct an_site_position position = {
		.addr = s->block->instr[a->instr].addr,
		.access = s->number,
		.size = a->size,
		.kind = a->kind};
	struct an_site_counts counts = *lower;

	for (int i = 0; an_collectors[i] != NULL; i++)
		an_collectors[i]->add_counts(o->collector[i], site, &counts);
	env->symbol(env->host, s->block, a->instr, &position.symbol);
	return an_site_table_add_counts(out, &position, &counts);
}

/* Return the counts of the lower cache levels by number of the site (an access
   of an instruction); the caller frees them. NULL: memory is short. */
static struct an_site_counts *
sum_lower_level_counts_by_site(const struct an_observer *o,
			       const struct an_lower_twins *t)
{
	struct an_site_counts *lower =
		calloc(o->site_keys.n + 1u, sizeof(*lower));

	for (uint32_t b = 0; lower && b < o->blocks_size; b++) {
		const uint32_t *site = o->block_sites[b];

		for (unsigned i = 0;
		     site && i < an_lower_twins_n_block_accesses(t, b); i++)
			if (site[i] != AN_NO_SITE)
				an_lower_twins_add_level_and_twin_misses(
					t, b, i, lower[site[i]].count);
	}
	return lower;
}

int an_observer_finish_and_add_counts(struct an_observer *o,
				      const struct an_lower_twins *t,
				      struct an_site_table *site_table,
				      const struct an_env *env)
{
	struct an_site_counts *lower = sum_lower_level_counts_by_site(o, t);

	if (lower == NULL)
		o->error = -ENOMEM;
	pass_buffer_to_collectors_and_clear(o);
	for (int i = 0; an_collectors[i] != NULL && !o->error; i++)
		if (an_collectors[i]->finish)
			o->error = an_collectors[i]->finish(o->collector[i]);
	for (uint32_t i = 0; i < o->site_keys.n && !o->error; i++)
		o->error = add_site_counts_to_table(o, i, &lower[i], site_table,
						    env);
	free(lower);
	return o->error;
}
