/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recover.c - copies the intact blocks of a damaged or unfinished profile to a
 * new one
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text/message.h"
#include "profile/format/records.h"
#include "profile/format/writer.h"

enum { REASON = 256 };

struct recovery {
	struct pf_reader *reader;
	struct pf_unpacker *unpacker;
	struct pf_packer *packer;
	struct pf_writer *writer;
	const struct pf_entry *done; /* the intact PF_DONE block, or NULL */
	uint64_t end_ns;	     /* latest end_ns of the intact blocks */
	struct pf_recovered *result;
	const struct pf_recover_hook *hook; /* adds blocks at the end; or
					       NULL */
};

static int format_recover_error_return_err(char *message, const char *path,
					   int err)
{
	if (err == -EPROTONOSUPPORT)
		return al_message_return_err(
			message, err,
			"profile '%s' was written by a newer version of "
			"Alleria: use its 'alleria recover'",
			path);
	return al_message_return_err(message, err, "cannot recover '%s': %s",
				     path, strerror(-err));
}

/* Return the block that was loaded last, as it is packed in the old file. */
static struct pf_packed get_last_loaded_packed_block(const struct recovery *r,
						     const struct pf_entry *e)
{
	return (struct pf_packed){e->head,
				  pf_unpacker_last_packed_payload(r->unpacker)};
}

/* Whether the block is of a newer minor version, or its head has another
   length: a copy with the head of this version would lose fields. */
static bool is_minor_newer_or_header_size_other(const struct pf_head *head)
{
	return head->minor > PF_MINOR || head->head_bytes != sizeof(*head);
}

/* Add a copy of block @e to the new profile; if @e is PF_DONE, set r->done
   instead. In both cases raise r->end_ns to the end of the block. If @e is
   damaged or unreadable, only count it in result->lost. Return: 0;
   -EPROTONOSUPPORT: @e is of a newer version or its head has another length,
   and nothing was done; another -errno. */
static int copy_block_or_store_end_or_count_lost(struct recovery *r,
						 const struct pf_entry *e)
{
	struct pf_packed packed;
	const void *payload;
	int err = is_minor_newer_or_header_size_other(&e->head)
			  ? -EPROTONOSUPPORT
			  : pf_reader_load_block(r->reader, r->unpacker, e,
						 &payload);

	if (err == -EBADMSG || err == -EIO) {
		r->result->lost++;
		return 0;
	}
	if (err)
		return err;
	if (r->end_ns < e->head.end_ns)
		r->end_ns = e->head.end_ns;
	if (e->head.kind == PF_DONE) {
		r->done = e;
		return 0;
	}
	packed = get_last_loaded_packed_block(r, e);
	r->result->blocks++;
	return pf_writer_queue_copy_then_write(r->writer, &packed);
}

/* Copy all intact blocks and count the lost ones. Return: 0; -errno. */
static int copy_intact_blocks_count_lost(struct recovery *r)
{
	uint64_t next = 0;
	size_t n;
	const struct pf_entry *e = pf_reader_entries(r->reader, &n);
	int err = 0;

	for (size_t i = 0; !err && i < n; i++) {
		r->result->lost += e[i].head.sequence - next;
		next = e[i].head.sequence + 1;
		err = copy_block_or_store_end_or_count_lost(r, &e[i]);
	}
	r->result->ended = r->done;
	return err;
}

/* Add the record PF_STATUS of the new profile: "truncated" if the old profile
   has no end or was truncated, else "lossy". The reason has the number of
   damaged blocks if there are any. @old_status, @old_reason: those of the old
   profile; a @old_status of NULL: none. */
static void derive_and_add_status_of_new_profile(const struct recovery *r,
						 struct pf_records *a,
						 const char *old_status,
						 const char *old_reason)
{
	const uint64_t lost = r->result->lost;
	char text[REASON], damage[64] = "";

	if (lost)
		snprintf(damage, sizeof(damage), "%" PRIu64 " damaged %s", lost,
			 lost == 1 ? "block" : "blocks");
	if (!old_status || strcmp(old_status, "truncated"))
		old_status = "lossy", old_reason = "";
	if (!r->done)
		old_status = "truncated", old_reason = "the end is missing";
	snprintf(text, sizeof(text), "%s%s%s", old_reason,
		 *old_reason && lost ? ", " : "", damage);
	pf_records_begin_fact(a, PF_STATUS);
	pf_records_append_string_to_fact(a, old_status);
	pf_records_append_string_to_fact(a, text);
}

/* Add copies of the records of the old PF_DONE block to @a, but a new record
   PF_STATUS instead of the old one. Return: 0; -errno. */
static int copy_end_of_run_records_with_new_status(struct recovery *r,
						   struct pf_records *a)
{
	const char *status = NULL, *reason = "";
	struct pf_fact_reader f;
	const void *payload;
	size_t offset = 0;
	int err =
		pf_reader_load_block(r->reader, r->unpacker, r->done, &payload);

	while (!err && pf_records_read_next_fact_or_0_at_end(
			       payload, r->done->head.bytes, &offset, &f) > 0) {
		if (f.kind != PF_STATUS) {
			pf_records_begin_fact(a, f.kind);
			pf_records_append_raw_to_fact(a, f.pos,
						      (size_t)(f.end - f.pos));
		} else if (!pf_fact_read_string(&f, &status) ||
			   !pf_fact_read_string(&f, &reason)) {
			status = NULL;
		}
	}
	derive_and_add_status_of_new_profile(r, a, status, reason);
	return err;
}

/* Build and pack a new PF_DONE block. Return: 0; -errno. */
static int build_and_pack_end_of_run_block(struct recovery *r,
					   struct pf_records *records_to_fill,
					   struct pf_packed *packed)
{
	struct pf_head head = {
		.kind = PF_DONE,
		.stream = PF_NO_STREAM,
		.begin_ns = r->end_ns,
		.end_ns = r->end_ns,
	};
	int err = 0;

	if (r->done)
		err = copy_end_of_run_records_with_new_status(r,
							      records_to_fill);
	else
		derive_and_add_status_of_new_profile(r, records_to_fill, NULL,
						     "");
	if (!err && records_to_fill->failed)
		err = -ENOMEM;
	return err ? err
		   : pf_pack_payload(r->packer, &head, records_to_fill->data,
				     records_to_fill->bytes, packed);
}

static int copy_or_build_end_block_and_finish(struct recovery *r)
{
	struct pf_records a = {0};
	struct pf_packed packed;
	const void *payload;
	int err;

	if (r->done && !r->result->lost) {
		err = pf_reader_load_block(r->reader, r->unpacker, r->done,
					   &payload);
		packed = get_last_loaded_packed_block(r, r->done);
	} else {
		err = build_and_pack_end_of_run_block(r, &a, &packed);
	}
	if (!err)
		err = pf_writer_write_end_and_finish(r->writer, &packed);
	pf_records_free_memory_and_zero(&a);
	return err;
}

static int copy_blocks_and_write_end(struct recovery *r)
{
	int err;

	r->unpacker = pf_unpacker_new();
	r->packer = pf_packer_new(PF_LEVEL);
	if (!r->unpacker || !r->packer)
		return -ENOMEM;
	err = copy_intact_blocks_count_lost(r);
	if (!err && r->hook)
		err = r->hook->add(r->hook->arg, r->reader, r->writer);
	return err ? err : copy_or_build_end_block_and_finish(r);
}

int pf_recover(const char *path, const char *out_path,
	       const struct pf_recover_hook *block_adding_hook,
	       struct pf_recovered *result, char *message)
{
	struct recovery r = {.result = result, .hook = block_adding_hook};
	int err = 0;

	memset(result, 0, sizeof(*result));
	r.reader = pf_reader_open(path, message);
	if (r.reader) {
		result->state = pf_reader_state_with_damage(r.reader);
		r.writer = pf_writer_new_and_create_file(out_path, message);
	}
	if (!r.writer)
		err = -errno;
	else
		err = copy_blocks_and_write_end(&r);
	if (err && r.writer) {
		format_recover_error_return_err(
			message,
			pf_writer_first_error(r.writer) ? out_path : path, err);
		unlink(out_path);
	}
	pf_writer_flush_close_free(r.writer);
	pf_reader_close(r.reader);
	pf_packer_free(r.packer);
	pf_unpacker_free(r.unpacker);
	return err;
}
