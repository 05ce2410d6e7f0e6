/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jitdump.c - reads names of generated code from a jitdump file
 *
 * The format is that of perf(1), version 1, in this machine's byte order: a
 * header, then records with their size. Two kinds of records are used: loads
 * and moves of code.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/intern.h"
#include "lib/symbols/perf_map.h"

enum {
	MAGIC = 0x4a695444,
	VERSION = 1,
	CODE_LOAD = 0,
	CODE_MOVE = 1,
	MAX_RECORD = 64 << 20, /* [bytes] a record must be shorter */
};

struct head {
	uint32_t magic;
	uint32_t version;
	uint32_t bytes; /* [bytes] of the header of the jitdump file */
	uint32_t machine;
	uint32_t pad;
	uint32_t pid;
	uint64_t time;
	uint64_t flags;
};

struct record {
	uint32_t kind;
	uint32_t bytes; /* [bytes] of the record of the jitdump file, this
			   header included */
	uint64_t time;
};

/* Body of a record of new code; the NUL-terminated name and the code follow. */
struct load {
	uint32_t pid, tid;
	uint64_t vma;
	uint64_t address;
	uint64_t bytes;
	uint64_t index;
};

/* Body of a record of code that was copied to another address. */
struct move {
	uint32_t pid, tid;
	uint64_t vma;
	uint64_t from;
	uint64_t to;
	uint64_t bytes;
	uint64_t index;
};

/* Read the body of record @r from @f's position, but at most @max_bytes of it.
   Return: number of bytes read. */
static size_t read_record_body(FILE *f, const struct record *r, void *to,
			       size_t max_bytes)
{
	size_t bytes = r->bytes - sizeof(*r);

	return fread(to, 1, bytes < max_bytes ? bytes : max_bytes, f);
}

/* Read the body of a load record, and add the name of its code; nothing if the
   body is too short or the name is empty. Return: 0; -EINVAL if the range is
   empty or wraps; -ENOMEM. */
static int read_and_add_loaded_code_name(struct al_perfmap *m,
					 const struct record *r, FILE *f,
					 struct al_intern *strings)
{
	union {
		struct load l;
		char bytes[sizeof(struct load) + AL_PERFMAP_NAME + 1];
	} u;
	size_t n = read_record_body(f, r, &u, sizeof(u.bytes) - 1);

	u.bytes[n] = '\0';
	if (n <= sizeof(u.l) || u.bytes[sizeof(u.l)] == '\0')
		return 0;
	return al_perfmap_add(m, u.l.address, u.l.bytes,
			      al_intern_question_marks_if_no_memory(
				      strings, u.bytes + sizeof(u.l)));
}

/* Read the body of a move record, and add for the new address the name that was
   added last for the old address; nothing if there is none or the body is too
   short. *@steps_left: reduced by the number of names of other addresses that
   were compared; at 0 nothing is added.
   Return: 0; -EINVAL if the range is empty or wraps; -ENOMEM. */
static int read_and_add_name_of_moved_code(struct al_perfmap *m,
					   const struct record *r, FILE *f,
					   size_t *steps_left)
{
	struct move v;
	size_t i = m->n;

	if (read_record_body(f, r, &v, sizeof(v)) != sizeof(v))
		return 0;
	for (; i > 0 && *steps_left > 0 && m->item[i - 1].start != v.from; i--)
		--*steps_left;
	if (*steps_left == 0)
		return 0;
	return i > 0 ? al_perfmap_add(m, v.to, v.bytes, m->item[i - 1].name)
		     : 0;
}

/* Whether @h is a valid header of a jitdump file of version 1. */
static bool is_valid_jitdump_header(const struct head *h)
{
	return h->magic == MAGIC && h->version == VERSION &&
	       h->bytes >= sizeof(*h) && h->bytes < MAX_RECORD;
}

/* Read the header of the record at byte @offset of the file. Return: whether it
   could be read and has a valid length. */
static bool read_record_header_is_length_valid(struct record *r, FILE *f,
					       off_t offset)
{
	return !fseeko(f, offset, SEEK_SET) &&
	       fread(r, sizeof(*r), 1, f) == 1 && r->bytes >= sizeof(*r) &&
	       r->bytes < MAX_RECORD;
}

int al_jitdump_read_names(struct al_perfmap *m, FILE *f,
			  struct al_intern *strings)
{
	size_t n_left = AL_JITDUMP_RECORDS, steps = AL_JITDUMP_STEPS;
	struct record r;
	struct head h;
	off_t offset;
	int err = 0;

	if (fread(&h, sizeof(h), 1, f) != 1 || !is_valid_jitdump_header(&h))
		return -EBADMSG;
	for (offset = h.bytes;
	     err != -ENOMEM && m->n < AL_PERFMAP_NAMES && n_left > 0 &&
	     steps > 0 && read_record_header_is_length_valid(&r, f, offset);
	     offset += r.bytes, n_left--)
		if (r.kind == CODE_LOAD)
			err = read_and_add_loaded_code_name(m, &r, f, strings);
		else if (r.kind == CODE_MOVE)
			err = read_and_add_name_of_moved_code(m, &r, f, &steps);
	return err == -ENOMEM ? err : 0;
}
