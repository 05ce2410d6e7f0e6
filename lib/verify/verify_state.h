/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify_state.h - declares the private state of a check
 *
 * Functions return 0, whether faults were found or not; -errno if the check
 * cannot continue.
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

/* A stream of the profile, and how far it was checked. */
struct al_checked_stream {
	struct al_recovery recovery;
	struct al_recoverer recoverer;
	struct al_recovered_chunk chunk;
	struct al_checked_thread *thread; /* [n_threads] threads, by number -
					     1 */
	uint32_t n_threads;
	uint32_t running;
	/* Pairs (address, 0): addresses that control flow leads to, but
	   Valgrind continued elsewhere. */
	struct al_key_table redirected;
	uint64_t n_chunks;     /* number of chunks of units read so far */
	uint64_t log_bytes;    /* [bytes] of log read so far */
	uint64_t required_log; /* [bytes] of the log up to the last descriptor
				  of a block executed so far */
	uint32_t inherited_routes; /* number of routes inherited at a fork;
				      their blocks are not in this log */
	uint64_t last_end_ns;	   /* time at the end of the last block */
	struct pf_counts totals;
	bool has_windows; /* the stream was recorded by a plan, so some
			     executions are missing */
	uint64_t openings[PT_MAX_WINDOWS];
	bool is_incomplete; /* descriptors or units are missing, so later blocks
			       are checked only by themselves */
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
	enum al_verify_status stated_status; /* status in record PF_DONE */
	enum al_verify_status worst_status;  /* worst status in the end of a
						stream */
	/* [n_streams] streams, by number; NULL: the block of its image is
	   missing */
	struct al_checked_stream **stream;
	uint32_t n_streams;
	uint32_t n_objects; /* number of objects that records of names have so
			       far */
	uint32_t n_texts;
	uint64_t *words; /* words of the current chunk */
	size_t words_size;
};

/* Count a fault, and print it unless AL_MAX_FAULTS were printed. */
__attribute__((format(printf, 2, 3))) void
al_verify_report_fault(struct al_verifier *, const char *format, ...);

/* Whether missing blocks are no fault, because the profile states that it is
   lossy or truncated. */
bool al_verify_may_be_incomplete(const struct al_verifier *);

/* Load the payload of a block. Return: 0; -EBADMSG: it is damaged, which is
   counted as a fault; -errno. */
int al_verify_load_or_report_block(struct al_verifier *,
				   const struct pf_entry *,
				   const void **payload);

/* Check a block of a stream: PF_IMAGE, PF_LOG, PF_UNITS or PF_END. */
int al_verify_stream_block(struct al_verifier *, const struct pf_entry *);

/* Check that the page index in a chunk's head has all pages that the
   chunk recovered last accesses. */
void al_verify_touched_pages(struct al_verifier *,
			     const struct al_checked_stream *,
			     const struct pf_touched *);

/* Report streams without an end as faults. Call after the last block. */
void al_verify_report_unended_streams(struct al_verifier *);
void al_verify_streams_free(struct al_verifier *);

/* Check a block PF_UNITS, the next chunk of a stream. */
int al_verify_chunk(struct al_verifier *, struct al_checked_stream *,
		    const struct pf_entry *);

#endif
