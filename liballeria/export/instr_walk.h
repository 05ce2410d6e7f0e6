/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instr_walk.h - the instructions of a thread, with where control went next
 */
#ifndef LIBALLERIA_EXPORT_INSTR_WALK_H
#define LIBALLERIA_EXPORT_INSTR_WALK_H

#include <stdbool.h>

#include "liballeria/export/atomic_file.h"

/* A thread of a process; its numbers in the process's images are one thread. */
struct ex_thread {
	const struct alleria_process *process;
	uint32_t number;
	struct ex_file file;
	void *state; /* the format's */
};

/* Where it goes from an instruction. */
struct ex_next {
	uint64_t address; /* handlers of signals aside; 0: nowhere, or nobody
			     knows */
	bool signal;	  /* a handler comes first */
};

struct ex_walk {
	struct ex_job *job;
	const char *format; /* begins the names of files */
	const char *sub;    /* folder in the output that has them; "": none */
	void *state;
	/* All: 0; -1 with the job's message. */
	int (*begin)(struct ex_thread *);
	int (*instruction)(struct ex_thread *,
			   const struct alleria_instruction *,
			   const struct ex_next *);
	int (*end)(struct ex_thread *);
};

/* Write a file for each thread, one after the other, into a folder at the job's
   path: FORMAT.PROCESS.THREAD.trace, however many threads there are; process
   from 1 in their order, thread from 1. Return: 0; -1 with the job's message. */
int ex_walk(const struct ex_walk *);

#endif
