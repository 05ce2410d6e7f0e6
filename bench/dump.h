/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dump.h - the ring stream of one process image, in a file
 *
 * Threads: one.
 *
 * Private to this folder: no profile, no promise, read by the build that wrote
 * it. A head, then parts: descriptors as they came through the log, and chunks
 * without what is behind their units.
 */
#ifndef BENCH_DUMP_H
#define BENCH_DUMP_H

#include <stddef.h>
#include <stdint.h>

enum { DUMP_MAGIC = 0x316d6441 }; /* "Adm1" */

struct dump_head {
	uint32_t magic;
	uint32_t fields;      /* enum pt_fields that the tool emitted */
	uint32_t chunk_bytes; /* of the ring that it was taken from */
	uint32_t pad;
};

enum dump_kind { DUMP_LOG = 1, DUMP_CHUNK = 2 };

struct dump_part {
	uint32_t kind;	/* enum dump_kind */
	uint32_t bytes; /* that follow */
};

struct dump_buffer {
	const void *data;
	size_t bytes;
};

struct dump {
	struct dump_head head;
	char *file; /* the whole of it */
	struct dump_buffer *log;
	size_t n_log;
	struct dump_buffer *chunk;
	size_t n_chunks; /* >= 1 */
	uint64_t bytes;	 /* of all chunks */
};

/**
 * dump_read() - Bring a dump into memory.
 * @message: [DUMP_MESSAGE] receives one line on error.
 *
 * Return: 0; -1. Release it either way.
 */
enum { DUMP_MESSAGE = 256 };
int dump_read(struct dump *, const char *path, char *message);
void dump_release(struct dump *);

#endif
