/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * name_table.h - appends the name of each executed instruction, and of the
 *                code in call stacks of allocations, to a profile, once
 *
 * Threads: one at a time.
 */
#ifndef LIB_RECORD_NAME_TABLE_H
#define LIB_RECORD_NAME_TABLE_H

#include "base/tables/key_table.h"
#include "profile/format/records.h"

struct al_executed;
struct al_site_code;
struct al_symbols;

/* Length of the code that one struct al_name_bitmap covers. [bytes] */
enum { AL_NAME_BITMAP_BYTES = 512 };

/* Bitmap of AL_NAME_BITMAP_BYTES bytes of an object's code: a bit for each byte
   at which a named instruction begins. */
struct al_name_bitmap {
	uint64_t bits[AL_NAME_BITMAP_BYTES /
		      64]; /* a bit for each byte of code, by symbol value
			      modulo AL_NAME_BITMAP_BYTES */
};

/* The names that have been written to a profile. Initialise with zeros. */
struct al_name_table {
	struct al_key_table objects; /* numbers the paths of objects */
	struct al_key_table texts; /* numbers the texts: functions and files */
	struct al_key_table sources;   /* source files whose hash has been
					written, or could not be computed */
	struct al_key_table ranges;    /* numbers pairs (number of the object,
				       symbol value / AL_NAME_BITMAP_BYTES) */
	struct al_name_bitmap *bitmap; /* bitmap of each range, by the number in
					  `ranges` */
	uint32_t bitmaps_size;
};

/* Code that is to be named, and how much of it has been examined. */
struct al_unnamed_code {
	const struct al_executed *executed;
	const struct al_site_code *sites; /* code in call stacks of allocations;
					     NULL: none */
	uint32_t next_block;   /* index of the first block of `executed` that
				  has not been examined; 0 at first */
	uint32_t next_address; /* index of the first address of `sites` that has
				  not been examined; 0 at first */
};

/**
 * al_name_table_append_names_return_more() - Append records that name those
 * instructions of executed blocks, and those addresses in call stacks of
 * allocations, that the profile does not name yet.
 * @code: advanced to the first block or address that was not examined.
 * @records: receives PF_OBJECT, PF_TEXT, PF_SOURCE, PF_CODE and PF_CALL, until
 *           all code is done or the records are large; at most PF_MAX_BYTES.
 *           Texts longer than 16 KiB are shortened.
 *
 * Return: 1: code may be left, call again; 0: all code is done; -ENOMEM.
 */
int al_name_table_append_names_return_more(struct al_name_table *,
					   struct al_unnamed_code *code,
					   struct al_symbols *,
					   struct pf_records *records);

void al_name_table_release(struct al_name_table *);

#endif
