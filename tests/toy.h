/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * toy.h - units of a small profile, and every record that they make
 *
 * For tests; toyrun.h writes the profile. The arrays toy.access,
 * toy.instruction, toy.execution and toy.event hold every record that a cursor
 * without a filter must give, in order, less the pointers, which are NULL here.
 * Each chunk ends after a few executions, so that nearly every number of an
 * instruction or an access is at the border of some chunk.
 *
 * Blocks, by the tool's number; instructions have 4 bytes each:
 *   0  0x1000 main: nothing, a read of 8 bytes; a side exit after the first
 *   1  0x2000 work: a write of 4, nothing, a modify of 2
 *   2  0x3000 far, in the second object: calls 0x1000; no access
 *   3  0x4000 in no object: a guarded read of 8 with its value
 */
#ifndef TOY_H
#define TOY_H

#include <alleria/alleria.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/pf_code.h"
#include "profile/pf_records.h"
#include "profile/pf_writer.h"
#include "proto/pt_hello.h"
#include "proto/pt_log.h"
#include "proto/pt_unit.h"

static char toy_path[] = "/tmp/alleria-toy.XXXXXX";

enum {
	TOY_BLOCKS = 4,
	TOY_MOST = 4096,   /* records of a kind */
	TOY_CHUNK = 1024,  /* [bytes] of a chunk's ring memory */
	TOY_STEP_NS = 100, /* [ns] that a chunk takes */
	TOY_TIME = 50,	   /* [ns] between chunks */
};

static struct toy {
	struct pf_writer *writer;
	struct pf_packer *packer;
	struct pf_coder *coder;
	uint64_t now; /* [ns] */
	uint32_t random;
	/* The image being written. */
	uint32_t stream;
	uint32_t process;
	uint32_t image;
	uint32_t thread;
	struct pf_counts total; /* counts of the image */
	uint64_t first_instruction;
	/* The chunk being written. */
	struct pf_head head;
	char units[TOY_CHUNK];
	size_t bytes;
	uint64_t position;

	struct alleria_access access[TOY_MOST];
	size_t n_accesses;
	struct alleria_instruction instruction[TOY_MOST];
	size_t n_instructions;
	struct alleria_execution execution[TOY_MOST];
	size_t n_executions;
	struct alleria_event event[TOY_MOST];
	size_t n_events;
	uint64_t ns[TOY_MOST]; /* when each instruction was executed */
	size_t chunks;
} toy;

/* ---- descriptors ---- */

struct toy_block {
	struct pt_log_block block;
	struct pt_instr instr[3];
	struct pt_access access[2];
	struct pt_exit exit[2];
	unsigned n_instrs, n_accesses, n_exits, slots;
};

static const struct toy_block toy_block[TOY_BLOCKS] = {
	{.instr = {{.addr = 0x1000, .len = 4}, {.addr = 0x1004, .len = 4}},
	 .access = {{.instr = 1, .size = 8, .kind = PT_LOAD}},
	 .exit = {{.target = 0x3000,
		   .n_instrs = 1,
		   .bytes = 4,
		   .jump = PT_JUMP_BORING},
		  {.target = 0x2000,
		   .n_instrs = 2,
		   .n_accesses = 1,
		   .bytes = 12,
		   .jump = PT_JUMP_BORING}},
	 .n_instrs = 2,
	 .n_accesses = 1,
	 .n_exits = 2,
	 .slots = 1},
	{.instr = {{.addr = 0x2000, .len = 4},
		   {.addr = 0x2004, .len = 4},
		   {.addr = 0x2008, .len = 4}},
	 .access = {{.size = 4, .kind = PT_STORE},
		    {.delta = 0x10,
		     .instr = 2,
		     .slot = 1,
		     .size = 2,
		     .kind = PT_MODIFY,
		     .flags = PT_ATOMIC}},
	 .exit = {{.n_instrs = 3,
		   .n_accesses = 2,
		   .bytes = 20,
		   .jump = PT_JUMP_RET}},
	 .n_instrs = 3,
	 .n_accesses = 2,
	 .n_exits = 1,
	 .slots = 2},
	{.instr = {{.addr = 0x3000, .len = 4}},
	 .exit = {{.target = 0x1000,
		   .n_instrs = 1,
		   .bytes = 4,
		   .jump = PT_JUMP_CALL}},
	 .n_instrs = 1,
	 .n_exits = 1},
	{.instr = {{.addr = 0x4000, .len = 4}},
	 .access = {{.size = 8, .kind = PT_LOAD, .flags = PT_GUARDED}},
	 .exit = {{.target = 0x1000,
		   .n_instrs = 1,
		   .n_accesses = 1,
		   .bytes = 20,
		   .jump = PT_JUMP_BORING}},
	 .n_instrs = 1,
	 .n_accesses = 1,
	 .n_exits = 1,
	 .slots = 2},
};

static inline void toy_put(unsigned kind, struct pf_head head, const void *data,
			   size_t bytes)
{
	struct pf_packed packed;

	head.kind = (uint16_t)kind;
	if (pf_pack(toy.packer, &head, data, bytes, &packed) ||
	    (kind == PF_DONE ? pf_writer_finish(toy.writer, &packed)
			     : pf_put(toy.writer, &packed)))
		abort();
}

static inline void toy_put_records(unsigned kind, struct pf_records *r)
{
	toy_put(kind,
		(struct pf_head){.stream = toy.stream,
				 .begin_ns = toy.now,
				 .end_ns = toy.now},
		r->data, r->bytes);
	pf_records_release(r);
}

struct toy_log {
	char data[4096];
	size_t bytes;
};

static inline void toy_log_add(struct toy_log *l, const void *data, size_t n)
{
	memcpy(l->data + l->bytes, data, n);
	l->bytes += n;
}

static inline void toy_log_block(struct toy_log *l, unsigned id)
{
	static const uint8_t code[] = {1, 2,  3,  4,  5,  6,  7,  8,
				       9, 10, 11, 12, 13, 14, 15, 16};
	const struct toy_block *b = &toy_block[id];
	unsigned n_code = 4 * b->n_instrs;
	struct pt_log_block head = {
		.head = {.kind = PT_LOG_BLOCK},
		.id = id,
		.route = id ? id + 1 : 0, /* block 0 has two exits */
		.n_instrs = (uint16_t)b->n_instrs,
		.n_accesses = (uint16_t)b->n_accesses,
		.n_exits = (uint16_t)b->n_exits,
		.n_code = (uint16_t)n_code,
		.n_slots = (uint16_t)b->slots,
	};

	n_code = (n_code + 7) / 8 * 8;
	head.head.bytes =
		(uint32_t)(sizeof(head) + b->n_instrs * sizeof(b->instr[0]) +
			   b->n_accesses * sizeof(b->access[0]) +
			   b->n_exits * sizeof(b->exit[0]) + n_code);
	toy_log_add(l, &head, sizeof(head));
	toy_log_add(l, b->instr, b->n_instrs * sizeof(b->instr[0]));
	toy_log_add(l, b->access, b->n_accesses * sizeof(b->access[0]));
	toy_log_add(l, b->exit, b->n_exits * sizeof(b->exit[0]));
	toy_log_add(l, code, n_code);
}

static inline void toy_log_text(struct toy_log *l, const void *head,
				size_t bytes, const char *text)
{
	char record[256] = {0};
	uint32_t all = (uint32_t)(bytes + strlen(text) + 1 + 7) / 8 * 8;

	memcpy(record, head, bytes);
	memcpy(record + 4, &all, sizeof(all));
	memcpy(record + bytes, text, strlen(text));
	toy_log_add(l, record, all);
}

static inline void toy_log(void)
{
	static const struct pt_value value = {1, PT_NO_SLOT, PT_NO_SLOT,
					      PT_NO_SLOT};
	static const struct pt_log_values values = {
		{PT_LOG_VALUES, sizeof(values) + sizeof(value)},
		PT_NO_SLOT,
		1,
		0,
		0,
	};
	struct toy_log l = {.bytes = 0};

	toy_log_text(&l,
		     &(struct pt_log_map){.head = {PT_LOG_MAP, 0},
					  .start = 0x1000,
					  .size = 0x2000},
		     sizeof(struct pt_log_map), "/bin/toy");
	toy_log_text(&l,
		     &(struct pt_log_map){.head = {PT_LOG_MAP, 0},
					  .start = 0x3000,
					  .size = 0x1000,
					  .bias = 0x2000},
		     sizeof(struct pt_log_map), "/lib/libtoy.so");
	toy_log_text(&l,
		     &(struct pt_log_named){.head = {PT_LOG_NAMED, 0},
					    .id = 1,
					    .kind = PT_NAMED_MARK},
		     sizeof(struct pt_log_named), "here");
	toy_log_text(&l,
		     &(struct pt_log_named){.head = {PT_LOG_NAMED, 0},
					    .id = 2,
					    .kind = PT_NAMED_REGION,
					    .start = 0x7000,
					    .size = 0x100},
		     sizeof(struct pt_log_named), "there");
	for (unsigned i = 0; i < TOY_BLOCKS; i++) {
		if (i == 3) {
			toy_log_add(&l, &values, sizeof(values));
			toy_log_add(&l, &value, sizeof(value));
		}
		toy_log_block(&l, i);
	}
	toy_put(PF_LOG,
		(struct pf_head){.stream = toy.stream,
				 .begin_ns = toy.now,
				 .end_ns = toy.now},
		l.data, l.bytes);
}

/* ---- units ---- */

static inline void toy_add(const void *data, size_t n)
{
	if (toy.bytes + n > sizeof(toy.units))
		abort();
	if (n > 0)
		memcpy(toy.units + toy.bytes, data, n);
	toy.bytes += n;
}

static inline uint64_t toy_accesses(const struct pf_counts *c)
{
	return c->reads + c->writes - c->modifies;
}

static inline void toy_touch(struct pf_extent e[PF_EXTENTS], uint64_t address,
			     unsigned size)
{
	for (uint64_t at = address; at < address + size; at += size - 1u) {
		uint32_t page = pf_page_of(at);
		unsigned i = 0, k;

		while (i < PF_EXTENTS && e[i].pages && e[i].first < page)
			i++;
		if (i == PF_EXTENTS)
			abort();
		if (!e[i].pages || e[i].first != page) {
			for (k = PF_EXTENTS - 1; k > i; k--)
				e[k] = e[k - 1];
			e[i] = (struct pf_extent){page, 1};
		}
		if (size == 1)
			break;
	}
}

/* Join extents that have no page between them. */
static inline void toy_join(struct pf_extent e[PF_EXTENTS])
{
	for (unsigned i = 0; i + 1 < PF_EXTENTS && e[i + 1].pages;) {
		if (e[i].first + e[i].pages < e[i + 1].first) {
			i++;
			continue;
		}
		e[i].pages = e[i + 1].first + e[i + 1].pages - e[i].first;
		memmove(&e[i + 1], &e[i + 2],
			(PF_EXTENTS - i - 2) * sizeof(*e));
		e[PF_EXTENTS - 1] = (struct pf_extent){0, 0};
	}
}

static inline void toy_note_access(const struct pt_access *a, uint64_t address,
				   uint64_t code, uint64_t instruction,
				   bool has_value)
{
	toy.access[toy.n_accesses] = (struct alleria_access){
		.number = toy.n_accesses,
		.address = address,
		.code = code,
		.instruction = instruction,
		.thread = toy.thread,
		.process = toy.process,
		.size = a->size,
		.kind = a->kind,
		.flags = (uint8_t)(a->flags | (has_value ? ALLERIA_VALUE : 0)),
	};
	toy.n_accesses++;
	toy.head.counts.reads += a->kind != PT_STORE;
	toy.head.counts.writes += a->kind != PT_LOAD;
	toy.head.counts.modifies += a->kind == PT_MODIFY;
	toy_touch(toy.head.touched.data, address, a->size);
}

/* Execute a block up to exit @exit, and note its records. @at: [2] the values
   of its slots. */
static inline void toy_execute(unsigned id, unsigned exit, const uint64_t *at)
{
	const struct toy_block *b = &toy_block[id];
	const struct pt_exit *x = &b->exit[exit];
	uint32_t route = (id ? id + 1 : 0) + exit;
	uint32_t header = pt_block_header(route, x->bytes);
	uint64_t before = toy.n_accesses;

	toy_add(&header, sizeof(header));
	toy_add(at, x->bytes - sizeof(header));
	toy.execution[toy.n_executions] = (struct alleria_execution){
		.instruction = toy.n_instructions,
		.access = toy.n_accesses,
		.thread = toy.thread,
		.process = toy.process,
		.exit = (uint16_t)exit,
		.n_instructions = x->n_instrs,
		.image = (uint16_t)toy.image,
	};
	for (unsigned i = 0, k = 0; i < x->n_instrs; i++) {
		uint64_t first = toy.n_accesses;

		for (; k < x->n_accesses && b->access[k].instr == i; k++)
			if (at[b->access[k].slot] != PT_NOT_DONE)
				toy_note_access(&b->access[k],
						at[b->access[k].slot] +
							b->access[k].delta,
						b->instr[i].addr,
						toy.n_instructions, id == 3);
		toy_touch(toy.head.touched.code, b->instr[i].addr, 1);
		toy.instruction[toy.n_instructions] =
			(struct alleria_instruction){
				.number = toy.n_instructions,
				.address = b->instr[i].addr,
				.first_access = first,
				.thread = toy.thread,
				.process = toy.process,
				.n_accesses =
					(uint16_t)(toy.n_accesses - first),
				.size = 4,
			};
		toy.n_instructions++;
	}
	toy.execution[toy.n_executions++].n_accesses =
		(uint16_t)(toy.n_accesses - before);
	toy.head.counts.instructions += x->n_instrs;
}

static inline void toy_note_event(unsigned kind, uint64_t value,
				  uint64_t detail)
{
	toy.event[toy.n_events++] = (struct alleria_event){
		.instruction = toy.n_instructions,
		.access = toy.n_accesses,
		.value = value,
		.detail = detail,
		.thread = toy.thread,
		.process = toy.process,
		.kind = (uint16_t)kind,
		.image = (uint16_t)toy.image,
	};
}

static inline void toy_put_control(enum pt_kind kind, uint32_t id,
				   unsigned words, const uint64_t *word)
{
	uint64_t head = pt_control(kind, id, 8 + 8 * words);

	toy_add(&head, sizeof(head));
	if (words)
		toy_add(word, 8 * (size_t)words);
	toy.head.marks++;
}

static inline void toy_switch(uint32_t thread)
{
	toy_put_control(PT_THREAD, thread, 0, NULL);
	toy.head.threads |= pf_thread_bit(thread);
	toy.thread = thread;
	toy_note_event(ALLERIA_THREAD_SWITCH, 0, 0);
}

static inline void toy_begin_chunk(void)
{
	toy.head = (struct pf_head){
		.stream = toy.stream,
		.position = toy.position++,
		.begin_ns = toy.now,
		.end_ns = toy.now + TOY_STEP_NS,
		.before = toy.total,
		.thread = toy.thread ? toy.thread : 1,
	};
	toy.head.threads = pf_thread_bit(toy.head.thread);
	toy.bytes = 0;
}

static inline void toy_end_chunk(void)
{
	uint64_t n = toy.head.counts.instructions, first = toy.n_instructions;
	char code[2 * TOY_CHUNK + 4096];
	size_t bytes;

	toy_join(toy.head.touched.data);
	toy_join(toy.head.touched.code);
	toy.head.words = toy.bytes;
	if (pf_code_bound(toy.bytes) > sizeof(code))
		abort();
	bytes = pf_encode(toy.coder, toy.units, toy.bytes, code);
	toy_put(PF_UNITS, toy.head, code, bytes);
	for (uint64_t i = 0; i < n; i++)
		toy.ns[first - n + i] = toy.now + TOY_STEP_NS * i / n;
	toy.total.instructions += n;
	toy.total.reads += toy.head.counts.reads;
	toy.total.writes += toy.head.counts.writes;
	toy.total.modifies += toy.head.counts.modifies;
	toy.now += TOY_STEP_NS + TOY_TIME;
	toy.chunks++;
}

/* ---- random events ---- */

static inline uint32_t toy_random(uint32_t below)
{
	toy.random = toy.random * 1664525u + 1013904223u;
	return (toy.random >> 8) % below;
}

/* Return a random address in one of four pages, also of words that cross into
   the next page. */
static inline uint64_t toy_random_address(void)
{
	static const uint64_t base[] = {0x7000, 0x8ffc, 0x20000, 0x7ffe0000};

	return base[toy_random(4)] + 4 * toy_random(4);
}

static inline void toy_random_step(void)
{
	static const struct {
		uint8_t block, exit;
	} what[] = {{0, 1}, {0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 0}};
	unsigned i = toy_random(6);
	uint64_t at[2] = {toy_random_address(), toy_random_address()};

	if (i == 5) /* its guard is false */
		at[0] = PT_NOT_DONE;
	toy_execute(what[i].block, what[i].exit, at);
}

static inline void toy_write_event(unsigned i)
{
	const uint64_t status = 0x700, region[] = {0x7000, 0x40};

	switch (i) {
	case 0:
		toy_put_control(PT_SIGNAL, 11, 0, NULL);
		toy_note_event(ALLERIA_SIGNAL, 11, 0);
		break;
	case 1:
		toy_put_control(PT_CHILD_EXIT, 77, 1, &status);
		toy_note_event(ALLERIA_CHILD_EXIT, 77, status);
		break;
	case 2:
		toy_put_control(PT_CORE, 3, 0, NULL);
		toy_note_event(ALLERIA_CORE, 3, 0);
		break;
	case 3:
		toy_put_control(PT_WRITTEN, PT_BY_SYSTEM_CALL, 2, region);
		toy_note_event(ALLERIA_WRITTEN, region[0], region[1]);
		break;
	case 4:
		toy_put_control(PT_MARK, 2, 0, NULL);
		toy_note_event(ALLERIA_MARK, 2, ALLERIA_MARK_REGION);
		break;
	}
}

/* Write the units of an image of @chunks chunks and up to @threads threads. */
static inline void toy_write_units(unsigned chunks, uint32_t threads)
{
	uint32_t started = 1;

	for (unsigned i = 0; i < chunks; i++) {
		unsigned steps = 1 + toy_random(5);

		toy_begin_chunk();
		if (i == 0) {
			toy_put_control(PT_THREAD_START, 1, 0, NULL);
			/* thread 1 runs although no PT_THREAD unit came */
			toy.thread = 1;
			toy_note_event(ALLERIA_THREAD_START, 1, 0);
			toy_switch(1);
			/* The first instruction makes no access. */
			toy_execute(2, 0, NULL);
		}
		for (unsigned s = 0; s < steps; s++)
			toy_random_step();
		if (i % 3 == 1)
			toy_write_event(i / 3 % 5);
		if (i % 4 == 2 && started < threads) {
			toy_put_control(PT_THREAD_START, ++started, 0, NULL);
			toy_note_event(ALLERIA_THREAD_START, started, 0);
		}
		if (i % 2 && started > 1) {
			toy_switch(1 + toy_random(started));
			toy_random_step();
		}
		if (i + 1 == chunks && started > 1) {
			toy_put_control(PT_THREAD_END, started, 0, NULL);
			toy_note_event(ALLERIA_THREAD_END, started, 0);
		}
		toy_end_chunk();
	}
}

#endif
