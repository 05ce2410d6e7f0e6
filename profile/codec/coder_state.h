/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * coder_state.h - declares the state of a coder
 *
 * Threads: one.
 */
#ifndef PROFILE_CODEC_CODER_STATE_H
#define PROFILE_CODEC_CODER_STATE_H

#include "profile/codec/codec.h"
#include "profile/codec/model.h"

enum {
	PF_LOG_HASHES = 12,
	PF_N_HASHES = 1 << PF_LOG_HASHES,
	PF_N_RECENT_PAGES = 1 << 12
};

struct pf_coder {
	struct pf_model model;

	/* By column of runs: length of the current run of correct predictions.
	   Encoder: predictions in the run so far. Decoder: predictions left in
	   the run; -1: the column has ended. */
	int64_t run[PF_RUNS];
	bool is_bad; /* decoder: the code is too short or invalid */
	uint16_t last_by_hash
		[PF_N_HASHES]; /* encoder: by hash of a value: number of the
				  last value with this hash, its lower 16
				  bits */
	uint64_t recent_pages
		[PF_N_RECENT_PAGES]; /* encoder: recent pages of values, which
					were added to content->values if there
					is a content, indexed by the lower bits
					of the page number */
	struct pf_chunk_content
		*content; /* receives the headers and pages of the chunk, or
			     NULL; set by
			     pf_coder_set_content_output() */
};

#endif
