/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recorder.c - runs `alleria run` and also writes a dump of a ring's data
 *
 * Threads: workers; each function below is called for one ring by one of them
 *          at a time.
 *
 * recorder --dump=FILE [--skip=N] [--keep=N] [what `alleria run` takes]
 *
 * The daemon is the unchanged code of alleriad, except that the linker replaces
 * calls of NAME, a function that reads from a ring, by calls of __wrap_NAME
 * below, which calls the replaced function as __real_NAME (-Wl,--wrap). Of the
 * first image whose ring is read, the dump has the log and, after the first
 * N chunks of --skip, the next N chunks of --keep.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/number.h"
#include "bench/dump.h"
#include "cli/commands/commands.h"
#include "daemon/client/ring.h"
#include "lib/config/settings.h"
#include "proto/unit.h"

__typeof__(al_settings_fields_tool_must_emit)
	__real_al_settings_fields_tool_must_emit,
	__wrap_al_settings_fields_tool_must_emit;
__typeof__(dm_ring_copy_and_consume_log) __real_dm_ring_copy_and_consume_log,
	__wrap_dm_ring_copy_and_consume_log;
__typeof__(dm_ring_increment_local_consumed_chunks)
	__real_dm_ring_increment_local_consumed_chunks,
	__wrap_dm_ring_increment_local_consumed_chunks;
__typeof__(dm_ring_find_unpublished_chunk)
	__real_dm_ring_find_unpublished_chunk,
	__wrap_dm_ring_find_unpublished_chunk;

static FILE *file;
static uint64_t skip, keep = UINT64_MAX;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct dm_ring *first; /* guarded by lock */
static uint32_t fields;		    /* guarded by lock */

static uint64_t n_chunks; /* chunks read from the first image's ring so far */

static bool is_ring_of_first_image_store_if_none(const struct dm_ring *r)
{
	bool is;

	pthread_mutex_lock(&lock);
	if (!first)
		first = r;
	is = first == r;
	pthread_mutex_unlock(&lock);
	return is;
}

static void append_part_to_dump_file(const struct dm_ring *r,
				     enum dump_kind kind, const void *data,
				     size_t bytes)
{
	struct dump_head head = {.magic = DUMP_MAGIC,
				 .chunk_bytes = r->shape.chunk_bytes};
	struct dump_part part = {.kind = kind, .bytes = (uint32_t)bytes};

	pthread_mutex_lock(&lock);
	head.fields = fields;
	pthread_mutex_unlock(&lock);
	if (!ftell(file))
		fwrite(&head, sizeof(head), 1, file);
	fwrite(&part, sizeof(part), 1, file);
	fwrite(data, 1, bytes, file);
}

/* Append a copy of the next chunk of the first image to the dump, unless it is
   among the first ones that --skip excludes, or the
   number of --keep was written. @end: offset at which
   its units end [bytes], also stored in the copy at offset 8. */
static void append_chunk_to_dump_unless_skipped(const struct dm_ring *r,
						const uint64_t *units,
						uint64_t end)
{
	uint64_t n = n_chunks++;
	char *copy;

	if (n < skip || n - skip >= keep || end > r->shape.chunk_bytes)
		return;
	copy = malloc(end);
	if (!copy)
		return;
	memcpy(copy, units, end);
	memcpy(copy + 8, &end, 8);
	append_part_to_dump_file(r, DUMP_CHUNK, copy, end);
	free(copy);
}

uint32_t __wrap_al_settings_fields_tool_must_emit(const struct al_settings *s)
{
	uint32_t f = __real_al_settings_fields_tool_must_emit(s);

	pthread_mutex_lock(&lock);
	fields = f;
	pthread_mutex_unlock(&lock);
	return f;
}

int __wrap_dm_ring_copy_and_consume_log(struct dm_ring *r, void *to,
					size_t *bytes)
{
	int err = __real_dm_ring_copy_and_consume_log(r, to, bytes);

	/* Log data read directly after the last chunk of the dump is kept, too:
	   it may describe that chunk; see daemon/client/ring_reader.c. */
	if (!err && *bytes && is_ring_of_first_image_store_if_none(r) &&
	    (n_chunks <= skip || n_chunks - skip <= keep))
		append_part_to_dump_file(r, DUMP_LOG, to, *bytes);
	return err;
}

void __wrap_dm_ring_increment_local_consumed_chunks(struct dm_ring *r)
{
	const uint64_t *chunk = dm_ring_start_of_oldest_unconsumed_chunk(r);

	if (is_ring_of_first_image_store_if_none(r))
		append_chunk_to_dump_unless_skipped(
			r, chunk,
			pt_read_shared_unaligned_u64_once(
				(const uint32_t *)chunk + 2));
	__real_dm_ring_increment_local_consumed_chunks(r);
}

const uint64_t *__wrap_dm_ring_find_unpublished_chunk(const struct dm_ring *r,
						      bool alive, size_t *end)
{
	const uint64_t *units =
		__real_dm_ring_find_unpublished_chunk(r, alive, end);

	if (*end > PT_CHUNK_HEAD && is_ring_of_first_image_store_if_none(r))
		append_chunk_to_dump_unless_skipped(r, units, *end);
	return units;
}

/* Store the value of --dump in @path, or that of --skip or --keep. Return
   false if @arg is none of these options, or its number is not valid. */
static bool parse_recorder_option_is_valid(const char *arg, const char **path)
{
	if (!strncmp(arg, "--dump=", 7))
		*path = arg + 7;
	else if (!strncmp(arg, "--skip=", 7))
		return !al_number_parse_digits_only(arg + 7, &skip);
	else if (!strncmp(arg, "--keep=", 7))
		return !al_number_parse_digits_only(arg + 7, &keep);
	else
		return false;
	return true;
}

int main(int argc, char **argv)
{
	const char *path = NULL;
	int i = 1, status;

	while (i < argc && parse_recorder_option_is_valid(argv[i], &path))
		i++;
	file = path ? fopen(path, "we") : NULL;
	if (!file) {
		fprintf(stderr, "recorder: --dump=FILE: %s\n",
			path ? "cannot be written" : "is missing");
		return CL_WRONG_USAGE;
	}
	status = cl_run_program_under_valgrind(argc - i, argv + i);
	if (fflush(file) || ferror(file)) {
		fprintf(stderr, "recorder: cannot write '%s'\n", path);
		status = CL_WRONG_USAGE;
	}
	fclose(file);
	return status;
}
