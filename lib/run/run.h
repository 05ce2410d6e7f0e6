/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.h - the processes of a run and the report about them
 *
 * Threads: the caller locks; nothing here blocks but writing the report.
 *
 * A process is a pid from its first image to its end; exec gives it another
 * stream. The record owns its streams. Of an image that is gone it has what the
 * report says about it, a few hundred bytes; its results are added up.
 */
#ifndef LIB_RUN_RUN_H
#define LIB_RUN_RUN_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "lib/config/settings.h"
#include "lib/pipeline/stream.h"
#include "proto/window.h"

struct al_run;
struct al_process;

enum al_ending { AL_RUNNING, AL_EXITED, AL_SIGNALLED, AL_EXECED };

struct al_image {
	const char *const *argv; /* NULL-terminated, program first; copied */
	const char *directory;	 /* it was started in, or NULL; not kept */
	const char *valgrind;	 /* version; copied */
	uint32_t fields; /* enum pt_fields in its units; 0: the settings' */
};

struct al_run *al_run_new(const struct al_settings *, struct al_symbols *);
void al_run_free(struct al_run *);

/**
 * al_run_record() - Begin the profile that the settings ask for, if they do.
 * @message: receives one line on error.
 *
 * Before anything has come. Return: 0 or -errno.
 */
int al_run_record(struct al_run *, char *message);

/**
 * al_run_process() - A process appears.
 * @parent: the known process that forked it, or NULL: the first of a tree.
 *
 * Processes of a tree are numbered from 1, as they appear. Where there are
 * windows, one that none of them follows is not recorded, and its children have
 * no numbers; the report does not know them.
 *
 * Return: NULL when memory is short.
 */
struct al_process *al_run_process(struct al_run *, pid_t pid,
				  struct al_process *parent);

/* Store when the process began, by any clock; 0, the initial state: not
   known. */
void al_process_set_born(struct al_process *, unsigned long long born);

/* Return the living process @pid, or NULL. A process that began at another time
   than @born does not count, unless either time is 0. */
struct al_process *al_run_find(struct al_run *, pid_t pid,
			       unsigned long long born);

/* Return the living process @pid that @parent forked, or NULL. */
struct al_process *al_process_find_child(struct al_process *parent, pid_t pid);

/**
 * al_process_image() - A process starts an image.
 * @fork: what it inherits, or NULL.
 *
 * Return: the stream, owned by the run; NULL with errno set.
 */
struct al_stream *al_process_image(struct al_process *, const struct al_image *,
				   const struct al_fork *fork);

/**
 * al_process_inherit() - Copy the log that a forked image inherits from its
 * parent's profile into its own, where each process has one.
 *
 * Once, behind al_process_image() and before anything has come. Reads a whole
 * profile: the caller's lock need not be held, but the parent takes no log
 * meanwhile. Errors are the profile's.
 */
void al_process_inherit(const struct al_fork *, struct al_stream *);

/**
 * al_process_write() - Write what the process has added to its profile, unless
 * another thread writes that profile.
 *
 * al_process_image() and al_process_image_over() add to the profile and never
 * wait for its file, so the caller may hold a lock; it calls this function once
 * that lock is released. A profile of the process's own is written when this
 * function returns.
 *
 * Context: the calling thread may wait as long as the file system does. The
 *          process has an image whose stream is not gone.
 */
void al_process_write(struct al_process *);

/* An image of the process is over; its stream has finished. It is said after
   everything else about that image, and once. Its results are in those of the
   run from then on, and never without it. */
void al_process_image_over(struct al_process *, struct al_stream *);

/* It is over, and nobody will be forked from it any more: its stream ends. */
void al_process_image_gone(struct al_process *, struct al_stream *);

/* From 1; 0: it has none. */
unsigned al_process_number(const struct al_process *);

/* The command of its last image, NULL-terminated; NULL: it has none yet. */
char *const *al_process_now(const struct al_process *);

/* From 1. */
unsigned al_process_tree(const struct al_process *);

/* An event of the windows' has happened in its tree: those of the tree that get
   their plan from now on learn that by it. Return: whether it is the first
   time. */
bool al_process_happened(struct al_process *, uint32_t event);

/* What it is to be recorded by: without windows nothing, not even for its
   children. NULL: everything. */
const struct pt_plan *al_process_plan(const struct al_process *);

/* Whether anything of it may be recorded. */
bool al_process_is_followed(const struct al_process *);

/* Set the title that the program has given the process; "": none. Copied; when
   memory is short the process has none. */
void al_process_set_title(struct al_process *, const char *title);

/* Time the process's tool spent waiting for the daemon, added up. [ns] */
void al_process_waited(struct al_process *, uint64_t ns, uint64_t waits);

/* Buffers of the process that were taken, and their size all together. */
void al_process_buffers(struct al_process *, uint64_t n, uint64_t bytes);

/* Accesses that the tool could not describe or drop; makes the run lossy. */
void al_process_lost(struct al_process *, uint64_t accesses, const char *why);

/* Add @n messages that the tool of one of the process's images lost. */
void al_process_lost_messages(struct al_process *, uint64_t n);

/* The process's record is not whole: it and the run are truncated. @why is a
   literal: "killed by signal 9", "daemon was stopped", "protocol error". */
void al_process_truncated(struct al_process *, const char *why);

/* Mark the run as truncated, since the replayed profile has damaged parts. */
void al_run_damaged(struct al_run *);

/**
 * al_process_end() - The process ended or, with AL_EXECED, its image did.
 * @value: exit code or signal number.
 */
void al_process_end(struct al_process *, enum al_ending how, int value);

/* Corrects how it ended from what its waiting parent saw. */
void al_process_wait_status(struct al_process *, int wait_status);

/* The same of the first recorded process @pid. */
void al_run_waited(struct al_run *, pid_t pid, int wait_status);

/* Time figures of the workers, for the pipeline line. [ns] */
void al_run_times(struct al_run *, uint64_t wall_ns, uint64_t worker_idle_ns,
		  uint64_t worker_busy_ns);

/* Workers and buffers were adapted, or stayed as they are. */
void al_run_decided(struct al_run *, const struct al_decision *);

/* Sums over all processes and images so far. */
struct al_counts al_run_counts(const struct al_run *);

/* Where time and memory went. */
struct al_pipeline {
	uint64_t wall_ns;
	uint64_t wait_ns; /* of all programs */
	uint64_t idle_ns; /* of all workers */
	uint64_t busy_ns; /* of all workers */
	uint64_t buffers; /* processed */
	uint64_t unused;  /* [bytes] in them */
};

struct al_pipeline al_run_pipeline(const struct al_run *);

/* Everything was recorded, and no analysis was stopped. */
bool al_run_is_complete(const struct al_run *);

/* Whether everything was recorded, even if analyses failed. */
bool al_run_is_recorded(const struct al_run *);

/* The exit status that is asked for what the run was, since not everything was
   recorded or, where that is strict, a window never opened; 0: none. */
int al_run_failure(const struct al_run *);

/* Nothing more will come: has analyses write what they write at the end, over
   all processes, and ends the profile. An analysis that cannot is stopped. */
void al_run_save(struct al_run *);

/**
 * al_run_write_json() - The machine-readable report.
 * Return: 0 or -errno.
 */
int al_run_write_json(struct al_run *, FILE *);

/* Writes settings->json under a temporary name and renames it; "-" is
   standard output. 0 or -errno. */
int al_run_save_json(struct al_run *);

enum al_unwritten {
	AL_ALL_WRITTEN = 0,
	AL_PROFILE_UNWRITTEN, /* or not as a whole; the run says that it is
				 truncated */
	AL_OUTPUT_UNWRITTEN,  /* what the JSON or an analysis writes */
};

/* What could not be written of what was asked for, a line each that begins with
   @who. After all is saved. Return: the worst of it. */
enum al_unwritten al_run_print_unwritten(const struct al_run *, const char *who,
					 FILE *);

/**
 * al_run_print() - Write the report for people.
 * @display: enum al_display; lines are cut on a terminal alone.
 */
void al_run_print(struct al_run *, FILE *, unsigned display);

#endif
