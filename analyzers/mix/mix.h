/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix.h - counts of an instruction mix, and how they are reported */
#ifndef ANALYZERS_MIX_MIX_H
#define ANALYZERS_MIX_MIX_H

#include "base/tables/key_table.h"
#include "analyzers/place_counts.h"

/* Counts of a function, a line or a thread. */
enum an_mix_count {
	AN_MIX_INSTRUCTIONS,
	AN_MIX_SINGLE, /* operations on floating-point numbers of 32 bits */
	AN_MIX_DOUBLE, /* operations on floating-point numbers of 64 bits */
	AN_MIX_X87,
	AN_MIX_FLOPS,	/* all floating-point operations */
	AN_MIX_VECTOR,	/* floating-point operations of instructions with
			   several elements; also in AN_MIX_FLOPS */
	AN_MIX_INTEGER, /* integer operations */
	AN_N_MIX_THREAD_COUNTS,
	AN_MIX_BYTES = AN_N_MIX_THREAD_COUNTS, /* [bytes] read and written; not
						  counted by thread */
	AN_N_MIX_COUNTS
};

struct an_mix_thread {
	uint32_t number;
	uint64_t count[AN_N_MIX_THREAD_COUNTS];
};

struct an_mix_result {
	struct al_key_table kinds; /* kinds of instructions, as in
				      instr_kind.h */
	uint64_t *kind_count;	   /* [n_kind_counts] executions by kind; kinds
				      beyond were not executed */
	uint32_t n_kind_counts;
	uint64_t total[AN_N_MIX_COUNTS];
	uint64_t bytes_read, bytes_written;
	struct an_place_counts places; /* AN_N_MIX_COUNTS counts of each source
					  line */
	struct an_mix_thread *thread;  /* [n_threads] */
	unsigned n_threads;
};

/* Add the arithmetic operations of @times executions of an instruction of kind
   @kind_key to the elements of @count that count them. */
void an_mix_add_arithmetic_operations(uint64_t count[AN_N_MIX_COUNTS],
				      const struct al_key *kind_key,
				      uint64_t times);

/* Add title, totals and tables of a result to a model. */
void an_mix_add_result_to_model(const struct an_mix_result *,
				struct al_model *);

#endif
