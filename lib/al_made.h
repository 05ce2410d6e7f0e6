/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_made.h - a profile by hand: two blocks, two threads, a forked child
 */
#ifndef AL_MADE_H
#define AL_MADE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/pf_code.h"
#include "profile/pf_records.h"
#include "profile/pf_writer.h"
#include "proto/pt_log.h"
#include "proto/pt_unit.h"

static char made_path[] = "/tmp/alleria-made.XXXXXX";

enum {
	RUN,
	IMAGE,
	LOG,
	UNITS,
	MORE, /* units */
	END,
	NAMES,
	CHILD, /* an image */
	CHILD_UNITS,
	CHILD_END,
	DONE,
	BLOCKS
};

static struct made {
	struct pf_head head;
	struct pf_records records;
	char data[1024]; /* log, units */
	size_t bytes;
	bool left_out;
} made[BLOCKS];

struct desc {
	struct pt_log_block block;
	struct pt_instr instr[2];
	struct pt_access access;
	struct pt_exit exit;
	uint8_t code[8];
};

/* Two instructions at @addr, the second loads; then on to @target. */
static inline struct desc desc(uint32_t id, uint64_t addr, uint64_t target)
{
	return (struct desc){
		.block = {.head = {PT_LOG_BLOCK, sizeof(struct desc)},
			  .id = id,
			  .route = id,
			  .n_instrs = 2,
			  .n_accesses = 1,
			  .n_exits = 1,
			  .n_code = 8,
			  .n_slots = 1},
		.instr = {{.addr = addr, .len = 4},
			  {.addr = addr + 4, .len = 4}},
		.access = {.instr = 1, .size = 8, .kind = PT_LOAD},
		.exit = {.target = target,
			 .n_instrs = 2,
			 .n_accesses = 1,
			 .bytes = 12,
			 .jump = PT_JUMP_BORING},
	};
}

static inline struct desc *log_desc(unsigned i)
{
	return (struct desc *)made[LOG].data + i;
}

static inline void add(unsigned block, const void *data, size_t bytes)
{
	memcpy(made[block].data + made[block].bytes, data, bytes);
	made[block].bytes += bytes;
}

static inline void execute(unsigned block, unsigned route)
{
	uint32_t header = pt_block_header(route, 12);
	uint64_t address = 0x7000;

	add(block, &header, sizeof(header));
	add(block, &address, sizeof(address));
	made[block].head.counts.instructions += 2;
	made[block].head.counts.reads++;
}

static inline void mark(unsigned block, enum pt_kind kind, uint32_t id)
{
	uint64_t head = pt_control(kind, id, 8);

	add(block, &head, sizeof(head));
	made[block].head.marks++;
	if (kind == PT_THREAD)
		made[block].head.threads |= 1u << (id - 1);
}

static inline struct pf_records *begin(unsigned block, enum pf_fact fact)
{
	pf_add(&made[block].records, fact);
	return &made[block].records;
}

static inline void numbers(struct pf_records *r, unsigned n,
			   const uint64_t *number)
{
	for (unsigned i = 0; i < n; i++)
		pf_add_number(r, number[i]);
}

static inline void make_image(unsigned block, uint64_t number, uint64_t parent)
{
	numbers(begin(block, PF_PROCESS), 4,
		(uint64_t[]){99 + number, 1, number, parent});
	pf_add_string(begin(block, PF_COMMAND), "prog");
}

static inline void make_units(void)
{
	mark(UNITS, PT_THREAD_START, 1);
	mark(UNITS, PT_THREAD, 1);
	execute(UNITS, 0);
	execute(UNITS, 1);
	execute(UNITS, 0);

	mark(MORE, PT_THREAD_START, 2);
	mark(MORE, PT_THREAD, 2);
	execute(MORE, 0);
	mark(MORE, PT_THREAD_END, 2);
	mark(MORE, PT_THREAD, 1);
	execute(MORE, 1);
	mark(MORE, PT_SIGNAL, 11);
	execute(MORE, 1);
	made[MORE].head.position = 1;
	made[MORE].head.before = made[UNITS].head.counts;

	mark(CHILD_UNITS, PT_THREAD_START, 1);
	mark(CHILD_UNITS, PT_THREAD, 1);
	execute(CHILD_UNITS, 1);
}

/* Pages of the code that a block executes, and of its stack. */
static inline void make_touched(void)
{
	struct pf_touched one = {.data = {{7, 1}}, .code = {{2, 1}}};

	made[CHILD_UNITS].head.touched = one;
	one.code[0] = (struct pf_extent){1, 2};
	made[UNITS].head.touched = made[MORE].head.touched = one;
}

static inline void make_names(void)
{
	const struct pf_code_name name = {.value = 0x1000};

	pf_add_number(begin(NAMES, PF_OBJECT), 0);
	pf_add_string(&made[NAMES].records, "/bin/prog");
	pf_add_string(&made[NAMES].records, "");
	pf_add_number(begin(NAMES, PF_TEXT), 0);
	pf_add_string(&made[NAMES].records, "main");
	pf_add_bytes(begin(NAMES, PF_CODE), &name, sizeof(name));
}

static inline void say(const char *status)
{
	pf_records_empty(&made[DONE].records);
	pf_add_string(begin(DONE, PF_STATUS), status);
	pf_add_string(&made[DONE].records, "");
}

static inline void make(void)
{
	static const uint16_t kind[BLOCKS] = {
		PF_RUN,	  PF_IMAGE, PF_LOG,   PF_UNITS, PF_UNITS, PF_END,
		PF_NAMES, PF_IMAGE, PF_UNITS, PF_END,	PF_DONE};

	for (unsigned i = 0; i < BLOCKS; i++) {
		pf_records_release(&made[i].records);
		made[i] = (struct made){.head = {.kind = kind[i]}};
		made[i].head.begin_ns = made[i].head.end_ns = 10 * i;
		made[i].head.stream = i >= CHILD && i < DONE;
		if (kind[i] == PF_UNITS)
			made[i].head.thread = made[i].head.threads = 1;
	}
	pf_add_string(begin(RUN, PF_VERSION), "1");
	make_image(IMAGE, 1, 0);
	add(LOG, &(struct desc[]){desc(0, 0x1000, 0x2000)},
	    sizeof(struct desc));
	add(LOG, &(struct desc[]){desc(1, 0x2000, 0x1000)},
	    sizeof(struct desc));
	make_units();
	make_touched();
	make_names();
	numbers(begin(END, PF_ENDING), 2, (uint64_t[]){PF_EXITED, 0});
	make_image(CHILD, 2, 1);
	numbers(begin(CHILD, PF_FORK), 3,
		(uint64_t[]){0, 2, 2 * sizeof(struct desc)});
	numbers(begin(CHILD_END, PF_ENDING), 2, (uint64_t[]){PF_SIGNALLED, 9});
	say("complete");
}

/* ---- into a file ---- */

static inline void pack(struct pf_packer *p, struct pf_coder *coder,
			const struct made *m, struct pf_packed *packed)
{
	static char code[1 << 16];
	struct pf_head head = m->head;
	const void *data = m->data;
	size_t bytes = m->bytes;

	if (m->records.bytes) {
		data = m->records.data;
		bytes = m->records.bytes;
	} else if (head.kind == PF_UNITS) {
		head.words = bytes;
		if (pf_code_bound(bytes) > sizeof(code))
			abort();
		bytes = pf_encode(coder, data, bytes, code);
		data = code;
	}
	if (pf_pack(p, &head, data, bytes, packed))
		abort();
}

static inline void write_profile(void)
{
	struct pf_packer *p = pf_packer_new(PF_LEVEL);
	struct pf_coder *coder = pf_coder_new();
	char message[PF_MESSAGE];
	struct pf_packed packed;
	struct pf_writer *w;

	unlink(made_path);
	w = pf_writer_open(made_path, message);
	for (unsigned i = 0; i < BLOCKS; i++) {
		if (made[i].left_out)
			continue;
		pack(p, coder, &made[i], &packed);
		if (i == DONE ? pf_writer_finish(w, &packed)
			      : pf_put(w, &packed))
			abort();
	}
	pf_writer_free(w);
	pf_coder_free(coder);
	pf_packer_free(p);
}

static inline void made_begin(void)
{
	int fd = mkstemp(made_path);

	if (fd < 0)
		abort();
	close(fd);
	make();
}

static inline void made_end(void)
{
	for (unsigned i = 0; i < BLOCKS; i++)
		pf_records_release(&made[i].records);
	unlink(made_path);
}

#endif
