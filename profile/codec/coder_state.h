/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * coder_state.h - what a coder needs while it works
 *
 * Threads: one.
 */
#ifndef PROFILE_CODEC_CODER_STATE_H
#define PROFILE_CODEC_CODER_STATE_H

#include "profile/codec/codec.h"
#include "profile/codec/model.h"

enum { PF_LOG_SEEN = 12, PF_N_SEEN = 1 << PF_LOG_SEEN, PF_N_TOLD = 1 << 12 };

struct pf_coder {
	struct pf_model model;

	/* Of each column of runs, how often it was true since it was not; the
	   decoder: how often it will be true, -1 where it has ended. */
	int64_t run[PF_RUNS];
	bool is_bad; /* decoder: something was not there, or not right */
	uint16_t seen[PF_N_SEEN]; /* encoder: number of a value, by its hash */
	uint64_t told[PF_N_TOLD]; /* encoder: page of values, by its lower
				     bits */
	struct pf_met *met;	  /* or NULL */
};

#endif
