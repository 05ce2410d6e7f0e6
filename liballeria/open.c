/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * open.c - opens, refreshes and closes a profile, and returns its processes and
 * images
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "base/text/message.h"
#include "liballeria/facts.h"
#include "liballeria/names.h"
#include "profile/format/writer.h"

_Static_assert((int)ALLERIA_MESSAGE <= (int)AL_MESSAGE,
	       "a buffer of a message can be cut");
_Static_assert((int)ALLERIA_HAS_ACCESSES == (int)PT_FIELD_ACCESSES &&
		       (int)ALLERIA_HAS_ADDRESSES == (int)PT_FIELD_ADDRESSES &&
		       (int)ALLERIA_HAS_UNUSED_LOADS ==
			       (int)PT_FIELD_UNUSED_LOADS &&
		       (int)ALLERIA_HAS_VALUES == (int)PT_FIELD_VALUES &&
		       (int)ALLERIA_HAS_TIMES == (int)PT_FIELD_STAMPS &&
		       (int)ALLERIA_HAS_CORES == (int)PT_FIELD_CORES &&
		       (int)ALLERIA_MAX_VALUE == (int)PT_MAX_VALUE,
	       "what was recorded has the same bits");

const char *ap_intern_or_question_marks(struct alleria_profile *p,
					const char *string)
{
	return al_intern_question_marks_if_no_memory(&p->strings, string);
}

const struct pf_head *ap_entry_head(const struct alleria_profile *p,
				    uint32_t entry_index)
{
	size_t n;

	return &pf_reader_entries(p->reader, &n)[entry_index].head;
}

const struct pf_head *ap_chunk_head(const struct ap_stream *s,
				    uint32_t chunk_index)
{
	return ap_entry_head(s->profile, s->units.entry[chunk_index]);
}

int ap_load_block(struct alleria_profile *p, uint32_t entry_index,
		  const void **payload)
{
	size_t n;

	return pf_reader_load_block(
		p->reader, p->unpacker,
		&pf_reader_entries(p->reader, &n)[entry_index], payload);
}

void ap_count_damaged_block_once(struct alleria_profile *p,
				 uint32_t entry_index)
{
	size_t n;

	pf_reader_count_damaged_once(
		p->reader, &pf_reader_entries(p->reader, &n)[entry_index]);
}

int ap_entries_add(struct ap_entries *e, uint32_t entry_index)
{
	int err = al_array_reserve(e->entry, e->size, e->n + 1);

	if (!err)
		e->entry[e->n++] = entry_index;
	return err;
}

/* ---- blocks of the file ---- */

/* Record that the image with number @stream_number in the file is damaged or
   missing, so that none of its records can be returned. Only the lowest such
   number is stored. */
static void record_lost_image(struct alleria_profile *p, uint32_t stream_number)
{
	if (!p->lost_image || p->lost_stream > stream_number)
		p->lost_stream = stream_number;
	p->lost_image = true;
}

static int list_stream_block_or_read_image_end(struct ap_stream *s,
					       uint32_t entry_index)
{
	switch (ap_entry_head(s->profile, entry_index)->kind) {
	case PF_UNITS:
		return ap_entries_add(&s->units, entry_index);
	case PF_LOG:
		return ap_entries_add(&s->logs, entry_index);
	}
	return ap_read_image_end_block(s->profile, s, entry_index);
}

/* Add a block to the stream that its head names. If that stream is unknown,
   record that its image is lost. Return: 0; -errno. */
static int add_block_to_stream(struct alleria_profile *p, uint32_t entry_index)
{
	uint32_t number = ap_entry_head(p, entry_index)->stream;

	if (number < p->n_streams && p->stream[number])
		return list_stream_block_or_read_image_end(p->stream[number],
							   entry_index);
	record_lost_image(p, number);
	return 0;
}

static int add_image_or_record_lost_if_malformed(struct alleria_profile *p,
						 uint32_t entry_index)
{
	int err = ap_add_stream_from_image_block_once(p, entry_index);

	if (err == -EBADMSG)
		record_lost_image(p, ap_entry_head(p, entry_index)->stream);
	return err;
}

static int read_block_by_kind(struct alleria_profile *p, uint32_t entry_index)
{
	switch (ap_entry_head(p, entry_index)->kind) {
	case PF_RUN:
		return ap_read_block_of_run_facts(p, entry_index);
	case PF_IMAGE:
		return add_image_or_record_lost_if_malformed(p, entry_index);
	case PF_LOG:
	case PF_UNITS:
	case PF_END:
		return add_block_to_stream(p, entry_index);
	case PF_DONE:
		return ap_read_run_end_block(p, entry_index);
	}
	return 0;
}

/* Process the file blocks that were added since the last call. A block whose
   content is malformed is counted as damaged; a block that cannot be read is
   skipped. Return: 0; -ENOMEM; -EBADMSG: the file has more than UINT32_MAX
   blocks. */
static int read_new_blocks_count_damaged_ones(struct alleria_profile *p)
{
	size_t n;
	int err = 0;

	pf_reader_entries(p->reader, &n);
	if (n > UINT32_MAX)
		return -EBADMSG;
	while (p->n_read < n) {
		err = read_block_by_kind(p, (uint32_t)p->n_read);
		if (err == -ENOMEM)
			return err;
		if (err == -EBADMSG)
			ap_count_damaged_block_once(p, (uint32_t)p->n_read);
		p->n_read++;
	}
	return 0;
}

/* ---- state ---- */

/* Return why the profile is not complete: the reason in its PF_DONE block (""
   for a complete profile), or that this block is missing or damaged. */
static const char *reason_of_incomplete_profile(const struct alleria_profile *p)
{
	if (!p->done)
		return "its end is not there";
	return p->status[0] ? p->reason : "its end is damaged";
}

static void set_public_state_of_profile(struct alleria_profile *p)
{
	static const uint32_t damage[] = {
		[PF_WHOLE] = ALLERIA_WHOLE,
		[PF_UNFINISHED] = ALLERIA_NO_INDEX,
		[PF_TORN] = ALLERIA_TORN,
		[PF_BROKEN] = ALLERIA_BROKEN,
	};
	struct pf_state s = pf_reader_state_with_damage(p->reader);
	uint32_t status = ALLERIA_UNFINISHED;

	if (p->done)
		status = !strcmp(p->status, "complete") ? ALLERIA_COMPLETE
			 : !strcmp(p->status, "lossy")	? ALLERIA_LOSSY
							: ALLERIA_TRUNCATED;
	p->state = (struct alleria_state){
		.status = status,
		.damage = damage[s.damage],
		.reason = reason_of_incomplete_profile(p),
		.damage_at = s.damage_at,
		.damage_bytes = s.damage_bytes,
		.bytes = s.bytes,
		.blocks = p->n_read,
	};
}

/* Copy the command, the directory and the version of Valgrind of the profile's
   first image to the facts of the run. No-op without images. */
static void copy_first_image_command_and_dir_to_run(struct alleria_profile *p)
{
	struct alleria_run *r = &p->run;

	if (p->n_order == 0)
		return;
	r->valgrind = p->order[0]->pub.valgrind;
	r->command = p->order[0]->pub.command;
	r->directory = p->order[0]->pub.directory;
}

/* If no PF_DONE block has set the duration of the run, raise it to the latest
   end_ns of the blocks from entry @first_block_index to the last one read. */
static void raise_duration_to_latest_block(struct alleria_profile *p,
					   size_t first_block_index)
{
	for (size_t i = first_block_index; i < p->n_read && !p->has_wall; i++)
		if (p->run.wall_ns < ap_entry_head(p, (uint32_t)i)->end_ns)
			p->run.wall_ns = ap_entry_head(p, (uint32_t)i)->end_ns;
}

/* Read new file blocks and compute everything that depends on them. Return: 0;
   -errno. */
static int read_new_blocks_and_update(struct alleria_profile *p)
{
	size_t from = p->n_read;
	int err = read_new_blocks_count_damaged_ones(p);

	if (!err)
		err = ap_regroup_images_by_process(p);
	if (err)
		return err;
	copy_first_image_command_and_dir_to_run(p);
	raise_duration_to_latest_block(p, from);
	set_public_state_of_profile(p);
	return 0;
}

/* ---- open and close ---- */

const char *const ap_no_strings[] = {NULL};

static int init_profile(struct alleria_profile *p)
{
	p->status = p->reason = "";
	p->run = (struct alleria_run){
		.version = "",
		.valgrind = "",
		.system = "",
		.release = "",
		.machine = "",
		.processor = "",
		.options = ap_no_strings,
		.command = ap_no_strings,
		.directory = "",
		.high_address = 0x7fffffffffff,
		.page_size = 4096,
		.address_bits = 64,
	};
	pthread_mutex_init(&p->lock, NULL);
	al_intern_init(&p->strings);
	p->unpacker = pf_unpacker_new();
	return p->unpacker ? 0 : -ENOMEM;
}

static int open_reader(struct alleria_profile *p, const char *path,
		       char *message)
{
	p->reader = pf_reader_open(path, message);
	return p->reader ? 0 : -errno;
}

int alleria_open(const char *path, struct alleria_profile **out, char *message)
{
	struct alleria_profile *p = calloc(1, sizeof(*p));
	char text[AL_MESSAGE] = "";
	int err, saved;

	*out = NULL;
	if (!p) {
		err = -ENOMEM;
	} else {
		err = init_profile(p);
		if (!err)
			err = open_reader(p, path, text);
		if (!err)
			err = read_new_blocks_and_update(p);
	}
	if (!err) {
		*out = p;
		return 0;
	}
	if (!text[0])
		snprintf(text, sizeof(text), "cannot read '%s': %s", path,
			 strerror(-err));
	text[ALLERIA_MESSAGE - 1] = 0;
	if (message)
		memcpy(message, text, ALLERIA_MESSAGE);
	err = ap_alleria_error_of_negative_errno(err);
	saved = errno;
	alleria_close(p);
	errno = saved;
	return err;
}

int alleria_refresh(struct alleria_profile *p)
{
	uint64_t before = p->state.blocks;
	int err = pf_reader_add_newly_appended_blocks(p->reader);

	if (!err)
		err = read_new_blocks_and_update(p);
	if (err)
		return ap_alleria_error_of_negative_errno(err);
	if (p->state.blocks == before)
		return 0;
	ap_names_clear(&p->names);
	return 1;
}

void alleria_close(struct alleria_profile *p)
{
	if (!p)
		return;
	ap_names_clear(&p->names);
	/* Streams are freed from the last to the first, because a forked stream
	   uses descriptors of an earlier stream. */
	for (uint32_t i = p->n_streams; i-- > 0;)
		ap_stream_free(p->stream[i]);
	for (uint32_t i = 0; i < p->n_processes; i++) {
		free(p->process[i]->thread);
		free(p->process[i]->object);
		free(p->process[i]);
	}
	if (p->run.options != ap_no_strings)
		free((void *)p->run.options);
	free(p->process);
	free(p->order);
	free(p->stream);
	free(p->wait_status);
	free(p->window);
	free(p->window_set);
	pf_unpacker_free(p->unpacker);
	al_symbols_free(p->symbols);
	al_intern_release(&p->strings);
	pf_reader_close(p->reader);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

/* ---- queries ---- */

const struct alleria_state *alleria_state(const struct alleria_profile *p)
{
	return &p->state;
}

const struct alleria_run *alleria_run(const struct alleria_profile *p)
{
	return &p->run;
}

uint64_t alleria_damaged_blocks(const struct alleria_profile *p)
{
	return pf_reader_damaged_blocks_found_so_far(p->reader);
}

uint64_t alleria_blocks_read(const struct alleria_profile *p)
{
	return pf_reader_blocks_read(p->reader);
}

uint64_t alleria_bytes_read(const struct alleria_profile *p)
{
	return pf_reader_packed_bytes_read(p->reader);
}

const struct alleria_process *alleria_process(const struct alleria_profile *p,
					      uint32_t process)
{
	const struct ap_process *a = ap_find_process(p, process);

	return a ? &a->pub : NULL;
}

const struct alleria_process *
alleria_process_numbered(const struct alleria_profile *p, uint32_t tree,
			 uint32_t number)
{
	for (uint32_t i = 0; i < p->n_processes; i++)
		if (p->process[i]->pub.tree == tree &&
		    p->process[i]->pub.number == number)
			return &p->process[i]->pub;
	return NULL;
}

const struct alleria_process *
alleria_process_with_pid(const struct alleria_profile *p, uint32_t pid,
			 uint32_t nth)
{
	for (uint32_t i = 0; i < p->n_processes; i++)
		if (p->process[i]->pub.pid == pid && nth-- == 0)
			return &p->process[i]->pub;
	return NULL;
}

const struct alleria_image *alleria_image(const struct alleria_profile *p,
					  uint32_t process, uint32_t number)
{
	const struct ap_process *a = ap_find_process(p, process);

	return a && number < a->pub.images ? &a->image[number]->pub : NULL;
}
