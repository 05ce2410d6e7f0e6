/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records.c - builds and reads payloads that consist of records
 */
#include "profile/format/records.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "profile/format/head.h"

void pf_records_free_memory_and_zero(struct pf_records *r)
{
	free(r->data);
	memset(r, 0, sizeof(*r));
}

void pf_records_clear(struct pf_records *r)
{
	r->bytes = 0;
	r->failed = false;
}

/* Ensure that @bytes more fit into the payload's memory. Return: false, and set
   `failed`, if memory is short. */
static bool ensure_space_or_set_failed(struct pf_records *r, size_t bytes)
{
	if (!r->failed && al_array_reserve(r->data, r->size, r->bytes + bytes))
		r->failed = true;
	return !r->failed;
}

void pf_records_begin_fact(struct pf_records *r, enum pf_fact kind)
{
	struct pf_record head = {.kind = kind, .bytes = sizeof(head)};

	if (!ensure_space_or_set_failed(r, sizeof(head)))
		return;
	r->record = r->bytes;
	memcpy(r->data + r->bytes, &head, sizeof(head));
	r->bytes += sizeof(head);
}

void pf_records_append_raw_to_fact(struct pf_records *r, const void *data,
				   size_t bytes)
{
	struct pf_record head;
	char *record;

	if (!ensure_space_or_set_failed(r, bytes + PF_ALIGN))
		return;
	record = r->data + r->record;
	memcpy(&head, record, sizeof(head));
	memcpy(record + head.bytes, data, bytes);
	head.bytes += bytes;
	memcpy(record, &head, sizeof(head));
	r->bytes = r->record + pf_round_up_to_block_alignment(head.bytes);
	memset(record + head.bytes, 0,
	       pf_round_up_to_block_alignment(head.bytes) - head.bytes);
}

void pf_records_append_u64_to_fact(struct pf_records *r, uint64_t number)
{
	pf_records_append_raw_to_fact(r, &number, sizeof(number));
}

void pf_records_append_string_to_fact(struct pf_records *r, const char *string)
{
	pf_records_append_raw_to_fact(r, string, strlen(string) + 1);
}

int pf_records_read_next_fact_or_0_at_end(const void *payload, size_t bytes,
					  size_t *offset,
					  struct pf_fact_reader *fact)
{
	const char *data = payload;
	struct pf_record head;

	if (*offset == bytes)
		return 0;
	if (bytes - *offset < sizeof(head))
		return -EBADMSG;
	memcpy(&head, data + *offset, sizeof(head));
	if (head.bytes < sizeof(head) ||
	    pf_round_up_to_block_alignment(head.bytes) > bytes - *offset)
		return -EBADMSG;
	fact->kind = head.kind;
	fact->pos = data + *offset + sizeof(head);
	fact->end = data + *offset + head.bytes;
	*offset += pf_round_up_to_block_alignment(head.bytes);
	return 1;
}

bool pf_fact_read_u64(struct pf_fact_reader *fact, uint64_t *number)
{
	if ((size_t)(fact->end - fact->pos) < sizeof(*number))
		return false;
	memcpy(number, fact->pos, sizeof(*number));
	fact->pos += sizeof(*number);
	return true;
}

bool pf_fact_read_string(struct pf_fact_reader *fact, const char **string)
{
	const char *nul = memchr(fact->pos, 0, (size_t)(fact->end - fact->pos));

	if (!nul)
		return false;
	*string = fact->pos;
	fact->pos = nul + 1;
	return true;
}
