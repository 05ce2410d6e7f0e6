/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.h - decodes the records of PF_IMAGE and PF_END blocks
 *
 * Threads: any.
 *
 * Strings point into the payload. A member whose record is missing is 0, NULL
 * or false. A record whose content is malformed does not prevent the decoding
 * of the others.
 */
#ifndef PROFILE_FORMAT_FACTS_H
#define PROFILE_FORMAT_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/format/records.h"

/* Decoded records of a PF_IMAGE block. */
struct pf_image {
	bool has_process;
	uint64_t pid, tree, number, parent;
	bool has_command;
	struct pf_fact_reader command; /* unread strings of PF_COMMAND, for
					  pf_fact_read_string() */
	const char *directory;
	const char *valgrind;
	uint64_t fields;
	const void *plan; /* struct pt_plan [plan_bytes], or NULL */
	size_t plan_bytes;
	bool forked;
	uint64_t fork_of;  /* number of the stream that this stream was forked
			      from */
	uint64_t n_blocks; /* number of blocks of code whose descriptors this
			      stream inherits from stream fork_of */
	uint64_t fork_log; /* [bytes] of the log of stream fork_of at the
			      fork */
};

/* Decode the payload of a PF_IMAGE block. Return: 0; -EBADMSG: a record is
   malformed. */
int pf_image_facts_decode(const void *payload, size_t bytes, struct pf_image *);

/* Decoded records of a PF_END block. */
struct pf_end {
	uint64_t ending; /* enum pf_ending: how the exec image ended; not
			    checked, may be any number */
	uint64_t value;
	uint64_t lost;
	const char *lossy;
	const char *truncated;
	const char *title;
	uint64_t lost_messages;
	bool has_environment;
	uint64_t variables, environment_bytes, environment_hash;
	uint64_t wait_ns, waits;
	uint64_t buffers, buffer_bytes;
	bool has_counts;
	uint64_t threads, signals;
	const void *windows; /* [n_windows] struct pf_window, one for each
				window of the plan */
	size_t n_windows;
};

/* Decode the payload of a PF_END block. Return: 0; -EBADMSG: a record is
   malformed. */
int pf_stream_end_facts_decode(const void *payload, size_t bytes,
			       struct pf_end *);

#endif
