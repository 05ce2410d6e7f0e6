/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * npy.c - writes the accesses as a NumPy array
 *
 * A record is a struct alleria_access without the pointers at its end.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "liballeria/export/atomic_file.h"

enum {
	HEADER = 320, /* [bytes] length of the header of the .npy file, a
			 multiple of 64 as its format requires */
	RECORD = 48,  /* [bytes] length of a record */
};

_Static_assert(offsetof(struct alleria_access, window) == RECORD - 4,
	       "the fields below are those of records.h");

static const char fields[] =
	"[('number', '<u8'), ('address', '<u8'), ('code', '<u8'), "
	"('instruction', '<u8'), ('thread', '<u4'), ('process', '<u4'), "
	"('size', '<u2'), ('kind', '|u1'), ('flags', '|u1'), "
	"('window', '<u4')]";

static int write_npy_header(struct ex_file *f, uint64_t access_count)
{
	static const char magic[] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0};
	const unsigned length = HEADER - sizeof(magic) - 2;
	char header[HEADER + 1];
	int offset = sizeof(magic) + 2;

	memcpy(header, magic, sizeof(magic));
	header[sizeof(magic)] = (char)(length & 0xff);
	header[sizeof(magic) + 1] = (char)(length >> 8);
	memset(header + offset, ' ', length);
	offset += snprintf(header + offset, length,
			   "{'descr': %s, 'fortran_order': False, "
			   "'shape': (%llu,), }",
			   fields, (unsigned long long)access_count);
	header[offset] = ' ';
	header[HEADER - 1] = '\n';
	return ex_file_write(f, header, HEADER);
}

/* Overwrite the header at the beginning of the file, because the number of
   accesses written, @access_count, is not the one that the profile states. */
static int rewind_and_write_npy_header(struct ex_file *f, uint64_t access_count)
{
	int err = ex_file_seek_to_start(f);

	return err ? err : write_npy_header(f, access_count);
}

static int write_access_records(struct ex_file *f,
				const struct alleria_access *a,
				long access_count)
{
	int err = 0;

	for (; !err && access_count > 0; access_count--, a++)
		err = ex_file_write(f, a, RECORD);
	return err;
}

static int write_npy(struct ex_export_job *job)
{
	uint64_t n_expected = alleria_run(job->profile)->counts.accesses, n = 0;
	const struct alleria_access *a;
	struct alleria_cursor *c = NULL;
	struct ex_file f;
	int err = ex_file_open_for_atomic_write(&f, job, job->path);
	long got =
		alleria_cursor_open(job->profile, ALLERIA_ACCESSES, NULL, &c);

	if (!err)
		err = write_npy_header(&f, n_expected);
	while (!err && ex_is_success_or_damage_noting_damage(job, got) &&
	       (got = alleria_accesses(c, &a)) != 0) {
		err = write_access_records(&f, a, got);
		n += got > 0 ? (uint64_t)got : 0;
	}
	if (got < 0 && !err)
		err = ex_set_job_error_return_minus_1(job, (int)got, c);
	if (!err && n != n_expected)
		err = rewind_and_write_npy_header(&f, n);
	alleria_cursor_close(c);
	return ex_file_commit_or_discard(&f, err);
}

extern const struct ex_format ex_npy;

const struct ex_format ex_npy = {
	.name = "npy",
	.summary = "the accesses as a NumPy array",
	.needs = ALLERIA_HAS_ALL_ADDRESSES,
	.write = write_npy,
};
