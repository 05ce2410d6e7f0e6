/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process_order.c - groups images into processes, adds up their counts, and
 * sets how the processes ended
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "liballeria/facts.h"
#include "liballeria/windows.h"

static int compare_streams_by_process_and_index(const void *one,
						const void *other)
{
	const struct ap_stream *a = *(struct ap_stream *const *)one;
	const struct ap_stream *b = *(struct ap_stream *const *)other;

	if (a->tree != b->tree)
		return a->tree < b->tree ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

static bool is_stream_of_same_process(const struct ap_stream *a,
				      const struct ap_stream *b)
{
	return a->tree == b->tree && a->number == b->number;
}

/* ---- memory, all of it allocated before anything changes ---- */

struct order_memory {
	struct ap_stream **order; /* image streams, sorted by tree, process and
				     image */
	uint32_t n_order;
	struct ap_process **list; /* memory for pointers to all processes */
	struct ap_process **new;  /* [n_new] processes that do not exist yet */
	uint32_t n_new;
};

static void free_order_memory(struct order_memory *r)
{
	free(r->order);
	free(r->list);
	for (uint32_t i = 0; i < r->n_new; i++)
		free(r->new[i]);
	free(r->new);
}

static void collect_and_sort_image_streams(const struct alleria_profile *p,
					   struct order_memory *r)
{
	for (uint32_t i = 0; i < p->n_streams; i++)
		if (p->stream[i])
			r->order[r->n_order++] = p->stream[i];
	qsort(r->order, r->n_order, sizeof(*r->order),
	      compare_streams_by_process_and_index);
}

/* Allocate the processes that do not exist yet; existing ones keep their
   addresses. Return: 0; -ENOMEM. */
static int alloc_process_structs_of_new_ones(const struct alleria_profile *p,
					     struct order_memory *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->n_order; i++)
		n += i == 0 ||
		     !is_stream_of_same_process(r->order[i - 1], r->order[i]);
	for (n -= p->n_processes; r->n_new < n; r->n_new++) {
		r->new[r->n_new] = calloc(1, sizeof(**r->new));
		if (!r->new[r->n_new])
			return -ENOMEM;
	}
	return 0;
}

static int
alloc_memory_and_sort_streams_by_process(const struct alleria_profile *p,
					 struct order_memory *r)
{
	size_t max = p->n_streams + 1u;

	r->order = calloc(max, sizeof(*r->order));
	r->list = calloc(max, sizeof(*r->list));
	r->new = calloc(max, sizeof(*r->new));
	if (!r->order || !r->list || !r->new)
		return -ENOMEM;
	collect_and_sort_image_streams(p, r);
	return alloc_process_structs_of_new_ones(p, r);
}

/* ---- counts ---- */

static void
add_counts_and_propagate_unknown_threads(struct alleria_counts *to,
					 const struct alleria_counts *c)
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

/* Set the counts of an image, and the end time of an image without an end
   block, from the head of its last chunk. No-op without chunks. */
static void set_image_counts_and_end(struct ap_stream *s)
{
	struct alleria_counts *c = &s->pub.counts;
	const struct pf_head *h;

	if (s->units.n == 0)
		return;
	h = ap_chunk_head(s, s->units.n - 1);
	c->instructions = h->before.instructions + h->counts.instructions;
	c->reads = h->before.reads + h->counts.reads;
	c->writes = h->before.writes + h->counts.writes;
	c->modifies = h->before.modifies + h->counts.modifies;
	c->accesses = c->reads + c->writes - c->modifies;
	if (!s->ended)
		s->pub.end_ns = h->end_ns;
}

/* ---- processes ---- */

/* Set how process @a ended, with its exit code or signal, from the wait status
   that its parent received. No-op if no wait status was recorded. */
static void set_ending_from_wait_status(struct alleria_profile *p,
					struct alleria_process *a)
{
	for (size_t i = 0; i < p->n_wait_statuses; i++) {
		const struct ap_wait_status *received = &p->wait_status[i];
		unsigned signal = received->status & 0x7f;

		if (received->tree != a->tree || received->number != a->number)
			continue;
		a->ending = signal ? ALLERIA_SIGNALLED : ALLERIA_EXITED;
		a->value = signal ? (int32_t)signal
				  : (int32_t)(received->status >> 8 & 0xff);
	}
}

/* Set the status of process @a, and its reason, to those of its image @s,
   unless the status of @a is worse already. */
static void set_process_status_to_worse_of_image(struct alleria_process *a,
						 const struct ap_stream *s)
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

/* If SIGKILL ended process @a, set its status to truncated, as the report does,
   because it could not be recorded to its end; not if its status is truncated
   or worse already. */
static void mark_sigkilled_process_truncated(struct alleria_process *a)
{
	if (a->ending != ALLERIA_SIGNALLED || a->value != SIGKILL ||
	    a->status >= ALLERIA_TRUNCATED)
		return;
	a->status = ALLERIA_TRUNCATED;
	a->reason = "killed by signal 9";
}

/* Add @s as the next image of process @a: set the numbers of the image, add its
   counts to those of the process, and set the end and status of the process by
   it. The thread that called exec continues in the next image, so it is counted
   once. */
static void add_image_and_counts_to_process(struct alleria_process *a,
					    struct ap_stream *s)
{
	struct alleria_counts c = s->pub.counts;

	s->pub.process = a->index;
	s->pub.number = a->images;
	s->pub.first_access = a->first_access + a->counts.accesses;
	s->pub.first_instruction =
		a->first_instruction + a->counts.instructions;
	if (a->images++ > 0 && c.threads != ALLERIA_NOT && c.threads > 0)
		c.threads--;
	add_counts_and_propagate_unknown_threads(&a->counts, &c);
	a->has |= s->pub.has;
	a->ending = s->pub.ending;
	a->value = s->pub.value;
	a->end_ns = s->pub.end_ns;
	/* `lost` and `waited_ns` of an image include those of the process's
	   earlier images */
	a->lost = s->lost;
	a->waited_ns = s->waited_ns;
	set_process_status_to_worse_of_image(a, s);
}

/* Set the number of the image's process in all public blocks, object files and
   named marks of the image, which callers of the library may hold. */
static void set_process_of_blocks_files_and_marks(struct ap_stream *s)
{
	for (uint32_t i = 0; i < s->n_blocks; i++)
		s->block[i]->pub.process = s->pub.process;
	for (size_t i = 0; i < s->n_objects; i++)
		s->object[i]->process = s->pub.process;
	for (uint32_t i = 0; i < s->n_marks; i++)
		s->mark[i]->process = s->pub.process;
}

static struct ap_process *
find_existing_process_of_stream(struct alleria_profile *p,
				const struct ap_stream *s)
{
	for (uint32_t i = s->process ? s->process->pub.index - 1 : 0;
	     i < p->n_processes; i++)
		if (p->process[i]->pub.tree == s->tree &&
		    p->process[i]->pub.number == s->number)
			return p->process[i];
	return NULL;
}

/* Return the process of the image at index @first_stream_index of p->order: an
   existing process, reset to no images, or else a new one, taken from r->new.
   Set the members that come from its first image. */
static struct ap_process *
reset_or_init_process_of_stream(struct alleria_profile *p,
				struct order_memory *r,
				uint32_t first_stream_index)
{
	struct ap_stream *s = p->order[first_stream_index];
	struct ap_process *a = s->process;

	if (!a)
		a = find_existing_process_of_stream(p, s);
	if (!a)
		a = r->new[--r->n_new];
	free(a->thread);
	free(a->object);
	*a = (struct ap_process){.image = p->order + first_stream_index};
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

/* Add to r->list the process whose images begin at index *@stream_index of
   p->order, and advance *@stream_index past its images. */
static void append_process_to_list_add_its_images(struct alleria_profile *p,
						  struct order_memory *r,
						  uint32_t *stream_index)
{
	uint32_t first = *stream_index, n = p->run.processes;
	struct ap_process *a = reset_or_init_process_of_stream(p, r, first);

	a->pub.index = n + 1;
	for (; *stream_index < p->n_order &&
	       is_stream_of_same_process(p->order[first],
					 p->order[*stream_index]);
	     ++*stream_index) {
		p->order[*stream_index]->rank = *stream_index;
		p->order[*stream_index]->process = a;
		set_image_counts_and_end(p->order[*stream_index]);
		add_image_and_counts_to_process(&a->pub,
						p->order[*stream_index]);
		set_process_of_blocks_files_and_marks(p->order[*stream_index]);
	}
	set_ending_from_wait_status(p, &a->pub);
	mark_sigkilled_process_truncated(&a->pub);
	add_counts_and_propagate_unknown_threads(&p->run.counts,
						 &a->pub.counts);
	p->run.has |= a->pub.has;
	if (n == 0 || r->list[n - 1]->pub.tree != a->pub.tree)
		p->run.trees++;
	r->list[p->run.processes++] = a;
}

int ap_regroup_images_by_process(struct alleria_profile *p)
{
	struct order_memory r = {0};
	struct ap_process **old = p->process;
	uint32_t index = 0;
	int err = alloc_memory_and_sort_streams_by_process(p, &r);

	if (err) {
		free_order_memory(&r);
		return err;
	}
	free(p->order);
	p->order = r.order;
	p->n_order = r.n_order;
	r.order = NULL;
	p->run.counts = (struct alleria_counts){0};
	p->run.processes = p->run.trees = p->run.has = 0;
	while (index < p->n_order)
		append_process_to_list_add_its_images(p, &r, &index);
	p->process = r.list;
	p->n_processes = p->run.processes;
	r.list = old;
	free_order_memory(&r);
	return ap_windows_rebuild_totals(p);
}
