/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instr_walk.c - the instructions of a thread, with where control went next
 */
#include "liballeria/export/instr_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "liballeria/export/branch_kind.h"
#include "liballeria/export/output_folder.h"
#include "liballeria/export/signal_return.h"

/* A thread on its way, with an instruction that waits for the next one. */
struct way {
	const struct ex_walk *walk;
	struct ex_thread *thread;
	struct alleria_filter filter;
	bool waits;
	bool signal; /* a handler begins behind it */
	struct alleria_instruction instruction;
	struct alleria_access access[ALLERIA_MAX_ACCESSES];
};

static void keep(struct way *w, const struct alleria_instruction *i)
{
	w->waits = true;
	w->signal = false;
	w->instruction = *i;
	w->instruction.access = w->access;
	memcpy(w->access, i->access, i->n_accesses * sizeof(*i->access));
}

/* Where control goes that nothing tells. */
static uint64_t go_on(const struct alleria_instruction *i)
{
	enum ex_branch branch = ex_branch_of(i->bytes, i->size);

	if (branch == EX_JUMP || branch == EX_CALL)
		return ex_branch_target(i->bytes, i->size, i->address);
	return ex_branch_is_indirect(branch) ? 0 : i->address + i->size;
}

/* @handler: number of its first instruction. */
static uint64_t interrupted(const struct way *w, uint64_t handler)
{
	const struct alleria_instruction *i = &w->instruction;
	uint64_t address;

	if (i->flags & ALLERIA_FAULTED)
		return i->address;
	address = ex_signal_return(w->walk->job->profile, &w->filter, handler);
	return address ? address : go_on(i);
}

static int hand_out(struct way *w, const struct alleria_instruction *then)
{
	struct ex_next next = {.address = then ? then->address : 0};

	if (!w->waits)
		return 0;
	w->waits = false;
	if (w->signal && then) {
		next.signal = true;
		next.address = interrupted(w, then->number);
	}
	return w->walk->instruction(w->thread, &w->instruction, &next);
}

static int take(void *state, const struct alleria_instruction *in, long n)
{
	struct way *w = state;
	int err = hand_out(w, in);

	for (long i = 0; i + 1 < n && !err; i++) {
		const struct ex_next next = {.address = in[i + 1].address};

		err = w->walk->instruction(w->thread, &in[i], &next);
	}
	if (!err)
		keep(w, &in[n - 1]);
	return err;
}

static int take_event(void *state, const struct alleria_event *e)
{
	struct way *w = state;

	w->signal |= e->kind == ALLERIA_SIGNAL;
	return 0;
}

static int walk_thread(const struct ex_walk *walk, struct ex_thread *t)
{
	struct alleria_executor executor = {
		.instructions = take,
		.event = take_event,
	};
	struct way *w = calloc(1, sizeof(*w));
	int err;

	if (!w)
		return ex_fail(walk->job, ALLERIA_E_MEMORY, NULL);
	w->walk = walk;
	w->thread = t;
	w->filter = (struct alleria_filter){
		.process = &t->process->index,
		.n_processes = 1,
		.thread = &t->number,
		.n_threads = 1,
	};
	executor.state = w;
	err = alleria_replay(walk->job->profile, &w->filter, &executor, 1,
			     NULL);
	if (err == 0)
		err = hand_out(w, NULL);
	else if (err != ALLERIA_E_STOPPED)
		err = ex_fail(walk->job, err, NULL);
	free(w);
	return err ? -1 : 0;
}

static int do_thread(const struct ex_walk *walk, struct ex_thread *t,
		     const char *path)
{
	int err = ex_file_open(&t->file, walk->job, path);

	t->state = walk->state;
	if (!err)
		err = walk->begin(t);
	if (!err)
		err = walk_thread(walk, t);
	if (!err)
		err = walk->end(t);
	return ex_file_close(&t->file, err);
}

static int write_thread(const struct ex_walk *walk,
			const struct ex_folder *folder, struct ex_thread *t)
{
	char *path = ex_folder_file(folder, t->process->index, t->number);
	int err = path ? do_thread(walk, t, path)
		       : ex_fail(walk->job, ALLERIA_E_MEMORY, NULL);

	free(path);
	return err;
}

/* The highest number of a thread in any image; negative: an error. */
static long count_threads(struct alleria_profile *p, uint32_t process)
{
	const struct alleria_thread *t;
	long n = alleria_threads(p, process, &t), most = 0;

	for (long i = 0; i < n; i++)
		if ((long)t[i].number > most)
			most = (long)t[i].number;
	return n < 0 ? n : most;
}

static int write_process(const struct ex_walk *walk,
			 const struct ex_folder *folder, uint32_t process)
{
	struct alleria_profile *p = walk->job->profile;
	struct ex_thread t = {.process = alleria_process(p, process)};
	long n = count_threads(p, process);
	int err = n < 0 ? ex_fail(walk->job, (int)n, NULL) : 0;

	for (t.number = 1; t.number <= n && !err; t.number++)
		err = write_thread(walk, folder, &t);
	return err;
}

int ex_walk(const struct ex_walk *walk)
{
	uint32_t processes = alleria_run(walk->job->profile)->processes;
	struct ex_folder folder;
	int err = ex_folder_open(&folder, walk->job, walk->format, walk->sub);

	for (uint32_t i = 1; i <= processes && !err; i++)
		err = write_process(walk, &folder, i);
	return ex_folder_close(&folder, err);
}
