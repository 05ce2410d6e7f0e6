/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unpack.c - reads a payload and decompresses its zstd frame
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/system/progress.h"
#include "profile/format/head.h"
#include "profile/format/reader_state.h"

enum { PADDING = 8 }; /* [bytes] after a payload that may be read */

struct buffer {
	char *data;
	size_t size;
};

struct pf_unpacker {
	ZSTD_DCtx *zstd;
	struct buffer packed;
	struct buffer unpacked;
};

struct pf_unpacker *pf_unpacker_new(void)
{
	struct pf_unpacker *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->zstd = ZSTD_createDCtx();
	if (!u->zstd) {
		free(u);
		errno = ENOMEM;
		return NULL;
	}
	return u;
}

void pf_unpacker_free(struct pf_unpacker *u)
{
	if (!u)
		return;
	ZSTD_freeDCtx(u->zstd);
	free(u->packed.data);
	free(u->unpacked.data);
	free(u);
}

static int ensure_buffer_size_drop_content(struct buffer *r, size_t size)
{
	if (size <= r->size)
		return 0;
	free(r->data);
	r->data = malloc(size);
	r->size = r->data ? size : 0;
	return r->data ? 0 : -ENOMEM;
}

/* Read the packed payload of a block and check its checksum. Return: 0;
   -EBADMSG; another -errno. */
static int read_packed_and_check_crc(struct pf_reader *r, struct pf_unpacker *u,
				     const struct pf_entry *entry)
{
	const struct pf_head *head = &entry->head;
	ssize_t n;
	int err;

	/* The entry may come from a damaged file, and the file may have been
	   shortened since. */
	if (head->packed > PF_MAX_BYTES || head->bytes > PF_MAX_BYTES ||
	    head->packed > r->state.bytes)
		return -EBADMSG;
	err = ensure_buffer_size_drop_content(&u->packed, head->packed);
	if (err)
		return err;
	n = pf_reader_read_at_offset(r, u->packed.data, head->packed,
				     entry->offset + head->head_bytes);
	if (n < 0)
		return (int)n;
	pthread_mutex_lock(&r->lock);
	r->bytes_read += (uint64_t)n;
	r->blocks_read++;
	pthread_mutex_unlock(&r->lock);
	return (uint64_t)n == head->packed &&
			       pf_crc32(u->packed.data, (size_t)n) ==
				       head->payload_crc
		       ? 0
		       : -EBADMSG;
}

/* Whether the data are exactly one zstd frame, which unpacks to @unpacked_bytes
   according to its header. */
static bool is_single_zstd_frame_of_size(const void *data, size_t packed_bytes,
					 uint64_t unpacked_bytes)
{
	return ZSTD_getFrameContentSize(data, packed_bytes) == unpacked_bytes &&
	       ZSTD_findFrameCompressedSize(data, packed_bytes) == packed_bytes;
}

static int read_and_unpack_payload(struct pf_reader *r, struct pf_unpacker *u,
				   const struct pf_entry *entry,
				   const void **payload)
{
	const struct pf_head *head = &entry->head;
	int err = read_packed_and_check_crc(r, u, entry);

	if (!err && !is_single_zstd_frame_of_size(u->packed.data, head->packed,
						  head->bytes))
		err = -EBADMSG;
	if (!err)
		err = ensure_buffer_size_drop_content(&u->unpacked,
						      head->bytes + PADDING);
	if (err)
		return err;
	if (ZSTD_decompressDCtx(u->zstd, u->unpacked.data, head->bytes,
				u->packed.data, head->packed) != head->bytes)
		return -EBADMSG;
	memset(u->unpacked.data + head->bytes, 0, PADDING);
	*payload = u->unpacked.data;
	return 0;
}

/* Report to the observer of the progress, if block @entry is PF_UNITS, the
   block's offset plus its packed bytes as the part done, and this sum of the
   last block as the total. Other kinds are not reported, because they are read
   out of order. Return: 0; -ECANCELED: the observer has ended the reading. */
static int report_read_progress_or_cancel(const struct pf_reader *r,
					  const struct pf_entry *entry)
{
	const struct pf_entry *last;

	if (entry->head.kind != PF_UNITS || r->n == 0)
		return 0;
	last = &r->entries[r->n - 1];
	return al_progress_report_may_continue(entry->offset +
						       entry->head.packed,
					       last->offset + last->head.packed)
		       ? 0
		       : -ECANCELED;
}

int pf_reader_load_block(struct pf_reader *r, struct pf_unpacker *u,
			 const struct pf_entry *entry, const void **payload)
{
	int err = report_read_progress_or_cancel(r, entry);

	if (!err)
		err = read_and_unpack_payload(r, u, entry, payload);
	if (err == -EBADMSG)
		pf_reader_count_damaged_once(r, entry);
	return err;
}

const void *pf_unpacker_last_packed_payload(const struct pf_unpacker *u)
{
	return u->packed.data;
}
