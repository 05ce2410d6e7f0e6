/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instr_flow.h - decodes which general registers an instruction of x86-64 reads
 * and writes, and where a value that it writes comes from
 *
 * Threads: any.
 */
#ifndef BASE_CODE_INSTR_FLOW_H
#define BASE_CODE_INSTR_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Effect of an instruction on general registers; sets of registers are bit
   masks, bit 0: rax. */
struct al_instr_flow {
	uint16_t address; /* registers of the memory operand's address */
	uint16_t source;  /* registers that the values of @dest depend on */
	uint16_t dest;	  /* registers written; without rsp if the instruction
			     does not name it */
	bool loads;	  /* @dest follows from the memory operand, too */
	uint32_t number;  /* number by which the caller identifies the
			     instruction; not set by the decoder */
};

/* Return the flow of the instruction @code, which has @len bytes. If its flow
   is not known, because the bytes cannot be decoded, say, all registers count
   as written, and `source` is empty. */
struct al_instr_flow al_instr_decode_register_flow(const uint8_t *code,
						   unsigned len);

/* ---- control ---- */

enum al_instr_transfer {
	AL_TRANSFER_NEXT,   /* control passes to the next instruction */
	AL_TRANSFER_BRANCH, /* to the next one or the target */
	AL_TRANSFER_JUMP,   /* to the target */
	AL_TRANSFER_CALL,   /* to the next one, after a function has run */
	AL_TRANSFER_END,    /* to none that the instruction states: a return, an
			       indirect jump, ud2, hlt */
};

/* An instruction in the code of a function. */
struct al_instr_step {
	uint8_t len;	  /* [bytes] */
	uint8_t transfer; /* enum al_instr_transfer */
	bool has_target;  /* it states where it jumps to, or what it calls */
	uint16_t written; /* general registers that are written, as a bit mask,
			     bit 0: rax; of a call, those that the called
			     function may change by the System V convention */
	int32_t displacement; /* target - address after the instruction
				 [bytes] */
};

/* Decode the instruction at the start of @code, of which at most @max_len bytes
   are read. Return: false if they are no instruction. */
bool al_instr_decode_step(const uint8_t *code, size_t max_len,
			  struct al_instr_step *out);

/* ---- origin of a value ---- */

enum { AL_NO_REGISTER = 16 };

/* A sum: base + index * scale + displacement. The scale is not stored. */
struct al_register_sum {
	uint8_t base, index;   /* general registers, 0 (rax) to 15 (r15), before
				the instruction; AL_NO_REGISTER: none */
	bool is_code_relative; /* the displacement is relative to the address
				  after the instruction; there are no
				  registers */
	int64_t displacement;  /* [bytes] */
};

enum al_register_origin {
	AL_REGISTER_KEPT,    /* the instruction does not write the register */
	AL_REGISTER_UNKNOWN, /* written with a value that is none of the
				below */
	AL_REGISTER_SUM,     /* the sum itself: mov between registers, lea, add,
				sub of a constant */
	AL_REGISTER_LOADED,  /* the 8 bytes in memory at the sum */
};

/* Return the origin of the value that register @register_number has after the
   instruction @code of @len bytes. @sum_out: set for AL_REGISTER_SUM and
   AL_REGISTER_LOADED. */
enum al_register_origin
al_instr_decode_register_value(const uint8_t *code, unsigned len,
			       unsigned register_number,
			       struct al_register_sum *sum_out);

/* Return the number of the general register that the instruction @code of @len
   bytes, a mov, stores as a whole, 8 bytes, in memory at a sum of registers and
   a constant, and set @address_out to the sum; else AL_NO_REGISTER, with
   @address_out undefined. */
unsigned al_instr_decode_stored_register(const uint8_t *code, unsigned len,
					 struct al_register_sum *address_out);

/* Set @address_out to the address of the memory operand that the instruction
   @code of @len bytes names. Return: false if it names none, or the address is
   more than a sum of general registers. */
bool al_instr_decode_address(const uint8_t *code, unsigned len,
			     struct al_register_sum *address_out);

/* Whether the first bytes of an instruction can be those of "mov" of the 64
   bits of register @register_number to memory at a constant offset from rbp or
   rsp. Much faster than decoding. */
bool al_instr_may_store_register(const uint8_t *code, unsigned len,
				 unsigned register_number);

/* Whether the first 3 bytes of an instruction can be those of "push", "pop" or
   "leave", which change rsp. */
bool al_instr_may_push_or_pop(const uint8_t *code);

#endif
