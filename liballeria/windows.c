/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * windows.c - reads the windows of a run (the parts of it that were recorded);
 * see windows.h
 */
#include "liballeria/windows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "lib/config/window/plan/process_plan.h"

/* ---- images ---- */

/* Return flags of enum alleria_has that state whether all instructions, all
   that access memory, and all addresses were recorded. @p: recording plan;
   NULL: everything was recorded. @unit_fields: flags of the fields that the
   stream's units have. */
static uint32_t flags_if_all_instrs_or_addrs_recorded(const struct pt_plan *p,
						      uint32_t unit_fields)
{
	static const uint32_t instructions[] = {
		[AL_CHOSEN_INSTRUCTIONS] = 0,
		[AL_MEMORY_INSTRUCTIONS] = ALLERIA_HAS_MEMORY_INSTRUCTIONS,
		[AL_ALL_INSTRUCTIONS] = ALLERIA_HAS_INSTRUCTIONS |
					ALLERIA_HAS_MEMORY_INSTRUCTIONS,
	};
	uint32_t has = instructions[al_plan_smallest_function_instr_set(p)];

	if (unit_fields & ALLERIA_HAS_ADDRESSES &&
	    al_plan_has_address_in_each_record(p))
		has |= ALLERIA_HAS_ALL_ADDRESSES;
	return has;
}

int ap_windows_copy_plan_and_set_has_flags(struct ap_stream *s,
					   const struct pf_image *i)
{
	if (!i->plan) {
		s->pub.has |=
			flags_if_all_instrs_or_addrs_recorded(NULL, s->pub.has);
		return 0;
	}
	s->plan = al_process_plan_copy_if_valid(i->plan, i->plan_bytes);
	if (!s->plan)
		return errno == ENOMEM ? -ENOMEM : -EBADMSG;
	al_lanes_init(&s->thread_filters, s->plan);
	s->pub.has |=
		ALLERIA_HAS_WINDOWS |
		flags_if_all_instrs_or_addrs_recorded(s->plan, s->pub.has);
	return 0;
}

int ap_windows_copy_end_counts(struct ap_stream *s, const struct pf_end *e)
{
	size_t bytes = e->n_windows * sizeof(*s->window);

	if (e->n_windows == 0)
		return 0;
	if (e->n_windows != s->thread_filters.n_windows || s->window)
		return -EBADMSG;
	s->window = malloc(bytes);
	if (!s->window)
		return -ENOMEM;
	memcpy(s->window, e->windows, bytes);
	return 0;
}

void ap_windows_free_stream_data(struct ap_stream *s)
{
	for (uint32_t i = 0; i < s->n_unrecorded; i++)
		free(s->unrecorded[i]);
	free(s->unrecorded);
	free(s->window);
	free(s->plan);
}

/* ---- the run ---- */

static void add_openings_and_counts(struct alleria_window *to,
				    const struct pf_window *w)
{
	to->openings += w->openings;
	to->instructions += w->counts.instructions;
	to->reads += w->counts.reads;
	to->writes += w->counts.writes;
	to->modifies += w->counts.modifies;
}

/* Allocate the profile's windows (parts of the run that were recorded), with
   the names of those of @s, unless the profile has windows or @s has none. All
   images of a run have the same windows. Return: 0; -ENOMEM. */
static int alloc_windows_with_names_once(struct alleria_profile *p,
					 const struct ap_stream *s)
{
	uint32_t n = s->thread_filters.n_windows;

	if (p->window || n == 0)
		return 0;
	p->window = calloc(n, sizeof(*p->window));
	if (!p->window)
		return -ENOMEM;
	p->n_windows = n;
	for (uint32_t i = 0; i < n; i++)
		p->window[i].name = ap_intern_or_question_marks(
			p, pt_plan_string(s->plan,
					  pt_plan_windows(s->plan)[i].name));
	return 0;
}

int ap_windows_rebuild_totals(struct alleria_profile *p)
{
	int err = 0;

	for (uint32_t i = 0; i < p->n_windows; i++)
		p->window[i] =
			(struct alleria_window){.name = p->window[i].name};
	for (uint32_t i = 0; !err && i < p->n_order; i++) {
		const struct ap_stream *s = p->order[i];

		err = alloc_windows_with_names_once(p, s);
		for (uint32_t w = 0; !err && w < s->thread_filters.n_windows &&
				     w < p->n_windows;
		     w++)
			if (s->window)
				add_openings_and_counts(&p->window[w],
							&s->window[w]);
			else
				p->window[w].unended++;
	}
	return err;
}

long alleria_windows(const struct alleria_profile *p,
		     const struct alleria_window **out)
{
	*out = p->window;
	return (long)p->n_windows;
}

/* ---- sets of windows ---- */
int ap_find_or_add_window_set_of_lanes(struct ap_stream *s, uint64_t lane_mask,
				       uint32_t *set_number)
{
	struct alleria_profile *p = s->profile;
	uint64_t set = al_lanes_windows_of_nonwarmup_lanes(&s->thread_filters,
							   lane_mask);
	void *bigger;

	*set_number = 0;
	if (!s->plan)
		return 0;
	for (uint32_t i = p->n_window_sets; i > 0; i--)
		if (p->window_set[i - 1] == set) {
			*set_number = i;
			return 0;
		}
	bigger = reallocarray(p->window_set, p->n_window_sets + 1,
			      sizeof(*p->window_set));
	if (!bigger)
		return -ENOMEM;
	p->window_set = bigger;
	p->window_set[p->n_window_sets++] = set;
	*set_number = p->n_window_sets;
	return 0;
}

uint64_t alleria_window_set(struct alleria_profile *p, uint32_t number)
{
	uint64_t set = 0;

	pthread_mutex_lock(&p->lock);
	if (number > 0 && number <= p->n_window_sets)
		set = p->window_set[number - 1];
	pthread_mutex_unlock(&p->lock);
	return set;
}

/* ---- blocks that no window records ---- */

static struct ap_block *alloc_block_with_exits_only(const struct al_desc *d)
{
	struct ap_block *b =
		calloc(1, sizeof(*b) + d->n_exits * sizeof(struct ap_exit));
	struct ap_exit *exit = (struct ap_exit *)(b + 1);

	if (!b)
		return NULL;
	b->desc = d;
	b->exit = exit;
	b->pub.n_exits = d->n_exits;
	for (unsigned i = 0; i < d->n_exits; i++)
		exit[i] = (struct ap_exit){
			.block = b,
			.index = (uint16_t)i,
			.length = (uint8_t)(d->exit[i].bytes / 4),
		};
	return b;
}

const struct ap_block *ap_unrecorded_block_placeholder(struct ap_stream *s,
						       uint32_t block_id)
{
	if (al_array_reserve_zeroed(s->unrecorded, s->n_unrecorded,
				    block_id + 1))
		return NULL;
	if (!s->unrecorded[block_id])
		s->unrecorded[block_id] =
			alloc_block_with_exits_only(s->blocks.desc[block_id]);
	return s->unrecorded[block_id];
}
