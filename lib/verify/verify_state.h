/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify_state.h - declares the private state of a check
 *
 * Functions return 0, faults found or not; -errno when checking cannot go on.
 */
#ifndef LIB_VERIFY_VERIFY_STATE_H
#define LIB_VERIFY_VERIFY_STATE_H

#include "base/tables/pair_table.h"
#include "lib/recover/recover.h"
#include "lib/symbols/symbols.h"
#include "lib/verify/verify.h"
#include "profile/codec/codec.h"
#include "profile/format/reader.h"
#include "profile/format/records.h"

struct al_checked_thread {
	uint64_t next_addr; /* address that it goes on at, or 0 */
	bool is_alive;
};

/* A stream. */
struct al_checked_stream {
	struct al_recovery recovery;
	struct al_recoverer recoverer;
	struct al_recovered_chunk piece;
	struct al_checked_thread *thread; /* by number - 1 */
	uint32_t n_threads;
	uint32_t running;
	/* Addresses that no block begins at: Valgrind leads elsewhere. */
	struct al_pair_table redirected;
	uint64_t n_chunks;     /* units' chunks read so far */
	uint64_t log_bytes;    /* [bytes] of log read so far */
	uint64_t required_log; /* [bytes] of log that units are known to come
				  after */
	uint32_t inherited_routes; /* routes; they are not in this log */
	uint64_t last_end_ns;	   /* end of the last block */
	struct pf_counts totals;
	bool has_windows; /* recorded by a plan: not everything is there */
	uint64_t openings[PT_MAX_WINDOWS];
	bool is_incomplete; /* descriptors or units are missing: of what follows
			       only its own block can be checked */
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
	const struct pf_entry *entry; /* that is being checked, or NULL */
	enum al_verify_status stated_status; /* PF_DONE */
	enum al_verify_status worst_status;  /* the worst that a stream says */
	/* by number; NULL: its image is missing */
	struct al_checked_stream **stream;
	uint32_t n_streams;
	uint32_t n_objects; /* of names */
	uint32_t n_texts;
	uint64_t *words; /* of a chunk */
	size_t words_size;
};

/* Count a fault, and print it unless AL_MAX_FAULTS were printed. */
__attribute__((format(printf, 2, 3))) void al_fault(struct al_verifier *,
						    const char *format, ...);

/* Whether missing parts are no fault, because the profile says that it is lossy
   or truncated. */
bool al_verify_is_excused(const struct al_verifier *);

/* Load the payload of a block. Return: 0; -EBADMSG: it is damaged, which is
   counted as a fault; -errno. */
int al_verify_load(struct al_verifier *, const struct pf_entry *,
		   const void **payload);

/* Check a block PF_IMAGE, PF_LOG, PF_UNITS or PF_END. */
int al_verify_stream(struct al_verifier *, const struct pf_entry *);

/* Check that the page index has all pages of the chunk recovered last. */
void al_verify_pages(struct al_verifier *, const struct al_checked_stream *,
		     const struct pf_touched *);

/* Report the streams without an end, after the last block. */
void al_verify_streams_end(struct al_verifier *);
void al_verify_streams_free(struct al_verifier *);

/* Check the next chunk of a stream. */
int al_verify_units(struct al_verifier *, struct al_checked_stream *,
		    const struct pf_entry *);

#endif
