/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * short_circuit.c - detects branches that cannot be half of an "&&"; see
 * short_circuit.h
 *
 * Instructions are decoded only as far as needed to find the next one.
 * Instructions that are not in the tables are treated as unknown.
 */
#include "vgtool/translate/short_circuit.h"

enum {
	MAX_INSTRS = 3,	 /* instructions examined at each side of a branch */
	MAX_PREFIXES = 8 /* most prefixes of an instruction */
};

/*
 * The bytes that follow an opcode, by opcode:
 *
 *	.  nothing			m  ModR/M and the bytes it requires
 *	b  1 byte			M  like m, and 1 byte
 *	z  2 or 4 bytes by operand size	Z  like m, and 2 or 4 bytes
 *	v  2, 4 or 8			f, g, h  groups 3 and 5, by ModR/M
 *	J  a conditional branch		e  not read: control goes elsewhere
 *	?  unknown
 */
static const HChar one_byte[] = "mmmmbz??mmmmbz??"
				"mmmmbz??mmmmbz??"
				"mmmmbz??mmmmbz??"
				"mmmmbz??mmmmbz??"
				"????????????????"
				"................"
				"???m????zZbM????"
				"JJJJJJJJJJJJJJJJ"
				"MZ?Mmm??mmmm?m??"
				".???????..??????"
				"????????bz??????"
				"bbbbbbbbvvvvvvvv"
				"MM?e??MZ?.??????"
				"mmmm????????????"
				"????????ee?e????"
				"??????fg??????mh";

/* By second byte of an opcode that begins with 0x0f. */
static const HChar two_bytes[] = "???????????e?m??"
				 "mmmmmmmmm?????mm"
				 "????????mmmmmmmm"
				 "????????????????"
				 "mmmmmmmmmmmmmmmm"
				 "mmmmmmmmmmmmmmmm"
				 "mmmmmmmmmmmmmmmm"
				 "MMMMmmm?????mmmm"
				 "JJJJJJJJJJJJJJJJ"
				 "mmmmmmmmmmmmmmmm"
				 "???mMm??????Mm?m"
				 "??????mm??M?mmmm"
				 "??MmMMM?........"
				 "mmmmmmmmmmmmmmmm"
				 "mmmmmmmmmmmmmmmm"
				 "mmmmmmmmmmmmmmm?";

enum kind { FALL_THROUGH, BRANCH, ELSEWHERE, UNKNOWN };

/* Decoder state for one instruction. */
struct reader {
	const UChar *next;
	UInt immediate; /* [bytes] of an immediate of operand size in an
			   instruction without REX.W: 2 or 4 */
	Bool is_wide;	/* has the prefix REX.W: operands of 64 bits */
	Bool repeats;	/* has the prefix F2 or F3 */
	Addr target;	/* destination, if the instruction is a branch */
};

static void decode_instr_prefixes(struct reader *r)
{
	UInt i;

	r->immediate = 4;
	r->is_wide = r->repeats = False;
	for (i = 0; i < MAX_PREFIXES; i++, r->next++)
		if (*r->next == 0x66)
			r->immediate = 2;
		else if (*r->next == 0xf2 || *r->next == 0xf3)
			r->repeats = True;
		else if (*r->next != 0x64) /* prefix of segment FS */
			break;
	if ((*r->next & 0xf0) == 0x40)
		r->is_wide = (*r->next++ & 8) != 0;
}

/* Skip ModR/M and the bytes it requires. Return: the reg field of ModR/M. */
static UInt skip_modrm_decode_reg_field(struct reader *r)
{
	UInt modrm = *r->next++, mod = modrm >> 6, base = modrm & 7;

	if (mod != 3 && base == 4)
		base = *r->next++ & 7;
	else if (mod == 0 && base == 5)
		r->next += 4; /* relative to the instruction pointer */
	if (mod == 0 && base == 5 && (modrm & 7) == 4)
		r->next += 4;
	if (mod == 1 || mod == 2)
		r->next += mod == 1 ? 1 : 4;
	return modrm >> 3 & 7;
}

/* Skip an immediate whose length depends on the operand size. */
static void skip_operand_size_immediate(struct reader *r)
{
	r->next += r->is_wide ? 4 : r->immediate;
}

/* Set r->target to the branch's target. Return: BRANCH; UNKNOWN, with @r
   unchanged, if the instruction has a prefix that changes the branch. */
static enum kind read_branch_target(struct reader *r, Bool is_32_bit_distance)
{
	const UChar *p = r->next;
	Int distance = (Char)p[0];

	if (r->immediate == 2 || r->repeats)
		return UNKNOWN;
	if (is_32_bit_distance)
		distance = (Int)((UInt)p[3] << 24 | (UInt)p[2] << 16 |
				 (UInt)p[1] << 8 | p[0]);
	r->next += is_32_bit_distance ? 4 : 1;
	r->target = (Addr)r->next + (Addr)(Long)distance;
	return BRANCH;
}

/* Skip the operands of an instruction of opcode group 3 or 5 ('f', 'g', 'h' in
   the table). Return: where control goes after it. */
static enum kind skip_group_3_or_5_operands(struct reader *r,
					    HChar opcode_table_letter)
{
	UInt field = skip_modrm_decode_reg_field(r);

	if (opcode_table_letter == 'h' && field >= 2 && field <= 5)
		return ELSEWHERE;
	if (opcode_table_letter == 'h' && field == 7)
		return UNKNOWN;
	if (opcode_table_letter == 'f' && field < 2)
		r->next++;
	if (opcode_table_letter == 'g' && field < 2)
		skip_operand_size_immediate(r);
	return FALL_THROUGH;
}

static enum kind skip_operands_classify_flow(struct reader *r,
					     HChar shape_letter)
{
	switch (shape_letter) {
	case '.':
		return FALL_THROUGH;
	case 'm':
	case 'M':
	case 'Z':
		skip_modrm_decode_reg_field(r);
		if (shape_letter == 'M')
			r->next++;
		if (shape_letter == 'Z')
			skip_operand_size_immediate(r);
		return FALL_THROUGH;
	case 'b':
		r->next++;
		return FALL_THROUGH;
	case 'z':
		skip_operand_size_immediate(r);
		return FALL_THROUGH;
	case 'v':
		r->next += r->is_wide ? 8 : r->immediate;
		return FALL_THROUGH;
	case 'f':
	case 'g':
	case 'h':
		return skip_group_3_or_5_operands(r, shape_letter);
	case 'e':
		return ELSEWHERE;
	default:
		return UNKNOWN;
	}
}

static enum kind skip_instr_classify_flow(struct reader *r)
{
	UChar opcode;

	decode_instr_prefixes(r);
	opcode = *r->next++;
	if (opcode == 0x0f) {
		HChar shape = two_bytes[*r->next++];

		return shape == 'J' ? read_branch_target(r, True)
				    : skip_operands_classify_flow(r, shape);
	}
	if (one_byte[opcode] == 'J')
		return read_branch_target(r, False);
	if (r->repeats && one_byte[opcode] != 'e')
		return UNKNOWN;
	return skip_operands_classify_flow(r, one_byte[opcode]);
}

/* Whether the first conditional branch among the MAX_INSTRS instructions at
   @code_addr has @target_addr as one of its two destinations. True also if an
   unknown instruction is reached first; False if control goes elsewhere
   first. */
static Bool may_first_cond_branch_lead_to(Addr code_addr, Addr target_addr)
{
	struct reader r = {.next = (const UChar *)code_addr};
	enum kind kind = FALL_THROUGH;
	UInt i;

	for (i = 0; i < MAX_INSTRS && kind == FALL_THROUGH; i++)
		kind = skip_instr_classify_flow(&r);
	if (kind == BRANCH)
		return r.target == target_addr || (Addr)r.next == target_addr;
	return kind == UNKNOWN;
}

Bool vt_branch_may_begin_logical_and(const struct vt_branch_sides *s)
{
	return may_first_cond_branch_lead_to(s->side[0], s->side[1]) ||
	       may_first_cond_branch_lead_to(s->side[1], s->side[0]);
}

Bool vt_branch_try_decode_sides(Addr instr_addr, UInt len,
				struct vt_branch_sides *s)
{
	struct reader r = {.next = (const UChar *)instr_addr};

	if (len != 2 && len != 6)
		return False;
	if (skip_instr_classify_flow(&r) != BRANCH ||
	    (Addr)r.next != instr_addr + len)
		return False;
	s->side[0] = r.target;
	s->side[1] = (Addr)r.next;
	return True;
}
