/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_code.c - packs the descriptor of an access run into 32 bits; see
   run_code.h */

#include "analyzers/cache/jit/run_code.h"

static uint32_t flag_to_bit_mask(bool set, int bit_number)
{
	return (uint32_t)set << bit_number;
}

uint32_t an_run_desc_pack(const struct an_run *r,
			  const struct an_l1 *first_data_level,
			  bool no_lower_line_is_shorter,
			  const struct an_block *b)
{
	uint32_t n = an_run_n_accesses_or_instrs(r);
	bool plain =
		no_lower_line_is_shorter && n <= AN_RUN_DESC_MAX_ACCESSES &&
		an_run_can_be_one_unguarded_line(r, first_data_level->shift);
	const struct pt_access *first_access = &b->access[r->first_row];
	bool writes_first = first_access->kind != PT_LOAD;

	return (uint32_t)r->first_row << AN_RUN_DESC_ROW |
	       (uint32_t)first_access->instr << AN_RUN_DESC_INSTR |
	       flag_to_bit_mask(plain, AN_RUN_DESC_PLAIN) |
	       flag_to_bit_mask(r->base_mask && r->span > 0,
				AN_RUN_DESC_SPANS) |
	       flag_to_bit_mask(r->writes, AN_RUN_DESC_WRITES) |
	       flag_to_bit_mask(writes_first, AN_RUN_DESC_WRITES_FIRST) |
	       (plain ? n << AN_RUN_DESC_ACCESSES : 0);
}
