/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * head.c - computes the checksums of heads of blocks, and checks heads
 */
#include "profile/format/head.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <zlib.h>

_Static_assert(sizeof(struct pf_head) == 416, "a head has no holes");
_Static_assert(sizeof(struct pf_entry) == 8 + sizeof(struct pf_head),
	       "an entry has no holes");
_Static_assert(sizeof(struct pf_tail) == 16, "a tail has no holes");

uint64_t pf_round_up_to_block_alignment(uint64_t bytes)
{
	return (bytes + PF_ALIGN - 1) / PF_ALIGN * PF_ALIGN;
}

uint32_t pf_crc32(const void *data, size_t bytes)
{
	return (uint32_t)crc32_z(0, data, bytes);
}

/* Return the CRC-32 of the header of a block, computed with 0 in place of its
   member head_crc. */
static uint32_t head_crc(const void *head, size_t bytes)
{
	static const unsigned char zeros[4];
	const size_t crc_offset = offsetof(struct pf_head, head_crc);
	const unsigned char *data = head;
	uLong crc = crc32_z(0, data, crc_offset);

	crc = crc32_z(crc, zeros, sizeof(zeros));
	return (uint32_t)crc32_z(crc, data + crc_offset + sizeof(zeros),
				 bytes - crc_offset - sizeof(zeros));
}

void pf_head_set_crc(struct pf_head *head)
{
	head->head_crc = head_crc(head, sizeof(*head));
}

static bool are_lengths_within_limits(const struct pf_head *head)
{
	return head->packed && head->packed <= PF_MAX_BYTES &&
	       head->bytes <= PF_MAX_BYTES && head->words <= PF_MAX_BYTES &&
	       head->bytes <= head->packed * PF_MAX_RATIO;
}

int pf_head_decode(const void *data, size_t bytes, struct pf_head *head)
{
	const size_t common_bytes = offsetof(struct pf_head, sequence);
	uint32_t magic = PF_MAGIC;

	if (memcmp(data, &magic, bytes < sizeof(magic) ? bytes : sizeof(magic)))
		return -EBADMSG;
	if (bytes < common_bytes)
		return -ENODATA;
	memcpy(head, data, common_bytes);
	if (head->head_bytes < common_bytes || head->head_bytes % PF_ALIGN ||
	    head->head_bytes > PF_MAX_HEAD)
		return -EBADMSG;
	if (bytes < head->head_bytes)
		return -ENODATA;
	if (head->head_crc != head_crc(data, head->head_bytes))
		return -EBADMSG;
	if (head->major != PF_MAJOR)
		return -EPROTONOSUPPORT;
	if (head->head_bytes < sizeof(*head))
		return -EBADMSG;
	memcpy(head, data, sizeof(*head));
	return are_lengths_within_limits(head) ? 0 : -EBADMSG;
}

uint64_t pf_block_end_offset(const struct pf_head *head, uint64_t block_offset)
{
	return block_offset + head->head_bytes +
	       pf_round_up_to_block_alignment(head->packed);
}
