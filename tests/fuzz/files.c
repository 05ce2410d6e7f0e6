/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * files.c - what readers make of files of arbitrary bytes
 *
 * Arbitrary bytes hardly ever have the right checksums, so there are profiles,
 * too, of blocks that have them and whose heads and payloads are arbitrary.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/config/cache/cache_file.h"
#include "lib/verify/verify.h"
#include "profile/format/head.h"
#include "profile/format/reader.h"
#include "profile/format/writer.h"
#include "tests/fuzz/fuzz.h"

/* A file that is nowhere but can be opened again. */
struct file {
	int fd;
	char path[32];
};

static void make(struct file *f)
{
	f->fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (f->fd < 0)
		abort();
	snprintf(f->path, sizeof(f->path), "/proc/self/fd/%d", f->fd);
}

static void append(const struct file *f, const void *data, size_t bytes)
{
	if (write(f->fd, data, bytes) != (ssize_t)bytes)
		abort();
}

static void load_all(const char *path)
{
	char message[AL_MESSAGE];
	struct pf_reader *r = pf_reader_open(path, message);
	struct pf_unpacker *u = pf_unpacker_new();
	const struct pf_entry *e;
	const void *payload;
	size_t n = 0;

	e = r ? pf_reader_entries(r, &n) : NULL;
	for (size_t i = 0; i < n; i++)
		pf_reader_load_block(r, u, &e[i], &payload);
	pf_unpacker_free(u);
	pf_reader_close(r);
}

static void verify(const char *path)
{
	char message[AL_MESSAGE];
	FILE *out = fopen("/dev/null", "w");

	al_verify_print_and_count_faults(path, out, message);
	fclose(out);
}

void fuzz_file(const uint8_t *data, size_t bytes)
{
	struct file f;

	make(&f);
	append(&f, data, bytes);
	load_all(f.path);
	verify(f.path);
	close(f.fd);
}

/* How a block begins; its payload follows. */
struct wish {
	uint8_t kind;
	uint8_t stream;
	uint16_t bytes;
	uint32_t words; /* of units, a multiple of 4 */
	uint8_t position;
	uint8_t head[7]; /* what else its head says, bit by bit */
};

/* Appends a block. */
static void put(const struct file *f, struct pf_packer *p,
		const struct wish *wish, const void *payload, uint64_t sequence)
{
	struct pf_head head = {
		.kind = wish->kind,
		.stream = wish->stream,
		.position = wish->position,
		.words = wish->words % (1 << 20),
		.begin_ns = wish->head[0],
		.end_ns = wish->head[1],
		.thread = wish->head[2],
		.marks = wish->head[3],
		.threads = wish->head[4],
	};
	struct pf_packed packed;

	head.counts.instructions = wish->head[5];
	head.counts.reads = wish->head[6];
	if (pf_pack_payload(p, &head, payload, wish->bytes, &packed))
		abort();
	packed.head.sequence = sequence;
	pf_head_set_crc(&packed.head);
	append(f, &packed.head, sizeof(packed.head));
	append(f, packed.payload, packed.head.packed);
	append(f, "\0\0\0\0\0\0\0",
	       pf_round_up_to_block_alignment(packed.head.packed) -
		       packed.head.packed);
}

void fuzz_profile(const uint8_t *data, size_t bytes)
{
	struct pf_packer *p = pf_packer_new(1);
	uint64_t sequence = 0;
	struct wish wish;
	struct file f;

	make(&f);
	while (bytes >= sizeof(wish)) {
		memcpy(&wish, data, sizeof(wish));
		data += sizeof(wish);
		bytes -= sizeof(wish);
		if (wish.bytes > bytes)
			wish.bytes = (uint16_t)bytes;
		put(&f, p, &wish, data, sequence++);
		data += wish.bytes;
		bytes -= wish.bytes;
	}
	verify(f.path);
	pf_packer_free(p);
	close(f.fd);
}

/* A cache file. */
void fuzz_cache(const uint8_t *data, size_t bytes)
{
	char message[AL_MESSAGE];
	struct an_geometry g = {0};
	struct file f;

	make(&f);
	append(&f, data, bytes);
	if (!al_cachefile_read(f.path, &g, message))
		free(g.sweep);
	close(f.fd);
}
