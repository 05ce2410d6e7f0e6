/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * champsim.c - writes the 64-byte records of ChampSim, a file for each thread
 *
 * A record has room for the addresses of two stores and of four loads. Further
 * accesses are left out and counted, and so is an access at address 0, which
 * marks an empty element.
 *
 * The register operands are those from which ChampSim derives the kind of a
 * branch.
 */
#include <stdio.h>
#include <string.h>

#include "liballeria/export/branch_kind.h"
#include "liballeria/export/instr_walk.h"

enum { MAX_STORES = 2, MAX_LOADS = 4, MAX_WRITTEN = 2, MAX_READ = 4 };
enum {
	STACK = 6,
	OTHER = 1,
	FLAGS = 25,
	IP = 26
}; /* numbers that ChampSim gives to registers */

struct record {
	uint64_t ip;
	uint8_t is_branch;
	uint8_t taken;
	uint8_t to[MAX_WRITTEN];
	uint8_t from[MAX_READ];
	uint64_t store[MAX_STORES];
	uint64_t load[MAX_LOADS];
};

_Static_assert(sizeof(struct record) == 64, "ChampSim reads 64 bytes");

struct losses {
	uint64_t accesses;
};

/* Registers that a branch of one kind writes (to) and reads (from); 0: none. */
struct signature {
	uint8_t to[MAX_WRITTEN];
	uint8_t from[MAX_READ];
};

static const struct signature signatures[] = {
	[EX_JUMP] = {{IP}, {IP}},
	[EX_JUMP_INDIRECT] = {{IP}, {OTHER}},
	[EX_CONDITIONAL] = {{IP}, {IP, FLAGS}},
	[EX_CALL] = {{IP, STACK}, {IP, STACK}},
	[EX_CALL_INDIRECT] = {{IP, STACK}, {IP, STACK, OTHER}},
	[EX_RETURN] = {{IP, STACK}, {STACK}},
};

/* Store the address of an access in the first of the @slot_count elements of
   @slot that is 0. If none is 0, or the address is 0, count the access as
   lost. */
static void store_address_in_free_slot(uint64_t *slot, int slot_count,
				       uint64_t address, struct losses *l)
{
	for (int i = 0; i < slot_count && address != 0; i++)
		if (slot[i] == 0) {
			slot[i] = address;
			return;
		}
	l->accesses++;
}

static int ignore_thread_begin(struct ex_thread *t)
{
	(void)t;
	return 0;
}

static int write_champsim_record(struct ex_thread *t,
				 const struct alleria_instruction *i,
				 const struct ex_next *next)
{
	enum ex_branch branch = ex_branch_classify(i->bytes, i->size);
	struct record r = {.ip = i->address};

	if (branch != EX_NO_BRANCH) {
		r.is_branch = 1;
		r.taken = branch != EX_CONDITIONAL ||
			  (next->address != 0 &&
			   next->address != i->address + i->size);
		memcpy(r.to, signatures[branch].to, sizeof(r.to));
		memcpy(r.from, signatures[branch].from, sizeof(r.from));
	}
	for (unsigned a = 0; a < i->n_accesses; a++) {
		const struct alleria_access *x = &i->access[a];

		if (x->kind != ALLERIA_WRITE)
			store_address_in_free_slot(r.load, MAX_LOADS,
						   x->address, t->state);
		if (x->kind != ALLERIA_READ)
			store_address_in_free_slot(r.store, MAX_STORES,
						   x->address, t->state);
	}
	return ex_file_write(&t->file, &r, sizeof(r));
}

static int ignore_thread_end(struct ex_thread *t)
{
	(void)t;
	return 0;
}

static int write_champsim_files(struct ex_export_job *job)
{
	struct losses losses = {0};
	const struct ex_walk walk = {
		.job = job,
		.format = "champsim",
		.subfolder = "",
		.state = &losses,
		.begin = ignore_thread_begin,
		.instruction = write_champsim_record,
		.end = ignore_thread_end,
	};
	int err = ex_write_all_thread_files(&walk);

	if (!err && losses.accesses > 0)
		snprintf(job->message, sizeof(job->message),
			 "%llu accesses do not fit into ChampSim's records",
			 (unsigned long long)losses.accesses);
	return err;
}

extern const struct ex_format ex_champsim;

const struct ex_format ex_champsim = {
	.name = "champsim",
	.summary = "ChampSim's records, a folder with a file for each thread",
	.needs = ALLERIA_HAS_INSTRUCTIONS | ALLERIA_HAS_ALL_ADDRESSES,
	.write = write_champsim_files,
};
