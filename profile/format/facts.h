/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.h - what the records of an image's beginning and end say
 *
 * Threads: any.
 *
 * Strings are the payload's. What was not said is 0, NULL or false. Where a
 * record is broken, the rest is taken all the same.
 */
#ifndef PROFILE_FORMAT_FACTS_H
#define PROFILE_FORMAT_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/format/records.h"

/* PF_IMAGE */
struct pf_image {
	bool has_process;
	uint64_t pid, tree, number, parent;
	bool has_command;
	struct pf_fact_in command; /* its strings, for pf_take_string() */
	const char *directory;
	const char *valgrind;
	uint64_t fields;
	const void *plan; /* [plan_bytes], or NULL */
	size_t plan_bytes;
	bool forked;
	uint64_t fork_of;  /* stream */
	uint64_t n_blocks; /* that it inherits */
	uint64_t log;	   /* [bytes] of fork_of's, then */
};

/* 0; -EBADMSG: a record is broken. */
int pf_image_take(const void *payload, size_t bytes, struct pf_image *);

/* PF_END */
struct pf_end {
	uint64_t ending; /* enum pf_ending; above PF_EXECED: as none can */
	uint64_t value;
	uint64_t lost;
	const char *lossy;
	const char *truncated;
	const char *title; /* or NULL */
	uint64_t lost_messages;
	uint64_t wait_ns, waits;
	uint64_t buffers, buffer_bytes;
	bool has_met;
	uint64_t threads, signals;
	const void *windows; /* [n_windows] struct pf_window */
	size_t n_windows;
};

/* The same. */
int pf_end_take(const void *payload, size_t bytes, struct pf_end *);

#endif
