/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader.h - blocks out of a profile
 *
 * Threads: any may load, each with its own unpacker. Opening, refreshing and
 *          closing want the others at rest.
 *
 * A file is input: nothing in it is believed before it was checked, and no
 * memory is taken for what it only claims. Where there is no index (the file is
 * still being written, its writer was killed, it was cut) blocks are found one
 * after the other; where one is damaged, by looking for the next head.
 */
#ifndef PROFILE_FORMAT_READER_H
#define PROFILE_FORMAT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/format/format.h"

struct pf_reader;
struct pf_unpacker;

/* What is wrong with a file; of several, the first. */
enum pf_damage {
	PF_WHOLE = 0,
	PF_UNFINISHED, /* no index: being written, its writer was killed, or
			  cut between two blocks */
	PF_TORN,       /* ends within a block */
	PF_BROKEN,     /* bytes that are no block, or a damaged block: see
			  damage_at, damage_bytes */
};

struct pf_state {
	enum pf_damage damage;
	uint64_t damage_at;    /* [bytes] offset of the first */
	uint64_t damage_bytes; /* of all together, skipped; zeros at the end of
				  an unfinished file, too */
	uint64_t bytes;	       /* of the file */
};

/**
 * pf_reader_open() - Find the blocks of a profile.
 * @message: [PF_MESSAGE] receives one line on error.
 *
 * Return: NULL with @message and errno: EINVAL when it is no profile,
 *         EPROTONOSUPPORT for another major version.
 */
struct pf_reader *pf_reader_open(const char *path, char *message);
void pf_reader_close(struct pf_reader *);

/* Looks for blocks that were added. 0; -ENOMEM; -errno. */
int pf_reader_refresh(struct pf_reader *);

/* Return the state of the file, with the blocks that pf_reader_damaged()
   counts. Threads: any. */
struct pf_state pf_reader_state(struct pf_reader *);

/* Return how many blocks were found damaged so far: blocks whose checksum was
   wrong in pf_load(), and those of pf_reader_add_damage(). Each is counted
   once. Threads: any. */
uint64_t pf_reader_damaged(struct pf_reader *);

/* Count a block as damaged: its checksum is right, but its content is
   malformed. @entry: one of pf_reader_entries(). Threads: any. */
void pf_reader_add_damage(struct pf_reader *, const struct pf_entry *entry);

/* The blocks but for PF_INDEX, in the order of the file. Heads were checked,
   payloads were not. */
const struct pf_entry *pf_reader_entries(const struct pf_reader *, size_t *n);

/* Whether the block has in the file the head that the index tells. 0; -EBADMSG;
   -errno of reading. */
int pf_check_head(const struct pf_reader *, const struct pf_entry *);

/* Payload bytes read from the file so far, packed; and blocks. For tests of
   what seeking costs. */
uint64_t pf_reader_bytes_read(struct pf_reader *);
uint64_t pf_reader_blocks_read(struct pf_reader *);

struct pf_unpacker *pf_unpacker_new(void); /* NULL with errno set */
void pf_unpacker_free(struct pf_unpacker *);

/**
 * pf_load() - Read and unpack a payload, checked by its checksum.
 * @payload: receives head.bytes bytes, the unpacker's until it is used again;
 *           aligned to 16, and 8 bytes behind it may be read.
 *
 * Return: 0; -EBADMSG when it is damaged; -ENOMEM; -errno of reading.
 */
int pf_load(struct pf_reader *, struct pf_unpacker *, const struct pf_entry *,
	    const void **payload);

/* The payload that was loaded last, as it is packed: head.packed bytes, the
   unpacker's. */
const void *pf_unpacker_packed(const struct pf_unpacker *);

#endif
