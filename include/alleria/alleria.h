/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alleria.h - liballeria reads, searches and replays profiles
 *
 *   facts.h    open a profile; the run, its processes, objects, names
 *   records.h  accesses, instructions and events, as records of fixed layout
 *   calls.h    calls of functions, with their arguments and results
 *   data.h     data objects: heap blocks, variables, stacks, mappings
 *   here       cursors, which return records to the caller, and executors,
 *              whose functions the library calls with records
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
 * Threads: there is no global state. Any number of threads may use a profile at
 * once, except during alleria_refresh() and alleria_close(), which require that
 * no other thread uses the profile or a cursor of it. A cursor, and a replay,
 * may be used by one thread at a time.
 *
 * Errors: functions that return int or long return a negative enum
 * alleria_error; alleria_error_text() translates it into words, and
 * alleria_cursor_error() names the part of the file that it concerns.
 *
 * Compatibility: symbols have versions. Structures that the library owns may
 * get more members at their end. Records, and structures that the caller owns,
 * have reserved members (`room`, `pad`): the library sets them to 0, and the
 * caller must set them to 0 in structures that it fills. Enumerations may get
 * more values: treat unknown values as "something else".
 */
#ifndef ALLERIA_ALLERIA_H
#define ALLERIA_ALLERIA_H

#include <alleria/calls.h>
#include <alleria/data.h>
#include <alleria/facts.h>
#include <alleria/records.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- filters ---- */

/*
 * Selects the records that a cursor returns. All zero, or no filter: all
 * records. Ranges are [from, to); a `to` of 0 means no upper bound. Strings and
 * arrays are copied. Conditions:
 *
 *   process, thread, access, instruction, time   on the position of a record.
 *       Blocks of the file without a matching position are not read. For
 *       branches, the blocks in which their threads ran last are read, too.
 *   object, function, code                       on the instruction.
 *   data, kinds                                  on the access.
 *       The head of a block lists the pages of memory and code that it touches;
 *       blocks without a matching page are not read.
 *
 * An access passes if all conditions hold; an instruction if they hold for it
 * and, with conditions on accesses, for one of its accesses; an execution if
 * they hold for one of its instructions. Records are returned whole: an
 * instruction with all its accesses, an execution with all its instructions.
 * For ranges of accesses, an instruction without an access belongs to the
 * access before it. For branches, conditions on the instruction apply to
 * `from`. Conditions on accesses are refused for branches and events, and
 * conditions on the instruction for events: ALLERIA_E_ARGUMENT.
 */
struct alleria_filter {
	const uint32_t *process; /* [n_processes] numbers of the processes whose
				    records pass, as for alleria_process() */
	uint32_t n_processes;	 /* length of @process; 0: all processes pass */
	uint32_t n_threads;	 /* length of @thread; 0: all threads pass */
	const uint32_t *thread;	 /* [n_threads] numbers of the threads whose
				    records pass, each in its image, from 1 */
	const char *object;	 /* path of the object file whose code passes,
				    or its file name if it has no '/'; NULL:
				    any */
	const char *function;	 /* name of the function whose code passes, as
				    in struct alleria_name; NULL: any */
	uint64_t code_from;	 /* first address of an instruction */
	uint64_t code_to;
	uint64_t data_from; /* first address of data; an access passes if one of
			       its bytes lies in the range */
	uint64_t data_to;
	uint64_t access_from; /* number of the first access */
	uint64_t access_to;
	uint64_t instruction_from; /* number of the first instruction */
	uint64_t instruction_to;
	uint64_t time_from; /* first time [ns], as returned by
			       alleria_time_of() */
	uint64_t time_to;
	uint32_t kinds;	  /* kinds of accesses: OR of 1 << enum alleria_kind; 0:
			     all kinds */
	uint32_t pad;	  /* reserved */
	uint64_t room[8]; /* reserved */
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
 * alleria_cursor_open() - Open a cursor at the first record that passes.
 * @filter: conditions that a record must meet; NULL: all records pass.
 * @out: receives the cursor, for alleria_cursor_close(); NULL on error.
 *
 * Records are ordered by process (tree, then number), by image of the process,
 * and within an image by time, in the order in which Valgrind scheduled the
 * threads. Nothing is read before the first record is requested.
 *
 * Return: 0; ALLERIA_E_RANGE: no such process; ALLERIA_E_ARGUMENT: unknown kind
 *         of record, or a filter that it does not allow;
 *         ALLERIA_E_UNRECORDED: the filter has a condition on data addresses,
 *         and no image has recorded them; ALLERIA_E_MEMORY.
 */
int alleria_cursor_open(struct alleria_profile *, enum alleria_what,
			const struct alleria_filter *filter,
			struct alleria_cursor **out);
void alleria_cursor_close(struct alleria_cursor *); /* does nothing for NULL */

/**
 * alleria_accesses() - Return the next batch of records.
 * @out: receives their address. The library owns the records; they are valid
 *       until the cursor is used again.
 *
 * The library chooses the size of a batch, at most about two thousand records.
 * All records of a batch belong to one process, image and thread, and were made
 * while the same objects were mapped. At the end of a profile that is being
 * written, more records may follow after alleria_refresh(), but none of the
 * processes before that of the last record: to follow a run of several
 * processes, open a cursor for each.
 *
 * Return: number of records, > 0; 0 at the end; ALLERIA_E_DAMAGED: a part of
 *         the file is missing or damaged, and the next call continues after
 *         it; ALLERIA_E_ARGUMENT: the cursor is for another kind of record;
 *         after other errors the next call tries again.
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

/* Return the next single record in @out. The functions that return batches may
   be called in between: a batch begins after the last single record. Return: 1;
   0 at the end; an error, as for alleria_accesses(). */
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
 * alleria_execution_accesses() - Return the accesses of an execution.
 * @execution: a record of the cursor's last batch.
 * @out: [ALLERIA_MAX_ACCESSES] receives them.
 *
 * Return: number of accesses that happened; guarded ones that did not are left
 *         out. ALLERIA_E_ARGUMENT: @execution is not of the last batch, or the
 *         cursor is for another kind of record.
 */
long alleria_execution_accesses(struct alleria_cursor *,
				const struct alleria_execution *execution,
				struct alleria_access *out);

/**
 * alleria_seek_access() - Move a cursor to an access, an instruction or a time.
 * @number: of the access or instruction; their total number moves to the end.
 * @process: number, from 1.
 * @time_ns: [ns] since the run began.
 *
 * Moves forward or back, for every kind of cursor. The next record is the first
 * one at or after the target: for instructions and executions the one that
 * makes access @number. Branches and events are returned if the access or
 * instruction that follows them is not before the target. But events after the
 * last instruction of an image are not returned if the target is the number
 * after it: a filter's instruction_from returns them. Nothing is read here.
 * The next call reads one block; for branches also the blocks in which its
 * threads ran last (for threads from 64 on, all earlier blocks), and
 * descriptors of the process that were not read yet.
 *
 * Return: 0; ALLERIA_E_RANGE: no such access, instruction, process or time.
 */
int alleria_seek_access(struct alleria_cursor *, uint64_t number);
int alleria_seek_instruction(struct alleria_cursor *, uint64_t number);
int alleria_seek_time(struct alleria_cursor *, uint32_t process,
		      uint64_t time_ns);

/* Return a line that describes the cursor's last error; "" if there was none.
   Valid until the cursor is used again. */
const char *alleria_cursor_error(const struct alleria_cursor *);

/* ---- executors ---- */

/*
 * The functions that a replay calls with the records of a profile. All are
 * optional; records without a function are not produced. A function returns 0
 * to continue, a positive number to stop, or a negative number of its own if it
 * failed. After a result that is not 0, only end() of that executor is called.
 *
 * Records come in batches; a batch ends at each event if an executor has
 * event(). For a batch, executions() is called first, then instructions(), then
 * accesses(), then branches(). Several batches may follow one another between
 * two events. event() is called between the batches before and after it.
 */
struct alleria_executor {
	void *state; /* first argument of all of the executor's functions */
	int (*begin)(void *state, struct alleria_profile *);
	/* Called once for each process that has records, before the first of
	   them. */
	int (*process)(void *state, const struct alleria_process *);
	int (*executions)(void *state, const struct alleria_execution *,
			  long n);
	int (*instructions)(void *state, const struct alleria_instruction *,
			    long n);
	int (*accesses)(void *state, const struct alleria_access *, long n);
	int (*branches)(void *state, const struct alleria_branch *, long n);
	int (*event)(void *state, const struct alleria_event *);
	int (*end)(void *state, int error); /* @error: the negative result of
					       this executor if it failed, else
					       the result of the replay */
	void *room[8];			    /* reserved */
};

/**
 * alleria_replay() - Read a profile once and pass its records to executors.
 * @filter: for all executors; NULL: all records. Conditions on instructions and
 *          accesses are ignored for records that they do not apply to, but
 *          refused if the executors have functions for one such kind alone.
 * @executor: [n] executors; end() is called after the last record.
 * @results: [n] receives the result of each executor, or NULL: the negative
 *           result if the executor failed before end(), else that of end().
 *
 * Damaged parts are skipped.
 * Return: 0: all records were replayed, or all executors stopped;
 *         ALLERIA_E_STOPPED: an executor failed; ALLERIA_E_DAMAGED: a damaged
 *         part was skipped; others as alleria_cursor_open() and
 *         alleria_accesses().
 */
int alleria_replay(struct alleria_profile *,
		   const struct alleria_filter *filter,
		   const struct alleria_executor *executor, unsigned n,
		   int *results);

#ifdef __cplusplus
}
#endif

#endif
