/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pf_writer.h - blocks into a profile
 *
 * Room:    profile.
 * Used by: lib, recover.
 * Threads: any may pack, each with its own packer, and any may put; locks
 *          inside.
 *
 * What has been put can be read at once. The file has its name from the
 * beginning and is valid at every instant; finishing it adds the index. When
 * it cannot be written further (disk full, quota, file size limit), the writer
 * ends it with what is there, says so in PF_DONE, and takes nothing more: the
 * caller goes on.
 */
#ifndef PF_WRITER_H
#define PF_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/pf_format.h"

struct pf_writer;
struct pf_packer;

enum {
	PF_MESSAGE = 320, /* [bytes] of a message */
	PF_LEVEL = 1,	  /* of zstd, the default */
	PF_MAX_LEVEL = 19,
};

/**
 * pf_writer_open() - Make a profile, mode 0600, that is not there yet.
 * @message: [PF_MESSAGE] receives one line on error.
 *
 * Follows no symbolic link. An empty file that is there is taken.
 * Return: NULL with @message and errno (EEXIST: there is something else).
 */
struct pf_writer *pf_writer_open(const char *path, char *message);

/* A block that is packed and not yet put. */
struct pf_packed {
	struct pf_head head;
	const void *payload; /* the packer's, until it packs again */
};

struct pf_packer *pf_packer_new(int level); /* NULL with errno set */
void pf_packer_free(struct pf_packer *);

/**
 * pf_pack() - Pack a payload.
 * @head: kind, stream and what goes with the kind are set; the rest
 *        is set here or by pf_put().
 * Return: 0; -ENOMEM; -E2BIG.
 */
int pf_pack(struct pf_packer *, const struct pf_head *head, const void *payload,
	    size_t bytes, struct pf_packed *out);

/* [bytes] that a payload has at most when it is packed, of a kind that is no
   PF_UNITS. */
size_t pf_pack_bound(size_t bytes);

/* Appends it. 0; -errno when the profile takes nothing more, at once and from
   now on: see pf_writer_error(). */
int pf_put(struct pf_writer *, const struct pf_packed *);

/* What the caller could not make is missing: as if it could not be written. */
void pf_writer_fail(struct pf_writer *, int err);

/* 0 or why nothing more is taken: -errno. */
int pf_writer_error(struct pf_writer *);

/* [bytes] written so far. */
uint64_t pf_writer_bytes(struct pf_writer *);

/**
 * pf_writer_finish() - Add the last blocks and close it.
 * @done: the PF_DONE block.
 *
 * After an error room that was kept in reserve is used for them, and what @done
 * says is replaced by: truncated, with the reason.
 * Return: 0; -errno, also of an earlier pf_put().
 */
int pf_writer_finish(struct pf_writer *, const struct pf_packed *done);

/* Finished or not. */
void pf_writer_free(struct pf_writer *);

#endif
