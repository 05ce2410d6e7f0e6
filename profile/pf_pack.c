/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pf_pack.c - a payload to its zstd frame
 *
 * Room:    profile.
 */
#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

#include "profile/pf_head.h"
#include "profile/pf_writer.h"

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

static int make_room(struct pf_packer *p, size_t size)
{
	if (size <= p->size)
		return 0;
	free(p->data);
	p->data = malloc(size);
	p->size = p->data ? size : 0;
	return p->data ? 0 : -ENOMEM;
}

int pf_pack(struct pf_packer *p, const struct pf_head *head,
	    const void *payload, size_t bytes, struct pf_packed *out)
{
	size_t packed;
	int err;

	if (bytes > PF_MAX_BYTES)
		return -E2BIG;
	err = make_room(p, ZSTD_compressBound(bytes));
	if (err)
		return err;
	packed = ZSTD_compress2(p->zstd, p->data, p->size, payload, bytes);
	if (ZSTD_isError(packed))
		return -ENOMEM;
	if (packed > PF_MAX_BYTES)
		return -E2BIG;
	out->payload = p->data;
	out->head = *head;
	out->head.magic = PF_MAGIC;
	out->head.major = PF_MAJOR;
	out->head.minor = PF_MINOR;
	out->head.head_bytes = sizeof(out->head);
	out->head.payload_crc = pf_crc(p->data, packed);
	out->head.packed = packed;
	out->head.bytes = bytes;
	return 0;
}
