/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fork_log.c - copies the log that a forked child inherits into its profile
 *
 * The parent's log is read from the parent's profile, after it is written.
 */
#include <errno.h>

#include "lib/record/recording_state.h"
#include "profile/format/reader.h"

struct al_recording *
al_stream_writer_recording(const struct al_stream_writer *t)
{
	return t->recording;
}

/* Append the block of log that @unpacker has read last to the stream's log in
   its own profile, and write it. Its compressed payload is copied, because
   compressing it again would be the slowest step. Return: 0; -errno. */
static int append_log_block_still_compressed(struct al_stream_writer *t,
					     const struct pf_unpacker *unpacker,
					     const struct pf_head *head)
{
	struct pf_packed packed = {*head,
				   pf_unpacker_last_packed_payload(unpacker)};

	packed.head.stream = t->stream;
	packed.head.position = t->queued_log_bytes;
	t->queued_log_bytes += head->bytes;
	return pf_writer_queue_copy_then_write(t->recording->writer, &packed);
}

/* Append the first *@bytes_left bytes of the log in block @e, or all of it if
   the log is shorter, to the log of @t. Subtract the number of copied bytes
   from *@bytes_left. Return: 0; -errno. */
static int copy_log_block_up_to_bytes_left(struct al_stream_writer *t,
					   struct pf_reader *reader,
					   struct pf_unpacker *unpacker,
					   const struct pf_entry *e,
					   uint64_t *bytes_left)
{
	uint64_t bytes =
		e->head.bytes < *bytes_left ? e->head.bytes : *bytes_left;
	const void *log;
	int err = pf_reader_load_block(reader, unpacker, e, &log);

	if (err)
		return err;
	*bytes_left -= bytes;
	if (bytes == e->head.bytes)
		return append_log_block_still_compressed(t, unpacker, &e->head);
	al_stream_writer_add_log(t, log, bytes);
	return 0;
}

static int copy_first_log_bytes_of_stream(struct al_stream_writer *t,
					  struct pf_reader *reader,
					  uint32_t from_stream_number,
					  uint64_t required_bytes)
{
	struct pf_unpacker *unpacker = pf_unpacker_new();
	const struct pf_entry *e;
	size_t n;
	int err = unpacker ? 0 : -ENOMEM;

	e = pf_reader_entries(reader, &n);
	for (size_t i = 0; !err && i < n && required_bytes > 0; i++)
		if (e[i].head.kind == PF_LOG &&
		    e[i].head.stream == from_stream_number)
			err = copy_log_block_up_to_bytes_left(
				t, reader, unpacker, &e[i], &required_bytes);
	pf_unpacker_free(unpacker);
	return !err && required_bytes ? -EPROTO : err;
}

/* Open the profile that @r writes, for reading. Fail if @r has written nothing:
   its file could not be created, so a file with this path is a different one.
   Return: the reader; NULL with errno set. */
static struct pf_reader *open_own_profile_for_reading(struct al_recording *r,
						      char *message)
{
	if (al_recording_bytes_written(r) > 0)
		return pf_reader_open(r->path, message);
	errno = -al_recording_error(r);
	return NULL;
}

void al_stream_writer_copy_parent_log(struct al_stream_writer *t,
				      struct al_stream_writer *parent,
				      uint64_t parent_own_log_bytes)
{
	char message[AL_MESSAGE];
	struct pf_reader *reader;
	int err;

	al_stream_writer_queue_waiting_log(parent);
	al_recording_write_whole_queue(parent->recording);
	parent_own_log_bytes += parent->inherited_bytes;
	reader = open_own_profile_for_reading(parent->recording, message);
	err = reader ? copy_first_log_bytes_of_stream(t, reader, parent->stream,
						      parent_own_log_bytes)
		     : -errno;
	t->inherited_bytes = parent_own_log_bytes;
	if (err)
		al_recording_fail_and_drop_queue(t->recording, err);
	if (reader)
		pf_reader_close(reader);
}
