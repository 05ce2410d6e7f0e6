/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader.h - finds and reads the blocks of a profile
 *
 * Threads: any may load, each with its own unpacker. No other thread may use
 *          the reader while it is opened, refreshed or closed.
 *
 * The content of a file is untrusted: everything is checked before it is used,
 * and no memory is allocated for lengths that were not checked. If there is no
 * valid index (the file is being written, its writer was killed, it was cut)
 * blocks are found one after another; after a damaged block the next head is
 * searched for.
 */
#ifndef PROFILE_FORMAT_READER_H
#define PROFILE_FORMAT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/message.h"
#include "profile/format/format.h"

struct pf_reader;
struct pf_unpacker;

/* Kind of the first fault of a file, if it has any. */
enum pf_damage {
	PF_WHOLE = 0,
	PF_UNFINISHED, /* the file has no end: it is being written, its writer
			  was killed, or it was cut between two blocks */
	PF_TORN,       /* the file ends within a block or the tail */
	PF_BROKEN,     /* the file has bytes that are no block, or a damaged
			  block: see damage_at, damage_bytes */
};

struct pf_state {
	enum pf_damage damage;
	uint64_t damage_at;    /* [bytes] offset of the first fault */
	uint64_t damage_bytes; /* [bytes] skipped because of all faults,
				  including zeros at the end of an unfinished
				  file */
	uint64_t bytes;	       /* [bytes] of the file */
};

/**
 * pf_reader_open() - Open a profile and find its blocks.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * Return: the reader; NULL with @message and errno: EINVAL if the file is no
 *         profile, EPROTONOSUPPORT for another major version.
 */
struct pf_reader *pf_reader_open(const char *path, char *message);
void pf_reader_close(struct pf_reader *); /* NULL: no-op */

/* Add the entries of blocks that were written since the last search; no-op if
   the end of the file was found already. Return: 0; -ENOMEM; another -errno. */
int pf_reader_add_newly_appended_blocks(struct pf_reader *);

/* Return the state of the file, including damaged blocks found so far, see
   pf_reader_damaged_blocks_found_so_far(). Threads: any. */
struct pf_state pf_reader_state_with_damage(struct pf_reader *);

/* Return how many blocks were found damaged so far: blocks for which
   pf_reader_load_block() has returned -EBADMSG, and those of
   pf_reader_count_damaged_once(), but no PF_INDEX. Each is counted once, unless
   memory is short. Threads: any. */
uint64_t pf_reader_damaged_blocks_found_so_far(struct pf_reader *);

/* Count a block as damaged: its checksum is right, but its content is
   malformed. @entry: one of pf_reader_entries(). Threads: any. */
void pf_reader_count_damaged_once(struct pf_reader *,
				  const struct pf_entry *entry);

/* Return the entries of all blocks but PF_INDEX, in the order of the file.
   *@entry_count: receives their number. Heads were checked, payloads were not.
   The reader owns the array, which is valid until
   pf_reader_add_newly_appended_blocks(). */
const struct pf_entry *pf_reader_entries(const struct pf_reader *,
					 size_t *entry_count);

/* Read the head of an entry's block from the file, and check that it equals the
   head in the entry, which may come from the index. Return: 0; -EBADMSG: it
   differs or is damaged; -errno of a read. */
int pf_reader_check_head_unchanged(const struct pf_reader *,
				   const struct pf_entry *);

/* Return the number of bytes of packed payloads that were read so far. */
uint64_t pf_reader_packed_bytes_read(struct pf_reader *);

/* Return the number of blocks whose payload was read so far. */
uint64_t pf_reader_blocks_read(struct pf_reader *);

struct pf_unpacker *pf_unpacker_new(void); /* NULL with errno set */
void pf_unpacker_free(struct pf_unpacker *);

/**
 * pf_reader_load_block() - Read, check and unpack the payload of a block.
 * @payload: receives a pointer to head.bytes bytes, which the unpacker owns and
 *           overwrites at its next use. It is aligned to 16, and the 8 bytes
 *           after it may be read; they are zero.
 *
 * Return: 0; -EBADMSG: the block is damaged, and counted as such unless it is
 *         a PF_INDEX; -ENOMEM; -ECANCELED: the observer of the progress
 *         (progress.h) has ended the reading; -errno of a read.
 */
int pf_reader_load_block(struct pf_reader *, struct pf_unpacker *,
			 const struct pf_entry *, const void **payload);

/* Return the packed payload of the block that was loaded last: head.packed
   bytes, owned by the unpacker, valid until its next use. */
const void *pf_unpacker_last_packed_payload(const struct pf_unpacker *);

#endif
