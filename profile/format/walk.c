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

/* Result of a search for a head. */
struct found {
	uint64_t offset; /* offset of a head, or the end of the file [bytes] */
	bool zeros;	 /* all bytes before it were zero */
};

/* Add a fault to the state, which describes the first one and sums the lengths
   of all. @offset, @bytes: offset and length of the damage. */
static void add_damage_to_state(struct pf_state *s, enum pf_damage damage,
				uint64_t offset, uint64_t bytes)
{
	if (!s->damage) {
		s->damage = damage;
		s->damage_at = offset;
	}
	s->damage_bytes += bytes;
}

static bool is_sequence_not_before_expected(const struct pf_reader *r,
					    const struct pf_head *head)
{
	return head->sequence >= r->sequence;
}

/* Find the first valid head at or after offset @from. As long as no head was
   found in the file, only 2 * PF_MAX_BYTES are searched, since it is probably
   no profile. Return: 0; -errno. */
static int find_next_head_or_end_of_file(const struct pf_reader *r,
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
			    is_sequence_not_before_expected(r, &head))
				break;
			for (size_t b = 0; b < PF_ALIGN && b < rest; b++)
				found->zeros &= !data[i + b];
		}
		found->offset += i;
		if (i < WINDOW)
			break;
	}
	if (found->offset > r->state.bytes)
		found->offset = r->state.bytes;
	return 0;
}

/* Whether the file ends within a head or the tail. @head_error: error of the
   head at r->next_offset. */
static bool is_end_of_file_torn(const struct pf_reader *r, int head_error)
{
	struct pf_tail tail = {.magic = PF_TAIL_MAGIC};
	uint64_t rest = r->state.bytes - r->next_offset;
	char data[sizeof(tail)];

	if (head_error == -ENODATA)
		return true;
	return rest < sizeof(tail) &&
	       pf_reader_read_at_offset(r, data, rest, r->next_offset) ==
		       (ssize_t)rest &&
	       !memcmp(data, &tail.magic, rest < 4 ? rest : 4);
}

/* Whether the file ends with an intact tail. Then it was finished, and any byte
   outside its blocks is damage. */
static bool has_intact_tail_at_end(const struct pf_reader *r)
{
	uint64_t index;

	return !pf_tail_read_index_offset(r, &index);
}

/* Whether the tail begins at r->next_offset and belongs to the last index
   found. */
static bool is_tail_at_next_offset(const struct pf_reader *r)
{
	uint64_t index;

	return r->state.bytes - r->next_offset == sizeof(struct pf_tail) &&
	       !pf_tail_read_index_offset(r, &index) && index &&
	       index == r->index;
}

/* Return the fault at the end of a file in which no head follows
   r->next_offset. @head_error: error of the head at r->next_offset. */
static enum pf_damage classify_damage_after_last_head(const struct pf_reader *r,
						      const struct found *found,
						      int head_error)
{
	if (found->zeros)
		return PF_UNFINISHED;
	return is_end_of_file_torn(r, head_error) && !has_intact_tail_at_end(r)
		       ? PF_TORN
		       : PF_BROKEN;
}

/* Advance r->next_offset to the next valid head. If there is none, set
   r->found_tail if the tail is there, else *@end_damage to the fault at the end
   of the file. @err_at_offset: error of the head at r->next_offset. Return: 0;
   -errno. */
static int skip_damage_or_find_end(struct pf_reader *r, int err_at_offset,
				   enum pf_damage *end_damage)
{
	struct found found;
	int err;

	if (is_tail_at_next_offset(r)) {
		r->found_tail = true;
		return 0;
	}
	err = find_next_head_or_end_of_file(r, r->next_offset, &found);
	if (err)
		return err;
	if (found.offset == r->state.bytes) {
		*end_damage = classify_damage_after_last_head(r, &found,
							      err_at_offset);
		return 0;
	}
	add_damage_to_state(&r->state_before, PF_BROKEN, r->next_offset,
			    found.offset - r->next_offset);
	r->next_offset = found.offset;
	return 0;
}

/* Check the checksum of an index block; its entries are not used. Return: 0,
   also if it is damaged; another -errno. */
static int check_index_block_record_damage(struct pf_reader *r,
					   const struct pf_entry *index)
{
	const void *payload;
	int err = pf_reader_load_block(r, r->unpacker, index, &payload);

	r->index = index->offset;
	if (err != -EBADMSG)
		return err;
	add_damage_to_state(&r->state_before, PF_BROKEN, index->offset,
			    pf_block_end_offset(&index->head, 0));
	return 0;
}

/* Add a block and advance r->next_offset to its end. Return: 0; -errno. */
static int add_block_or_check_index(struct pf_reader *r,
				    const struct pf_entry *entry)
{
	const bool index = entry->head.kind == PF_INDEX;
	int err = index ? check_index_block_record_damage(r, entry)
			: pf_reader_add_entry(r, entry->offset, &entry->head);

	if (err)
		return err;
	r->sequence = entry->head.sequence + !index;
	r->next_offset = pf_block_end_offset(&entry->head, entry->offset);
	return 0;
}

/* Add the block at r->next_offset, or skip damage. *@end_damage: set to a fault
   if no block follows. Return: 0; -errno. */
static int add_next_block_or_skip_damage(struct pf_reader *r,
					 enum pf_damage *end_damage)
{
	struct pf_entry entry = {.offset = r->next_offset};
	int err = pf_reader_read_head(r, r->next_offset, &entry.head);

	if (err == -EPROTONOSUPPORT)
		err = r->next_offset ? -EBADMSG : err;
	if (!err && !is_sequence_not_before_expected(r, &entry.head))
		err = -EBADMSG;
	if (err == -EBADMSG || err == -ENODATA)
		return skip_damage_or_find_end(r, err, end_damage);
	if (err)
		return err;
	r->found_head = true;
	if (pf_block_end_offset(&entry.head, r->next_offset) <= r->state.bytes)
		return add_block_or_check_index(r, &entry);
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
		add_damage_to_state(&r->state, end, r->next_offset,
				    bytes - r->next_offset);
	return err;
}
