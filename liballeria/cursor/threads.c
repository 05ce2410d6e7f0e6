/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads.c - lists the threads of a process, and counts what each executed
 *
 * Only events are read: between two events one thread runs.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/tables/array.h"
#include "liballeria/profile.h"

struct thread_list {
	struct alleria_thread *thread;
	size_t n;
	size_t size;
	size_t running; /* index of the running thread + 1; 0: no thread
				 has run yet */
	/* number of instructions before the last event; they are already added
	   to the threads */
	uint64_t instruction;
	uint64_t access;
};

static struct alleria_thread *append_uninitialized_thread(struct thread_list *t)
{
	if (al_array_reserve(t->thread, t->size, t->n + 1))
		return NULL;
	return &t->thread[t->n++];
}

static struct alleria_thread *
find_thread_of_image(struct thread_list *t, uint32_t image, uint32_t number)
{
	for (size_t i = t->n; i-- > 0;)
		if (t->thread[i].image == image &&
		    t->thread[i].number == number)
			return &t->thread[i];
	return NULL;
}

static int add_thread_if_new(struct thread_list *t,
			     const struct alleria_event *e, uint32_t number)
{
	struct alleria_thread *new;

	if (number == 0 || find_thread_of_image(t, e->image, number))
		return 0;
	new = append_uninitialized_thread(t);
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

static void record_thread_end(struct alleria_thread *t,
			      const struct alleria_event *e)
{
	t->ended = e->kind == ALLERIA_THREAD_END;
	t->end_instruction = e->instruction;
	t->end_ns = e->time_ns;
}

/* Add the instructions and accesses since the last event to the running thread,
   if any. @instruction, @access: number of instructions and of accesses before
   the current event. */
static void add_counts_since_last_event(struct thread_list *t,
					uint64_t instruction, uint64_t access)
{
	if (t->running) {
		struct alleria_thread *running = &t->thread[t->running - 1];

		running->instructions += instruction - t->instruction;
		running->accesses += access - t->access;
	}
	t->instruction = instruction;
	t->access = access;
}

static int add_if_new_and_switch_to_thread(struct thread_list *t,
					   const struct alleria_event *e,
					   uint32_t number)
{
	int err = add_thread_if_new(t, e, number);
	const struct alleria_thread *to;

	if (err)
		return err;
	to = find_thread_of_image(t, e->image, number);
	t->running = to ? (size_t)(to - t->thread) + 1 : 0;
	return 0;
}

/* Update the list of threads @t by event @e of process @process_of_event. An
   image begins with the thread that is named in the head of its first chunk, or
   with thread 1 if it has no chunk. Return: 0; -ENOMEM. */
static int
update_threads_and_their_counts_by_event(struct thread_list *t,
					 struct ap_process *process_of_event,
					 const struct alleria_event *e)
{
	const struct ap_stream *s = process_of_event->image[e->image];
	struct alleria_thread *ending;

	add_counts_since_last_event(t, e->instruction, e->access);
	switch (e->kind) {
	case ALLERIA_IMAGE_BEGIN:
		return add_if_new_and_switch_to_thread(
			t, e, s->units.n ? ap_chunk_head(s, 0)->thread : 1);
	case ALLERIA_THREAD_START:
		return add_thread_if_new(t, e, (uint32_t)e->value);
	case ALLERIA_THREAD_SWITCH:
		return add_if_new_and_switch_to_thread(t, e, e->thread);
	case ALLERIA_THREAD_END:
		ending = find_thread_of_image(t, e->image, (uint32_t)e->value);
		if (ending)
			record_thread_end(ending, e);
	}
	return 0;
}

/* Add the last counts to the running thread, and set the end of all threads
   that were alive when their image ended. */
static void end_open_threads(struct thread_list *t, const struct ap_process *a)
{
	const struct alleria_process *p = &a->pub;

	add_counts_since_last_event(
		t, p->first_instruction + p->counts.instructions,
		p->first_access + p->counts.accesses);
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

/* List the threads of a process, with their counts. Return: 0; enum
   alleria_error. */
static int list_threads_of_process_with_counts(struct alleria_profile *p,
					       struct ap_process *a,
					       struct thread_list *t)
{
	const uint32_t index = a->pub.index;
	const struct alleria_filter filter = {.process = &index,
					      .n_processes = 1};
	const struct alleria_event *e;
	struct alleria_cursor *c;
	int err = alleria_cursor_open(p, ALLERIA_EVENTS, &filter, &c);
	long n = 1;

	while (!err && n != 0) {
		n = alleria_events(c, &e);
		for (long i = 0; !err && i < n; i++)
			if (update_threads_and_their_counts_by_event(t, a,
								     &e[i]))
				err = ALLERIA_E_MEMORY;
		if (n < 0 && n != ALLERIA_E_DAMAGED)
			err = (int)n;
	}
	alleria_cursor_close(c);
	end_open_threads(t, a);
	return err;
}

long alleria_threads(struct alleria_profile *p, uint32_t process,
		     const struct alleria_thread **out)
{
	struct thread_list t = {0};
	struct ap_process *a = ap_find_process(p, process);
	bool known;
	int err;

	*out = NULL;
	if (!a)
		return ALLERIA_E_RANGE;
	pthread_mutex_lock(&p->lock);
	known = a->thread;
	pthread_mutex_unlock(&p->lock);
	err = known ? 0 : list_threads_of_process_with_counts(p, a, &t);
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
