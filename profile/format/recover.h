/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recover.h - copies the intact blocks of a damaged or unfinished profile to a
 * new one
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
	struct pf_state state; /* state of the damaged profile */
	uint64_t blocks;       /* blocks copied, without PF_DONE */
	uint64_t lost; /* blocks missing or damaged before the last intact
			  one */
	bool ended;    /* the damaged profile has an intact PF_DONE */
};

/* A function that adds blocks to the new profile, after all copied blocks and
   before PF_DONE. */
struct pf_recover_hook {
	/* Return: 0; -errno: the new profile cannot be made. */
	int (*add)(void *arg, struct pf_reader *, struct pf_writer *);
	void *arg;
};

/**
 * pf_recover() - Copy every intact block into a new profile.
 * @path: path of the damaged profile.
 * @out: path of the new profile, which must not exist.
 * @more: function that adds blocks; NULL: none are added.
 * @got: receives the result.
 * @message: [PF_MESSAGE] receives one line on error.
 *
 * Blocks are numbered anew. If no block is lost, PF_DONE is copied. Otherwise
 * the new profile gets the status truncated, if PF_DONE is missing or was
 * truncated already, or lossy, with the reason.
 *
 * Return: 0; -errno with @message; @out is removed then.
 */
int pf_recover(const char *path, const char *out,
	       const struct pf_recover_hook *more, struct pf_recovered *got,
	       char *message);

#endif
