/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pf_sample.h - small profiles for tests
 *
 * Block i has a payload that is known by i. They lie in a folder of their own,
 * which sample_end() removes.
 */
#ifndef PF_SAMPLE_H
#define PF_SAMPLE_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/pf_head.h"
#include "profile/pf_reader.h"
#include "profile/pf_records.h"
#include "profile/pf_writer.h"

enum { SAMPLE_BYTES = 256 }; /* of a payload, at most */

static char sample_dir[] = "/tmp/alleria-profile.XXXXXX";
static char sample_path[sizeof(sample_dir) + 16];

static inline void sample_begin(void)
{
	if (!mkdtemp(sample_dir))
		abort();
	sprintf(sample_path, "%s/profile", sample_dir);
}

static inline void sample_end(void)
{
	unlink(sample_path);
	rmdir(sample_dir);
}

static inline size_t sample_payload(unsigned i, unsigned char *payload)
{
	size_t bytes = i % 7 * 30;
	unsigned x = i * 2654435761u + 12345;

	for (size_t b = 0; b < bytes; b++) {
		x = x * 1103515245 + 12345;
		payload[b] = (unsigned char)(x >> 24);
	}
	return bytes;
}

static inline struct pf_head sample_head(unsigned i)
{
	struct pf_head head = {.kind = i ? PF_UNITS : PF_RUN, .stream = i % 3};

	head.position = i / 3;
	head.words = i;
	head.begin_ns = 10 * i;
	head.end_ns = 10 * i + 5;
	head.before.reads = i;
	head.counts.writes = i;
	return head;
}

static inline int sample_put(struct pf_writer *w, struct pf_packer *p,
			     unsigned i)
{
	unsigned char payload[SAMPLE_BYTES];
	struct pf_head head = sample_head(i);
	struct pf_packed packed;

	if (pf_pack(p, &head, payload, sample_payload(i, payload), &packed))
		abort();
	return pf_put(w, &packed);
}

static inline int sample_finish(struct pf_writer *w, struct pf_packer *p)
{
	struct pf_head head = {.kind = PF_DONE, .stream = PF_NO_STREAM};
	struct pf_records r = {0};
	struct pf_packed done;
	int err;

	head.end_ns = 99;
	pf_add(&r, PF_STATUS);
	pf_add_string(&r, "complete");
	pf_add_string(&r, "");
	pf_add(&r, PF_WALL);
	pf_add_number(&r, 7);
	if (pf_pack(p, &head, r.data, r.bytes, &done))
		abort();
	err = pf_writer_finish(w, &done);
	pf_records_release(&r);
	return err;
}

/* A finished profile of @n blocks, or as many as can be put, and PF_DONE. 0;
   -errno. */
static inline int sample_write(unsigned n)
{
	char message[PF_MESSAGE];
	struct pf_packer *p = pf_packer_new(PF_LEVEL);
	struct pf_writer *w;
	int err;

	unlink(sample_path);
	w = pf_writer_open(sample_path, message);
	for (unsigned i = 0; i < n && !sample_put(w, p, i);)
		i++;
	err = sample_finish(w, p);
	pf_writer_free(w);
	pf_packer_free(p);
	return err;
}

static inline bool sample_is_head(const struct pf_head *got, unsigned i)
{
	struct pf_head want = sample_head(i);

	return got->kind == want.kind && got->stream == want.stream &&
	       got->position == want.position && got->words == want.words &&
	       got->begin_ns == want.begin_ns && got->end_ns == want.end_ns &&
	       !memcmp(&got->before, &want.before,
		       sizeof(want.before) + sizeof(want.counts));
}

/* Whether @entry is block @i to the last byte. */
static inline bool sample_is_block(struct pf_reader *r, struct pf_unpacker *u,
				   const struct pf_entry *entry, unsigned i)
{
	unsigned char want[SAMPLE_BYTES];
	size_t bytes = sample_payload(i, want);
	const void *got;

	return sample_is_head(&entry->head, i) && entry->head.bytes == bytes &&
	       !pf_load(r, u, entry, &got) && !memcmp(got, want, bytes);
}

/* Overwrites @bytes at @offset. */
static inline void sample_patch(uint64_t offset, const void *data, size_t bytes)
{
	int fd = open(sample_path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 ||
	    pwrite(fd, data, bytes, (off_t)offset) != (ssize_t)bytes ||
	    close(fd) < 0)
		abort();
}

static inline uint64_t sample_size(void)
{
	struct stat st;

	return stat(sample_path, &st) < 0 ? 0 : (uint64_t)st.st_size;
}

static inline void sample_read(uint64_t offset, void *data, size_t bytes)
{
	int fd = open(sample_path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || pread(fd, data, bytes, (off_t)offset) != (ssize_t)bytes ||
	    close(fd) < 0)
		abort();
}

/* [bytes] offset of the last index of a finished one. */
static inline uint64_t sample_index(void)
{
	struct pf_tail tail;

	sample_read(sample_size() - sizeof(tail), &tail, sizeof(tail));
	return tail.index;
}

/* To @bytes; zeros where they are more. */
static inline void sample_cut(uint64_t bytes)
{
	if (truncate(sample_path, (off_t)bytes) < 0)
		abort();
}

static inline struct pf_reader *sample_open(void)
{
	char message[PF_MESSAGE];

	return pf_reader_open(sample_path, message);
}

#endif
