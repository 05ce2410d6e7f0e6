/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ex_walk.c - the instructions of a thread, with where control went next
 *
 * Room:    export.
 */
#include "export/ex_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An instruction that waits for the next one. */
struct waiting {
	int is_there;
	struct alleria_instruction instruction;
	struct alleria_access access[ALLERIA_MAX_ACCESSES];
};

static void keep(struct waiting *w, const struct alleria_instruction *i)
{
	w->is_there = 1;
	w->instruction = *i;
	w->instruction.access = w->access;
	memcpy(w->access, i->access, i->n_accesses * sizeof(*i->access));
}

static int hand_out(const struct ex_walk *walk, struct ex_thread *t,
		    struct waiting *w, uint64_t next)
{
	if (!w->is_there)
		return 0;
	w->is_there = 0;
	return walk->instruction(t, &w->instruction, next);
}

static int take(const struct ex_walk *walk, struct ex_thread *t,
		struct waiting *w, const struct alleria_instruction *in, long n)
{
	int err = 0;

	for (long i = 0; i < n && !err; i++) {
		err = hand_out(walk, t, w, in[i].address);
		if (!err && i + 1 < n)
			err = walk->instruction(t, &in[i], in[i + 1].address);
		else if (!err)
			keep(w, &in[i]);
	}
	return err;
}

static int walk_thread(const struct ex_walk *walk, struct ex_thread *t)
{
	const struct alleria_filter filter = {
		.process = &t->process->index,
		.n_processes = 1,
		.thread = &t->number,
		.n_threads = 1,
	};
	const struct alleria_instruction *in;
	struct alleria_cursor *c = NULL;
	struct waiting *w = calloc(1, sizeof(*w));
	int err = w ? 0 : ex_fail(walk->job, ALLERIA_E_MEMORY, NULL);
	long n;

	if (!err) {
		n = alleria_cursor_open(walk->job->profile,
					ALLERIA_INSTRUCTIONS, &filter, &c);
		while (n >= 0 && !err && (n = alleria_instructions(c, &in)) > 0)
			err = take(walk, t, w, in, n);
		if (n < 0 && !err)
			err = ex_fail(walk->job, (int)n, c);
		if (!err)
			err = hand_out(walk, t, w, 0);
	}
	alleria_cursor_close(c);
	free(w);
	return err;
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

static int do_numbered(const struct ex_walk *walk, struct ex_thread *t)
{
	char *path;
	int err;

	if (asprintf(&path, "%s.%u.%u", walk->job->path, t->process->index + 1,
		     t->number) < 0)
		return ex_fail(walk->job, ALLERIA_E_MEMORY, NULL);
	err = do_thread(walk, t, path);
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

static int refuse_standard(struct ex_job *job)
{
	snprintf(job->message, sizeof(job->message),
		 "a file for each thread: not '-o -'");
	return -1;
}

int ex_walk(const struct ex_walk *walk)
{
	struct alleria_profile *p = walk->job->profile;
	uint32_t processes = alleria_run(p)->processes;
	int err = 0;

	for (uint32_t i = 0; i < processes && !err; i++) {
		struct ex_thread t = {.process = alleria_process(p, i)};
		long n = count_threads(p, i);

		if (n < 0)
			return ex_fail(walk->job, (int)n, NULL);
		if (processes == 1 && n == 1) {
			t.number = 1;
			return do_thread(walk, &t, walk->job->path);
		}
		if (strcmp(walk->job->path, "-") == 0)
			return refuse_standard(walk->job);
		for (t.number = 1; t.number <= n && !err; t.number++)
			err = do_numbered(walk, &t);
	}
	return err;
}
