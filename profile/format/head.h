/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * head.h - computes the checksums of heads of blocks, and checks heads
 *
 * The fields up to head_crc are the same in every major version.
 */
#ifndef PROFILE_FORMAT_HEAD_H
#define PROFILE_FORMAT_HEAD_H

#include <stddef.h>
#include <stdint.h>

#include "profile/format/format.h"

enum { PF_ALIGN = 8 }; /* alignment of blocks in the file [bytes] */

/* Return @bytes, rounded up to a multiple of PF_ALIGN. */
uint64_t pf_round_up_to_block_alignment(uint64_t bytes);

/* Return the CRC-32 of zlib over @bytes. */
uint32_t pf_crc32(const void *, size_t bytes);

/* Set head_crc to the CRC-32 of a block's header, which must have the length of
   struct pf_head. */
void pf_head_set_crc(struct pf_head *);

/**
 * pf_head_decode() - Decode a head and check it.
 * @data: [bytes] of any content and alignment; the head is expected at its
 *        beginning.
 * @head: receives the head; fields of higher minor versions are dropped.
 *
 * Return: 0; -EBADMSG: no head, or a damaged one, or one outside the limits;
 *         -ENODATA: perhaps a head, of which @bytes are only a part;
 *         -EPROTONOSUPPORT: a head of another major version; @head is set up to
 *         head_crc.
 */
int pf_head_decode(const void *data, size_t bytes, struct pf_head *head);

/* Return the offset [bytes] of the first byte after a block at @block_offset
   and its padding. */
uint64_t pf_block_end_offset(const struct pf_head *, uint64_t block_offset);

#endif
