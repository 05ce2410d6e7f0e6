/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * coder.c - measures how well and how fast the units of a dump are encoded and
 * compressed
 *
 * Threads: one.
 *
 * coder [--chunk=SIZE] [--runs=N] DUMP: joins chunks of the dump to chunks of
 * at most SIZE bytes, and encodes, packs, unpacks and decodes each of them N
 * times. For each chunk and step the shortest of the N times is used.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zstd.h>

#include "base/text/number.h"
#include "bench/dump.h"
#include "profile/codec/codec.h"
#include "profile/format/writer.h"
#include "proto/log.h"
#include "proto/unit.h"

enum { WRONG_USAGE = 2 };

struct figures {
	uint64_t units, raw, code, packed;
	uint64_t accesses;
	double encode, pack, unpack, decode; /* [ns] */
};

struct bench {
	struct dump dump;
	uint64_t chunk, runs;
	uint16_t *accesses; /* [PT_MAX_ROUTES] accesses that a block unit
			       with this route (exit of a block) stands for */
	struct pf_coder *coder;
	struct pf_packer *pack;
	struct pf_packed packed;
	ZSTD_DCtx *unpack;
	char *units, *code, *again, *decoded;
	struct figures figures;
};

static double monotonic_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void store_elapsed_ns_if_least(double *least_ns, double start_ns)
{
	double took = monotonic_ns() - start_ns;

	if (!*least_ns || took < *least_ns)
		*least_ns = took;
}

static void store_access_counts_of_block(struct bench *b, const char *record)
{
	struct pt_log_block block;
	struct pt_exit exit;
	unsigned i;

	memcpy(&block, record, sizeof(block));
	record += sizeof(block) + block.n_instrs * sizeof(struct pt_instr) +
		  block.n_accesses * sizeof(struct pt_access);
	for (i = 0; i < block.n_exits; i++) {
		memcpy(&exit, record + i * sizeof(exit), sizeof(exit));
		if (block.route + i < PT_MAX_ROUTES)
			b->accesses[block.route + i] = exit.n_accesses;
	}
}

static void store_access_counts_of_log(struct bench *b,
				       const struct dump_buffer *log)
{
	struct pt_log_head head;
	size_t offset;

	for (offset = 0; offset + sizeof(head) <= log->bytes;
	     offset += head.bytes) {
		memcpy(&head, (const char *)log->data + offset, sizeof(head));
		if (!head.bytes)
			return;
		if (head.kind == PT_LOG_BLOCK)
			store_access_counts_of_block(
				b, (const char *)log->data + offset);
	}
}

static void count_units_accesses_and_bytes(struct bench *b, size_t bytes)
{
	uint32_t header;
	size_t offset;

	for (offset = 0; offset < bytes;
	     offset += pt_unit_length_in_bytes(header)) {
		memcpy(&header, b->units + offset, 4);
		b->figures.units++;
		if (pt_unit_is_block(header))
			b->figures.accesses +=
				b->accesses[pt_block_unit_route(header)];
	}
	b->figures.raw += bytes;
}

/* Encode, pack, unpack and decode the first @bytes bytes of @b->units @b->runs
   times, and add the sizes and the shortest times to @b->figures. Return false
   if packing or decoding fails, or the decoded units differ. */
static bool time_coding_of_chunk_is_lossless(struct bench *b, size_t bytes)
{
	struct figures best = {0};
	struct pf_head head = {.kind = PF_UNITS};
	size_t code = 0;
	uint64_t i;
	double t;

	for (i = 0; i < b->runs; i++) {
		t = monotonic_ns();
		code = pf_encode_chunk(b->coder, b->units, bytes, b->code);
		store_elapsed_ns_if_least(&best.encode, t);
		t = monotonic_ns();
		if (pf_pack_payload(b->pack, &head, b->code, code, &b->packed))
			return false;
		store_elapsed_ns_if_least(&best.pack, t);
		t = monotonic_ns();
		ZSTD_decompressDCtx(b->unpack, b->again, code,
				    b->packed.payload, b->packed.head.packed);
		store_elapsed_ns_if_least(&best.unpack, t);
		t = monotonic_ns();
		if (pf_decode_chunk(b->coder, b->again, code, b->decoded,
				    bytes))
			return false;
		store_elapsed_ns_if_least(&best.decode, t);
	}
	b->figures.code += code;
	b->figures.packed += b->packed.head.packed;
	b->figures.encode += best.encode;
	b->figures.pack += best.pack;
	b->figures.unpack += best.unpack;
	b->figures.decode += best.decode;
	return !memcmp(b->units, b->decoded, bytes);
}

/* Join chunks of the dump while their sum is at most @b->chunk bytes, and
   measure each joined chunk. Return false at the first one that fails. */
static bool time_coding_of_dump_is_lossless(struct bench *b)
{
	size_t i, bytes = 0;

	for (i = 0; i < b->dump.n_chunks; i++) {
		struct dump_buffer *c = &b->dump.chunk[i];

		memcpy(b->units + bytes, c->data, c->bytes);
		bytes += c->bytes;
		if (i + 1 < b->dump.n_chunks &&
		    bytes + b->dump.chunk[i + 1].bytes <= b->chunk)
			continue;
		count_units_accesses_and_bytes(b, bytes);
		if (!time_coding_of_chunk_is_lossless(b, bytes))
			return false;
		bytes = 0;
	}
	return true;
}

static void print_sizes_and_times(const struct figures *f)
{
	double n = (double)f->units, a = (double)(f->accesses | !f->accesses);

	printf("%llu units, %.2f accesses each; bytes %llu, coded %llu, packed "
	       "%llu\n"
	       "bytes per access: %.3f, coded %.4f, packed %.4f\n"
	       "ns per unit: encode %.1f, pack %.1f, unpack %.1f, decode "
	       "%.1f\n",
	       (unsigned long long)f->units, a / n, (unsigned long long)f->raw,
	       (unsigned long long)f->code, (unsigned long long)f->packed,
	       (double)f->raw / a, (double)f->code / a, (double)f->packed / a,
	       f->encode / n, f->pack / n, f->unpack / n, f->decode / n);
}

static bool allocate_coders_and_read_log(struct bench *b)
{
	size_t bound, i;

	for (i = 0; i < b->dump.n_chunks; i++)
		if (b->dump.chunk[i].bytes > b->chunk)
			b->chunk = b->dump.chunk[i].bytes;
	bound = pf_max_code_bytes(b->chunk);
	b->accesses = calloc(PT_MAX_ROUTES, sizeof(*b->accesses));
	b->coder = pf_coder_new();
	b->pack = pf_packer_new(PF_LEVEL);
	b->unpack = ZSTD_createDCtx();
	b->units = malloc(b->chunk);
	b->decoded = malloc(b->chunk);
	b->code = malloc(bound);
	b->again = malloc(bound);
	if (!b->accesses || !b->coder || !b->pack || !b->unpack || !b->units ||
	    !b->decoded || !b->code || !b->again)
		return false;
	for (i = 0; i < b->dump.n_log; i++)
		store_access_counts_of_log(b, &b->dump.log[i]);
	return true;
}

static void free_dump_coders_and_buffers(struct bench *b)
{
	dump_release(&b->dump);
	pf_coder_free(b->coder);
	pf_packer_free(b->pack);
	ZSTD_freeDCtx(b->unpack);
	free(b->accesses);
	free(b->units);
	free(b->decoded);
	free(b->code);
	free(b->again);
}

/* Store the value of option @arg. Return false if @arg is no option of coder,
   or its value is not valid. */
static bool parse_option_is_valid(struct bench *b, const char *arg)
{
	if (!strncmp(arg, "--chunk=", 8))
		return !al_size_parse_optional_kmg(arg + 8, &b->chunk);
	if (!strncmp(arg, "--runs=", 7))
		return !al_number_parse_digits_only(arg + 7, &b->runs) &&
		       b->runs;
	return false;
}

int main(int argc, char **argv)
{
	struct bench b = {.chunk = 2 << 20, .runs = 3};
	char message[DUMP_MESSAGE];
	int status = 1, i = 1;

	while (i < argc && parse_option_is_valid(&b, argv[i]))
		i++;
	if (i + 1 != argc) {
		fprintf(stderr,
			"usage: coder [--chunk=SIZE] [--runs=N] DUMP\n");
		return WRONG_USAGE;
	}
	if (dump_read(&b.dump, argv[i], message)) {
		fprintf(stderr, "coder: %s\n", message);
	} else if (!allocate_coders_and_read_log(&b)) {
		fprintf(stderr, "coder: out of memory\n");
	} else if (!time_coding_of_dump_is_lossless(&b)) {
		fprintf(stderr, "coder: a chunk is not the same again\n");
	} else {
		print_sizes_and_times(&b.figures);
		status = 0;
	}
	free_dump_coders_and_buffers(&b);
	return status;
}
