/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * head.h - heads of blocks: checksums, and whether one can be believed
 *
 * In every major version a head begins with the same fields, up to head_crc.
 */
#ifndef PROFILE_FORMAT_HEAD_H
#define PROFILE_FORMAT_HEAD_H

#include <stddef.h>
#include <stdint.h>

#include "profile/format/format.h"

enum { PF_ALIGN = 8 }; /* [bytes] of blocks in the file */

uint64_t pf_pad(uint64_t bytes); /* up to PF_ALIGN */

uint32_t pf_crc(const void *, size_t bytes);

/* Sets head_crc of a head as long as ours. */
void pf_head_seal(struct pf_head *);

/**
 * pf_head_take() - Check a head within all limits.
 * @data: may be anything, any alignment.
 * @bytes: of @data, of which the head may be the beginning.
 * @head: receives it, as far as we know its fields.
 *
 * Return: 0; -EBADMSG: no head, or a damaged one; -ENODATA: perhaps one, but
 *         longer than @bytes; -EPROTONOSUPPORT: of another major version, with
 *         @head set up to head_crc.
 */
int pf_head_take(const void *data, size_t bytes, struct pf_head *head);

/* [bytes] offset of what follows a block at @offset. */
uint64_t pf_head_end(const struct pf_head *, uint64_t offset);

#endif
