/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * walk.c - finds blocks without an index, and skips damage
 */
#include <errno.h>
#include <string.h>

#include "profile/format/head.h"
#include "profile/format/index.h"
#include "profile/format/reader_state.h"

enum { WINDOW = 64 << 10 };

/* Result of a search for the head (header) of a block. */
struct found {
	uint64_t offset; /* [bytes] offset of the header; if none was found, the
			    offset at which the search ended */
	bool zeros;	 /* all bytes from the search's start up to offset are
		       zero */
};

/* Add @bytes to the length of all damage in @s. If @s has no damage yet, also
   store @damage, the kind of damage, and @offset [bytes] in @s: they describe
   the first damage only. */
static void add_damage(struct pf_state *s, enum pf_damage damage,
		       uint64_t offset, uint64_t bytes)
{
	if (!s->damage) {
		s->damage = damage;
		s->damage_at = offset;
	}
	s->damage_bytes += bytes;
}

/* Whether the block number in @head is at least r->sequence, the number that is
   expected next. */
static bool is_block_number_expected_or_later(const struct pf_reader *r,
					      const struct pf_head *head)
{
	return head->sequence >= r->sequence;
}

/* Store in @found the offset of the first valid block header at or after offset
   @from whose block number is at least r->sequence, or the end of the file if
   there is none. If r->found_head is false, the search ends after 2 *
   PF_MAX_BYTES bytes, because the file is probably no profile. Return: 0;
   -errno of a read. */
static int store_offset_of_next_head_or_eof(const struct pf_reader *r,
					    uint64_t from, struct found *found)
{
	const uint64_t limit = r->found_head ? UINT64_MAX : 2ull * PF_MAX_BYTES;
	char data[WINDOW + PF_MAX_HEAD];
	struct pf_head head;

	*found = (struct found){from, true};
	while (found->offset < r->state.bytes && found->offset - from < limit) {
		ssize_t n = pf_reader_read_at_offset(r, data, sizeof(data),
						     found->offset);
		size_t i;

		if (n < 0)
			return (int)n;
		for (i = 0; i < WINDOW && i < (size_t)n; i += PF_ALIGN) {
			size_t rest = (size_t)n - i;

			if (!pf_head_decode(data + i, rest, &head) &&
			    is_block_number_expected_or_later(r, &head))
				break;
			for (size_t b = 0; b < PF_ALIGN && b < rest; b++)
				found->zeros &= !data[i + b];
		}
		found->offset += i;
		if (i < WINDOW && found->offset < r->state.bytes)
			return 0;
	}
	found->offset = r->state.bytes;
	return 0;
}

/* Whether the file ends in the middle of a block header, or of the tail, that
   begins at r->next_offset. @head_read_error: the error of reading a header
   there. */
static bool is_file_cut_in_block_header_or_tail(const struct pf_reader *r,
						int head_read_error)
{
	struct pf_tail tail = {.magic = PF_TAIL_MAGIC};
	uint64_t rest = r->state.bytes - r->next_offset;
	char data[sizeof(tail)];

	if (head_read_error == -ENODATA)
		return true;
	return rest < sizeof(tail) &&
	       pf_reader_read_at_offset(r, data, rest, r->next_offset) ==
		       (ssize_t)rest &&
	       !memcmp(data, &tail.magic, rest < 4 ? rest : 4);
}

/* Whether the file ends with an intact tail. If so, the file was finished, and
   every byte before the tail that is in no block is damage. */
static bool has_intact_tail_at_end(const struct pf_reader *r)
{
	uint64_t index;

	return !pf_tail_read_index_offset(r, &index);
}

/* Whether the bytes from r->next_offset to the end of the file are an intact
   tail that contains the offset of the last index block found. */
static bool is_tail_of_last_index_at_next_offset(const struct pf_reader *r)
{
	uint64_t index;

	return r->state.bytes - r->next_offset == sizeof(struct pf_tail) &&
	       !pf_tail_read_index_offset(r, &index) && index &&
	       index == r->index;
}

/* Return the kind of damage from r->next_offset to the end of the file, where
   no valid block header follows: PF_UNFINISHED if all bytes are zero; PF_TORN
   if the file ends in the middle of a block header or of the tail, and has no
   intact tail; else PF_BROKEN. @head_read_error: the error of reading a header
   at r->next_offset. */
static enum pf_damage classify_damage_after_last_head(const struct pf_reader *r,
						      const struct found *found,
						      int head_read_error)
{
	if (found->zeros)
		return PF_UNFINISHED;
	return is_file_cut_in_block_header_or_tail(r, head_read_error) &&
			       !has_intact_tail_at_end(r)
		       ? PF_TORN
		       : PF_BROKEN;
}

/* Set r->found_tail if the tail begins at r->next_offset. Otherwise advance
   r->next_offset to the next valid block header, and add the skipped bytes as
   damage to r->state_before. If no header follows, set *@end_damage to the kind
   of damage up to the end of the file, and do not advance. @head_read_error:
   the error of reading a header at r->next_offset. Return: 0; -errno. */
static int skip_damage_to_next_head(struct pf_reader *r, int head_read_error,
				    enum pf_damage *end_damage)
{
	struct found found;
	int err;

	if (is_tail_of_last_index_at_next_offset(r)) {
		r->found_tail = true;
		return 0;
	}
	err = store_offset_of_next_head_or_eof(r, r->next_offset, &found);
	if (err)
		return err;
	if (found.offset == r->state.bytes) {
		*end_damage = classify_damage_after_last_head(r, &found,
							      head_read_error);
		return 0;
	}
	add_damage(&r->state_before, PF_BROKEN, r->next_offset,
		   found.offset - r->next_offset);
	r->next_offset = found.offset;
	return 0;
}

/* Set r->index to the offset of the index block @index, and check its checksum.
   Its entries are not used. If the checksum is wrong, add the block as damage
   to r->state_before. Return: 0, also if the checksum is wrong; -errno of any
   other error. */
static int set_index_and_check_crc(struct pf_reader *r,
				   const struct pf_entry *index)
{
	const void *payload;
	int err = pf_reader_load_block(r, r->unpacker, index, &payload);

	r->index = index->offset;
	if (err != -EBADMSG)
		return err;
	add_damage(&r->state_before, PF_BROKEN, index->offset,
		   pf_block_end_offset(&index->head, 0));
	return 0;
}

/* Add the block @entry to the reader's entries or, if it is an index block,
   only check its checksum. Advance r->next_offset to its end and r->sequence to
   the next block number. Return: 0; -errno. */
static int add_block_or_check_index_crc(struct pf_reader *r,
					const struct pf_entry *entry)
{
	const bool index = entry->head.kind == PF_INDEX;
	int err = index ? set_index_and_check_crc(r, entry)
			: pf_reader_add_entry(r, entry->offset, &entry->head);

	if (err)
		return err;
	r->sequence = entry->head.sequence + !index;
	r->next_offset = pf_block_end_offset(&entry->head, entry->offset);
	return 0;
}

/* Add the block at r->next_offset to the reader, or skip the damage there.
   *@end_damage: set to the kind of damage at the end of the file if no complete
   block follows. Return: 0; -errno. */
static int add_next_block_or_skip_damage(struct pf_reader *r,
					 enum pf_damage *end_damage)
{
	struct pf_entry entry = {.offset = r->next_offset};
	int err = pf_reader_read_head(r, r->next_offset, &entry.head);

	if (err == -EPROTONOSUPPORT)
		err = r->next_offset ? -EBADMSG : err;
	if (!err && !is_block_number_expected_or_later(r, &entry.head))
		err = -EBADMSG;
	if (err == -EBADMSG || err == -ENODATA)
		return skip_damage_to_next_head(r, err, end_damage);
	if (err)
		return err;
	r->found_head = true;
	if (pf_block_end_offset(&entry.head, r->next_offset) <= r->state.bytes)
		return add_block_or_check_index_crc(r, &entry);
	*end_damage = PF_TORN;
	return 0;
}

int pf_reader_find_blocks_by_walk(struct pf_reader *r)
{
	const uint64_t bytes = r->state.bytes;
	enum pf_damage end = PF_WHOLE;
	int err = 0;

	while (!err && !end && !r->found_tail && r->next_offset < bytes)
		err = add_next_block_or_skip_damage(r, &end);
	if (!end && !r->found_tail)
		end = PF_UNFINISHED;
	r->state = r->state_before;
	r->state.bytes = bytes;
	if (end)
		add_damage(&r->state, end, r->next_offset,
			   bytes - r->next_offset);
	return err;
}
