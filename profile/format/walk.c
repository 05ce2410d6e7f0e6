/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * walk.c - blocks, one after the other, and past what is damaged
 */
#include <errno.h>
#include <string.h>

#include "profile/format/head.h"
#include "profile/format/index.h"
#include "profile/format/reader_state.h"

enum { WINDOW = 64 << 10 };

/* What a search has come upon at its end. */
struct find {
	uint64_t at; /* a head, or the end of the file */
	bool zeros;  /* nothing but these before it */
};

static void note(struct pf_state *s, enum pf_damage damage, uint64_t at,
		 uint64_t bytes)
{
	if (!s->damage) {
		s->damage = damage;
		s->damage_at = at;
	}
	s->damage_bytes += bytes;
}

static bool is_next(const struct pf_reader *r, const struct pf_head *head)
{
	return head->sequence >= r->sequence;
}

/* The first head at @from or behind it. What is no profile at all is not
   searched through. */
static int find_head(const struct pf_reader *r, uint64_t from,
		     struct find *find)
{
	const uint64_t patience = r->met ? UINT64_MAX : 2ull * PF_MAX_BYTES;
	char data[WINDOW + PF_MAX_HEAD];
	struct pf_head head;

	*find = (struct find){from, true};
	while (find->at < r->state.bytes && find->at - from < patience) {
		ssize_t n = pf_reader_bytes(r, data, sizeof(data), find->at);
		size_t i;

		if (n < 0)
			return (int)n;
		for (i = 0; i < WINDOW && i < (size_t)n; i += PF_ALIGN) {
			size_t rest = (size_t)n - i;

			if (!pf_head_take(data + i, rest, &head) &&
			    is_next(r, &head))
				break;
			for (size_t b = 0; b < PF_ALIGN && b < rest; b++)
				find->zeros &= !data[i + b];
		}
		find->at += i;
		if (i < WINDOW)
			break;
	}
	if (find->at > r->state.bytes)
		find->at = r->state.bytes;
	return 0;
}

/* A head that is not there as a whole: the file ends in it. */
static bool is_torn(const struct pf_reader *r, int err)
{
	struct pf_tail tail = {.magic = PF_TAIL_MAGIC};
	uint64_t rest = r->state.bytes - r->at;
	char data[sizeof(tail)];

	if (err == -ENODATA)
		return true;
	return rest < sizeof(tail) &&
	       pf_reader_bytes(r, data, rest, r->at) == (ssize_t)rest &&
	       !memcmp(data, &tail.magic, rest < 4 ? rest : 4);
}

/* Whether the file ends with an intact tail: it was finished, so any byte
   outside its blocks is damage. */
static bool has_tail(const struct pf_reader *r)
{
	uint64_t index;

	return !pf_tail_read(r, &index);
}

static bool is_tail(const struct pf_reader *r)
{
	uint64_t index;

	return r->state.bytes - r->at == sizeof(struct pf_tail) &&
	       !pf_tail_read(r, &index) && index && index == r->index;
}

/* How the file ends from @at on, where there is no head. */
static enum pf_damage ending(const struct pf_reader *r, const struct find *find,
			     int err)
{
	if (find->zeros)
		return PF_UNFINISHED;
	return is_torn(r, err) && !has_tail(r) ? PF_TORN : PF_BROKEN;
}

/* Past what is no head at @at, or to the end of the file. */
static int skip_damage(struct pf_reader *r, int why, enum pf_damage *end)
{
	struct find find;
	int err;

	if (is_tail(r)) {
		r->ended = true;
		return 0;
	}
	err = find_head(r, r->at, &find);
	if (err)
		return err;
	if (find.at == r->state.bytes) {
		*end = ending(r, &find, why);
		return 0;
	}
	note(&r->past, PF_BROKEN, r->at, find.at - r->at);
	r->at = find.at;
	return 0;
}

/* An index tells a walker nothing; but is it as it was written? */
static int take_index(struct pf_reader *r, const struct pf_entry *index)
{
	const void *payload;
	int err = pf_load(r, r->unpacker, index, &payload);

	r->index = index->offset;
	if (err != -EBADMSG)
		return err;
	note(&r->past, PF_BROKEN, index->offset, pf_head_end(&index->head, 0));
	return 0;
}

static int take_block(struct pf_reader *r, const struct pf_entry *entry)
{
	const bool index = entry->head.kind == PF_INDEX;
	int err = index ? take_index(r, entry)
			: pf_reader_add(r, entry->offset, &entry->head);

	if (err)
		return err;
	r->sequence = entry->head.sequence + !index;
	r->at = pf_head_end(&entry->head, entry->offset);
	return 0;
}

/* What is at @at. Sets @end where nothing more can be taken. */
static int step(struct pf_reader *r, enum pf_damage *end)
{
	struct pf_entry entry = {.offset = r->at};
	int err = pf_reader_head(r, r->at, &entry.head);

	if (err == -EPROTONOSUPPORT)
		err = r->at ? -EBADMSG : err;
	if (!err && !is_next(r, &entry.head))
		err = -EBADMSG;
	if (err == -EBADMSG || err == -ENODATA)
		return skip_damage(r, err, end);
	if (err)
		return err;
	r->met = true;
	if (pf_head_end(&entry.head, r->at) <= r->state.bytes)
		return take_block(r, &entry);
	*end = PF_TORN;
	return 0;
}

int pf_walk(struct pf_reader *r)
{
	const uint64_t bytes = r->state.bytes;
	enum pf_damage end = PF_WHOLE;
	int err = 0;

	while (!err && !end && !r->ended && r->at < bytes)
		err = step(r, &end);
	if (!end && !r->ended)
		end = PF_UNFINISHED;
	r->state = r->past;
	r->state.bytes = bytes;
	if (end)
		note(&r->state, end, r->at, bytes - r->at);
	return err;
}
