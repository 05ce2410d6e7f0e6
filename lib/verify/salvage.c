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

enum { MOST_LOST = 1 << 16 /* consecutive streams that may be missing */ };

/* The code of a stream, up to the first gap in its descriptions. */
struct code {
	struct al_blocks blocks;
	bool has_gap; /* a gap was found: nothing more is read */
	bool ended;
};

struct rescue {
	struct pf_reader *reader;
	struct pf_unpacker *unpacker;
	struct pf_packer *packer;
	struct pf_writer *writer;
	struct al_symbols *symbols;
	struct al_name_table naming;
	struct code *
		*code; /* [n_codes] by stream; NULL: its image is missing */
	uint32_t n_codes;
	uint64_t end_ns;	/* [ns] end of the last block */
	bool has_unknown_names; /* a block of names is damaged, so numbers of texts and
			    objects are unknown */
	uint64_t missing;
};

/* ---- reading the profile ---- */

/* Enter a text or an object of the profile under its number. Return: 0;
   -EBADMSG if the number is not the next one; -ENOMEM. */
static int add_number(struct rescue *r, struct al_pair_table *n,
		      struct pf_fact_reader *f)
{
	const char *string;
	uint64_t number;
	uint32_t own;
	bool is_new;
	int err;

	if (!pf_fact_read_number(f, &number) ||
	    !pf_fact_read_string(f, &string))
		return -EBADMSG;
	string = al_symbols_intern(r->symbols, string);
	err = al_pair_table_find_or_add(n, (uintptr_t)string, 0, &own, &is_new);
	if (err)
		return err;
	return is_new && own == number ? 0 : -EBADMSG;
}

static int read_names(struct rescue *r, const void *payload, size_t bytes)
{
	struct pf_fact_reader f;
	size_t offset = 0;
	int err = 0, more = 1;

	while (!err && more > 0) {
		more = pf_records_next(payload, bytes, &offset, &f);
		if (more <= 0)
			err = more;
		else if (f.kind == PF_OBJECT)
			err = add_number(r, &r->naming.objects, &f);
		else if (f.kind == PF_TEXT)
			err = add_number(r, &r->naming.texts, &f);
	}
	return err;
}

static struct code *find_code(const struct rescue *r, uint64_t stream)
{
	return stream < r->n_codes ? r->code[stream] : NULL;
}

static int make_room(struct rescue *r, uint32_t stream)
{
	struct code **bigger;

	if (stream < r->n_codes)
		return r->code[stream] ? -EBADMSG : 0;
	if (stream - r->n_codes >= MOST_LOST)
		return -EBADMSG;
	bigger = reallocarray(r->code, stream + 1u, sizeof(struct code *));
	if (!bigger)
		return -ENOMEM;
	r->code = bigger;
	while (r->n_codes <= stream)
		r->code[r->n_codes++] = NULL;
	return 0;
}

static int borrow_descriptions(const struct rescue *r, struct code *c,
			       const struct pf_image *image)
{
	const struct code *parent = find_code(r, image->fork_of);

	return parent ? al_blocks_borrow(&c->blocks, &parent->blocks,
					 (uint32_t)image->n_blocks,
					 image->fork_log)
		      : -EBADMSG;
}

static int begin_stream(struct rescue *r, uint32_t stream, const void *payload,
			size_t bytes)
{
	struct pf_image image;
	struct code *c;
	int err = pf_image_decode(payload, bytes, &image);

	if (!err)
		err = make_room(r, stream);
	if (err)
		return err;
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	al_blocks_init(&c->blocks, al_symbols_strings(r->symbols));
	r->code[stream] = c;
	if (image.forked)
		err = borrow_descriptions(r, c, &image);
	c->has_gap = err;
	return err;
}

static int read_log(struct rescue *r, const struct pf_head *h,
		    const void *payload)
{
	struct code *c = find_code(r, h->stream);
	int err = 0;

	if (!c || c->has_gap)
		return 0;
	if (h->position != c->blocks.log_bytes)
		err = -EBADMSG;
	if (!err && h->bytes > 0)
		err = al_blocks_read_log(&c->blocks, payload, h->bytes);
	c->has_gap = err;
	return err;
}

static void end_stream(const struct rescue *r, uint32_t stream)
{
	struct code *c = find_code(r, stream);

	if (c)
		c->ended = true;
}

static bool is_kind_read(uint16_t kind)
{
	return kind == PF_IMAGE || kind == PF_LOG || kind == PF_NAMES ||
	       kind == PF_END;
}

static int read_block(struct rescue *r, const struct pf_entry *e)
{
	const struct pf_head *h = &e->head;
	const void *payload;
	int err;

	if (r->end_ns < h->end_ns)
		r->end_ns = h->end_ns;
	if (!is_kind_read(h->kind))
		return 0;
	err = pf_reader_load_block(r->reader, r->unpacker, e, &payload);
	if (!err && h->kind == PF_IMAGE)
		return begin_stream(r, h->stream, payload, h->bytes);
	if (!err && h->kind == PF_LOG)
		return read_log(r, h, payload);
	if (!err && h->kind == PF_NAMES)
		err = read_names(r, payload, h->bytes);
	if (!err && h->kind == PF_END)
		end_stream(r, h->stream);
	if (h->kind == PF_NAMES && err)
		r->has_unknown_names = true;
	return err;
}

/* Read all blocks. Damaged blocks are left out, and all blocks after them in
   their streams. Return: 0; -errno. */
static int read_all(struct rescue *r)
{
	size_t n;
	const struct pf_entry *e = pf_reader_entries(r->reader, &n);
	int err = 0;

	for (size_t i = 0; !err && i < n; i++) {
		err = read_block(r, &e[i]);
		if (err == -EBADMSG || err == -EPROTO || err == -EIO)
			err = 0;
	}
	return err;
}

/* ---- writing names ---- */

static int put_names(struct rescue *r, const struct pf_records *records)
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
	err = pf_pack(r->packer, &head, records->data, records->bytes, &packed);
	return err ? err : pf_writer_write_block(r->writer, &packed);
}

static int name_blocks(struct rescue *r, const struct al_executed *x)
{
	struct pf_records records = {0};
	uint32_t at = 0;
	int more = 1, err = 0;

	while (!err && more > 0) {
		pf_records_clear(&records);
		more = al_name_table_name_blocks(&r->naming, x, &at, r->symbols,
					 &records);
		err = more < 0 ? more : put_names(r, &records);
	}
	pf_records_release(&records);
	return err;
}

/* Name all blocks that were described: without all units it is not known which
   were executed. */
static int name_stream(struct rescue *r, const struct code *c)
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
		err = name_blocks(r, &(struct al_executed){
					     .block = list,
					     .n = n,
				     });
	free(list);
	free(block);
	return err;
}

static int write_names(struct rescue *r)
{
	uint32_t known = r->naming.objects.n;
	int err = 0;

	for (uint32_t i = 0; !err && !r->has_unknown_names && i < r->n_codes;
	     i++)
		if (r->code[i] && !r->code[i]->ended)
			err = name_stream(r, r->code[i]);
	for (uint32_t i = known; i < r->naming.objects.n; i++)
		r->missing += access((const char *)(uintptr_t)r->naming.objects
					     .pair[i]
					     .a,
				     R_OK) != 0;
	return err;
}

static void release(struct rescue *r)
{
	/* forked streams borrow from those before them */
	for (uint32_t i = r->n_codes; i-- > 0;)
		if (r->code[i])
			al_blocks_release(&r->code[i]->blocks);
	for (uint32_t i = 0; i < r->n_codes; i++)
		free(r->code[i]);
	free(r->code);
	al_name_table_release(&r->naming);
	al_symbols_free(r->symbols);
	pf_packer_free(r->packer);
	pf_unpacker_free(r->unpacker);
}

/**
 * salvage_names() - Write names of the code of images that have no end.
 * @r: the unfinished profile.
 * @w: the new one, which has all blocks of @r but its end.
 * @missing: receives how many object files could not be read for it.
 *
 * Names are taken from the object files as they are now. Where names in @r are
 * damaged none are written, since numbers of texts and objects are not known.
 *
 * Return: 0; -ENOMEM; -errno of reading, or of writing as pf_writer_write_block().
 */
static int salvage_names(struct pf_reader *reader, struct pf_writer *writer,
			 uint64_t *missing)
{
	struct rescue r = {
		.reader = reader,
		.writer = writer,
		.unpacker = pf_unpacker_new(),
		.packer = pf_packer_new(PF_LEVEL),
		.symbols = al_symbols_new(),
	};
	int err = r.unpacker && r.packer && r.symbols ? 0 : -ENOMEM;

	if (!err)
		err = read_all(&r);
	if (!err)
		err = write_names(&r);
	*missing = r.missing;
	release(&r);
	return err;
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void tell(const struct pf_recovered *got, const char *out, char *message)
{
	const uint64_t n = got->blocks, lost = got->lost;

	if (!lost && !n)
		al_message(message,
			   "'%.200s' has but an end: nothing was kept of the "
			   "run",
			   out);
	else if (!lost && got->ended)
		al_message(message, "'%.200s' has all %" PRIu64 " block%s", out,
			   n, plural(n));
	else if (!lost)
		al_message(message,
			   "'%.200s' has %" PRIu64
			   " block%s, all before the end, which is missing",
			   out, n, plural(n));
	else
		al_message(message,
			   "'%.200s' has %" PRIu64 " block%s; %" PRIu64
			   " damaged%s",
			   out, n, plural(n), lost,
			   got->ended ? "" : ", and the end is missing");
}

static int add_names(void *missing, struct pf_reader *r, struct pf_writer *w)
{
	return salvage_names(r, w, missing);
}

int al_salvage(const char *path, const char *out, char *message)
{
	char why[PF_MESSAGE];
	struct pf_recovered got;
	uint64_t missing = 0;
	const struct pf_recover_hook more = {add_names, &missing};
	int err = pf_recover(path, out, &more, &got, why);
	size_t n;

	if (err) {
		al_message(message, "%s", why);
		return err;
	}
	tell(&got, out, message);
	n = strlen(message);
	if (missing)
		snprintf(message + n, AL_MESSAGE - n,
			 "; %" PRIu64 " object file%s cannot be read: code of "
			 "%s has no names",
			 missing, plural(missing),
			 missing == 1 ? "it" : "them");
	return 0;
}
