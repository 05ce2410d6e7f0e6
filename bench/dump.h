/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dump.h - reads a file that holds what one process image wrote into its ring
 *
 * Threads: one.
 *
 * The format is private to bench/ and may change with each build. The file
 * holds a head, then parts: pieces of the ring's log, which hold descriptors,
 * and chunks, up to the end of their units.
 */
#ifndef BENCH_DUMP_H
#define BENCH_DUMP_H

#include <stddef.h>
#include <stdint.h>

enum { DUMP_MAGIC = 0x316d6441 }; /* "Adm1" */

struct dump_head {
	uint32_t magic;
	uint32_t fields;      /* enum pt_fields that the tool emitted */
	uint32_t chunk_bytes; /* size of a chunk of the recorded ring */
	uint32_t pad;
};

enum dump_kind { DUMP_LOG = 1, DUMP_CHUNK = 2 };

struct dump_part {
	uint32_t kind;	/* enum dump_kind */
	uint32_t bytes; /* number of bytes that follow this structure */
};

struct dump_buffer {
	const void *data;
	size_t bytes;
};

struct dump {
	struct dump_head head;
	char *file; /* content of the file; the buffers point into it */
	struct dump_buffer *log;
	size_t n_log;
	struct dump_buffer *chunk;
	size_t n_chunks; /* number of chunks, >= 1 */
	uint64_t bytes;	 /* sum of the sizes of the chunks */
};

/**
 * dump_read() - Read a dump file into memory.
 * @message: [DUMP_MESSAGE] receives one line on error.
 *
 * Return: 0; -1 on error. The caller calls dump_release() in both cases.
 */
enum { DUMP_MESSAGE = 256 };
int dump_read(struct dump *, const char *path, char *message);
void dump_release(struct dump *);

#endif
