/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify_state.h - declares the private state of the check of a profile
 *
 * Functions return 0, whether faults were found or not; -EBADMSG if the block
 * is damaged, which was reported; another -errno if the check cannot continue.
 */
#ifndef LIB_VERIFY_VERIFY_STATE_H
#define LIB_VERIFY_VERIFY_STATE_H

#include "base/tables/key_table.h"
#include "lib/recover/recover.h"
#include "lib/symbols/symbols.h"
#include "lib/verify/verify.h"
#include "profile/codec/codec.h"
#include "profile/format/reader.h"
#include "profile/format/records.h"

struct al_checked_thread {
	uint64_t next_addr; /* address at which the thread must continue; 0:
			       any */
	bool is_alive;
};

/* A stream of the profile, with the state of its check after the blocks checked
   so far. */
struct al_checked_stream {
	struct al_recovery recovery;
	struct al_recoverer recoverer;
	struct al_recovered_chunk chunk;
	struct al_checked_thread *thread; /* [n_threads] threads, by number -
					     1 */
	uint32_t n_threads;
	uint32_t running;
	/* Pairs (address, 0) of addresses to which an exit of a block leads,
	   although the thread's next execution of a block began elsewhere. Each
	   is reported at most once. */
	struct al_key_table redirected;
	uint64_t n_chunks;  /* position that the next chunk must have in the
				  stream */
	uint64_t log_bytes; /* [bytes] offset in the stream's log at which
				  the next log block must begin */
	/* [bytes] length of the stream's log up to the end of the last
	   descriptor of a block of code that was executed so far */
	uint64_t required_log;
	uint32_t inherited_routes; /* number of routes of the blocks inherited
				      at a fork; these blocks are not in this
				      stream's log */
	uint64_t last_end_ns;	   /* [ns] end time of the last block, log
				      blocks left out; begin time of the
				      PF_IMAGE block if that is the last */
	struct pf_counts totals;
	bool has_windows; /* the stream was recorded with a plan of windows, so
			     executions may be missing */
	uint64_t openings[PT_MAX_WINDOWS];
	bool is_incomplete; /* a block of the stream is missing or wrong; so
			       later chunks and log blocks are checked for gaps,
			       damage and times only */
	bool has_ended;
};

enum al_verify_status {
	AL_VERIFY_COMPLETE,
	AL_VERIFY_LOSSY,
	AL_VERIFY_TRUNCATED
};

struct al_verifier {
	struct pf_reader *reader;
	struct pf_unpacker *unpacker;
	struct pf_coder *coder;
	struct al_symbols *symbols;
	FILE *out;
	unsigned faults;
	const struct pf_entry *entry; /* block that is being checked, or NULL */
	/* status that the profile states in its PF_DONE block;
	   AL_VERIFY_TRUNCATED if it has no such block */
	enum al_verify_status stated_status;
	/* worst status of a stream (the recording of one exec image), by the
	   PF_END blocks checked so far */
	enum al_verify_status worst_status;
	/* [n_streams] streams, by number; NULL: its PF_IMAGE block is missing
	   */
	struct al_checked_stream **stream;
	uint32_t n_streams;
	/* number of PF_OBJECT records so far; the next one must have this
	   number */
	uint32_t n_objects;
	uint32_t n_texts;
	uint64_t *words; /* [words_size bytes] decoded units of the current
			    chunk */
	size_t words_size;
};

/* Count a fault and print it as a line, with the block v->entry unless that is
   NULL. Only the first AL_MAX_FAULTS faults are printed. @format: as for
   printf(), without a newline. */
__attribute__((format(printf, 2, 3))) void
al_verify_count_and_print_fault(struct al_verifier *, const char *format, ...);

/* Whether missing blocks are no fault, because the profile states that it is
   lossy or truncated, or has no end. */
bool al_verify_is_missing_block_allowed(const struct al_verifier *);

/* Load the payload of a block, valid until the next call. Return: 0; -EBADMSG:
   the payload is damaged, which is reported as a fault; another -errno. */
int al_verify_load_payload_or_report(struct al_verifier *,
				     const struct pf_entry *,
				     const void **payload);

/* Check a block of a stream: PF_IMAGE, PF_LOG, PF_UNITS or PF_END. */
int al_verify_check_and_report_stream_block(struct al_verifier *,
					    const struct pf_entry *);

/* Report a fault if the extents of pages in a chunk's head are not in ascending
   order with gaps between them, or do not cover the pages of all instructions
   and accesses of the stream's chunk that was decoded last. */
void al_verify_check_head_extents(struct al_verifier *,
				  const struct al_checked_stream *,
				  const struct pf_touched *);

/* Report a fault for each stream without a PF_END block, unless the profile may
   lack blocks. Call it after the last block was checked. */
void al_verify_report_unended_streams(struct al_verifier *);
void al_verify_streams_free(struct al_verifier *);

/* Check a PF_UNITS block: that it is the stream's next chunk, that its head
   agrees with its units, and that its control units (marks) and control flow
   are possible. */
int al_verify_check_next_chunk(struct al_verifier *, struct al_checked_stream *,
			       const struct pf_entry *);

#endif
