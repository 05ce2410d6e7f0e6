/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alleria.h - liballeria: profiles read, searched and replayed
 *
 *   facts.h    open a profile; what was run, its processes, objects, names
 *   records.h  what happened, as records of fixed layout
 *   calls.h    calls of functions, with their arguments and results
 *   here       cursors, which give records out, and executors, which are
 *              given them
 *
 * A first program:
 *
 *	struct alleria_profile *p;
 *	struct alleria_cursor *c;
 *	const struct alleria_access *a;
 *	char message[ALLERIA_MESSAGE];
 *	long n = alleria_open("run.alleria", &p, message);
 *
 *	if (n < 0)
 *		errx(1, "%s", message);
 *	n = alleria_cursor_open(p, ALLERIA_ACCESSES, NULL, &c);
 *	while (n >= 0 && (n = alleria_accesses(c, &a)) > 0)
 *		for (long i = 0; i < n; i++)
 *			use(a[i].code, a[i].address, a[i].size);
 *	if (n < 0)
 *		warnx("%s", alleria_error_text((int)n));
 *	alleria_cursor_close(c);
 *	alleria_close(p);
 *
 * Threads: there is no global state. A profile may be used by any number of
 * threads at once, but for alleria_refresh() and alleria_close(), which want
 * nobody else. A cursor, and a replay, are for one thread at a time.
 *
 * Errors: functions that return int or long return a negative enum
 * alleria_error; alleria_error_text() has words for it, and
 * alleria_cursor_error() says what it was about.
 *
 * Compatibility: symbols have versions. Structures that the library owns may
 * get more members at their end; records, and structures that the caller owns,
 * have room in them that is 0 until it means something, and must be 0 where
 * the caller fills them. Enumerations get more values: treat one that you do
 * not know as "something else".
 */
#ifndef ALLERIA_ALLERIA_H
#define ALLERIA_ALLERIA_H

#include <alleria/calls.h>
#include <alleria/facts.h>
#include <alleria/records.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- which records ---- */

/*
 * What a cursor gives. All zero, or no filter: everything. Ranges are [from,
 * to); a `to` of 0 is no bound. Strings and arrays are copied.
 *
 *   process, thread, access, instruction, time   when it happened: blocks of
 *       the file that have none of it are not read, but for branches those
 *       that tell where their threads came from
 *   object, function, code                       of the instruction
 *   data, kinds                                  of the access: blocks are not
 *       read that touch none of the memory, or execute none of the code, as far
 *       as their heads tell, which is by the page or more
 *
 * Accesses are given when all of it holds; instructions when it holds for them
 * and, where there are conditions on accesses, for one that they make;
 * executions when it holds for one of their instructions. What is given is
 * whole: an instruction with all its accesses, an execution with all its
 * instructions. What makes no access belongs to the access before it.
 * For branches, conditions on the instruction are about `from`;
 * on branches and events conditions on accesses, and on events those on the
 * instruction, are ALLERIA_E_ARGUMENT.
 */
struct alleria_filter {
	const uint32_t *process; /* numbers, as in alleria_process() */
	uint32_t n_processes;	 /* 0: all */
	uint32_t n_threads;	 /* 0: all */
	const uint32_t *thread;	 /* numbers in their image, from 1 */
	const char *object;	 /* path, or file name if it has no '/' */
	const char *function;	 /* name, as in struct alleria_name */
	uint64_t code_from;	 /* address of the instruction */
	uint64_t code_to;
	uint64_t data_from; /* address: a byte of the access lies there */
	uint64_t data_to;
	uint64_t access_from; /* number */
	uint64_t access_to;
	uint64_t instruction_from; /* number */
	uint64_t instruction_to;
	uint64_t time_from; /* [ns] as alleria_time_of() tells it */
	uint64_t time_to;
	uint32_t kinds; /* OR of 1 << enum alleria_kind; 0: all */
	uint32_t pad;
	uint64_t room[8];
};

/* ---- cursors ---- */

enum alleria_what {
	ALLERIA_ACCESSES = 1,
	ALLERIA_INSTRUCTIONS = 2,
	ALLERIA_EXECUTIONS = 3,
	ALLERIA_BRANCHES = 4,
	ALLERIA_EVENTS = 5,
};

/**
 * alleria_cursor_open() - Start at the first record that passes a filter.
 * @filter: NULL: everything.
 * @out: receives the cursor, for alleria_cursor_close(); NULL on error.
 *
 * Records come process by process in order of tree and number, a process's
 * images one after the other, and within an image in program order, as the
 * threads took turns. Nothing is read before the first is asked for.
 *
 * Return: 0; ALLERIA_E_RANGE: no such process; ALLERIA_E_ARGUMENT;
 *         ALLERIA_E_UNRECORDED: it would need what no image has recorded;
 *         ALLERIA_E_MEMORY.
 */
int alleria_cursor_open(struct alleria_profile *, enum alleria_what,
			const struct alleria_filter *filter,
			struct alleria_cursor **out);
void alleria_cursor_close(struct alleria_cursor *); /* NULL: nothing */

/**
 * alleria_accesses() - The next records, as many as come cheaply.
 * @out: receives their address; they are the library's and stay until the
 *       cursor is used again.
 *
 * A batch is of one process, one image and one thread. At the end of a profile
 * that is being written, more may come after alleria_refresh().
 *
 * Return: how many, > 0; 0 at the end; ALLERIA_E_DAMAGED when a part of the
 *         file is missing or broken: the next call goes on behind it;
 *         ALLERIA_E_ARGUMENT: the cursor is for something else; other errors
 *         come again at the next call.
 */
long alleria_accesses(struct alleria_cursor *,
		      const struct alleria_access **out);
long alleria_instructions(struct alleria_cursor *,
			  const struct alleria_instruction **out);
long alleria_executions(struct alleria_cursor *,
			const struct alleria_execution **out);
long alleria_branches(struct alleria_cursor *,
		      const struct alleria_branch **out);
long alleria_events(struct alleria_cursor *, const struct alleria_event **out);

/* One at a time: 1; otherwise as above. May be mixed with batches, which then
   go on behind it. */
int alleria_next_access(struct alleria_cursor *,
			const struct alleria_access **out);
int alleria_next_instruction(struct alleria_cursor *,
			     const struct alleria_instruction **out);
int alleria_next_execution(struct alleria_cursor *,
			   const struct alleria_execution **out);
int alleria_next_branch(struct alleria_cursor *,
			const struct alleria_branch **out);
int alleria_next_event(struct alleria_cursor *,
		       const struct alleria_event **out);

/**
 * alleria_execution_accesses() - The accesses of an execution.
 * @execution: of the batch that the cursor has given last.
 * @out: [ALLERIA_MAX_ACCESSES] receives them.
 *
 * Return: how many, guarded ones that did not happen left out.
 */
long alleria_execution_accesses(struct alleria_cursor *,
				const struct alleria_execution *execution,
				struct alleria_access *out);

/**
 * alleria_seek_access() - Go on with the first record at or behind a place.
 * @number: of an access, or of an instruction; the end is a place, too.
 * @process: number, from 1. @time_ns: since the run began.
 *
 * Forward or back, and for every kind of cursor: the instruction, or the
 * execution, that makes access @number is the first for it; branches and events
 * are those before the next access or instruction. Reads nothing; what follows
 * reads one block, for branches also those where its threads were last (all
 * before it for threads from 64 on), and descriptors where the process's were
 * not read yet.
 *
 * Return: 0; ALLERIA_E_RANGE: there is no such place; others as
 *         alleria_accesses().
 */
int alleria_seek_access(struct alleria_cursor *, uint64_t number);
int alleria_seek_instruction(struct alleria_cursor *, uint64_t number);
int alleria_seek_time(struct alleria_cursor *, uint32_t process,
		      uint64_t time_ns);

/* What the cursor's last error was about, one line; "" when there was none. It
   stays until the cursor is used again. */
const char *alleria_cursor_error(const struct alleria_cursor *);

/* ---- executors ---- */

/*
 * Something that a profile is replayed to. All functions are optional; those
 * that are not there cost nothing. Each returns 0 to go on, a positive number
 * when it wants no more, or a negative one of its own when it failed; then it
 * is not called again, but for end().
 *
 * Records come in batches that end where an event is. For a stretch between
 * two events, executions() comes first, then instructions(), then accesses(),
 * each of which may come several times; event() comes in its place between
 * them.
 */
struct alleria_executor {
	void *state; /* first argument of all of them */
	int (*begin)(void *state, struct alleria_profile *);
	int (*process)(void *state, const struct alleria_process *); /* begins
								      */
	int (*executions)(void *state, const struct alleria_execution *,
			  long n);
	int (*instructions)(void *state, const struct alleria_instruction *,
			    long n);
	int (*accesses)(void *state, const struct alleria_access *, long n);
	int (*branches)(void *state, const struct alleria_branch *, long n);
	int (*event)(void *state, const struct alleria_event *);
	int (*end)(void *state, int error); /* what alleria_replay() returns */
	void *room[8];
};

/**
 * alleria_replay() - Go through a profile once, for all executors.
 * @filter: for all of them; NULL: everything. Its conditions on instructions
 *          and accesses hold for those records that they have a meaning for.
 * @executor: [n] of them; each has all records before its end() is called.
 * @results: [n] receives what each returned last, or NULL.
 *
 * Damaged parts are left out.
 * Return: 0: all was replayed, or all executors wanted no more;
 *         ALLERIA_E_STOPPED: one failed; ALLERIA_E_DAMAGED: something was left
 *         out; others as alleria_cursor_open().
 */
int alleria_replay(struct alleria_profile *,
		   const struct alleria_filter *filter,
		   const struct alleria_executor *executor, unsigned n,
		   int *results);

#ifdef __cplusplus
}
#endif

#endif
