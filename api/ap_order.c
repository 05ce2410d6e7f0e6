/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ap_order.c - processes and images in order, and what they amount to
 *
 * Room:    api.
 */
#include <errno.h>
#include <stdlib.h>

#include "api/ap_facts.h"

enum { WORST = ALLERIA_UNFINISHED };

static int compare(const void *one, const void *other)
{
	const struct ap_stream *a = *(struct ap_stream *const *)one;
	const struct ap_stream *b = *(struct ap_stream *const *)other;

	if (a->tree != b->tree)
		return a->tree < b->tree ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

static int sort_streams(struct alleria_profile *p)
{
	free(p->order);
	p->n_order = 0;
	p->order = calloc(p->n_streams + 1u, sizeof(*p->order));
	if (!p->order)
		return -ENOMEM;
	for (uint32_t i = 0; i < p->n_streams; i++)
		if (p->stream[i])
			p->order[p->n_order++] = p->stream[i];
	qsort(p->order, p->n_order, sizeof(*p->order), compare);
	for (uint32_t i = 0; i < p->n_order; i++)
		p->order[i]->rank = i;
	return 0;
}

/* ---- counts ---- */

static void add(struct alleria_counts *to, const struct alleria_counts *c)
{
	to->instructions += c->instructions;
	to->accesses += c->accesses;
	to->reads += c->reads;
	to->writes += c->writes;
	to->modifies += c->modifies;
	if (to->threads == ALLERIA_NOT || c->threads == ALLERIA_NOT)
		to->threads = to->signals = ALLERIA_NOT;
	if (to->threads == ALLERIA_NOT)
		return;
	to->threads += c->threads;
	to->signals += c->signals;
}

static void count_image(struct ap_stream *s)
{
	struct alleria_counts *c = &s->pub.counts;
	const struct pf_head *h;

	if (s->units.n == 0)
		return;
	h = ap_chunk(s, s->units.n - 1);
	c->instructions = h->before.instructions + h->counts.instructions;
	c->reads = h->before.reads + h->counts.reads;
	c->writes = h->before.writes + h->counts.writes;
	c->modifies = h->before.modifies + h->counts.modifies;
	c->accesses = c->reads + c->writes - c->modifies;
	if (!s->ended)
		s->pub.end_ns = h->end_ns;
}

/* ---- processes ---- */

static void set_ending(struct alleria_profile *p, struct alleria_process *a)
{
	for (size_t i = 0; i < p->n_seen; i++) {
		const struct ap_seen *seen = &p->seen[i];
		unsigned signal = seen->status & 0x7f;

		if (seen->tree != a->tree || seen->number != a->number)
			continue;
		a->ending = signal ? ALLERIA_SIGNALLED : ALLERIA_EXITED;
		a->value = signal ? (int32_t)signal
				  : (int32_t)(seen->status >> 8 & 0xff);
	}
}

static void set_status(struct alleria_process *a, const struct ap_stream *s)
{
	uint32_t status = ALLERIA_COMPLETE;
	const char *reason = "";

	if (!s->ended) {
		status = ALLERIA_UNFINISHED;
		reason = "its end is not there";
	} else if (s->truncated[0]) {
		status = ALLERIA_TRUNCATED;
		reason = s->truncated;
	} else if (s->lossy[0]) {
		status = ALLERIA_LOSSY;
		reason = s->lossy;
	}
	if (status < a->status)
		return;
	a->status = status;
	a->reason = reason;
}

/* The thread that calls exec goes on in the next image. */
static void add_image(struct alleria_process *a, struct ap_stream *s)
{
	struct alleria_counts c = s->pub.counts;

	s->pub.process = a->index;
	s->pub.number = a->images;
	s->pub.first_access = a->first_access + a->counts.accesses;
	s->pub.first_instruction =
		a->first_instruction + a->counts.instructions;
	if (a->images++ > 0 && c.threads != ALLERIA_NOT && c.threads > 0)
		c.threads--;
	add(&a->counts, &c);
	a->has |= s->pub.has;
	a->ending = s->pub.ending;
	a->value = s->pub.value;
	a->end_ns = s->pub.end_ns;
	/* Sums are the process's, its earlier images' too. */
	a->lost = s->lost;
	a->waited_ns = s->waited_ns;
	set_status(a, s);
}

static void renumber_blocks(struct ap_stream *s)
{
	for (uint32_t i = 0; i < s->n_blocks; i++)
		s->block[i]->pub.process = s->pub.process;
	for (size_t i = 0; i < s->n_objects; i++)
		s->object[i]->process = s->pub.process;
}

static struct ap_process *find_process(struct alleria_profile *p,
				       const struct ap_stream *s)
{
	for (uint32_t i = s->process ? s->process->pub.index : 0;
	     i < p->n_processes; i++)
		if (p->process[i]->pub.tree == s->tree &&
		    p->process[i]->pub.number == s->number)
			return p->process[i];
	return NULL;
}

/* The process that images from @first on are of, emptied. */
static struct ap_process *start_process(struct alleria_profile *p,
					uint32_t first)
{
	struct ap_stream *s = p->order[first];
	struct ap_process *a = s->process;

	if (!a)
		a = find_process(p, s);
	if (!a)
		a = calloc(1, sizeof(*a));
	if (!a)
		return NULL;
	free(a->thread);
	free(a->object);
	*a = (struct ap_process){.image = p->order + first};
	a->pub = (struct alleria_process){
		.tree = s->tree,
		.number = s->number,
		.parent = s->parent,
		.pid = s->pid,
		.command = s->pub.command,
		.directory = s->pub.directory,
		.reason = "",
		.begin_ns = s->pub.begin_ns,
		.first_access = p->run.counts.accesses,
		.first_instruction = p->run.counts.instructions,
	};
	return a;
}

static bool is_same(const struct ap_stream *a, const struct ap_stream *b)
{
	return a->tree == b->tree && a->number == b->number;
}

static int add_process(struct alleria_profile *p, struct ap_process **list,
		       uint32_t *at)
{
	uint32_t first = *at, n = p->run.processes;
	struct ap_process *a = start_process(p, first);

	if (!a)
		return -ENOMEM;
	a->pub.index = n;
	for (; *at < p->n_order && is_same(p->order[first], p->order[*at]);
	     ++*at) {
		p->order[*at]->process = a;
		count_image(p->order[*at]);
		add_image(&a->pub, p->order[*at]);
		renumber_blocks(p->order[*at]);
	}
	set_ending(p, &a->pub);
	add(&p->run.counts, &a->pub.counts);
	p->run.has |= a->pub.has;
	if (n == 0 || list[n - 1]->pub.tree != a->pub.tree)
		p->run.trees++;
	list[p->run.processes++] = a;
	return 0;
}

int ap_order(struct alleria_profile *p)
{
	struct ap_process **list = calloc(p->n_streams + 1u, sizeof(*list));
	uint32_t at = 0;
	int err = list ? sort_streams(p) : -ENOMEM;

	p->run.counts = (struct alleria_counts){0};
	p->run.processes = p->run.trees = p->run.has = 0;
	while (!err && at < p->n_order)
		err = add_process(p, list, &at);
	if (err) {
		free(list);
		return err;
	}
	free(p->process);
	p->process = list;
	p->n_processes = p->run.processes;
	return 0;
}
