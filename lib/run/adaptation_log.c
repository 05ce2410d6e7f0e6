/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * adaptation_log.c - stores the decisions by which the daemon adapted the
 * numbers of active workers and ring buffers during a run, and writes them to
 * the JSON report
 */
#include "lib/config/adaptive_option.h"

#include <stdlib.h>
#include <string.h>

/* Whether the decisions @a and @b can be merged: neither changed the phase of
   the adaptation ('X', 'Y' or 'Z'), and they have the same phase and equal
   numbers of workers, buffers and programs. */
static bool have_same_phase_workers_and_programs(const struct al_decision *a,
						 const struct al_decision *b)
{
	return a->phase_before == a->phase_after &&
	       b->phase_before == b->phase_after &&
	       a->phase_after == b->phase_after && a->workers == b->workers &&
	       a->buffers == b->buffers && a->programs == b->programs;
}

/* Return decision @later of the adaptation, which gets also the times [ns] of
   @earlier, the decision before it, added to its own. */
static struct al_decision
later_decision_with_summed_times(const struct al_decision *earlier,
				 const struct al_decision *later)
{
	struct al_decision j = *later;

	j.span_ns += earlier->span_ns;
	j.idle_ns += earlier->idle_ns;
	j.wait_ns += earlier->wait_ns;
	return j;
}

/* Merge each pair of successive decisions of the adaptation for which
   have_same_phase_workers_and_programs() is true, so that one is left of two.
   If more than 3/4 of AL_MAX_DECISIONS remain, drop the older half. */
static void merge_equal_count_drop_old_decisions(struct al_decisions *d)
{
	size_t i, dropped = 0, n = 0;

	for (i = 0; i < d->n; n++) {
		d->item[n] = d->item[i++];
		if (i < d->n && have_same_phase_workers_and_programs(
					&d->item[n], &d->item[i]))
			d->item[n] = later_decision_with_summed_times(
				&d->item[n], &d->item[i++]);
	}
	if (n > AL_MAX_DECISIONS * 3 / 4)
		dropped = (n + 1) / 2;
	d->n = n - dropped;
	memmove(d->item, d->item + dropped, d->n * sizeof(*d->item));
}

void al_decisions_append_merge_if_full(struct al_decisions *d,
				       const struct al_decision *new_decision)
{
	if (!d->item)
		d->item = malloc(AL_MAX_DECISIONS * sizeof(*d->item));
	if (!d->item)
		return;
	if (d->n == AL_MAX_DECISIONS)
		merge_equal_count_drop_old_decisions(d);
	d->item[d->n++] = *new_decision;
}

void al_decisions_release(struct al_decisions *d)
{
	free(d->item);
	*d = (struct al_decisions){.n = 0};
}

static void write_decision_as_object(const struct al_decision *d,
				     struct an_sink *out)
{
	char from[] = {d->phase_before, '\0'}, to[] = {d->phase_after, '\0'};

	out->begin(out, NULL);
	out->number(out, "at_ns", d->end_ns);
	out->number(out, "span_ns", d->span_ns);
	out->string(out, "from", from);
	out->string(out, "to", to);
	out->number(out, "workers", d->workers);
	out->number(out, "buffers", d->buffers);
	out->number(out, "programs", d->programs);
	out->number(out, "idle_ns", d->idle_ns);
	out->number(out, "wait_ns", d->wait_ns);
	out->end(out);
}

void al_decisions_write_with_thresholds(const struct al_decisions *d,
					const struct al_adaptive *a,
					struct an_sink *out)
{
	out->begin(out, "thresholds");
	out->number(out, "tp", a->tp);
	out->number(out, "tay1", a->tay1);
	out->number(out, "tay2", a->tay2);
	out->number(out, "taz", a->taz);
	out->end(out);
	out->number(out, "period_ms", a->period);
	out->number(out, "max_workers", a->workers);
	out->number(out, "max_buffers", a->buffers);
	out->begin_list(out, "decisions");
	for (size_t i = 0; i < d->n; i++)
		write_decision_as_object(&d->item[i], out);
	out->end(out);
}
