/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instr_walk.c - iterates over a thread's instructions and their successors
 */
#include "liballeria/export/instr_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "liballeria/export/branch_kind.h"
#include "liballeria/export/output_folder.h"
#include "liballeria/export/signal_return.h"

/* State of a walk over the instructions of a thread. The last instruction read
   is held: it is passed to the format when the next one is known. */
struct walk_state {
	const struct ex_walk *walk;
	struct ex_thread *thread;
	struct alleria_filter filter;
	bool is_held;
	bool signal_follows; /* a signal handler is executed after the held
				instruction */
	struct alleria_instruction instruction;
	struct alleria_access access[ALLERIA_MAX_ACCESSES];
};

static void
hold_copy_of_instr_clear_signal_follows(struct walk_state *w,
					const struct alleria_instruction *i)
{
	w->is_held = true;
	w->signal_follows = false;
	w->instruction = *i;
	w->instruction.access = w->access;
	memcpy(w->access, i->access, i->n_accesses * sizeof(*i->access));
}

/* Return the probable address of the instruction that is executed after @i: the
   target of a direct jump or call; 0 for an indirect branch; else the address
   after @i, also for a conditional branch. */
static uint64_t
guess_successor_address_or_0(const struct alleria_instruction *i)
{
	enum ex_branch branch = ex_branch_classify(i->bytes, i->size);

	if (branch == EX_JUMP || branch == EX_CALL)
		return ex_compute_direct_target_unchecked(i->bytes, i->size,
							  i->address);
	return ex_branch_is_indirect(branch) ? 0 : i->address + i->size;
}

/* Return the address at which execution continues after the held instruction
   and the signal handler that follows it: the held instruction itself if it
   faulted. If the profile does not have it, a guess; 0: unknown.
   @handler_first_instr_number: number of the handler's first instruction. */
static uint64_t
address_after_handler_of_held(const struct walk_state *w,
			      uint64_t handler_first_instr_number)
{
	const struct alleria_instruction *i = &w->instruction;
	uint64_t address;

	if (i->flags & ALLERIA_FAULTED)
		return i->address;
	address = ex_find_address_after_handler(
		w->walk->job->profile, &w->filter, handler_first_instr_number);
	return address ? address : guess_successor_address_or_0(i);
}

/* Pass the held instruction, if there is one, to the format, and hold none.
   @successor: next instruction of the thread; NULL: there is none. Return: 0;
   the format's error. */
static int
emit_held_instruction_if_any(struct walk_state *w,
			     const struct alleria_instruction *successor)
{
	struct ex_next next = {.address = successor ? successor->address : 0};

	if (!w->is_held)
		return 0;
	w->is_held = false;
	if (w->signal_follows && successor) {
		next.signal = true;
		next.address =
			address_after_handler_of_held(w, successor->number);
	}
	return w->walk->instruction(w->thread, &w->instruction, &next);
}

/* Pass the held instruction and the first @instr_count - 1 of @in to the
   format, each with its successor, and hold the last one. Return: 0; the
   format's error. */
static int emit_instrs_and_hold_last(void *state,
				     const struct alleria_instruction *in,
				     long instr_count)
{
	struct walk_state *w = state;
	int err = emit_held_instruction_if_any(w, in);

	for (long i = 0; i + 1 < instr_count && !err; i++) {
		const struct ex_next next = {.address = in[i + 1].address};

		err = w->walk->instruction(w->thread, &in[i], &next);
	}
	if (!err)
		hold_copy_of_instr_clear_signal_follows(w,
							&in[instr_count - 1]);
	return err;
}

static int set_flag_if_signal_follows_held(void *state,
					   const struct alleria_event *e)
{
	struct walk_state *w = state;

	w->signal_follows |= e->kind == ALLERIA_SIGNAL;
	return 0;
}

static int replay_and_emit_instructions_of_thread(const struct ex_walk *walk,
						  struct ex_thread *t)
{
	struct alleria_executor executor = {
		.instructions = emit_instrs_and_hold_last,
		.event = set_flag_if_signal_follows_held,
	};
	struct walk_state *w = calloc(1, sizeof(*w));
	int err;

	if (!w)
		return ex_set_job_error_return_minus_1(walk->job,
						       ALLERIA_E_MEMORY, NULL);
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
	if (ex_is_success_or_damage_noting_damage(walk->job, err))
		err = emit_held_instruction_if_any(w, NULL);
	else if (err != ALLERIA_E_STOPPED)
		err = ex_set_job_error_return_minus_1(walk->job, err, NULL);
	free(w);
	return err ? -1 : 0;
}

static int write_thread_file(const struct ex_walk *walk, struct ex_thread *t,
			     const char *path)
{
	int err = ex_file_open_for_atomic_write(&t->file, walk->job, path);

	t->state = walk->state;
	if (!err)
		err = walk->begin(t);
	if (!err)
		err = replay_and_emit_instructions_of_thread(walk, t);
	if (!err)
		err = walk->end(t);
	return ex_file_commit_or_discard(&t->file, err);
}

static int make_path_and_write_thread_file(const struct ex_walk *walk,
					   const struct ex_folder *folder,
					   struct ex_thread *t)
{
	char *path =
		ex_folder_make_trace_path(folder, t->process->index, t->number);
	int err = path ? write_thread_file(walk, t, path)
		       : ex_set_job_error_return_minus_1(
				 walk->job, ALLERIA_E_MEMORY, NULL);

	free(path);
	return err;
}

/* Return the highest number of a thread in any image of a process; 0 if it has
   none; negative: enum alleria_error. */
static long find_highest_thread_number_or_0(struct alleria_profile *p,
					    uint32_t process_index)
{
	const struct alleria_thread *t;
	long n = alleria_threads(p, process_index, &t), highest = 0;

	for (long i = 0; i < n; i++)
		if ((long)t[i].number > highest)
			highest = (long)t[i].number;
	return n < 0 ? n : highest;
}

static int write_thread_files_of_process(const struct ex_walk *walk,
					 const struct ex_folder *folder,
					 uint32_t process_index)
{
	struct alleria_profile *p = walk->job->profile;
	struct ex_thread t = {.process = alleria_process(p, process_index)};
	long n = find_highest_thread_number_or_0(p, process_index);
	int err =
		n < 0 ? ex_set_job_error_return_minus_1(walk->job, (int)n, NULL)
		      : 0;

	for (t.number = 1; t.number <= n && !err; t.number++)
		err = make_path_and_write_thread_file(walk, folder, &t);
	return err;
}

int ex_write_all_thread_files(const struct ex_walk *walk)
{
	uint32_t processes = alleria_run(walk->job->profile)->processes;
	struct ex_folder folder;
	int err = ex_folder_create_temporary(&folder, walk->job, walk->format,
					     walk->subfolder);

	for (uint32_t i = 1; i <= processes && !err; i++)
		err = write_thread_files_of_process(walk, &folder, i);
	return ex_folder_commit_or_remove(&folder, err);
}
