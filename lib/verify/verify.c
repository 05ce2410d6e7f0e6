/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verify.c - checks the file, the names and the end of a profile; see
   verify.h */

#include "lib/verify/verify.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/verify/verify_state.h"
#include "profile/format/writer.h"

void al_verify_count_and_print_fault(struct al_verifier *v, const char *format,
				     ...)
{
	char line[AL_MESSAGE];
	va_list args;

	if (v->faults++ >= AL_MAX_FAULTS)
		return;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (v->entry)
		fprintf(v->out, "block %" PRIu64 " at byte %" PRIu64 ": %s\n",
			v->entry->head.sequence, v->entry->offset, line);
	else
		fprintf(v->out, "%s\n", line);
}

bool al_verify_is_missing_block_allowed(const struct al_verifier *v)
{
	return v->stated_status != AL_VERIFY_COMPLETE;
}

int al_verify_load_payload_or_report(struct al_verifier *v,
				     const struct pf_entry *e,
				     const void **payload)
{
	int err = pf_reader_load_block(v->reader, v->unpacker, e, payload);

	if (err == -EBADMSG)
		al_verify_count_and_print_fault(v, "it is damaged");
	return err;
}

/* ---- names ---- */

static void check_code_name_has_known_numbers(struct al_verifier *v,
					      const struct pf_code_name *name)
{
	if (name->object >= v->n_objects || name->function >= v->n_texts ||
	    name->file >= v->n_texts)
		al_verify_count_and_print_fault(
			v, "it refers to an undefined name");
}

static void check_code_names_until_fault(struct al_verifier *v,
					 const struct pf_fact_reader *f)
{
	const unsigned faults = v->faults;
	struct pf_code_name name;
	size_t bytes = (size_t)(f->end - f->pos);

	if (bytes % sizeof(name))
		al_verify_count_and_print_fault(v, "it ends within a name");
	for (size_t i = 0; v->faults == faults && i < bytes / sizeof(name);
	     i++) {
		memcpy(&name, f->pos + i * sizeof(name), sizeof(name));
		check_code_name_has_known_numbers(v, &name);
	}
}

/* Read a PF_TEXT or PF_OBJECT record. Report a fault if it is malformed, or if
   its number is not *@next_number; unless it is malformed, add 1 to
   *@next_number. */
static void read_text_and_check_next_number(struct al_verifier *v,
					    struct pf_fact_reader *f,
					    uint32_t *next_number)
{
	uint64_t number;
	const char *text;

	if (!pf_fact_read_u64(f, &number) || !pf_fact_read_string(f, &text))
		al_verify_count_and_print_fault(v, "a name record is invalid");
	else if (number != (*next_number)++)
		al_verify_count_and_print_fault(v, "a name has a wrong number");
}

/* Load a PF_NAMES block (functions and source lines of code) and report its
   faults; records are checked only if no block may be missing. Return: 0;
   -errno if the block cannot be loaded. */
static int load_and_check_names_block(struct al_verifier *v,
				      const struct pf_entry *e)
{
	struct pf_fact_reader f;
	const void *payload;
	size_t offset = 0;
	int err = al_verify_load_payload_or_report(v, e, &payload), more = !err;

	if (err || al_verify_is_missing_block_allowed(v))
		return err;
	while ((more = pf_records_read_next_fact_or_0_at_end(
			payload, e->head.bytes, &offset, &f)) > 0)
		switch (f.kind) {
		case PF_OBJECT:
			read_text_and_check_next_number(v, &f, &v->n_objects);
			break;
		case PF_TEXT:
			read_text_and_check_next_number(v, &f, &v->n_texts);
			break;
		case PF_CODE:
		case PF_CALL:
			check_code_names_until_fault(v, &f);
		}
	if (more < 0)
		al_verify_count_and_print_fault(v, "its records are invalid");
	return 0;
}

/* ---- the end ---- */

/* Read the status that block PF_DONE states into *@status_out. @was_found:
   receives whether it states a known one. Return: 0, also if the block is
   damaged; another -errno. */
static int read_status_from_done_block(struct al_verifier *v,
				       const struct pf_entry *e,
				       enum al_verify_status *status_out,
				       bool *was_found)
{
	static const char *const name[] = {"complete", "lossy", "truncated"};
	struct pf_fact_reader f;
	const void *payload;
	const char *status;
	size_t offset = 0;
	int err = pf_reader_load_block(v->reader, v->unpacker, e, &payload);

	*was_found = false;
	while (!err && pf_records_read_next_fact_or_0_at_end(
			       payload, e->head.bytes, &offset, &f) > 0)
		if (f.kind == PF_STATUS && pf_fact_read_string(&f, &status))
			for (unsigned i = 0; i < 3; i++)
				if (!strcmp(status, name[i])) {
					*status_out = (enum al_verify_status)i;
					*was_found = true;
				}
	return err == -EBADMSG ? 0 : err;
}

/* Set stated_status from the profile's last block, if it is PF_DONE and states
   one. Report a fault if it does not; if there is no PF_DONE, also set
   AL_VERIFY_TRUNCATED. Return: 0; -errno. */
static int read_stated_status(struct al_verifier *v, const struct pf_entry *e,
			      size_t entry_count)
{
	const struct pf_entry *last = entry_count ? &e[entry_count - 1] : NULL;
	bool known = false;
	int err = 0;

	if (last && last->head.kind == PF_DONE) {
		err = read_status_from_done_block(v, last, &v->stated_status,
						  &known);
		if (!err && !known) {
			v->entry = last;
			al_verify_count_and_print_fault(
				v, "the end has no valid status");
			v->entry = NULL;
		}
		return err;
	}
	al_verify_count_and_print_fault(
		v, "the end is missing: run 'alleria recover'");
	v->stated_status = AL_VERIFY_TRUNCATED;
	return 0;
}

/* Report a fault if bytes of the file belong to no block, or else if the index
   of its blocks is missing. @state_at_open: state when the file was opened. */
static void report_broken_bytes_or_missing_index(struct al_verifier *v,
						 struct pf_state state_at_open)
{
	if (state_at_open.damage == PF_BROKEN)
		al_verify_count_and_print_fault(
			v,
			"%" PRIu64
			" bytes belong to no block, the first at byte "
			"%" PRIu64 ": run 'alleria recover'",
			state_at_open.damage_bytes, state_at_open.damage_at);
	else if (state_at_open.damage != PF_WHOLE)
		al_verify_count_and_print_fault(
			v, "the index is missing: run 'alleria recover'");
}

/* ---- the blocks ---- */
/* Check a block's head and content, and report its faults. @is_first, @is_last:
   whether it is the first or last block of the profile. Return: 0; -EBADMSG:
   the block is damaged, which was reported; another -errno. */
static int check_block_of_any_kind(struct al_verifier *v,
				   const struct pf_entry *e, bool is_first,
				   bool is_last)
{
	const void *payload;
	int err = pf_reader_check_head_unchanged(v->reader, e);

	if (err == -EBADMSG)
		al_verify_count_and_print_fault(
			v, "its head is broken, but the index has a copy");
	else if (err)
		return err;
	if (is_first != (e->head.kind == PF_RUN) &&
	    !(is_first && al_verify_is_missing_block_allowed(v)))
		al_verify_count_and_print_fault(
			v, is_first ? "the first block is not that of the run"
				    : "a second run begins");
	if (e->head.kind == PF_DONE && !is_last)
		al_verify_count_and_print_fault(v, "blocks follow the end");
	if (e->head.begin_ns > e->head.end_ns)
		al_verify_count_and_print_fault(v, "it ends before it begins");
	switch (e->head.kind) {
	case PF_IMAGE:
	case PF_LOG:
	case PF_UNITS:
	case PF_END:
		return al_verify_check_and_report_stream_block(v, e);
	case PF_NAMES:
		return load_and_check_names_block(v, e);
	}
	return al_verify_load_payload_or_report(v, e, &payload);
}

/* Check each block of the profile, and report a fault where one is missing.
   Damaged blocks are reported and do not end the check. */
static int check_profile_blocks(struct al_verifier *v,
				const struct pf_entry *block_entries,
				size_t block_count)
{
	uint64_t next = 0;
	int err = 0;

	for (size_t i = 0; !err && i < block_count; i++) {
		v->entry = &block_entries[i];
		if (block_entries[i].head.sequence != next)
			al_verify_count_and_print_fault(
				v, "block %" PRIu64 " is missing", next);
		next = block_entries[i].head.sequence + 1;
		err = check_block_of_any_kind(v, &block_entries[i], i == 0,
					      i == block_count - 1);
		if (err == -EBADMSG)
			err = 0;
	}
	v->entry = NULL;
	return err;
}

/* Check the whole profile. Return: the number of faults, of which the first
   AL_MAX_FAULTS were printed; -errno. */
static int report_profile_faults_get_count(struct al_verifier *v)
{
	size_t n;
	const struct pf_entry *e = pf_reader_entries(v->reader, &n);
	const struct pf_state opened = pf_reader_state_with_damage(v->reader);
	int err = read_stated_status(v, e, n);

	report_broken_bytes_or_missing_index(v, opened);
	if (!err)
		err = check_profile_blocks(v, e, n);
	if (err)
		return err;
	al_verify_report_unended_streams(v);
	if (v->worst_status > v->stated_status)
		al_verify_count_and_print_fault(
			v, "the stated status is %s, but a process is %s",
			v->stated_status ? "lossy" : "complete",
			v->worst_status == AL_VERIFY_LOSSY ? "lossy"
							   : "truncated");
	if (v->faults > AL_MAX_FAULTS)
		fprintf(v->out, "and %u more\n", v->faults - AL_MAX_FAULTS);
	return (int)v->faults;
}

int al_verify_print_and_count_faults(const char *path, FILE *out, char *message)
{
	struct al_verifier v = {.out = out};
	char why[AL_MESSAGE];
	int rc = -ENOMEM;

	v.reader = pf_reader_open(path, why);
	v.unpacker = pf_unpacker_new();
	v.coder = pf_coder_new();
	v.symbols = al_symbols_new();
	if (!v.reader) {
		rc = -EINVAL;
		al_message_return_einval(message, "%s", why);
	} else {
		if (v.unpacker && v.coder && v.symbols)
			rc = report_profile_faults_get_count(&v);
		if (rc < 0)
			al_message_return_einval(message,
						 "cannot check '%.300s': %s",
						 path, strerror(-rc));
	}
	al_verify_streams_free(&v);
	free(v.words);
	al_symbols_free(v.symbols);
	pf_coder_free(v.coder);
	pf_unpacker_free(v.unpacker);
	pf_reader_close(v.reader);
	return rc;
}
