/* SPDX-License-Identifier: GPL-2.0-or-later */
/* consumer.c - views: the analyses of a stream or of a window; see
   consumer.h */

#include "lib/pipeline/consumer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/config/window/plan/process_plan.h"

/* Set the window's name for output files: the one in the plan, or the view's
   number if that name is not valid, because the plan may be untrusted. */
static void name_window(struct al_view *v, const struct pt_plan *plan)
{
	uint32_t name_offset = al_plan_windows(plan)[v->number - 1].name;
	const char *name = al_plan_string(plan, name_offset);

	if (al_plan_is_name(name))
		strcpy(v->host.window, name);
	else
		snprintf(v->host.window, sizeof(v->host.window), "%u",
			 v->number);
}

struct al_view *al_view_new(const struct al_host *host, unsigned number,
			    const struct pt_plan *plan)
{
	size_t n = host->settings->n_analyses;
	struct al_view *v = calloc(1, sizeof(*v) + n * sizeof(*v->analyst));

	if (v == NULL)
		return NULL;
	v->number = number;
	v->host = *host;
	if (number > 0)
		name_window(v, plan);
	for (size_t i = 0; i < n; i++) {
		v->n_analysts++;
		if (al_analyst_open(&v->analyst[i], &v->host, i) != 0) {
			al_view_free(v);
			return NULL;
		}
	}
	return v;
}

unsigned al_view_partition(struct al_view *v, unsigned parts)
{
	unsigned most = 1;

	for (size_t i = 0; i < v->n_analysts; i++) {
		al_analyst_partition(&v->analyst[i], parts);
		if (v->analyst[i].parts > most)
			most = v->analyst[i].parts;
	}
	return most;
}

/* ---- share of a piece ---- */

static int grow_own(struct al_view *v, uint32_t n)
{
	uint32_t size = v->n_own ? v->n_own * 2 : 1024;
	uint32_t *own;

	if (n <= v->n_own)
		return 0;
	if (size < n)
		size = n;
	own = realloc(v->own, size * sizeof(*own));
	if (own == NULL)
		return -ENOMEM;
	memset(own + v->n_own, 0, (size - v->n_own) * sizeof(*own));
	v->own = own;
	v->n_own = size;
	return 0;
}

/* Return the lanes of the view's window that threads of @class are in. */
static uint64_t window_lanes(const struct al_view *v, unsigned class)
{
	return al_lanes_of(&v->host.recovery->lanes, class, v->number - 1);
}

/* Add the view's own version of each block that is new in a piece. */
static int add_blocks(struct al_view *v, const struct al_piece *p)
{
	const struct al_block *b = p->block;

	for (uint32_t i = 0; i < p->n_blocks; i++) {
		struct al_block *own;
		int err = grow_own(v, b->pub.id + 1);

		if (!err)
			err = al_executed_own(&v->executed, b,
					      window_lanes(v, b->class), &own);
		if (err)
			return err;
		v->own[b->pub.id] = own ? own->pub.id + 1 : 0;
		/* The last block's `next` may be being written. */
		if (i + 1 < p->n_blocks)
			b = b->next;
	}
	return 0;
}

/* Return the index in the share of execution @exec of the piece, or of the
   first one after it that the share has. */
static size_t share_index(const struct al_view *v, const struct al_piece *p,
			  size_t exec)
{
	size_t n = 0;

	if (v->number == 0)
		return exec;
	for (size_t i = 0; i < exec; i++)
		n += v->own[p->exec[i].block] != 0;
	return n;
}

static int add_warmup(struct al_view *v, const struct al_piece *p,
		      struct al_past *past, const struct al_taking *t)
{
	struct al_recovery *r = v->host.recovery;
	bool all = v->number == 0;
	const struct al_warming_of of = {
		.lanes = &r->lanes,
		.executed = all ? &r->executed : &v->executed,
		.lock = all ? &r->lock : NULL,
		.all = all,
		.share = &v->share[p->lane],
		.before = share_index(v, p, t->before),
	};

	return al_warming_take(&v->warming, &of, past, t);
}

int al_view_warm(struct al_view *v, const struct al_piece *p,
		 struct al_past *past)
{
	int err = 0;

	for (size_t i = 0; i < p->n_takings && !err; i++)
		if (v->number == 0 || v->number == p->taking[i].window + 1)
			err = add_warmup(v, p, past, &p->taking[i]);
	return err;
}

bool al_view_is_warm(const struct al_view *v, unsigned lane)
{
	return v->share[lane].n_warm > 0;
}

int al_view_take(struct al_view *v, const struct al_piece *p,
		 struct al_past *past)
{
	struct al_share *s = &v->share[p->lane];
	int err;

	al_share_all(s, p);
	if (v->number == 0)
		return 0;
	err = add_blocks(v, p);
	if (!err)
		err = al_share_some(s, p, v->own);
	if (!err && past)
		err = al_view_warm(v, p, past);
	if (err)
		al_share_none(s);
	else
		s->n_blocks = al_executed_take(&v->executed, &s->block);
	return err;
}

/* ---- stages ---- */

enum an_course al_view_prepare(struct al_view *v, unsigned lane)
{
	enum an_course all = AN_ON;

	for (size_t i = 0; i < v->n_analysts; i++) {
		enum an_course course =
			al_analyst_prepare(&v->analyst[i], &v->share[lane]);

		if (course > all)
			all = course;
	}
	return all;
}

void al_view_set_whole(struct al_view *v, unsigned lane, bool whole)
{
	v->share[lane].whole = whole;
}

void al_view_spread(struct al_view *v, unsigned lane)
{
	for (size_t i = 0; i < v->n_analysts; i++)
		al_analyst_spread(&v->analyst[i], &v->share[lane]);
}

void al_view_part(struct al_view *v, unsigned lane, unsigned part)
{
	struct al_share *s = &v->share[lane];

	for (size_t i = 0; i < v->n_analysts; i++) {
		int err = al_analyst_part(&v->analyst[i], s, part);

		if (err) {
			pthread_mutex_lock(&v->host.recovery->lock);
			s->part_error[i] = err;
			pthread_mutex_unlock(&v->host.recovery->lock);
		}
	}
}

void al_view_join(struct al_view *v, unsigned lane)
{
	struct al_share *s = &v->share[lane];
	struct an_batch batch;

	for (size_t i = 0; i < v->n_analysts; i++)
		al_analyst_begin(&v->analyst[i], s);
	while (al_share_batch(s, &batch))
		for (size_t i = 0; i < v->n_analysts; i++)
			al_analyst_batch(&v->analyst[i], s, &batch);
	for (size_t i = 0; i < v->n_analysts; i++) {
		al_analyst_join(&v->analyst[i], s);
		s->error[i] = v->analyst[i].error;
	}
	al_share_cool(s);
}

void al_view_tail(struct al_view *v, unsigned lane)
{
	for (size_t i = 0; i < v->n_analysts; i++)
		al_analyst_tail(&v->analyst[i], &v->share[lane]);
}

/* ---- end of the image ---- */

static void release_shares(struct al_view *v)
{
	for (unsigned i = 0; i < AN_LANES; i++)
		al_share_release(&v->share[i]);
}

/* Add the counters of the image's blocks to those of the view's own. */
static void sum_blocks(struct al_view *v)
{
	const struct al_executed *all = &v->host.recovery->executed;

	for (uint32_t i = 0; i < v->n_own && i < all->n; i++)
		if (v->own[i] != 0)
			al_executed_settle(v->executed.block[v->own[i] - 1],
					   all->block[i]);
}

void al_view_finish(struct al_view *v)
{
	release_shares(v);
	sum_blocks(v);
	for (size_t i = 0; i < v->n_analysts; i++)
		al_analyst_finish(&v->analyst[i]);
}

void al_view_merge(struct al_view *v, const struct al_view *from)
{
	for (size_t i = 0; i < v->n_analysts; i++)
		al_analyst_merge(&v->analyst[i], &from->analyst[i]);
}

void al_view_save(struct al_view *v, char *const *command)
{
	for (size_t i = 0; i < v->n_analysts; i++) {
		v->analyst[i].env.command = command;
		al_analyst_save(&v->analyst[i]);
	}
}

void al_view_free(struct al_view *v)
{
	if (v == NULL)
		return;
	for (size_t i = 0; i < v->n_analysts; i++)
		al_analyst_close(&v->analyst[i]);
	release_shares(v);
	al_warming_release(&v->warming);
	al_executed_release(&v->executed);
	free(v->own);
	free(v);
}
