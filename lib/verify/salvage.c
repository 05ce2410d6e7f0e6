/* SPDX-License-Identifier: GPL-2.0-or-later */
/* salvage.c - copies the undamaged blocks of a profile; see verify.h */

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/record/name_table.h"
#include "lib/recover/blocks.h"
#include "lib/recover/executed_blocks.h"
#include "lib/symbols/symbols.h"
#include "lib/verify/verify.h"
#include "profile/format/facts.h"
#include "profile/format/reader.h"
#include "profile/format/writer.h"

enum {
	MAX_LOST_STREAMS =
		(1 << 16) - 1 /* greatest number of consecutive missing
				      streams */
};

/* The blocks of code that a stream describes, up to the first gap in its
   descriptors. */
struct stream_code {
	struct al_blocks blocks;
	bool has_gap; /* a descriptor is missing or invalid: no later one is
			 read */
	bool ended;
};

struct salvager {
	struct pf_reader *reader;
	struct pf_unpacker *unpacker;
	struct pf_packer *packer;
	struct pf_writer *writer;
	struct al_symbols *symbols;
	struct al_name_table naming;
	/* [n_streams] by stream; NULL: its PF_IMAGE block is missing */
	struct stream_code **stream_code;
	uint32_t n_streams;
	uint64_t end_ns;	/* [ns] latest time at which a block of the
				   profile ended */
	bool has_unknown_names; /* a block of names is damaged, so the numbers
				   of texts and objects are unknown */
	uint64_t missing;	/* number of object files that cannot be read */
};

/* ---- reading the profile ---- */

/* Read a number and a string, which is a text or the path of an object, and
   append the string to @table. Return: 0; -EBADMSG if they cannot be read, the
   string is not new, or the number is not its index in @table; -ENOMEM. */
static int read_and_store_numbered_text(struct salvager *r,
					struct al_key_table *table,
					struct pf_fact_reader *f)
{
	const char *string;
	uint64_t number;
	uint32_t own;
	bool is_new;
	int err;

	if (!pf_fact_read_u64(f, &number) || !pf_fact_read_string(f, &string))
		return -EBADMSG;
	string = al_symbols_intern_or_question_marks(r->symbols, string);
	err = al_key_table_find_or_add_pair(table, (uintptr_t)string, 0, &own,
					    &is_new);
	if (err)
		return err;
	return is_new && own == number ? 0 : -EBADMSG;
}

/* Read the number of a text (PF_TEXT), the path of a source file whose hash the
   profile has, and add the path to the table of sources. Return: 0; -EBADMSG if
   the number cannot be read or is not known; -ENOMEM. */
static int read_and_store_path_of_hashed_source(struct salvager *r,
						struct pf_fact_reader *f)
{
	uint64_t text;
	uint32_t unused;
	bool is_new;

	if (!pf_fact_read_u64(f, &text) || text >= r->naming.texts.n)
		return -EBADMSG;
	return al_key_table_find_or_add_pair(&r->naming.sources,
					     r->naming.texts.key[text].word[0],
					     0, &unused, &is_new);
}

static int store_texts_and_objects_of_names_block(struct salvager *r,
						  const void *payload,
						  size_t bytes)
{
	struct pf_fact_reader f;
	size_t offset = 0;
	int err = 0, more = 1;

	while (!err && more > 0) {
		more = pf_records_read_next_fact_or_0_at_end(payload, bytes,
							     &offset, &f);
		if (more <= 0)
			err = more;
		else if (f.kind == PF_OBJECT)
			err = read_and_store_numbered_text(
				r, &r->naming.objects, &f);
		else if (f.kind == PF_TEXT)
			err = read_and_store_numbered_text(r, &r->naming.texts,
							   &f);
		else if (f.kind == PF_SOURCE)
			err = read_and_store_path_of_hashed_source(r, &f);
	}
	return err;
}

static struct stream_code *find_stream_code(const struct salvager *r,
					    uint64_t stream_number)
{
	return stream_number < r->n_streams ? r->stream_code[stream_number]
					    : NULL;
}

static int reserve_new_stream_slot(struct salvager *r, uint32_t stream_number)
{
	struct stream_code **bigger;

	if (stream_number < r->n_streams)
		return r->stream_code[stream_number] ? -EBADMSG : 0;
	if (stream_number - r->n_streams > MAX_LOST_STREAMS)
		return -EBADMSG;
	bigger = reallocarray(r->stream_code, stream_number + 1u,
			      sizeof(struct stream_code *));
	if (!bigger)
		return -ENOMEM;
	r->stream_code = bigger;
	while (r->n_streams <= stream_number)
		r->stream_code[r->n_streams++] = NULL;
	return 0;
}

/* Add to a forked stream the blocks of code and the mappings that its parent
   had at the fork. Return: 0; -EBADMSG if the parent is unknown; another
   -errno. */
static int borrow_parent_blocks(const struct salvager *r, struct stream_code *c,
				const struct pf_image *image)
{
	const struct stream_code *parent = find_stream_code(r, image->fork_of);

	return parent ? al_blocks_borrow_blocks_and_mappings(
				&c->blocks, &parent->blocks,
				(uint32_t)image->n_blocks, image->fork_log)
		      : -EBADMSG;
}

static int add_stream_of_image_block(struct salvager *r, uint32_t stream_number,
				     const void *payload, size_t bytes)
{
	struct pf_image image;
	struct stream_code *c;
	int err = pf_image_facts_decode(payload, bytes, &image);

	if (!err)
		err = reserve_new_stream_slot(r, stream_number);
	if (err)
		return err;
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	al_blocks_init(&c->blocks, al_symbols_intern_table(r->symbols));
	r->stream_code[stream_number] = c;
	if (image.forked)
		err = borrow_parent_blocks(r, c, &image);
	c->has_gap = err;
	return err;
}

static int read_code_log_block_unless_gap(struct salvager *r,
					  const struct pf_head *h,
					  const void *payload)
{
	struct stream_code *c = find_stream_code(r, h->stream);
	int err = 0;

	if (!c || c->has_gap)
		return 0;
	if (h->position != c->blocks.log_bytes)
		err = -EBADMSG;
	if (!err && h->bytes > 0)
		err = al_blocks_parse_and_store_log(&c->blocks, payload,
						    h->bytes);
	c->has_gap = err;
	return err;
}

static void mark_stream_ended(const struct salvager *r, uint32_t stream_number)
{
	struct stream_code *c = find_stream_code(r, stream_number);

	if (c)
		c->ended = true;
}

static bool is_block_kind_needed_for_names(uint16_t kind)
{
	return kind == PF_IMAGE || kind == PF_LOG || kind == PF_NAMES ||
	       kind == PF_END;
}

static int read_block_if_code_or_names(struct salvager *r,
				       const struct pf_entry *e)
{
	const struct pf_head *h = &e->head;
	const void *payload;
	int err;

	if (r->end_ns < h->end_ns)
		r->end_ns = h->end_ns;
	if (!is_block_kind_needed_for_names(h->kind))
		return 0;
	err = pf_reader_load_block(r->reader, r->unpacker, e, &payload);
	if (!err && h->kind == PF_IMAGE)
		return add_stream_of_image_block(r, h->stream, payload,
						 h->bytes);
	if (!err && h->kind == PF_LOG)
		return read_code_log_block_unless_gap(r, h, payload);
	if (!err && h->kind == PF_NAMES)
		err = store_texts_and_objects_of_names_block(r, payload,
							     h->bytes);
	if (!err && h->kind == PF_END)
		mark_stream_ended(r, h->stream);
	if (h->kind == PF_NAMES && err)
		r->has_unknown_names = true;
	return err;
}

/* Read all blocks that names depend on. A damaged block is left out; if it is a
   PF_LOG block, so are the later ones of its stream. Return: 0; -errno. */
static int read_all_code_and_name_blocks(struct salvager *r)
{
	size_t n;
	const struct pf_entry *e = pf_reader_entries(r->reader, &n);
	int err = 0;

	for (size_t i = 0; !err && i < n; i++) {
		err = read_block_if_code_or_names(r, &e[i]);
		if (err == -EBADMSG || err == -EPROTO || err == -EIO)
			err = 0;
	}
	return err;
}

/* ---- writing names ---- */

static int write_name_block_unless_empty(struct salvager *r,
					 const struct pf_records *records)
{
	const struct pf_head head = {
		.kind = PF_NAMES,
		.stream = PF_NO_STREAM,
		.begin_ns = r->end_ns,
		.end_ns = r->end_ns,
	};
	struct pf_packed packed;
	int err;

	if (records->failed)
		return -ENOMEM;
	if (records->bytes == 0)
		return 0;
	err = pf_pack_payload(r->packer, &head, records->data, records->bytes,
			      &packed);
	return err ? err : pf_writer_queue_copy_then_write(r->writer, &packed);
}

static int write_names_of_executed_blocks(struct salvager *r,
					  const struct al_executed *x)
{
	struct pf_records records = {0};
	struct al_unnamed_code code = {.executed = x};
	int more = 1, err = 0;

	while (!err && more > 0) {
		pf_records_clear(&records);
		more = al_name_table_append_names_return_more(
			&r->naming, &code, r->symbols, &records);
		err = more < 0 ? more
			       : write_name_block_unless_empty(r, &records);
	}
	pf_records_free_memory_and_zero(&records);
	return err;
}

/* Write names for all blocks of code that a stream describes. Without all units
   it is not known which of them were executed. */
static int write_names_of_described_blocks(struct salvager *r,
					   const struct stream_code *c)
{
	uint32_t n = c->blocks.n;
	struct al_block *block = calloc(n + 1u, sizeof(*block));
	struct al_block **list = calloc(n + 1u, sizeof(struct al_block *));
	int err = block && list ? 0 : -ENOMEM;

	for (uint32_t i = 0; !err && i < n; i++) {
		block[i].desc = c->blocks.desc[i];
		list[i] = &block[i];
	}
	if (!err)
		err = write_names_of_executed_blocks(r, &(struct al_executed){
								.block = list,
								.n = n,
							});
	free(list);
	free(block);
	return err;
}

/* Write the names of the blocks of streams that have not ended. Increase
   r->missing by the number of object files that these name for the first time
   and that cannot be read. */
static int write_block_names_of_unended_streams(struct salvager *r)
{
	uint32_t known = r->naming.objects.n;
	int err = 0;

	for (uint32_t i = 0; !err && !r->has_unknown_names && i < r->n_streams;
	     i++)
		if (r->stream_code[i] && !r->stream_code[i]->ended)
			err = write_names_of_described_blocks(
				r, r->stream_code[i]);
	for (uint32_t i = known; i < r->naming.objects.n; i++)
		r->missing +=
			access((const char *)(uintptr_t)r->naming.objects.key[i]
				       .word[0],
			       R_OK) != 0;
	return err;
}

static void release_salvager(struct salvager *r)
{
	/* Release later streams first: forked streams borrow the blocks of
	   earlier streams. */
	for (uint32_t i = r->n_streams; i-- > 0;)
		if (r->stream_code[i])
			al_blocks_release(&r->stream_code[i]->blocks);
	for (uint32_t i = 0; i < r->n_streams; i++)
		free(r->stream_code[i]);
	free(r->stream_code);
	al_name_table_release(&r->naming);
	al_symbols_free(r->symbols);
	pf_packer_free(r->packer);
	pf_unpacker_free(r->unpacker);
}

/**
 * write_new_names_of_unended_images() - Write names for the code of images that
 * have no end.
 * @reader: the unfinished profile.
 * @writer: the new profile, which has all intact blocks of @reader but the end.
 * @unreadable_object_count: receives the number of object files that could not
 *                           be read.
 *
 * Names are written when an image ends, so a profile whose writer was killed
 * lacks the names of the images that were running. They are read from the
 * object files as they are now. If some names in @reader are damaged, none are
 * written, since the numbers of texts and objects are not known.
 *
 * Return: 0; -ENOMEM; -errno of reading, or of writing as
 * pf_writer_queue_copy_then_write().
 */
static int write_new_names_of_unended_images(struct pf_reader *reader,
					     struct pf_writer *writer,
					     uint64_t *unreadable_object_count)
{
	struct salvager r = {
		.reader = reader,
		.writer = writer,
		.unpacker = pf_unpacker_new(),
		.packer = pf_packer_new(PF_LEVEL),
		.symbols = al_symbols_new(),
	};
	int err = r.unpacker && r.packer && r.symbols ? 0 : -ENOMEM;

	if (!err)
		err = read_all_code_and_name_blocks(&r);
	if (!err)
		err = write_block_names_of_unended_streams(&r);
	*unreadable_object_count = r.missing;
	release_salvager(&r);
	return err;
}

static const char *plural_ending(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void format_recovery_summary(const struct pf_recovered *got,
				    const char *out_path, char *message)
{
	const uint64_t n = got->blocks, lost = got->lost;

	if (!lost && !n)
		al_message_return_einval(message,
					 "'%.200s' contains only an end block",
					 out_path);
	else if (!lost && got->ended)
		al_message_return_einval(message,
					 "'%.200s' has all %" PRIu64 " block%s",
					 out_path, n, plural_ending(n));
	else if (!lost)
		al_message_return_einval(
			message,
			"'%.200s' has %" PRIu64
			" block%s, all before the end, which is missing",
			out_path, n, plural_ending(n));
	else
		al_message_return_einval(
			message,
			"'%.200s' has %" PRIu64 " block%s; %" PRIu64
			" damaged%s",
			out_path, n, plural_ending(n), lost,
			got->ended ? "" : ", and the end is missing");
}

static int write_unended_image_names_as_hook(void *unreadable_object_count,
					     struct pf_reader *r,
					     struct pf_writer *w)
{
	return write_new_names_of_unended_images(r, w, unreadable_object_count);
}

int al_salvage_profile(const char *path, const char *out_path,
		       char *summary_or_error)
{
	char why[AL_MESSAGE];
	struct pf_recovered got;
	uint64_t missing = 0;
	const struct pf_recover_hook more = {write_unended_image_names_as_hook,
					     &missing};
	int err = pf_recover(path, out_path, &more, &got, why);
	size_t n;

	if (err) {
		al_message_return_einval(summary_or_error, "%s", why);
		return err;
	}
	format_recovery_summary(&got, out_path, summary_or_error);
	n = strlen(summary_or_error);
	if (missing)
		snprintf(summary_or_error + n, AL_MESSAGE - n,
			 "; %" PRIu64 " object file%s cannot be read: code of "
			 "%s has no names",
			 missing, plural_ending(missing),
			 missing == 1 ? "it" : "them");
	return 0;
}
