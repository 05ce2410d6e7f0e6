/* SPDX-License-Identifier: GPL-2.0-or-later */
/* register_carry.c - decides what a loop carries in registers from one
   iteration to the next; see code_map.h */

#include <string.h>

#include "analyzers/code/value_flow.h"

/* Decode an instruction, taken to access no value of the loop in memory.
   Return: false: it cannot be decoded, or is a string instruction, whose
   registers are counters and pointers and carry no recurrence. */
static bool decode_instr_unless_string_instr(struct an_decoded *d,
					     const struct an_instr_node *instr)
{
	d->is_at_value = false;
	return an_decode_instr_register_sets(d, instr) &&
	       d->in.meta.category != ZYDIS_CATEGORY_STRINGOP;
}

/* Return the registers, but the stack pointer, that an iteration reads before
   it writes them, and writes. */
static uint64_t
registers_read_then_written(const struct an_instr_node *const *body, size_t n)
{
	uint64_t read_first = 0, written = 0;
	struct an_decoded d;

	for (size_t i = 0; i < n; i++) {
		if (!decode_instr_unless_string_instr(&d, body[i]))
			continue;
		if (!an_is_clearing_instr(&d))
			read_first |= d.reads & ~written;
		written |= d.writes;
	}
	return read_first & written & ~an_register_bit_or_0(ZYDIS_REGISTER_RSP);
}

/* Whether register @reg depends, after an iteration, on what it held before. */
static bool depends_on_itself(const struct an_instr_node *const *body, size_t n,
			      uint64_t reg)
{
	uint64_t dependent = reg;
	struct an_decoded d;

	for (size_t i = 0; i < n; i++) {
		if (!decode_instr_unless_string_instr(&d, body[i]))
			continue;
		if ((d.reads & dependent) && !an_is_clearing_instr(&d))
			dependent |= d.writes;
		else
			dependent &= ~d.writes;
	}
	return (dependent & reg) != 0;
}

/* Return @reg and the registers from which its value after an iteration can
   follow. */
static uint64_t registers_feeding(const struct an_instr_node *const *body,
				  size_t n, uint64_t reg)
{
	uint64_t feeding = reg, before;
	struct an_decoded d;

	do {
		before = feeding;
		for (size_t i = n; i-- > 0;)
			if (decode_instr_unless_string_instr(&d, body[i]) &&
			    (d.writes & feeding) && !an_is_clearing_instr(&d))
				feeding |= d.reads;
	} while (feeding != before);
	return feeding;
}

/* Return the registers that no instruction of the loop writes; 0: an
   instruction cannot be decoded. */
static uint64_t invariant_registers(const struct an_instr_node *const *body,
				    size_t n)
{
	uint64_t written = AN_MEMORY_VALUE;
	struct an_decoded d = {.is_at_value = false};

	for (size_t i = 0; i < n; i++) {
		if (!an_decode_instr_register_sets(&d, body[i]))
			return 0;
		written |= d.writes;
	}
	return ~written;
}

/* Return how register @reg depends, after an iteration, on what it held before.
   @invariant: registers that the loop does not write. @changes_out: [n]
   receives whether the instruction changes the value; valid only with
   AN_CARRIES_COUNTER. */
static enum an_register_carry
carry_of_register(const struct an_instr_node *const *body, size_t n,
		  uint64_t invariant, uint64_t reg, bool *changes_out)
{
	struct an_value_path p = {
		.body = body, .last = n - 1, .invariant = invariant};
	struct an_value v;

	if (!depends_on_itself(body, n, reg))
		return AN_CARRIES_NOTHING;
	p.feeding = registers_feeding(body, n, reg);
	if (!an_value_follow_path(&v, reg, &p, changes_out))
		return AN_CARRIES_NOTHING;
	if (!(v.newest & reg) || v.is_mixed ||
	    (v.is_used && !(v.constant & reg)))
		return AN_CARRIES_RECURRENCE;
	if (v.changes == 0 || (v.constant & reg && !v.is_used))
		return AN_CARRIES_NOTHING;
	return v.is_used ? AN_CARRIES_COUNTER : AN_CARRIES_REDUCTION;
}

enum an_register_carry
an_register_carry(const struct an_instr_node *const *body, size_t n,
		  bool *changes, bool *counts_out)
{
	enum an_register_carry most = AN_CARRIES_NOTHING, carry;
	uint64_t candidates = registers_read_then_written(body, n);
	uint64_t invariant = candidates ? invariant_registers(body, n) : 0;

	memset(counts_out, 0, n * sizeof(*counts_out));
	for (; candidates != 0; candidates &= candidates - 1) {
		carry = carry_of_register(body, n, invariant,
					  candidates & -candidates, changes);
		if (carry > most)
			most = carry;
		for (size_t i = 0; i < n && carry == AN_CARRIES_COUNTER; i++)
			counts_out[i] |= changes[i];
	}
	return most;
}
