/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index.c - reads the index, so that the blocks need not be searched for
 *
 * Indexes are found from the last to the first, because each holds the offset
 * of the previous one. Their entries are then read from the first index to the
 * last.
 */
#include "profile/format/index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/format/head.h"
#include "profile/format/reader_state.h"

/* Offsets and heads of the index blocks of a file, the last one first. */
struct index_list {
	struct pf_entry *index;
	size_t n;
};

int pf_tail_read_index_offset(const struct pf_reader *r, uint64_t *index_offset)
{
	struct pf_tail tail;
	ssize_t n;

	if (r->state.bytes < sizeof(tail))
		return -EBADMSG;
	n = pf_reader_read_at_offset(r, &tail, sizeof(tail),
				     r->state.bytes - sizeof(tail));
	if (n < 0)
		return (int)n;
	*index_offset = tail.index;
	return n == sizeof(tail) && tail.magic == PF_TAIL_MAGIC &&
			       tail.crc ==
				       pf_crc32(&tail.index, sizeof(tail.index))
		       ? 0
		       : -EBADMSG;
}

/* Read the head of the index at @offset and append it to the list. Return: 0;
   -EBADMSG: there is no index, or it ends after @end; another -errno. */
static int read_index_head_and_append(const struct pf_reader *r,
				      struct index_list *c, uint64_t offset,
				      uint64_t end)
{
	struct pf_entry *index;
	int err;

	if (offset >= end)
		return -EBADMSG;
	index = reallocarray(c->index, c->n + 1, sizeof(c->index[0]));
	if (!index)
		return -ENOMEM;
	c->index = index;
	index += c->n;
	index->offset = offset;
	err = pf_reader_read_head(r, offset, &index->head);
	if (err)
		return err;
	if (index->head.kind != PF_INDEX ||
	    pf_block_end_offset(&index->head, offset) > end)
		return -EBADMSG;
	c->n++;
	return 0;
}

/* List all indexes of the file, from the last to the first. Return: 0;
   -errno. */
static int list_all_indexes_backwards(const struct pf_reader *r,
				      struct index_list *c)
{
	uint64_t end = r->state.bytes - sizeof(struct pf_tail);
	uint64_t offset;
	int err = pf_tail_read_index_offset(r, &offset);

	do {
		if (!err)
			err = read_index_head_and_append(r, c, offset, end);
		if (err)
			return err;
		end = offset;
		offset = c->index[c->n - 1].head.position;
	} while (offset);
	return 0;
}

/* Decode the index entry at the begin of @data [bytes], add it to the reader,
   and advance the reader past its block. The block must begin at
   r->next_offset, the end of the previous block. *@entry_bytes: receives the
   length of the entry [bytes]. Return: 0; -EBADMSG; -ENOMEM. */
static int decode_and_add_index_entry(struct pf_reader *r, const char *data,
				      size_t bytes, size_t *entry_bytes)
{
	struct pf_entry entry;
	int err;

	if (bytes < sizeof(entry.offset))
		return -EBADMSG;
	memcpy(&entry.offset, data, sizeof(entry.offset));
	err = pf_head_decode(data + sizeof(entry.offset),
			     bytes - sizeof(entry.offset), &entry.head);
	if (err || entry.offset != r->next_offset ||
	    entry.head.kind == PF_INDEX || entry.head.sequence != r->sequence)
		return -EBADMSG;
	*entry_bytes = sizeof(entry.offset) + entry.head.head_bytes;
	r->next_offset = pf_block_end_offset(&entry.head, r->next_offset);
	r->sequence++;
	return pf_reader_add_entry(r, entry.offset, &entry.head);
}

/* Load the index block @index, and add its entries to the reader. Check that
   their blocks end where the index begins, and advance the reader past the
   index. Return: 0; -errno. */
static int load_index_and_add_its_entries(struct pf_reader *r,
					  const struct pf_entry *index)
{
	const void *payload;
	size_t used = 0;
	int err = pf_reader_load_block(r, r->unpacker, index, &payload);

	for (size_t offset = 0; !err && offset < index->head.bytes;
	     offset += used)
		err = decode_and_add_index_entry(
			r, (const char *)payload + offset,
			index->head.bytes - offset, &used);
	if (!err && r->next_offset != index->offset)
		err = -EBADMSG;
	r->next_offset = pf_block_end_offset(&index->head, index->offset);
	return err;
}

int pf_index_read_entries(struct pf_reader *r)
{
	struct index_list c = {0};
	int err = list_all_indexes_backwards(r, &c);

	for (size_t i = c.n; !err && i; i--)
		err = load_index_and_add_its_entries(r, &c.index[i - 1]);
	free(c.index);
	if (!err && r->next_offset != r->state.bytes - sizeof(struct pf_tail))
		err = -EBADMSG;
	if (err) {
		r->next_offset = 0;
		r->sequence = 0;
		r->n = 0;
	}
	return err == -ENODATA || err == -EPROTONOSUPPORT ? -EBADMSG : err;
}
