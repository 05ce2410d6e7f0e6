/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records.h - payloads that are records: made and gone through
 *
 * Threads: one at a time.
 */
#ifndef PROFILE_FORMAT_RECORDS_H
#define PROFILE_FORMAT_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/format/format.h"

/* A payload in the making. Zeroed: empty. */
struct pf_records {
	char *data;
	size_t bytes;
	size_t size;
	size_t record; /* where the one being made begins */
	bool failed;   /* memory was short: of no use */
};

void pf_records_release(struct pf_records *);
void pf_records_empty(struct pf_records *);

/* Begins a record; what follows is its content. */
void pf_add(struct pf_records *, enum pf_fact kind);
void pf_add_number(struct pf_records *, uint64_t);
void pf_add_string(struct pf_records *, const char *);
void pf_add_bytes(struct pf_records *, const void *, size_t);

/* Where one stands in a payload that was read. */
struct pf_fact_in {
	uint32_t kind;	 /* enum pf_fact, or one not known */
	const char *at;	 /* content not yet taken */
	const char *end; /* of it */
};

/* The next record of @payload from @offset, which is moved on. 1; 0 at the end;
   -EBADMSG. */
int pf_next_fact(const void *payload, size_t bytes, size_t *offset,
		 struct pf_fact_in *);

/* Take the next of its content; false when there is none, or no whole one. */
bool pf_take_number(struct pf_fact_in *, uint64_t *);
bool pf_take_string(struct pf_fact_in *, const char **);

#endif
