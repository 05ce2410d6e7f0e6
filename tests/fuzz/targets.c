/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * targets.c - decoders, and what each makes of arbitrary bytes
 */
#include <stdlib.h>
#include <string.h>

#include "lib/recover/chunk_counts.h"
#include "lib/recover/recover.h"
#include "lib/symbols/symbols.h"
#include "profile/codec/codec.h"
#include "profile/format/records.h"
#include "proto/window.h"
#include "tests/fuzz/fuzz.h"

/* A number at the front, as far as there is one. */
static uint32_t take_number(const uint8_t **data, size_t *bytes)
{
	uint32_t number = 0;
	size_t n = *bytes < 4 ? *bytes : 4;

	if (n)
		memcpy(&number, *data, n);
	*data += n;
	*bytes -= n;
	return number;
}

static void *copy(const void *data, size_t bytes, size_t behind)
{
	char *p = calloc(1, bytes + behind + !(bytes + behind));

	if (!p)
		abort();
	if (bytes)
		memcpy(p, data, bytes);
	return p;
}

/* 32 bits: how many bytes of units; code. */
static void code(const uint8_t *data, size_t bytes)
{
	size_t n = take_number(&data, &bytes) % (1 << 20) / 4 * 4;
	struct pf_coder *c = pf_coder_new();
	void *exact = copy(data, bytes, 0),
	     *again = malloc(pf_max_code_bytes(n));
	void *words = copy(NULL, 0, n);

	/* Decoded words can be encoded again. */
	if (!pf_decode_chunk(c, exact, bytes, words, n) && n &&
	    !pf_encode_chunk(c, words, n, again))
		abort();
	free(words);
	free(again);
	free(exact);
	pf_coder_free(c);
}

/* Units that are coded come back. */
static void units(const uint8_t *data, size_t bytes)
{
	struct pf_coder *c = pf_coder_new();
	size_t n = bytes / 4 * 4, code_bytes;
	void *words = copy(data, n, 0), *again = copy(NULL, 0, n);
	void *out = malloc(pf_max_code_bytes(n));

	code_bytes = pf_encode_chunk(c, words, n, out);
	if (code_bytes && (pf_decode_chunk(c, out, code_bytes, again, n) ||
			   memcmp(words, again, n)))
		abort();
	free(out);
	free(again);
	free(words);
	pf_coder_free(c);
}

static void records(const uint8_t *data, size_t bytes)
{
	void *exact = copy(data, bytes, 0);
	struct pf_fact_reader f;
	const char *string;
	size_t offset = 0;
	uint64_t number;

	while (pf_records_read_next_fact_or_0_at_end(exact, bytes, &offset,
						     &f) > 0) {
		if (f.kind % 2)
			pf_fact_read_u64(&f, &number);
		while (pf_fact_read_string(&f, &string))
			if (strlen(string) > bytes)
				abort();
	}
	free(exact);
}

static void recover(struct al_recovery *all, const uint8_t *data, size_t bytes)
{
	struct al_recoverer r = {.recovery = all};
	struct al_recovered_chunk p = {.bytes = bytes / 4 * 4};
	struct al_unit_reader c = {.end = bytes / 4};
	uint32_t *words = copy(data, p.bytes, 8); /* a slot may be read */

	p.base = c.base = words;
	if (al_recovered_chunk_clear_and_reserve(&p))
		abort();
	if (c.end)
		al_recover_units(&r, &c, &p);
	al_recoverer_set_counts_and_far_pages(&r, &p);
	al_recoverer_add_counts_to_blocks(&r);
	al_recovery_uncount_and_clear_chunk(all, &p);
	al_recovered_chunk_release(&p);
	al_recoverer_release(&r);
	free(words);
}

/* A window of thread 1, and one of all threads. */
static const struct {
	struct pt_plan plan;
	struct pt_lane lane[2];
} by_thread = {
	.plan = {.windows = {.n = 2}, .lanes = {sizeof(struct pt_plan), 2}},
	.lane = {{.window = 0, .thread = 1}, {.window = 1}},
};

/* 32 bits: how many bytes of log records; these; units. By a plan where the
   rest is odd. */
static void log_and_units(const uint8_t *data, size_t bytes)
{
	size_t n = take_number(&data, &bytes);
	struct al_symbols *symbols = al_symbols_new();
	struct al_recovery all;
	void *log;

	n = n < bytes ? n : bytes;
	log = copy(data, n, 0);
	al_recovery_init(&all, al_symbols_intern_table(symbols));
	if (bytes % 2)
		al_recovery_set_thread_filters_from_plan(&all, &by_thread.plan);
	al_blocks_parse_and_store_log(&all.blocks, log, n);
	recover(&all, data + n, bytes - n);
	al_recovery_release(&all);
	al_symbols_free(symbols);
	free(log);
}

const struct fuzz_target fuzz_targets[] = {
	{"code", code},
	{"units", units},
	{"records", records},
	{"log", log_and_units},
	{"cache", fuzz_cache},
	{"file", fuzz_file},
	{"profile", fuzz_profile},
	{"window", fuzz_window},
	{"plan", fuzz_plan},
	{"calls", fuzz_calls},
	{"data", fuzz_data},
	{"allocators", fuzz_allocators},
	{NULL, NULL},
};

const struct fuzz_target *fuzz_find(const char *name)
{
	for (const struct fuzz_target *t = fuzz_targets; t->name; t++)
		if (!strcmp(t->name, name))
			return t;
	return NULL;
}
