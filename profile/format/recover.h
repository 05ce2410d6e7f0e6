/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recover.h - what is whole in a damaged or unfinished profile, into one
 * that is
 *
 * Threads: one.
 */
#ifndef PROFILE_FORMAT_RECOVER_H
#define PROFILE_FORMAT_RECOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/format/reader.h"
#include "profile/format/writer.h"

struct pf_recovered {
	struct pf_state state; /* of the damaged one */
	uint64_t blocks;       /* that were kept, PF_DONE not counted */
	uint64_t lost; /* that are known to be missing before the last */
	bool ended;    /* PF_DONE was there */
};

/* Adds blocks to the new profile, after all blocks that were copied and before
   its end. */
struct pf_recover_more {
	/* Returns 0; -errno: the new profile cannot be made. */
	int (*add)(void *arg, struct pf_reader *, struct pf_writer *);
	void *arg;
};

/**
 * pf_recover() - Copy every intact block into a new profile.
 * @out: path of the new one, which is not there yet.
 * @more: adds blocks of its own; NULL: nothing is added.
 * @message: [PF_MESSAGE] receives one line on error.
 *
 * Blocks are numbered anew. Where none is missing PF_DONE stays as it was; else
 * the new profile's says truncated, if it has no end, or lossy, and why.
 *
 * Return: 0; -errno with @message, and @out is not there.
 */
int pf_recover(const char *path, const char *out,
	       const struct pf_recover_more *more, struct pf_recovered *,
	       char *message);

#endif
