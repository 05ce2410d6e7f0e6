/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_byhand.h - runs made by hand, of real streams with a toy analysis
 */
#ifndef AL_BYHAND_H
#define AL_BYHAND_H

#include <stdlib.h>
#include <string.h>

#include "lib/al_run.h"
#include "lib/al_symbols.h"
#include "proto/pt_ring.h"

enum { CHUNK = PT_MIN_CHUNK };

/* ---- an analysis that counts batches' executions ---- */

static int count_batch(void *state, const struct an_batch *batch)
{
	*(uint64_t *)state += batch->n_execs;
	return 0;
}

static int count_merge(void *into, const void *from)
{
	*(uint64_t *)into += *(const uint64_t *)from;
	return 0;
}

static void count_totals(const void *state, struct an_sink *out)
{
	out->number(out, "execs", *(const uint64_t *)state);
}

static void count_report(const void *state, struct an_sink *out)
{
	out->number(out, "all", *(const uint64_t *)state);
}

static void count_print(const void *state, struct an_text *out)
{
	(void)state;
	out->heading(out, "executions");
}

static const struct an_class counter = {
	.name = "counter",
	.state_size = sizeof(uint64_t),
	.batch = count_batch,
	.merge = count_merge,
	.totals = count_totals,
	.report = count_report,
	.print = count_print,
};

static struct al_settings settings = {
	.analysis = {{.class = &counter}},
	.n_analyses = 1,
	.workers = 2,
	.cache[0].geometry =
		{
			.level = {{"I1", AN_INSTRUCTION, 32768, 8, 64, 64, 2},
				  {"D1", AN_DATA, 49152, 12, 64, 64, 2},
				  {"LL", AN_UNIFIED, 1 << 25, 16, 64, 32768,
				   AN_MEMORY}},
			.n_levels = 3,
			.first_data = 1,
		},
	.n_caches = 1,
	.geometry_is_host = true,
};

/* ---- a stream by hand ---- */

/* One block: two instructions, the second loads 8 bytes. */
static const struct block_record {
	struct pt_log_block block;
	struct pt_instr instr[2];
	struct pt_access access;
	struct pt_exit exit;
	uint8_t code[8];
} block = {
	.block = {.head = {PT_LOG_BLOCK, sizeof(block)},
		  .n_instrs = 2,
		  .n_accesses = 1,
		  .n_exits = 1,
		  .n_code = 8,
		  .n_slots = 1},
	.instr = {{.addr = 0x1000, .len = 4}, {.addr = 0x1004, .len = 4}},
	.access = {.instr = 1, .size = 8, .kind = PT_LOAD},
	.exit = {.n_instrs = 2,
		 .n_accesses = 1,
		 .bytes = 12,
		 .jump = PT_JUMP_BORING},
};

static uint64_t chunk[CHUNK / 8];
static size_t used; /* [bytes] */

static inline void put(const void *data, size_t bytes)
{
	memcpy((char *)chunk + used, data, bytes);
	used += bytes;
}

static inline void unit(enum pt_kind kind, uint32_t id, uint64_t word)
{
	uint64_t head = pt_control(kind, id, 16);

	put(&head, sizeof(head));
	put(&word, sizeof(word));
}

static inline void start_chunk(void)
{
	used = 0;
	unit(PT_CHUNK, 0, 0);
}

/* The block, reading from @address. */
static inline void execute(uint64_t address)
{
	uint32_t header = pt_block_header(0, pt_block_bytes(1));

	put(&header, sizeof(header));
	put(&address, sizeof(address));
}

static inline void feed(struct al_stream *s)
{
	chunk[1] = used;
	al_stream_chunk(s, chunk, CHUNK, 0);
	al_stream_finish(s);
}

/* ---- processes ---- */

static struct al_symbols *symbols;
static struct al_run *run;

static inline void start_run(void)
{
	al_run_free(run);
	run = al_run_new(&settings, symbols);
}

static inline struct al_stream *start_image(struct al_process *p,
					    const char *name)
{
	const char *argv[] = {name, "-x", NULL};
	struct al_image image = {.argv = argv, .valgrind = "3.19.0"};
	struct al_stream *s = al_process_image(p, &image, NULL);

	al_stream_log(s, &block, sizeof(block));
	start_chunk();
	unit(PT_THREAD_START, 1, 0);
	return s;
}

/* The image is what the chunk holds. */
static inline void end_image(struct al_process *p, struct al_stream *s)
{
	feed(s);
	al_process_image_over(p, s);
	al_process_image_gone(p, s);
}

/* A process that executes the block @n times. */
static inline struct al_process *process(pid_t pid, struct al_process *parent,
					 unsigned n)
{
	struct al_process *p = al_run_process(run, pid, parent);
	struct al_stream *s = start_image(p, "prog");

	while (n--)
		execute(0x7000);
	end_image(p, s);
	al_process_end(p, AL_EXITED, 0);
	return p;
}

static char *text;
static size_t size;

static inline const char *json(void)
{
	FILE *f;

	free(text);
	f = open_memstream(&text, &size);
	al_run_write_json(run, f);
	fclose(f);
	return text;
}

static inline const char *report(bool colour)
{
	FILE *f;

	free(text);
	f = open_memstream(&text, &size);
	al_run_print(run, f, colour);
	fclose(f);
	return text;
}

static inline bool says(const char *where, const char *what)
{
	if (strstr(where, what))
		return true;
	printf("# no '%s' in:\n# %s\n", what, where);
	return false;
}

static inline void start_test(void)
{
	symbols = al_symbols_new();
}

static inline void end_test(void)
{
	al_run_free(run);
	al_symbols_free(symbols);
	free(text);
}

#endif
