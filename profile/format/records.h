/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records.h - builds and reads payloads that consist of records
 *
 * Threads: one at a time.
 */
#ifndef PROFILE_FORMAT_RECORDS_H
#define PROFILE_FORMAT_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/format/format.h"

/* A payload being built. Zeroed: empty. */
struct pf_records {
	char *data;
	size_t bytes;
	size_t size;
	size_t record; /* offset of the last record, to which content is
			  added */
	bool failed;   /* memory was short: the payload is incomplete */
};

/* Free the payload's memory, and set all members to 0: the payload is empty. */
void pf_records_free_memory_and_zero(struct pf_records *);

/* Remove all records and reset `failed`, but do not free the payload's
   memory. */
void pf_records_clear(struct pf_records *);

/* Begin a record of a kind, without content; append 64 bits, a string with its
   NUL, or bytes to the content of the record begun last. If memory is short,
   set `failed`, after which all of them do nothing. */
void pf_records_begin_fact(struct pf_records *, enum pf_fact kind);
void pf_records_append_u64_to_fact(struct pf_records *, uint64_t);
void pf_records_append_string_to_fact(struct pf_records *, const char *);
void pf_records_append_raw_to_fact(struct pf_records *, const void *, size_t);

/* A record of a payload that is being read. */
struct pf_fact_reader {
	uint32_t kind;	 /* enum pf_fact, or an unknown kind */
	const char *pos; /* unread content of the record */
	const char *end; /* end of the record's content */
};

/* Find the record at *@offset of @payload and advance *@offset to the next one.
   Return: 1; 0 at the end of the payload; -EBADMSG. */
int pf_records_read_next_fact_or_0_at_end(const void *payload, size_t bytes,
					  size_t *offset,
					  struct pf_fact_reader *);

/* Read the next 64 bits of the content. Return: false if fewer are left. */
bool pf_fact_read_u64(struct pf_fact_reader *, uint64_t *);

/* Read the next string of the content, which stays in the payload. Return:
   false if there is none, or it has no NUL. */
bool pf_fact_read_string(struct pf_fact_reader *, const char **);

#endif
