/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pack.c - compresses a payload to a zstd frame
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <zstd.h>

#include "profile/format/coder_streams.h"
#include "profile/format/head.h"
#include "profile/format/writer.h"

enum {
	BLOCK_HEAD = 4
}; /* [bytes] space for the head of a zstd block, which has 3 bytes */

struct pf_packer {
	ZSTD_CCtx *zstd;
	void *data;
	size_t size;
};

struct pf_packer *pf_packer_new(int level)
{
	struct pf_packer *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->zstd = ZSTD_createCCtx();
	if (!p->zstd) {
		free(p);
		errno = ENOMEM;
		return NULL;
	}
	ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_compressionLevel, level);
	return p;
}

void pf_packer_free(struct pf_packer *p)
{
	if (!p)
		return;
	ZSTD_freeCCtx(p->zstd);
	free(p->data);
	free(p);
}

/* Make the buffer at least @size bytes long; its content is lost if it grows.
   Return: 0; -ENOMEM. */
static int ensure_buffer_size_drop_content(struct pf_packer *p, size_t size)
{
	if (size <= p->size)
		return 0;
	free(p->data);
	p->data = malloc(size);
	p->size = p->data ? size : 0;
	return p->data ? 0 : -ENOMEM;
}

/* Compress a payload to one frame, with one or more zstd blocks for each part
   that is not empty. Each zstd block has a Huffman code of its own, and bytes
   are similar within a part, but not in different parts. Return: false on
   error. */
static bool compress_each_part_as_block_of_one_frame(
	struct pf_packer *p, const char *payload, size_t bytes,
	const size_t part_bytes[PF_PARTS], size_t *packed_bytes)
{
	ZSTD_outBuffer out = {p->data, p->size, 0};
	size_t consumed = 0, i, unflushed = 1;

	ZSTD_CCtx_reset(p->zstd, ZSTD_reset_session_only);
	ZSTD_CCtx_setPledgedSrcSize(p->zstd, bytes);
	for (i = 0; i < PF_PARTS && consumed < bytes; i++) {
		ZSTD_inBuffer in = {payload + consumed, part_bytes[i], 0};

		consumed += part_bytes[i];
		if (part_bytes[i])
			unflushed = ZSTD_compressStream2(
				p->zstd, &out, &in,
				consumed < bytes ? ZSTD_e_flush : ZSTD_e_end);
		if (ZSTD_isError(unflushed))
			return false;
	}
	*packed_bytes = out.pos;
	return !unflushed;
}

static bool compress_payload_false_on_error(struct pf_packer *p,
					    enum pf_kind kind,
					    const void *payload, size_t bytes,
					    size_t *packed_bytes)
{
	size_t part[PF_PARTS];

	if (kind == PF_UNITS &&
	    pf_columns_get_part_lengths_if_valid(payload, bytes, part))
		return compress_each_part_as_block_of_one_frame(
			p, payload, bytes, part, packed_bytes);
	*packed_bytes =
		ZSTD_compress2(p->zstd, p->data, p->size, payload, bytes);
	return !ZSTD_isError(*packed_bytes);
}

size_t pf_max_packed_bytes(size_t bytes)
{
	return ZSTD_compressBound(bytes);
}

int pf_pack_payload(struct pf_packer *p, const struct pf_head *head,
		    const void *payload, size_t bytes, struct pf_packed *out)
{
	size_t packed;
	int err;

	if (bytes > PF_MAX_BYTES)
		return -E2BIG;
	err = ensure_buffer_size_drop_content(p, pf_max_packed_bytes(bytes) +
							 PF_PARTS * BLOCK_HEAD);
	if (err)
		return err;
	if (!compress_payload_false_on_error(p, head->kind, payload, bytes,
					     &packed))
		return -ENOMEM;
	if (packed > PF_MAX_BYTES)
		return -E2BIG;
	out->payload = p->data;
	out->head = *head;
	out->head.magic = PF_MAGIC;
	out->head.major = PF_MAJOR;
	out->head.minor = PF_MINOR;
	out->head.head_bytes = sizeof(out->head);
	out->head.payload_crc = pf_crc32(p->data, packed);
	out->head.packed = packed;
	out->head.bytes = bytes;
	return 0;
}
