/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * writer.c - writes blocks into a profile
 */
#include "profile/format/writer.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/lock_check.h"
#include "profile/format/file.h"
#include "profile/format/head.h"
#include "base/text/message.h"
#include "profile/format/records.h"

enum {
	MAX_ENTRIES = 4096, /* greatest number of entries of an index block */
	MAX_LAST_BYTES =
		1 << 12, /* [bytes] greatest length of the PF_DONE that is
			    written after an error and the tail, plus the heads
			    and padding of all blocks that end a file */
};

struct pf_writer {
	/* Used by the thread that has set `writing`, without the lock. */
	struct pf_packer *packer; /* packs index blocks, and PF_DONE after an
				     error */
	char *path; /* path of the file to be created; NULL: creation was
		       tried */
	struct pf_file file;
	uint64_t end;	   /* [bytes] offset of the next block */
	uint64_t sequence; /* number in the file of the next block */
	uint64_t index;	   /* [bytes] offset of the last index block */
	size_t n; /* number of blocks written since the last index block: used
		     elements of entry[] */
	struct pf_entry entry[MAX_ENTRIES];

	/* The lock guards the members below. */
	pthread_mutex_t lock;
	pthread_cond_t changed; /* writing has ended, or the queue has become
				   shorter */
	bool writing;		/* true while a thread writes queued blocks */
	unsigned waiting;	/* number of threads that wait for `changed` */
	struct pf_block *first; /* oldest queued block, or NULL */
	struct pf_block **last;
	size_t queued;	/* [bytes] of memory of all blocks that are queued or
			   being written */
	int error;	/* first error, -errno; 0: none */
	uint64_t bytes; /* [bytes] length of the file so far */
};

static size_t get_memory_bytes_of_packed_block(const struct pf_block *b)
{
	return sizeof(*b) + b->packed.head.packed;
}

struct pf_block *pf_block_new_copy(const struct pf_packed *packed)
{
	size_t bytes = packed->head.packed;
	struct pf_block *b = malloc(sizeof(*b) + bytes);

	if (!b)
		return NULL;
	b->next = NULL;
	b->is_end = false;
	b->packed.head = packed->head;
	b->packed.payload = memcpy(b->payload, packed->payload, bytes);
	return b;
}

/* ---- creation ---- */

/* Free the memory of a writer. Its file is not closed. */
static void free_writer_without_closing_file(struct pf_writer *w)
{
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->lock);
	pf_packer_free(w->packer);
	free(w->path);
	free(w);
}

struct pf_writer *pf_writer_new_create_file_later(const char *path)
{
	struct pf_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->changed, NULL);
	w->last = &w->first;
	w->file.fd = -1;
	w->path = strdup(path);
	w->packer = pf_packer_new(PF_LEVEL);
	if (w->path && w->packer)
		return w;
	free_writer_without_closing_file(w);
	errno = ENOMEM;
	return NULL;
}

/* Create and lock the file w->path, unless that was tried before, with success
   or not. Return: 0, also if it was tried before; -errno, with the error text
   in @message. */
static int create_file_once(struct pf_writer *w, char *message)
{
	int err = w->path ? pf_file_create_and_lock(&w->file, w->path, message)
			  : 0;

	free(w->path);
	w->path = NULL;
	return err;
}

struct pf_writer *pf_writer_new_and_create_file(const char *path, char *message)
{
	struct pf_writer *w = pf_writer_new_create_file_later(path);
	int err = w ? create_file_once(w, message)
		    : al_message_return_err(message, -ENOMEM, "%s",
					    strerror(ENOMEM));

	if (!err)
		return w;
	if (w)
		free_writer_without_closing_file(w);
	errno = -err;
	return NULL;
}

/* ---- the file ---- */

/* Return the greatest number of bytes that must be written after one more block
   to end the file after an error: an index that cannot be compressed, PF_DONE
   with the status truncated, and the tail. */
static uint64_t max_bytes_to_end_file_after_block(const struct pf_writer *w)
{
	return pf_max_packed_bytes((w->n + 2) * sizeof(w->entry[0])) +
	       MAX_LAST_BYTES;
}

/* Write a block at the end of the file, after reserving disk space for it and
   for @extra_reserved_bytes bytes after it. @entry: receives the block's index
   entry, valid only if this succeeds. Return: 0; -errno. */
static int append_block_to_file(struct pf_writer *w, const struct pf_packed *p,
				uint64_t extra_reserved_bytes,
				struct pf_entry *entry)
{
	static const char zero[PF_ALIGN];
	struct iovec iov[3];
	uint64_t end = pf_block_end_offset(&p->head, w->end);
	int err;

	entry->offset = w->end;
	entry->head = p->head;
	entry->head.sequence = w->sequence;
	pf_head_set_crc(&entry->head);
	iov[0] = (struct iovec){&entry->head, sizeof(entry->head)};
	iov[1] = (struct iovec){(void *)p->payload, p->head.packed};
	iov[2] = (struct iovec){(void *)zero,
				pf_round_up_to_block_alignment(p->head.packed) -
					p->head.packed};
	err = pf_file_reserve_space(&w->file, end + extra_reserved_bytes);
	if (!err)
		err = pf_file_write_all_parts(&w->file, iov, 3, w->end);
	if (!err)
		w->end = end;
	return err;
}

/* Append an index block that lists the blocks since the last index block, and
   set w->n to 0. @extra_reserved_bytes: as in append_block_to_file(). Return 0
   or -errno. */
static int append_index_and_clear_entries(struct pf_writer *w,
					  uint64_t extra_reserved_bytes)
{
	struct pf_head head = {
		.kind = PF_INDEX,
		.stream = PF_NO_STREAM,
		.position = w->index,
	};
	struct pf_packed packed;
	struct pf_entry index_entry;
	int err = pf_pack_payload(w->packer, &head, w->entry,
				  w->n * sizeof(w->entry[0]), &packed);

	if (!err)
		err = append_block_to_file(w, &packed, extra_reserved_bytes,
					   &index_entry);
	if (err)
		return err;
	w->index = index_entry.offset;
	w->n = 0;
	return 0;
}

/* Append an index block if w->entry[] is full. The writer's own packer packs
   the index block and overwrites its previous result, so every block that it
   packed before must have been written. @may_use_end_space: the next block ends
   the file, so the disk space reserved for the end may be used. Return: 0;
   -errno. */
static int append_index_if_entries_full(struct pf_writer *w,
					bool may_use_end_space)
{
	return w->n == MAX_ENTRIES
		       ? append_index_and_clear_entries(
				 w, may_use_end_space ? 0 : MAX_LAST_BYTES)
		       : 0;
}

/* Append an index block if w->entry[] is full, then append block @p to the file
   and its index entry to w->entry[]. @may_use_end_space: as in
   append_index_if_entries_full(). Return: 0; -errno. */
static int append_block_and_index_if_full(struct pf_writer *w,
					  const struct pf_packed *p,
					  bool may_use_end_space)
{
	int err = append_index_if_entries_full(w, may_use_end_space);

	if (!err)
		err = append_block_to_file(
			w, p,
			may_use_end_space
				? 0
				: max_bytes_to_end_file_after_block(w),
			&w->entry[w->n]);
	if (err)
		return err;
	w->n++;
	w->sequence++;
	return 0;
}

/* Append a PF_DONE block with the status truncated and the text of @error, in
   place of the PF_DONE block with the head @done_head, which would report the
   run as complete. @error: -errno. Return: 0; -errno. */
static int append_end_block_with_status_truncated(
	struct pf_writer *w, const struct pf_head *done_head, int error)
{
	struct pf_records r = {0};
	struct pf_packed packed;
	int err = append_index_if_entries_full(w, true);

	pf_records_begin_fact(&r, PF_STATUS);
	pf_records_append_string_to_fact(&r, "truncated");
	pf_records_append_string_to_fact(&r, strerror(-error));
	pf_records_begin_fact(&r, PF_WALL);
	pf_records_append_u64_to_fact(&r, done_head->end_ns);
	if (!err && r.failed)
		err = -ENOMEM;
	if (!err)
		err = pf_pack_payload(w->packer, done_head, r.data, r.bytes,
				      &packed);
	if (!err)
		err = append_block_and_index_if_full(w, &packed, true);
	pf_records_free_memory_and_zero(&r);
	return err;
}

/* Write the tail. Return: 0; -errno. */
static int append_file_tail_with_index_offset(struct pf_writer *w)
{
	struct pf_tail tail = {.magic = PF_TAIL_MAGIC, .index = w->index};
	struct iovec iov = {&tail, sizeof(tail)};
	int err;

	tail.crc = pf_crc32(&tail.index, sizeof(tail.index));
	err = pf_file_write_all_parts(&w->file, &iov, 1, w->end);
	if (!err)
		w->end += sizeof(tail);
	return err;
}

/* Write PF_DONE, the last index block and the tail, and close the file. PF_DONE
   is @done or, after an error, one with the status truncated. @earlier_error:
   error of the writer so far, or 0. Return: @earlier_error, or the first error
   of these writes, or 0. */
static int write_end_and_close_file(struct pf_writer *w,
				    const struct pf_packed *done,
				    int earlier_error)
{
	int err;

	if (!earlier_error)
		earlier_error = append_block_and_index_if_full(w, done, false);
	err = earlier_error ? append_end_block_with_status_truncated(
				      w, &done->head, earlier_error)
			    : 0;
	if (!err)
		err = append_index_and_clear_entries(w, sizeof(struct pf_tail));
	if (!err)
		err = append_file_tail_with_index_offset(w);
	if (!earlier_error)
		earlier_error = err;
	err = pf_file_truncate_and_close(&w->file, w->end);
	return earlier_error ? earlier_error : err;
}

/* Create the file unless that was tried before, then write block @b. If
   b->is_end, write the end of the file, after an error with the status
   truncated, and close it. After an error, any other block is not written.
   @earlier_error: error of the writer so far, or 0. Return: @earlier_error, or
   the first error of this call, -errno; 0. */
static int create_file_once_and_write_block(struct pf_writer *w,
					    const struct pf_block *b,
					    int earlier_error)
{
	char message[AL_MESSAGE];
	int err = create_file_once(w, message);

	if (!earlier_error)
		earlier_error = err;
	if (w->file.fd < 0)
		return earlier_error ? earlier_error : -EBADF;
	if (b->is_end)
		return write_end_and_close_file(w, &b->packed, earlier_error);
	return earlier_error
		       ? earlier_error
		       : append_block_and_index_if_full(w, &b->packed, false);
}

/* ---- the queue ---- */

/* Remove all blocks but the end from the queue, free them, and wake the threads
   that wait for `changed`. Context: lock held. */
static void free_queued_blocks_except_end(struct pf_writer *w)
{
	struct pf_block **link = &w->first, *b;

	while ((b = *link)) {
		if (b->is_end) {
			link = &b->next;
			continue;
		}
		*link = b->next;
		w->queued -= get_memory_bytes_of_packed_block(b);
		free(b);
	}
	w->last = link;
	pthread_cond_broadcast(&w->changed);
}

/* Store @err as the writer's error, and free all queued blocks but the end.
   No-op if @err is 0 or the writer has an error already. Context: lock held. */
static void set_first_error(struct pf_writer *w, int err)
{
	if (w->error || !err)
		return;
	w->error = err;
	free_queued_blocks_except_end(w);
}

/* Append a block to the queue and add its size to w->queued. Context: lock
   held. */
static void link_block_at_queue_end_add_size(struct pf_writer *w,
					     struct pf_block *b)
{
	b->next = NULL;
	*w->last = b;
	w->last = &b->next;
	w->queued += get_memory_bytes_of_packed_block(b);
}

/* Remove the oldest block from the queue and return it. w->queued still
   includes its bytes, until it is written. Context: lock held. */
static struct pf_block *dequeue_oldest_from_nonempty(struct pf_writer *w)
{
	struct pf_block *b = w->first;

	w->first = b->next;
	if (!w->first)
		w->last = &w->first;
	return b;
}

void pf_writer_queue_or_free_if_failed(struct pf_writer *w,
				       struct pf_block *block_null_if_no_memory)
{
	pthread_mutex_lock(&w->lock);
	if (!block_null_if_no_memory) {
		set_first_error(w, -ENOMEM);
	} else if (!w->error || block_null_if_no_memory->is_end) {
		link_block_at_queue_end_add_size(w, block_null_if_no_memory);
		block_null_if_no_memory = NULL;
	}
	pthread_mutex_unlock(&w->lock);
	free(block_null_if_no_memory);
}

void pf_writer_queue_end_for_later_write(struct pf_writer *w,
					 struct pf_block *block_or_null)
{
	if (block_or_null)
		block_or_null->is_end = true;
	pf_writer_queue_or_free_if_failed(w, block_or_null);
}

/* Write blocks, at least one, until the queue is empty or another thread waits
   for `changed`, which then continues. Context: lock held, released while a
   block is written. */
static void write_queued_blocks(struct pf_writer *w)
{
	w->writing = true;
	do {
		struct pf_block *b = dequeue_oldest_from_nonempty(w);
		size_t bytes = get_memory_bytes_of_packed_block(b);
		int error = w->error;

		pthread_mutex_unlock(&w->lock);
		error = create_file_once_and_write_block(w, b, error);
		free(b);
		pthread_mutex_lock(&w->lock);
		w->bytes = w->end;
		w->queued -= bytes;
		set_first_error(w, error);
	} while (w->first && !w->waiting);
	w->writing = false;
	pthread_cond_broadcast(&w->changed);
}

/* Write the queued blocks, or wait while another thread writes them, until at
   most @max_queued_bytes bytes are queued. If no other thread writes or waits,
   write all of them, whatever the limit. Return: 0; the writer's error,
   -errno. */
static int write_queue_down_to_limit(struct pf_writer *w,
				     size_t max_queued_bytes)
{
	int err;

	al_blocking_check();
	pthread_mutex_lock(&w->lock);
	while (w->queued > max_queued_bytes ||
	       (w->first && !w->writing && !w->waiting)) {
		if (!w->writing) {
			write_queued_blocks(w);
			continue;
		}
		w->waiting++;
		pthread_cond_wait(&w->changed, &w->lock);
		w->waiting--;
	}
	err = w->error;
	pthread_mutex_unlock(&w->lock);
	return err;
}

int pf_writer_write_until_queue_within_limit(struct pf_writer *w)
{
	return write_queue_down_to_limit(w, PF_MAX_QUEUED);
}

int pf_writer_write_whole_queue(struct pf_writer *w)
{
	return write_queue_down_to_limit(w, 0);
}

int pf_writer_queue_copy_then_write(struct pf_writer *w,
				    const struct pf_packed *p)
{
	pf_writer_queue_or_free_if_failed(w, pf_block_new_copy(p));
	return pf_writer_write_until_queue_within_limit(w);
}

int pf_writer_write_end_and_finish(struct pf_writer *w,
				   const struct pf_packed *done)
{
	pf_writer_queue_end_for_later_write(w, pf_block_new_copy(done));
	return pf_writer_write_whole_queue(w);
}

void pf_writer_set_first_error(struct pf_writer *w, int err)
{
	pthread_mutex_lock(&w->lock);
	set_first_error(w, err);
	pthread_mutex_unlock(&w->lock);
}

int pf_writer_first_error(struct pf_writer *w)
{
	int err;

	pthread_mutex_lock(&w->lock);
	err = w->error;
	pthread_mutex_unlock(&w->lock);
	return err;
}

uint64_t pf_writer_bytes_written(struct pf_writer *w)
{
	uint64_t bytes;

	pthread_mutex_lock(&w->lock);
	bytes = w->bytes;
	pthread_mutex_unlock(&w->lock);
	return bytes;
}

void pf_writer_flush_close_free(struct pf_writer *w)
{
	if (!w)
		return;
	if (w->first)
		pf_writer_write_whole_queue(w);
	pf_file_truncate_and_close(&w->file, w->end);
	free_writer_without_closing_file(w);
}
