/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pf_writer.c - blocks into a profile
 *
 * Room:    profile.
 */
#include "profile/pf_writer.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "profile/pf_file.h"
#include "profile/pf_head.h"
#include "profile/pf_message.h"
#include "profile/pf_records.h"

enum {
	ENTRIES = 4096, /* in an index */
	LAST = 1 << 12, /* [bytes] that PF_DONE and the tail have at most, with
			   heads and padding of all that ends a file */
};

struct pf_writer {
	struct pf_packer *packer; /* of indexes and of PF_DONE */
	pthread_mutex_t lock;	  /* guards everything else */
	struct pf_file file;
	int error;
	uint64_t bytes;	   /* where the next block goes */
	uint64_t sequence; /* of it */
	uint64_t index;	   /* [bytes] offset of the last index */
	size_t n;	   /* blocks since then */
	struct pf_entry entry[ENTRIES];
};

struct pf_writer *pf_writer_open(const char *path, char *message)
{
	struct pf_writer *w = calloc(1, sizeof(*w));
	struct pf_packer *packer = pf_packer_new(PF_LEVEL);
	int err = w && packer ? pf_file_create(&w->file, path, message)
			      : pf_message(message, -ENOMEM, "%s",
					   strerror(ENOMEM));

	if (err) {
		pf_packer_free(packer);
		free(w);
		errno = -err;
		return NULL;
	}
	w->packer = packer;
	pthread_mutex_init(&w->lock, NULL);
	return w;
}

void pf_writer_free(struct pf_writer *w)
{
	if (!w)
		return;
	pf_file_finish(&w->file, w->bytes);
	pthread_mutex_destroy(&w->lock);
	pf_packer_free(w->packer);
	free(w);
}

/* [bytes] that ending the file takes when one more block is in it, should
   indexes not pack at all. */
static uint64_t reserve(const struct pf_writer *w)
{
	return pf_pack_bound((w->n + 2) * sizeof(w->entry[0])) + LAST;
}

/* @entry receives its head, and where it is, which is so only when it was
   written: one write, and @room bytes behind it. */
static int append(struct pf_writer *w, const struct pf_packed *p, uint64_t room,
		  struct pf_entry *entry)
{
	static const char zero[PF_ALIGN];
	struct iovec iov[3];
	uint64_t end = pf_head_end(&p->head, w->bytes);
	int err;

	entry->offset = w->bytes;
	entry->head = p->head;
	entry->head.sequence = w->sequence;
	pf_head_seal(&entry->head);
	iov[0] = (struct iovec){&entry->head, sizeof(entry->head)};
	iov[1] = (struct iovec){(void *)p->payload, p->head.packed};
	iov[2] = (struct iovec){(void *)zero,
				pf_pad(p->head.packed) - p->head.packed};
	err = pf_file_reserve(&w->file, end + room);
	if (!err)
		err = pf_file_write(&w->file, iov, 3, w->bytes);
	if (!err)
		w->bytes = end;
	return err;
}

static int put_index(struct pf_writer *w, uint64_t room)
{
	struct pf_head head = {
		.kind = PF_INDEX,
		.stream = PF_NO_STREAM,
		.position = w->index,
	};
	struct pf_packed packed;
	struct pf_entry self;
	int err = pf_pack(w->packer, &head, w->entry,
			  w->n * sizeof(w->entry[0]), &packed);

	if (!err)
		err = append(w, &packed, room, &self);
	if (err)
		return err;
	w->index = self.offset;
	w->n = 0;
	return 0;
}

/* Write an index if there is no room for another entry. Uses the writer's own
   packer, so no block packed by it may be waiting. @last: use the reserved
   entries too. Return 0 or -errno. */
static int make_entry_room(struct pf_writer *w, bool last)
{
	return w->n == ENTRIES ? put_index(w, last ? 0 : LAST) : 0;
}

/* Append a block. @last: as in make_entry_room(). Return 0 or -errno. */
static int put(struct pf_writer *w, const struct pf_packed *p, bool last)
{
	int err = make_entry_room(w, last);

	if (!err)
		err = append(w, p, last ? 0 : reserve(w), &w->entry[w->n]);
	if (err)
		return err;
	w->n++;
	w->sequence++;
	return 0;
}

int pf_put(struct pf_writer *w, const struct pf_packed *p)
{
	int err;

	pthread_mutex_lock(&w->lock);
	if (!w->error)
		w->error = put(w, p, false);
	err = w->error;
	pthread_mutex_unlock(&w->lock);
	return err;
}

void pf_writer_fail(struct pf_writer *w, int err)
{
	pthread_mutex_lock(&w->lock);
	if (!w->error)
		w->error = err;
	pthread_mutex_unlock(&w->lock);
}

int pf_writer_error(struct pf_writer *w)
{
	int err;

	pthread_mutex_lock(&w->lock);
	err = w->error;
	pthread_mutex_unlock(&w->lock);
	return err;
}

uint64_t pf_writer_bytes(struct pf_writer *w)
{
	uint64_t bytes;

	pthread_mutex_lock(&w->lock);
	bytes = w->bytes;
	pthread_mutex_unlock(&w->lock);
	return bytes;
}

/* Write an end in place of @done, which would report the run as complete. */
static int put_truncated(struct pf_writer *w, const struct pf_head *done)
{
	struct pf_records r = {0};
	struct pf_packed packed;
	int err = make_entry_room(w, true);

	pf_add(&r, PF_STATUS);
	pf_add_string(&r, "truncated");
	pf_add_string(&r, strerror(-w->error));
	pf_add(&r, PF_WALL);
	pf_add_number(&r, done->end_ns);
	if (!err && r.failed)
		err = -ENOMEM;
	if (!err)
		err = pf_pack(w->packer, done, r.data, r.bytes, &packed);
	if (!err)
		err = put(w, &packed, true);
	pf_records_release(&r);
	return err;
}

static int put_tail(struct pf_writer *w)
{
	struct pf_tail tail = {.magic = PF_TAIL_MAGIC, .index = w->index};
	struct iovec iov = {&tail, sizeof(tail)};
	int err;

	tail.crc = pf_crc(&tail.index, sizeof(tail.index));
	err = pf_file_write(&w->file, &iov, 1, w->bytes);
	if (!err)
		w->bytes += sizeof(tail);
	return err;
}

int pf_writer_finish(struct pf_writer *w, const struct pf_packed *done)
{
	int err;

	if (!w->error)
		w->error = put(w, done, false);
	err = w->error ? put_truncated(w, &done->head) : 0;
	if (!err)
		err = put_index(w, sizeof(struct pf_tail));
	if (!err)
		err = put_tail(w);
	if (!w->error)
		w->error = err;
	err = pf_file_finish(&w->file, w->bytes);
	if (!w->error)
		w->error = err;
	return w->error;
}
