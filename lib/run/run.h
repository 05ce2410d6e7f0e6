/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.h - tracks the processes of a run and adds up their results
 *
 * Threads: the caller locks. Only al_run_begin_shared_profile_if_set(),
 *          al_fork_copy_parent_log_if_own_profile(),
 *          al_process_write_profile_queue(),
 *          al_run_save_outputs_and_profiles() and al_run_free() block.
 *
 * A process lasts from its first image to its end; exec gives it another
 * stream. The run owns the streams. When an image is gone, its stream is freed:
 * its results are in the run's sum, and a summary of a few hundred bytes
 * remains for the report.
 */
#ifndef LIB_RUN_RUN_H
#define LIB_RUN_RUN_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "lib/config/settings.h"
#include "lib/pipeline/stream.h"
#include "proto/window.h"

/* completeness of a recording, from the best to the worst */
enum al_status { AL_COMPLETE, AL_LOSSY, AL_TRUNCATED };

struct al_run;
struct al_process;

enum al_ending {
	AL_RUNNING,
	AL_EXITED,
	AL_SIGNALLED,
	AL_EXECED,
	AL_UNRECORDED /* no image was recorded; whether and how the process
			 ended is not known */
};

/* Size and hash of the environment strings with which a program begins. */
struct al_environment {
	uint64_t variables; /* number of variables */
	uint64_t bytes; /* [bytes] of all strings "NAME=VALUE" with the NULs */
	uint64_t hash;	/* hash of all strings "NAME=VALUE" with the NULs, in
			   their order; 0: not known */
};

struct al_image {
	const char *const *argv; /* arguments, program first, NULL-terminated;
				    copied */
	const char *directory;	 /* working directory at the start of the image,
				    or NULL; not copied */
	const char *valgrind;	 /* version of Valgrind, or NULL; copied */
	uint32_t fields; /* bits of enum pt_fields: fields that the units of the
			    image have; 0: those that the settings need */
};

/* Return a new run without processes, for al_run_free(); NULL with errno set.
   Settings and symbols are not copied and must exist longer than the run. */
struct al_run *al_run_new(const struct al_settings *, struct al_symbols *);
void al_run_free(struct al_run *);

/**
 * al_run_begin_shared_profile_if_set() - Begin the run's profile, if the
 * settings name one file.
 * @error_message: receives one line on error.
 *
 * Does nothing if each process has a profile of its own. Call before the first
 * process. Return: 0 or -errno.
 */
int al_run_begin_shared_profile_if_set(struct al_run *, char *error_message);

/**
 * al_run_add_process() - Add a process.
 * @parent: the known process that forked it, or NULL: the first of a tree.
 *
 * In each tree, processes are numbered from 1, in the order of these calls. If
 * the settings have windows, a process for which the windows record nothing
 * (see al_process_is_followed()) has a number but is not recorded; its children
 * get no numbers and are not in the report.
 *
 * Return: NULL when memory is short.
 */
struct al_process *al_run_add_process(struct al_run *, pid_t pid,
				      struct al_process *parent);

/* Store the time when the process began, by any clock. 0, the initial state,
   means that it is not known. */
void al_process_set_start_time(struct al_process *,
			       unsigned long long start_ticks);

/* Return the living process @pid, or NULL. Processes with another start time
   than @start_ticks are skipped, unless either time is 0. */
struct al_process *al_run_find_alive_process(struct al_run *, pid_t pid,
					     unsigned long long start_ticks);

/* Return the living process @pid that @parent forked, or NULL. */
struct al_process *al_process_find_alive_child(struct al_process *parent,
					       pid_t pid);

/**
 * al_process_add_and_record_image() - Add an image that a process starts.
 * @fork: the fork that started it, or NULL.
 *
 * Return: the stream, owned by the run; NULL with errno set.
 */
struct al_stream *al_process_add_and_record_image(struct al_process *,
						  const struct al_image *,
						  const struct al_fork *fork);

/**
 * al_fork_copy_parent_log_if_own_profile() - Copy the log (descriptors of
 * blocks and mappings) that a forked image inherits from its parent's profile
 * into the image's own profile. Does nothing if both are in one profile.
 *
 * Call once, after al_process_add_and_record_image() and before the image's
 * first log or chunk. Reads the parent's whole profile: the caller's lock need
 * not be held, but the parent's stream must receive no log meanwhile. Errors
 * are stored as errors of the image's profile.
 */
void al_fork_copy_parent_log_if_own_profile(const struct al_fork *,
					    struct al_stream *);

/**
 * al_process_write_profile_queue() - Write the queued blocks of
 * the process's profile to the file. If several processes share the profile and
 * another thread is writing its queue already, return, or wait until the queue
 * is not too long.
 *
 * al_process_add_and_record_image() and
 * al_process_end_image() add to the profile and never
 * wait for its file, so the caller may hold a lock; it calls this function once
 * that lock is released. A profile of the process's own is written when this
 * function returns.
 *
 * Context: the calling thread may wait as long as the file system does. The
 *          process has an image whose stream is not gone.
 */
void al_process_write_profile_queue(struct al_process *);

/* Record the end of an image in its profile, add its results to those of the
   run, and fill its summary. Call once, after
   al_stream_finish_counts_and_analyses() and after all other calls about the
   image except the one that frees its stream. */
void al_process_end_image(struct al_process *, struct al_stream *);

/* Free the stream of an image, and the recording (the writer of the file) of
   the process's own profile if that profile has ended and no other image has a
   stream. Call after al_process_end_image(), when no process will be forked
   from the image any more. */
void al_process_free_stream(struct al_process *, struct al_stream *);

/* Return the process's number in its tree, from 1; 0: the process has no
   number. */
unsigned al_process_number_in_tree_or_0(const struct al_process *);

/* Return the arguments of the process's last image, NULL-terminated; NULL:
   there is no image yet. */
char *const *al_process_last_image_argv_or_null(const struct al_process *);

/* Return the number of the process's tree, from 1. */
unsigned al_process_tree_number_in_run(const struct al_process *);

/* Mark an event that opens or closes windows as happened in the process's tree:
   in the plans of all its processes, and of those that are added later. Return:
   whether the event was not marked before; false if its number is too large. */
bool al_process_mark_event_in_tree_if_new(struct al_process *,
					  uint32_t event_index);

/* Return the recording plan of the process, with the windows (parts of its run)
   that are recorded; NULL: the whole process is recorded. A plan without
   windows records nothing of the process and of its children. */
const struct pt_plan *al_process_recording_plan(const struct al_process *);

/* Whether anything of the process may be recorded. */
bool al_process_is_followed(const struct al_process *);

/* Set the title that the program has given the process; "": no title. It is
   copied; if memory is short the process has no title. */
void al_process_set_title(struct al_process *, const char *title);

/* Set the environment of the process, unless one with a hash that is not 0 was
   set before. */
void al_process_set_environment_once(struct al_process *,
				     const struct al_environment *);

/* Add to the process's counts a number of times that its tool waited for the
   daemon, and the time that these waits took together [ns]. */
void al_process_add_waits(struct al_process *, uint64_t total_ns,
			  uint64_t wait_count);

/* Add @buffer_count buffers of the process (chunks of its ring) that the daemon
   has processed, of @total_buffer_bytes together. */
void al_process_add_buffer_counts(struct al_process *, uint64_t buffer_count,
				  uint64_t total_buffer_bytes);

/* Add accesses that are missing because the tool could not record them; the run
   is then lossy. @why_if_first: a string literal; the first reason is reported.
   */
void al_process_add_lost_accesses(struct al_process *, uint64_t accesses,
				  const char *why_if_first);

/* Add a number of messages to the daemon that the process's tool lost. */
void al_process_add_lost_messages(struct al_process *, uint64_t message_count);

/* Mark the process and the run as truncated: the end of the recording is
   missing. @why: a string literal ("killed by signal 9", "daemon was stopped",
   "protocol error"); the first reason is reported. */
void al_process_set_truncated_once(struct al_process *, const char *why);

/* Set the status of the replayed profile, or of one that could not be written,
   and the reason @why if it is not complete. The run has no better status. */
void al_run_set_profile_status(struct al_run *, enum al_status,
			       const char *why);

/**
 * al_process_set_ending() - Store how the process ended or, with AL_EXECED,
 * that its image ended by exec.
 * @exit_code_or_signal: exit code with AL_EXITED, signal number with
 *         AL_SIGNALLED.
 */
void al_process_set_ending(struct al_process *, enum al_ending ending,
			   int exit_code_or_signal);

/* Store the wait status of the process that its parent received, which
   overrides al_process_set_ending(). Ignored unless the process exited or died
   of a signal. */
void al_process_set_wait_status_if_final(struct al_process *, int wait_status);

/* Call al_process_set_wait_status_if_final() for the oldest process @pid that
   has an image; no-op if there is none. */
void al_run_set_wait_status_of_oldest_process(struct al_run *, pid_t pid,
					      int wait_status);

/* Set the wall time of the run, and the idle and the busy time summed over all
   workers [ns], for the report's section "Pipeline". */
void al_run_set_times(struct al_run *, uint64_t wall_ns,
		      uint64_t worker_idle_ns, uint64_t worker_busy_ns);

/* Append, for the report, a decision of the daemon that adapts the numbers of
   active workers and of ring buffers during the run. */
void al_run_add_worker_or_ring_decision(struct al_run *,
					const struct al_decision *);

/* Return the counts over all processes and images so far. */
struct al_counts al_run_counts(const struct al_run *);

/* Times and buffers of the pipeline, the workers that process the buffers which
   the recorded programs fill. */
struct al_pipeline {
	uint64_t wall_ns;
	uint64_t wait_ns; /* time that programs waited, sum over all programs */
	uint64_t idle_ns; /* time without a job, sum over all workers */
	uint64_t busy_ns; /* time with a job, sum over all workers */
	uint64_t buffers; /* number of buffers processed */
	uint64_t unused;  /* bytes of the processed buffers that hold no
			     units */
};

struct al_pipeline al_run_time_and_buffer_usage(const struct al_run *);

/* Whether everything was recorded and no analysis was stopped. */
bool al_run_is_fully_recorded_and_analysed(const struct al_run *);

/* Whether everything was recorded, even if analyses failed. */
bool al_run_has_complete_status(const struct al_run *);

/* Return the exit status of the command: error_exitcode of the settings if not
   everything was recorded or an analysis was stopped. If `strict` is set and a
   window (a part of the run that is to be recorded) never opened:
   error_exitcode, or 1 if that is 0. Else 0. */
int al_run_incomplete_exit_code_or_0(const struct al_run *);

/* Write the outputs of the analyses over all processes, and end the profiles.
   Call after the last image. An analysis whose output fails is stopped. */
void al_run_save_outputs_and_profiles(struct al_run *);

#endif
