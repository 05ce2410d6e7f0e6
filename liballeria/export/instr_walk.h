/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instr_walk.h - iterates over a thread's instructions and their successors,
 * and counts instructions and accesses of source lines
 */
#ifndef LIBALLERIA_EXPORT_INSTR_WALK_H
#define LIBALLERIA_EXPORT_INSTR_WALK_H

#include <stdbool.h>

#include "liballeria/export/atomic_file.h"
#include "liballeria/export/format.h"

/* A thread of a process. Threads with the same number in several images of the
   process count as one thread. */
struct ex_thread {
	const struct alleria_process *process;
	uint32_t number;
	struct ex_file file;
	void *state; /* state of the format */
};

/* The successor of an instruction. */
struct ex_next {
	/* address of the next instruction of the thread that is not in a signal
	   handler entered here; 0: none, or unknown */
	uint64_t address;
	/* a signal handler is executed between the instruction and this
	   address */
	bool signal;
};

/* A walk over the instructions of all threads of a profile, and the functions
   of the format that it calls. */
struct ex_walk {
	struct ex_export_job *job;
	const char *format;    /* prefix of the file names */
	const char *subfolder; /* subfolder of the output for the files; "":
			       none */
	void *state;
	/* begin() is called before the instructions of each thread,
	   instruction() for each of them in order, end() after them. Return: 0;
	   -1 with the job's message, which ends the walk. */
	int (*begin)(struct ex_thread *);
	int (*instruction)(struct ex_thread *,
			   const struct alleria_instruction *,
			   const struct ex_next *);
	int (*end)(struct ex_thread *);
};

/* Write a file for each thread, one after the other, into a folder at the job's
   path. File names are FORMAT.PROCESS.THREAD.trace, even if there is only one
   thread; PROCESS is the `index` of the process, both numbers begin with 1.
   Return: 0; -1 with the job's message, which may be "" if the user has
   cancelled the command. */
int ex_write_all_thread_files(const struct ex_walk *);

/* Counts of a source line in a process. */
struct ex_count {
	uint32_t process; /* number, from 1 */
	struct alleria_name name;
	uint64_t instructions;
	uint64_t reads; /* a modify is a read and a write */
	uint64_t writes;
};

/* Count the instructions, reads and writes of a profile, and call @callback
   once for each source line of each process, sorted by process, object, file,
   function and line. Return: 0; the first result of @callback that is not 0,
   after which it is not called again; -1 with the job's message. */
int ex_count_instrs_and_accesses_by_line(
	struct ex_export_job *,
	int (*callback)(void *arg, const struct ex_count *), void *arg);

#endif
