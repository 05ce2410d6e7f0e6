/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader.c - finds and reads the blocks of a profile
 */
#include "profile/format/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/tables/array.h"
#include "profile/format/head.h"
#include "profile/format/index.h"
#include "base/text/message.h"
#include "profile/format/reader_state.h"

ssize_t pf_reader_read_at_offset(const struct pf_reader *r, void *data,
				 size_t bytes, uint64_t offset)
{
	size_t done = 0;

	while (done < bytes) {
		ssize_t n = pread(r->fd, (char *)data + done, bytes - done,
				  (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

int pf_reader_read_head(const struct pf_reader *r, uint64_t offset,
			struct pf_head *head)
{
	unsigned char data[PF_MAX_HEAD];
	ssize_t n = pf_reader_read_at_offset(r, data, sizeof(data), offset);

	return n < 0 ? (int)n : pf_head_decode(data, (size_t)n, head);
}

int pf_reader_add_entry(struct pf_reader *r, uint64_t offset,
			const struct pf_head *head)
{
	int err = al_array_reserve(r->entries, r->size, r->n + 1);

	if (!err)
		r->entries[r->n++] = (struct pf_entry){offset, *head};
	return err;
}

static int open_regular_file_and_store_size(struct pf_reader *r,
					    const char *path)
{
	struct stat st;

	r->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (r->fd < 0 || fstat(r->fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	r->state.bytes = (uint64_t)st.st_size;
	return 0;
}

/* Find all blocks by the index or, if that is invalid, one after another.
   Return: 0; -EINVAL: the file is no profile; another -errno. */
static int find_blocks_by_index_or_walk(struct pf_reader *r)
{
	int err = pf_index_read_entries(r);

	if (err == -EBADMSG)
		err = pf_reader_find_blocks_by_walk(r);
	else if (!err)
		r->found_tail = true;
	if (err)
		return err;
	return r->found_tail || r->found_head ? 0 : -EINVAL;
}

static int format_open_error_return_err(char *message, const char *path,
					int err)
{
	if (err == -EINVAL)
		return al_message_return_err(
			message, err, "'%s' is no profile of Alleria", path);
	if (err == -EPROTONOSUPPORT)
		return al_message_return_err(
			message, err,
			"profile '%s' is of another format than %d, "
			"which this Alleria reads",
			path, PF_MAJOR);
	return al_message_return_err(message, err, "cannot read '%s': %s", path,
				     strerror(-err));
}

struct pf_reader *pf_reader_open(const char *path, char *message)
{
	struct pf_reader *r = calloc(1, sizeof(*r));
	int err = -ENOMEM;

	if (r) {
		pthread_mutex_init(&r->lock, NULL);
		r->fd = -1;
		r->unpacker = pf_unpacker_new();
	}
	if (r && r->unpacker)
		err = open_regular_file_and_store_size(r, path);
	if (!err)
		err = find_blocks_by_index_or_walk(r);
	if (!err)
		return r;
	pf_reader_close(r);
	errno = -format_open_error_return_err(message, path, err);
	return NULL;
}

void pf_reader_close(struct pf_reader *r)
{
	if (!r)
		return;
	if (r->fd >= 0)
		close(r->fd);
	pf_unpacker_free(r->unpacker);
	pthread_mutex_destroy(&r->lock);
	free(r->damaged);
	free(r->entries);
	free(r);
}

int pf_reader_add_newly_appended_blocks(struct pf_reader *r)
{
	struct stat st;

	if (r->found_tail)
		return 0;
	if (fstat(r->fd, &st) < 0)
		return -errno;
	r->state.bytes = (uint64_t)st.st_size;
	return pf_reader_find_blocks_by_walk(r);
}

/* ---- damaged blocks ---- */

/* Return the index of the entry at file offset @offset; r->n: there is none. */
static size_t find_entry_index_at_offset_or_n(const struct pf_reader *r,
					      uint64_t offset)
{
	size_t low = 0, high = r->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->entries[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < r->n && r->entries[low].offset == offset ? low : r->n;
}

/* Mark entry @entry_index as damaged. Return: whether it was not marked before;
   always true if memory is short. Context: lock held. */
static bool mark_entry_damaged_return_is_new(struct pf_reader *r,
					     size_t entry_index)
{
	bool is_new;

	if (al_array_reserve_zeroed(r->damaged, r->damaged_size, r->n))
		return true;
	is_new = !r->damaged[entry_index];
	r->damaged[entry_index] = 1;
	return is_new;
}

void pf_reader_count_damaged_once(struct pf_reader *r,
				  const struct pf_entry *entry)
{
	size_t i = find_entry_index_at_offset_or_n(r, entry->offset);

	if (i == r->n)
		return;
	pthread_mutex_lock(&r->lock);
	if (mark_entry_damaged_return_is_new(r, i)) {
		if (r->n_damaged == 0 || r->damage_at > entry->offset)
			r->damage_at = entry->offset;
		r->damage_bytes += pf_block_end_offset(&entry->head, 0);
		r->n_damaged++;
	}
	pthread_mutex_unlock(&r->lock);
}

uint64_t pf_reader_damaged_blocks_found_so_far(struct pf_reader *r)
{
	uint64_t n;

	pthread_mutex_lock(&r->lock);
	n = r->n_damaged;
	pthread_mutex_unlock(&r->lock);
	return n;
}

struct pf_state pf_reader_state_with_damage(struct pf_reader *r)
{
	struct pf_state s = r->state;

	pthread_mutex_lock(&r->lock);
	if (r->n_damaged > 0) {
		if (s.damage != PF_BROKEN || s.damage_at > r->damage_at)
			s.damage_at = r->damage_at;
		s.damage = PF_BROKEN;
		s.damage_bytes += r->damage_bytes;
	}
	pthread_mutex_unlock(&r->lock);
	return s;
}

const struct pf_entry *pf_reader_entries(const struct pf_reader *r,
					 size_t *entry_count)
{
	*entry_count = r->n;
	return r->entries;
}

int pf_reader_check_head_unchanged(const struct pf_reader *r,
				   const struct pf_entry *e)
{
	struct pf_head head;
	int err = pf_reader_read_head(r, e->offset, &head);

	if (err == -ENODATA || err == -EPROTONOSUPPORT)
		return -EBADMSG;
	if (err)
		return err;
	return memcmp(&head, &e->head, sizeof(head)) ? -EBADMSG : 0;
}

uint64_t pf_reader_packed_bytes_read(struct pf_reader *r)
{
	uint64_t bytes;

	pthread_mutex_lock(&r->lock);
	bytes = r->bytes_read;
	pthread_mutex_unlock(&r->lock);
	return bytes;
}

uint64_t pf_reader_blocks_read(struct pf_reader *r)
{
	uint64_t blocks;

	pthread_mutex_lock(&r->lock);
	blocks = r->blocks_read;
	pthread_mutex_unlock(&r->lock);
	return blocks;
}
