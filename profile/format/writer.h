/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * writer.h - writes blocks into a profile
 *
 * Written blocks can be read at once, and the file is valid at every instant;
 * finishing it adds the index. If the file cannot be written further (disk
 * full, quota, file size limit), the writer drops all later blocks and ends the
 * file with the status truncated in PF_DONE. The caller may go on.
 *
 * A block is added to a queue and written later.
 * pf_writer_queue_or_free_if_failed() never waits for the file, so it may be
 * called under any lock. One of the threads that call
 * pf_writer_write_until_queue_within_limit() writes the queued blocks of
 * all threads, in order. Hence no block stays unwritten if each thread calls
 * pf_writer_write_until_queue_within_limit() after
 * pf_writer_queue_or_free_if_failed(), once its locks are released.
 *
 * If the queue has more than PF_MAX_QUEUED bytes,
 * pf_writer_write_until_queue_within_limit() waits. So the queue is
 * limited to that, plus the blocks that each thread adds between two calls of
 * pf_writer_write_until_queue_within_limit().
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
#include "profile/format/reader.h"

struct pf_writer;
struct pf_packer;

enum {
	PF_MAX_QUEUED = 16 << 20, /* [bytes] of queued blocks above which
				     threads wait */
	PF_LEVEL = 1,		  /* default compression level of zstd */
	PF_MAX_LEVEL = 19,
};

/**
 * pf_writer_new_and_create_file() - Create a profile with mode 0600.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * Follows no symbolic link. An existing empty file is used; with --force an old
 * profile is replaced, see pf_file_create_and_lock().
 *
 * Return: the writer; NULL with @message and errno (EEXIST: @path exists).
 */
struct pf_writer *pf_writer_new_and_create_file(const char *path,
						char *message);

/* Create a writer whose file is created when the first block is written. If the
   file cannot be created then, pf_writer_first_error() returns that error.
   Return: the writer; NULL with errno if memory is short. */
struct pf_writer *pf_writer_new_create_file_later(const char *path);

/* A packed block: its head and compressed payload. */
struct pf_packed {
	struct pf_head head;
	const void *payload; /* owned by the packer, which overwrites it when it
				packs again; in a pf_block: its own copy */
};

/* A packed block that owns a copy of its payload. */
struct pf_block {
	struct pf_block *next; /* in the queue */
	bool is_end; /* set by pf_writer_queue_end_for_later_write() */
	struct pf_packed packed;
	char payload[];
};

/* Copy a packed block. Return: the copy, for
   pf_writer_queue_or_free_if_failed() or free(); NULL if memory is short. */
struct pf_block *pf_block_new_copy(const struct pf_packed *);

/* Create a packer with this level of zstd. Return: NULL with errno. */
struct pf_packer *pf_packer_new(int level);
void pf_packer_free(struct pf_packer *);

/**
 * pf_pack_payload() - Pack a payload.
 * @head: kind, stream, times and the fields of the kind are set; the others are
 *        set by this function or when the block is written.
 * @payload: [bytes]
 * @out: receives the packed block.
 *
 * Return: 0; -ENOMEM; -E2BIG: more than PF_MAX_BYTES.
 */
int pf_pack_payload(struct pf_packer *, const struct pf_head *head,
		    const void *payload, size_t bytes, struct pf_packed *out);

/* Return the greatest packed length [bytes] of a payload of @bytes whose kind
   is not PF_UNITS. */
size_t pf_max_packed_bytes(size_t bytes);

/* Add a block to the queue, which owns it from now on. If the writer has an
   error, free the block instead, unless it is the end. If the block is NULL
   (memory was short for it), set the writer's error to -ENOMEM, unless it has
   one, and free all queued blocks but the end. Never waits for the file. */
void pf_writer_queue_or_free_if_failed(struct pf_writer *, struct pf_block *);

/**
 * pf_writer_queue_end_for_later_write() - Add the block PF_DONE, which ends the
 * file, to the queue.
 *
 * When the block is written, the index is added and the file is closed. After
 * an error, reserved space of the file is used for that, and the content of
 * PF_DONE is replaced by the status truncated with the reason. No block may be
 * added later. Never waits for the file.
 */
void pf_writer_queue_end_for_later_write(struct pf_writer *, struct pf_block *);

/**
 * pf_writer_write_until_queue_within_limit() - Write all queued blocks,
 * unless another thread does so; then wait until at most PF_MAX_QUEUED bytes
 * are queued.
 *
 * Context: the calling thread may wait; no lock that others need is held.
 * Return: 0; -errno: the writer accepts no more blocks, see
 * pf_writer_first_error().
 */
int pf_writer_write_until_queue_within_limit(struct pf_writer *);

/* Wait until every block that was added has been written or dropped; write the
   queued blocks if no other thread does. Context and return value are those of
   pf_writer_write_until_queue_within_limit(). */
int pf_writer_write_whole_queue(struct pf_writer *);

/* Copy a packed block and add the copy to the queue, then call
   pf_writer_write_until_queue_within_limit(), whose context and return value
   apply. */
int pf_writer_queue_copy_then_write(struct pf_writer *,
				    const struct pf_packed *);

/* Set the error of the writer to @err, -errno, and free all queued blocks but
   the end. No-op if the writer has an error. For a caller that could not make a
   block. */
void pf_writer_set_first_error(struct pf_writer *, int err);

/* Return the first error, since which blocks are dropped: -errno; 0: none. */
int pf_writer_first_error(struct pf_writer *);

/* Return the length of the file so far [bytes]. */
uint64_t pf_writer_bytes_written(struct pf_writer *);

/* Add a copy of @done, the block PF_DONE, to the queue, and write the queue or
   wait until the file is finished. Return: 0; -errno as
   pf_writer_write_until_queue_within_limit(). */
int pf_writer_write_end_and_finish(struct pf_writer *,
				   const struct pf_packed *done);

/* Write the queued blocks, close the file and free the writer, whose file may
   be finished or not. NULL: no-op. */
void pf_writer_flush_close_free(struct pf_writer *);

struct pf_recovered {
	struct pf_state state; /* state of the damaged profile, as found when it
				  was opened */
	uint64_t blocks;       /* number of blocks copied, except PF_DONE */
	uint64_t lost;	       /* number of blocks whose payload is damaged or
				  unreadable, or that are missing before one
				  whose head is intact */
	bool ended;	       /* the damaged profile has an intact PF_DONE */
};

/* A function that adds blocks to the new profile, after all copied blocks and
   before PF_DONE. */
struct pf_recover_hook {
	/* Write further blocks, which the old profile (the reader's) does not
	   have, to the new one (the writer's). Return: 0; -errno: the new
	   profile cannot be made. */
	int (*add)(void *arg, struct pf_reader *, struct pf_writer *);
	void *arg;
};

/**
 * pf_recover() - Copy every intact block of a damaged or unfinished profile
 * into a new one. Threads: one.
 * @path: path of the damaged profile.
 * @out_path: path of the new profile, which must not exist.
 * @block_adding_hook: adds more blocks; NULL: none are added.
 * @result: receives what was found and copied.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * Blocks are renumbered. If PF_DONE is intact and no block is lost, it is
 * copied. Otherwise the new profile gets the status truncated, if PF_DONE is
 * missing or was truncated already, or lossy, with the reason.
 *
 * Return: 0; -errno with @message, after removing @out_path if it was created.
 */
int pf_recover(const char *path, const char *out_path,
	       const struct pf_recover_hook *block_adding_hook,
	       struct pf_recovered *result, char *message);

#endif
