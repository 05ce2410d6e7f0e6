/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * writer.h - blocks into a profile
 *
 * What has been written can be read at once. The file is valid at every
 * instant; finishing it adds the index. When it cannot be written further (disk
 * full, quota, file size limit), the writer ends it with what is there, says so
 * in PF_DONE, and accepts nothing more: the caller goes on.
 *
 * A block is added to a queue and written later. pf_writer_add() never waits
 * for the file, so it may be called under any lock. Of the threads that call
 * pf_writer_write() one writes, in the order of the queue, which is that of the
 * file; the others leave their blocks to it. Hence a call of pf_writer_write()
 * behind every pf_writer_add(), once the caller's locks are released, leaves
 * no block unwritten.
 *
 * The queue has no more than PF_MOST_QUEUED bytes, beyond which
 * pf_writer_write() waits, and what each thread adds before it calls
 * pf_writer_write().
 *
 * Threads: any may pack, each with its own packer, add and write; locks inside.
 *          No lock is held while the file is created, written or closed. The
 *          writer's own lock is taken last and held for a few instructions.
 */
#ifndef PROFILE_FORMAT_WRITER_H
#define PROFILE_FORMAT_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/format/format.h"

struct pf_writer;
struct pf_packer;

enum {
	PF_MOST_QUEUED = 16 << 20, /* [bytes] of blocks that wait */
	PF_MESSAGE = 320,	   /* [bytes] of a message */
	PF_LEVEL = 1,		   /* of zstd, the default */
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

/* The same, but the file is created when the first block is written, and an
   error of that is one of writing. Return: NULL when memory is short. */
struct pf_writer *pf_writer_new(const char *path);

/* A block that is packed. */
struct pf_packed {
	struct pf_head head;
	const void *payload; /* the packer's, until it packs again */
};

/* A packed block with a payload of its own. */
struct pf_block {
	struct pf_block *next; /* of the queue */
	bool is_end;	       /* set by pf_writer_end() */
	struct pf_packed packed;
	char payload[];
};

/* Copy a packed block. Return: the copy, for pf_writer_add() or free(); NULL
   when memory is short. */
struct pf_block *pf_block_new(const struct pf_packed *);

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

/* Add a block to the queue, which owns it from now on. NULL is a block for which
   memory was short: an error of the writer, after which all blocks but the end
   are dropped. Never waits for the file. */
void pf_writer_add(struct pf_writer *, struct pf_block *);

/**
 * pf_writer_end() - Add the end of the file, the block PF_DONE.
 *
 * When it is written, the index is added and the file closed. After an error
 * room that was kept in reserve is used for that, and what PF_DONE says is
 * replaced by: truncated, with the reason. Nothing is added behind it. Never
 * waits for the file.
 */
void pf_writer_end(struct pf_writer *, struct pf_block *);

/**
 * pf_writer_write() - Write the queue, unless another thread does so.
 *
 * Context: the calling thread may wait; no lock that others need is held.
 * Return: 0; -errno when the profile accepts nothing more: pf_writer_error().
 */
int pf_writer_write(struct pf_writer *);

/* The same, and return only when everything that was added has been written or
   dropped. */
int pf_writer_sync(struct pf_writer *);

/* Copy, add and write a block. Context and return value are those of
   pf_writer_write(). */
int pf_put(struct pf_writer *, const struct pf_packed *);

/* Treat @err, of a block that the caller could not make, as an error of
   writing. */
void pf_writer_fail(struct pf_writer *, int err);

/* 0 or why nothing more is taken: -errno. */
int pf_writer_error(struct pf_writer *);

/* [bytes] written so far. */
uint64_t pf_writer_bytes(struct pf_writer *);

/* Add and write PF_DONE and wait for the end: pf_writer_sync(). */
int pf_writer_finish(struct pf_writer *, const struct pf_packed *done);

/* Free a writer, finished or not. Blocks that nobody has written are written
   first. */
void pf_writer_free(struct pf_writer *);

#endif
