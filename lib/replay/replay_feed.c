/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay_feed.c - feeds the blocks of a profile to streams
 *
 * Blocks are fed in the order of the file, one at a time. A chunk waits for a
 * free in-flight slot of its stream; the end of a stream waits until its chunks
 * are analysed. The words of a chunk are loaded later, by a job.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/replay/replay_state.h"
#include "proto/unit.h"

/* ---- loading ---- */

int al_loader_alloc_unpacker_and_coder(struct al_loader *l)
{
	l->unpacker = pf_unpacker_new();
	l->coder = pf_coder_new();
	return l->unpacker && l->coder ? 0 : -ENOMEM;
}

void al_loader_release(struct al_loader *l)
{
	pf_unpacker_free(l->unpacker);
	pf_coder_free(l->coder);
}

/* Remove and return an idle loader, or return a new one; NULL if memory is
   short. */
static struct al_loader *pop_idle_or_new_loader(struct al_replay *r)
{
	struct al_loader *l;

	pthread_mutex_lock(&r->lock);
	l = r->idle;
	if (l)
		r->idle = l->next;
	pthread_mutex_unlock(&r->lock);
	if (l)
		return l;
	l = calloc(1, sizeof(*l));
	if (!l || !al_loader_alloc_unpacker_and_coder(l))
		return l;
	al_loader_release(l);
	free(l);
	return NULL;
}

/* Add the loader to the idle loaders. */
static void push_idle_loader(struct al_replay *r, struct al_loader *l)
{
	pthread_mutex_lock(&r->lock);
	l->next = r->idle;
	r->idle = l;
	pthread_mutex_unlock(&r->lock);
}

int al_replay_load_block_payload(struct al_replay *r, const struct pf_entry *e,
				 const void **payload)
{
	return pf_reader_load_block(r->reader, r->feeder.unpacker, e, payload);
}

/* Decompress and decode a chunk of the profile into chunk->words: the words
   that the chunk had in the ring, its header unit included. Return: 0 or
   -errno. */
static int load_and_decode_chunk(struct al_loader *l,
				 struct al_replay_chunk *chunk)
{
	const struct pf_head *h = &chunk->entry->head;
	char *words = (char *)chunk->words;
	uint64_t head[2] = {pt_control_unit_first_word(PT_CHUNK,
						       (uint32_t)h->position,
						       PT_CHUNK_HEAD),
			    PT_CHUNK_HEAD + h->words};
	const void *payload;
	int err = pf_reader_load_block(chunk->replay->reader, l->unpacker,
				       chunk->entry, &payload);

	if (err)
		return err;
	memcpy(words, head, sizeof(head));
	return pf_decode_chunk(l->coder, payload, h->bytes,
			       words + PT_CHUNK_HEAD, h->words);
}

/* Load the words of a chunk with an idle or new loader; an al_load_fn.
   @replay_chunk: the struct al_replay_chunk. Return: 0 or -errno. */
static int load_and_decode_chunk_job(void *replay_chunk)
{
	struct al_replay_chunk *chunk = replay_chunk;
	struct al_loader *l = pop_idle_or_new_loader(chunk->replay);
	int err = l ? load_and_decode_chunk(l, chunk) : -ENOMEM;

	if (l)
		push_idle_loader(chunk->replay, l);
	return err;
}

/* ---- feeding ---- */

bool al_replay_can_feed_next_block(const struct al_replay *r)
{
	const struct pf_entry *e = &r->entry[r->next_entry];
	const struct al_replay_stream *s;

	if (r->feeding || r->error || r->next_entry == r->n_entries)
		return false;
	if (e->head.stream >= r->n_streams || !r->stream[e->head.stream])
		return true;
	s = r->stream[e->head.stream];
	if (e->head.kind == PF_UNITS)
		return s->is_fed ||
		       s->n_begun - s->n_analysed <
			       al_stream_max_chunks_in_flight(s->stream);
	return e->head.kind != PF_END || s->n_begun == s->n_analysed;
}

void al_replay_stream_mark_truncated(struct al_replay_stream *s,
				     const char *why)
{
	if (!s->is_fed)
		al_process_set_truncated_once(s->process, why);
	s->is_fed = true;
}

/* Whether the stream has received all its blocks or was stopped. Acquires the
   lock, because a job of the stream may stop the stream at any time. */
static bool is_stream_fed_or_stopped(struct al_replay *r,
				     const struct al_replay_stream *s)
{
	bool over;

	pthread_mutex_lock(&r->lock);
	over = s->is_fed;
	pthread_mutex_unlock(&r->lock);
	return over;
}

static void stop_stream_as_damaged(struct al_replay *r,
				   struct al_replay_stream *s)
{
	pthread_mutex_lock(&r->lock);
	al_replay_stream_mark_truncated(s, "the profile is damaged");
	pthread_mutex_unlock(&r->lock);
}

/* Load a block of log and pass it to the stream. Return: 0; -EBADMSG if an
   earlier block of log is missing or this one is damaged; another -errno. */
static int feed_code_log_block(struct al_replay *r, struct al_replay_stream *s,
			       const struct pf_entry *e)
{
	const void *log;
	int err = e->head.position == s->log_bytes
			  ? al_replay_load_block_payload(r, e, &log)
			  : -EBADMSG;

	if (!err)
		err = al_stream_parse_and_store_log(s->stream, log,
						    e->head.bytes);
	s->log_bytes += e->head.bytes;
	return err;
}

/* Queue the chunk in block @e for a job that loads its words, in the next
   in-flight slot of the stream. Return: 0; -EBADMSG if an earlier chunk is
   missing or this one is too long; -ENOMEM. */
static int queue_chunk_of_units_block(struct al_replay *r,
				      struct al_replay_stream *s,
				      const struct pf_entry *e)
{
	struct al_replay_chunk *chunk =
		&s->in_flight[s->n_begun %
			      al_stream_max_chunks_in_flight(s->stream)];
	/* An analysis may read one slot (8 bytes) more than an execution has,
	   so 8 bytes follow the units. */
	size_t bytes = (PT_CHUNK_HEAD + e->head.words + 15) / 8 * 8;

	if (e->head.position != s->n_begun || e->head.words > PF_MAX_BYTES)
		return -EBADMSG;
	if (chunk->size < bytes) {
		free(chunk->words);
		chunk->words = malloc(bytes);
		chunk->size = chunk->words ? bytes : 0;
	}
	if (!chunk->words)
		return -ENOMEM;
	chunk->replay = r;
	chunk->entry = e;
	pthread_mutex_lock(&r->lock);
	al_stream_begin_chunk_to_load(s->stream, chunk->words, bytes,
				      load_and_decode_chunk_job, chunk);
	s->n_begun++;
	pthread_mutex_unlock(&r->lock);
	return 0;
}

/* Pass a block of log or units, or the end of a stream, to its stream. Blocks
   of unknown streams, and log and units of stopped ones, are skipped; an
   invalid block stops its stream. Return: 0; -ENOMEM. */
static int feed_stream_block(struct al_replay *r, const struct pf_entry *e)
{
	struct al_replay_stream *s = NULL;
	int err = 0;

	if (e->head.stream < r->n_streams)
		s = r->stream[e->head.stream];
	if (!s || s->is_merged)
		return 0;
	if (e->head.kind == PF_END)
		al_replay_stream_finish_and_merge(r, s, e);
	else if (is_stream_fed_or_stopped(r, s))
		return 0;
	else if (e->head.kind == PF_LOG)
		err = feed_code_log_block(r, s, e);
	else
		err = queue_chunk_of_units_block(r, s, e);
	if (err && err != -ENOMEM) {
		stop_stream_as_damaged(r, s);
		err = 0;
	}
	return err;
}

int al_replay_feed_block(struct al_replay *r, const struct pf_entry *e)
{
	const void *payload;
	int err;

	switch (e->head.kind) {
	case PF_RUN:
		/* loaded only so that the reader detects damage */
		err = al_replay_load_block_payload(r, e, &payload);
		return err == -ENOMEM ? err : 0;
	case PF_IMAGE:
		err = al_replay_stream_begin(r, e);
		if (err == -EBADMSG)
			pf_reader_count_damaged_once(r->reader, e);
		return err == -ENOMEM ? err : 0;
	case PF_LOG:
	case PF_UNITS:
	case PF_END:
		return feed_stream_block(r, e);
	case PF_DONE:
		al_replay_read_wait_and_profile_statuses(r, e);
	}
	return 0;
}
