/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fork_log.c - what a forked child inherits, from profile to profile
 *
 * The parent's log is in the parent's profile, which can be read once it is
 * written.
 */
#include <errno.h>

#include "lib/record/recording_state.h"
#include "profile/format/reader.h"

struct al_recording *al_track_recording(const struct al_track *t)
{
	return t->recording;
}

/* A whole block as it is packed: to pack it anew would cost more than all else.
   Nothing else has come yet. */
static int take_packed(struct al_track *t, const struct pf_unpacker *unpacker,
		       const struct pf_head *head)
{
	struct pf_packed packed = {*head, pf_unpacker_packed(unpacker)};

	packed.head.stream = t->stream;
	packed.head.position = t->log_at;
	t->log_at += head->bytes;
	return pf_put(t->recording->writer, &packed);
}

/* Takes a block's log over, as far as @left goes. */
static int take(struct al_track *t, struct pf_reader *reader,
		struct pf_unpacker *unpacker, const struct pf_entry *e,
		uint64_t *left)
{
	uint64_t bytes = e->head.bytes < *left ? e->head.bytes : *left;
	const void *log;
	int err = pf_load(reader, unpacker, e, &log);

	if (err)
		return err;
	*left -= bytes;
	if (bytes == e->head.bytes)
		return take_packed(t, unpacker, &e->head);
	al_track_log(t, log, bytes);
	return 0;
}

static int take_all(struct al_track *t, struct pf_reader *reader,
		    uint32_t stream, uint64_t left)
{
	struct pf_unpacker *unpacker = pf_unpacker_new();
	const struct pf_entry *e;
	size_t n;
	int err = unpacker ? 0 : -ENOMEM;

	e = pf_reader_entries(reader, &n);
	for (size_t i = 0; !err && i < n && left > 0; i++)
		if (e[i].head.kind == PF_LOG && e[i].head.stream == stream)
			err = take(t, reader, unpacker, &e[i], &left);
	pf_unpacker_free(unpacker);
	return !err && left ? -EPROTO : err;
}

/* Open the profile of @r. A file to which @r has written nothing, since it could
   not be created, is not its own. Return: NULL with errno. */
static struct pf_reader *open_written(struct al_recording *r, char *message)
{
	if (al_recording_bytes(r) > 0)
		return pf_reader_open(r->path, message);
	errno = -al_recording_error(r);
	return NULL;
}

void al_track_inherit(struct al_track *t, struct al_track *parent,
		      uint64_t bytes)
{
	char message[PF_MESSAGE];
	struct pf_reader *reader;
	int err;

	al_track_flush(parent);
	al_recording_sync(parent->recording);
	bytes += parent->inherited;
	reader = open_written(parent->recording, message);
	err = reader ? take_all(t, reader, parent->stream, bytes) : -errno;
	t->inherited = bytes;
	if (err)
		al_recording_fail(t->recording, err);
	if (reader)
		pf_reader_close(reader);
}
