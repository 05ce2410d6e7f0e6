/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ap_objects.c - objects that processes had mapped, and threads that they had
 *
 * Room:    api.
 */
#include <errno.h>
#include <stdlib.h>

#include "api/ap_cursor.h"
#include "api/ap_names.h"
#include "api/ap_place.h"
#include "api/ap_stream.h"

/* ---- objects ---- */

/* When a place in the log was told: the next chunk has used it. [ns] */
static uint64_t time_of_log(const struct ap_stream *s, uint64_t log)
{
	uint32_t entry = UINT32_MAX;

	if (log == UINT64_MAX)
		return ALLERIA_NOT;
	if (log == 0)
		return s->pub.begin_ns;
	for (uint32_t i = 0; i < s->logs.n && entry == UINT32_MAX; i++) {
		const struct pf_head *h = ap_head(s->profile, s->logs.entry[i]);

		if (log <= h->position + h->bytes)
			entry = s->logs.entry[i];
	}
	for (uint32_t i = 0; i < s->units.n; i++)
		if (s->units.entry[i] > entry)
			return ap_chunk(s, i)->begin_ns;
	return s->pub.end_ns;
}

static void fill_object(const struct ap_stream *s, const struct al_mapping *m,
			struct alleria_object *o)
{
	*o = (struct alleria_object){
		.path = m->path,
		.build_id = ap_names_build_id(&s->profile->names, m->path),
		.start = m->start,
		.size = m->size,
		.bias = m->bias,
		.begin_ns = time_of_log(s, m->from),
		.end_ns = time_of_log(s, m->to),
		.process = s->pub.process,
		.image = s->pub.number,
		.number = m->number,
	};
}

static int make_objects(struct ap_stream *s)
{
	const struct al_mappings *all = &s->blocks.mappings;
	void *bigger = reallocarray(s->object, all->n + 1, sizeof(*s->object));

	if (!bigger)
		return -ENOMEM;
	s->object = bigger;
	while (s->n_objects < all->n) {
		s->object[s->n_objects] = malloc(sizeof(**s->object));
		if (!s->object[s->n_objects])
			return -ENOMEM;
		s->n_objects++;
	}
	for (size_t i = 0; i < all->n; i++)
		fill_object(s, all->all[i], s->object[i]);
	return 0;
}

/* What is broken tells what it has told before. */
static int read_objects(struct ap_stream *s)
{
	int err = ap_stream_ready(s, UINT32_MAX);

	if (!err || err == -EBADMSG)
		err = make_objects(s);
	return err;
}

static int list_objects(struct ap_process *a)
{
	size_t n = 0;
	int err = 0;

	for (uint32_t i = 0; !err && i < a->pub.images; i++) {
		err = read_objects(a->image[i]);
		n += a->image[i]->n_objects;
	}
	if (!err)
		a->object = calloc(n + 1, sizeof(*a->object));
	if (err || !a->object)
		return err ? err : -ENOMEM;
	n = 0;
	for (uint32_t i = 0; i < a->pub.images; i++)
		for (size_t k = 0; k < a->image[i]->n_objects; k++)
			a->object[n++] = a->image[i]->object[k];
	return 0;
}

long alleria_objects(struct alleria_profile *p, uint32_t process,
		     const struct alleria_object *const **out)
{
	struct ap_process *a;
	long n = 0;
	int err;

	*out = NULL;
	if (process >= p->n_processes)
		return ALLERIA_E_RANGE;
	a = p->process[process];
	pthread_mutex_lock(&p->lock);
	err = ap_names_read(p);
	if (!err && !a->object)
		err = list_objects(a);
	pthread_mutex_unlock(&p->lock);
	if (err)
		return ap_error(err);
	for (uint32_t i = 0; i < a->pub.images; i++)
		n += (long)a->image[i]->n_objects;
	*out = a->object;
	return n;
}

/* ---- threads ---- */

struct threads {
	struct alleria_thread *thread;
	size_t n;
	size_t size;
};

static struct alleria_thread *add_thread(struct threads *t)
{
	size_t size = t->size ? 2 * t->size : 16;
	void *bigger;

	if (t->n == t->size) {
		bigger = reallocarray(t->thread, size, sizeof(*t->thread));
		if (!bigger)
			return NULL;
		t->thread = bigger;
		t->size = size;
	}
	return &t->thread[t->n++];
}

static struct alleria_thread *find_thread(struct threads *t, uint32_t image,
					  uint32_t number)
{
	for (size_t i = t->n; i-- > 0;)
		if (t->thread[i].image == image &&
		    t->thread[i].number == number)
			return &t->thread[i];
	return NULL;
}

static int begin_thread(struct threads *t, const struct alleria_event *e,
			uint32_t number)
{
	struct alleria_thread *new;

	if (number == 0 || find_thread(t, e->image, number))
		return 0;
	new = add_thread(t);
	if (!new)
		return -ENOMEM;
	*new = (struct alleria_thread){
		.process = e->process,
		.image = e->image,
		.number = number,
		.begin_instruction = e->instruction,
		.begin_ns = e->time_ns,
	};
	return 0;
}

static void end_thread(struct alleria_thread *t, const struct alleria_event *e)
{
	t->ended = e->kind == ALLERIA_THREAD_END;
	t->end_instruction = e->instruction;
	t->end_ns = e->time_ns;
}

/* A stream begins with the thread that its first chunk names. */
static int take_event(struct threads *t, struct ap_process *a,
		      const struct alleria_event *e)
{
	const struct ap_stream *s = a->image[e->image];
	struct alleria_thread *ending;

	switch (e->kind) {
	case ALLERIA_IMAGE_BEGIN:
		return begin_thread(t, e,
				    s->units.n ? ap_chunk(s, 0)->thread : 1);
	case ALLERIA_THREAD_START:
		return begin_thread(t, e, (uint32_t)e->value);
	case ALLERIA_THREAD_SWITCH:
		return begin_thread(t, e, e->thread);
	case ALLERIA_THREAD_END:
		ending = find_thread(t, e->image, (uint32_t)e->value);
		if (ending)
			end_thread(ending, e);
	}
	return 0;
}

/* Those that were alive when their image ended. */
static void end_all(struct threads *t, const struct ap_process *a)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct alleria_image *image =
			&a->image[t->thread[i].image]->pub;

		if (t->thread[i].ended)
			continue;
		t->thread[i].end_instruction =
			image->first_instruction + image->counts.instructions;
		t->thread[i].end_ns = image->end_ns;
	}
}

static int read_threads(struct alleria_profile *p, struct ap_process *a,
			struct threads *t)
{
	const uint32_t index = a->pub.index;
	const struct alleria_filter of = {.process = &index, .n_processes = 1};
	const struct alleria_event *e;
	struct alleria_cursor *c;
	int err = alleria_cursor_open(p, ALLERIA_EVENTS, &of, &c);
	long n = 1;

	while (!err && n != 0) {
		n = alleria_events(c, &e);
		for (long i = 0; !err && i < n; i++)
			if (take_event(t, a, &e[i]))
				err = ALLERIA_E_MEMORY;
		if (n < 0 && n != ALLERIA_E_DAMAGED)
			err = (int)n;
	}
	alleria_cursor_close(c);
	end_all(t, a);
	return err;
}

long alleria_threads(struct alleria_profile *p, uint32_t process,
		     const struct alleria_thread **out)
{
	struct threads t = {0};
	struct ap_process *a;
	bool known;
	int err;

	*out = NULL;
	if (process >= p->n_processes)
		return ALLERIA_E_RANGE;
	a = p->process[process];
	pthread_mutex_lock(&p->lock);
	known = a->thread;
	pthread_mutex_unlock(&p->lock);
	err = known ? 0 : read_threads(p, a, &t);
	pthread_mutex_lock(&p->lock);
	if (!err && !a->thread) {
		a->thread = t.thread;
		a->n_threads = t.n;
		t.thread = NULL;
	}
	pthread_mutex_unlock(&p->lock);
	free(t.thread);
	if (err)
		return err;
	*out = a->thread;
	return (long)a->n_threads;
}
