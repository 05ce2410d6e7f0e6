/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * register_flow.c - decodes registers of instructions; see register_flow.h
 *
 * Encodings: Intel 64 and IA-32 Architectures Software Developer's Manual,
 * volume 2, appendix A (opcode maps).
 */
#include "analyzers/cache/evidence/register_flow.h"

enum { MAX_LEN = 15 }; /* [bytes] Valgrind's client request is longer */

enum { RAX = 0, RCX = 1, RDX = 2, RSP = 4, RBP = 5, RSI = 6, RDI = 7 };

#define BIT(r) ((uint16_t)(1u << (r)))

static const struct an_instr_flow unknown = {.dest = UINT16_MAX};
static const struct an_instr_flow nothing = {.dest = 0};

/* An instruction being decoded. */
struct instr {
	const uint8_t *at, *end;
	unsigned rex;	       /* 0: none */
	bool is_16_bit, is_f3; /* prefixes 66, f3 */
	uint8_t opcode;
	unsigned reg, rm; /* of the ModRM byte */
	bool is_memory;	  /* rm is a memory operand ... */
	uint16_t address; /* ... with these registers */
	bool failed;	  /* the instruction is cut off */
};

static uint8_t next_byte(struct instr *x)
{
	if (x->at == x->end) {
		x->failed = true;
		return 0;
	}
	return *x->at++;
}

static void decode_prefixes(struct instr *x)
{
	for (; x->at < x->end; x->at++)
		switch (*x->at) {
		case 0x66:
			x->is_16_bit = true;
			break;
		case 0xf3:
			x->is_f3 = true;
			break;
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x26:
		case 0x64:
		case 0x65:
		case 0x67:
		case 0xf0:
		case 0xf2:
			break;
		default:
			if ((*x->at & 0xf0) == 0x40)
				x->rex = *x->at++;
			return;
		}
}

/* Decode the ModRM byte, and the SIB byte if there is one. */
static void decode_operands(struct instr *x)
{
	uint8_t modrm = next_byte(x), sib;
	unsigned mod = modrm >> 6, low = modrm & 7;

	x->reg = (modrm >> 3 & 7) | (x->rex & 4) << 1;
	x->rm = low | (x->rex & 1) << 3;
	x->is_memory = mod != 3;
	if (!x->is_memory)
		return;
	if (low != 4) {
		/* mod 0 with 5: relative to the instruction */
		x->address = mod == 0 && low == 5 ? 0 : BIT(x->rm);
		return;
	}
	sib = next_byte(x);
	if (!(mod == 0 && (sib & 7) == 5))
		x->address = BIT((sib & 7) | (x->rex & 1) << 3);
	if ((sib >> 3 & 7) != 4 || (x->rex & 2))
		x->address |= BIT((sib >> 3 & 7) | (x->rex & 2) << 2);
}

/* ---- forms of instructions whose operands were decoded ---- */

/* Nothing is written to a register. */
static struct an_instr_flow no_dest(const struct instr *x)
{
	return (struct an_instr_flow){.address = x->address};
}

/* The values of registers are lost. */
static struct an_instr_flow lose(const struct instr *x, unsigned registers)
{
	return (struct an_instr_flow){.address = x->address,
				      .dest = (uint16_t)registers};
}

/* reg follows from rm, and from the registers @also. */
static struct an_instr_flow to_reg(const struct instr *x, unsigned also)
{
	return (struct an_instr_flow){
		.address = x->address,
		.source = (uint16_t)(also | (x->is_memory ? 0 : BIT(x->rm))),
		.dest = BIT(x->reg),
		.loads = x->is_memory};
}

/* rm, if it is a register, follows from @source. */
static struct an_instr_flow to_rm(const struct instr *x, unsigned source)
{
	return (struct an_instr_flow){.address = x->address,
				      .source = (uint16_t)source,
				      .dest = x->is_memory ? 0 : BIT(x->rm)};
}

/* Whether an instruction with operands of 8 bits has ah, ch, dh or bh. */
static bool has_high_byte(const struct instr *x)
{
	return !x->rex && (x->reg >= 4 || (!x->is_memory && x->rm >= 4));
}

/* Return the registers whose other bytes remain if operands have 8 bits or 16
   bits: also a source. */
static unsigned rest_of(const struct instr *x, unsigned reg, bool is_byte)
{
	return is_byte || x->is_16_bit ? BIT(reg) : 0;
}

/* ---- opcode maps ---- */

/* add, or, adc, sbb, and, sub, xor, cmp: @operation */
static struct an_instr_flow decode_arithmetic(struct instr *x)
{
	unsigned operation = x->opcode >> 3, form = x->opcode & 7;

	if (form > 5)
		return unknown;
	if (form > 3)
		return operation == 7
			       ? nothing
			       : (struct an_instr_flow){.source = BIT(RAX),
							.dest = BIT(RAX)};
	decode_operands(x);
	if (operation == 7)
		return no_dest(x);
	if (!(form & 1) && has_high_byte(x))
		return unknown;
	if ((operation == 6 || operation == 5) && !x->is_memory &&
	    x->reg == x->rm)
		return lose(x, BIT(x->reg)); /* 0 */
	return form < 2 ? to_rm(x, BIT(x->rm) | BIT(x->reg))
			: to_reg(x, BIT(x->reg));
}

static struct an_instr_flow decode_mov(struct instr *x)
{
	bool is_byte = !(x->opcode & 1);

	decode_operands(x);
	if (is_byte && has_high_byte(x))
		return unknown;
	if (x->opcode < 0x8a)
		return to_rm(x, BIT(x->reg) | rest_of(x, x->rm, is_byte));
	return to_reg(x, rest_of(x, x->reg, is_byte));
}

/* Opcodes f6 and f7. */
static struct an_instr_flow decode_group_3(struct instr *x)
{
	decode_operands(x);
	switch (x->reg & 7) {
	case 0:
	case 1:
		return no_dest(x); /* test */
	case 2:
	case 3:
		return to_rm(x, BIT(x->rm));
	default:
		return lose(x, BIT(RAX) | BIT(RDX)); /* mul, div */
	}
}

/* Opcodes fe and ff. */
static struct an_instr_flow decode_group_5(struct instr *x)
{
	decode_operands(x);
	return (x->reg & 7) < 2 ? to_rm(x, BIT(x->rm)) : no_dest(x);
}

/* Instructions without ModRM byte. */
static struct an_instr_flow decode_short(const struct instr *x)
{
	unsigned reg = (x->opcode & 7) | (x->rex & 1) << 3;

	switch (x->opcode) {
	case 0x50 ... 0x57:
	case 0x68:
	case 0x6a:
	case 0x70 ... 0x7f:
	case 0xa8:
	case 0xa9:
	case 0xb0 ... 0xb7:
	case 0xc2:
	case 0xc3:
	case 0xe3:
	case 0xe8:
	case 0xe9:
	case 0xeb:
		return nothing;
	case 0x58 ... 0x5f:
		return (struct an_instr_flow){
			.address = BIT(RSP), .dest = BIT(reg), .loads = true};
	case 0x90:
		return x->rex & 1 ? unknown : nothing;
	case 0x98:
		return (struct an_instr_flow){.source = BIT(RAX),
					      .dest = BIT(RAX)};
	case 0x99:
		return (struct an_instr_flow){.source = BIT(RAX),
					      .dest = BIT(RDX)};
	case 0xa4 ... 0xa7:
	case 0xaa ... 0xaf:
		return (struct an_instr_flow){.dest = BIT(RAX) | BIT(RCX) |
						      BIT(RSI) | BIT(RDI)};
	case 0xb8 ... 0xbf:
		return (struct an_instr_flow){.dest = BIT(reg)};
	case 0xc9:
		return (struct an_instr_flow){.dest = BIT(RBP)};
	}
	return unknown;
}

static struct an_instr_flow decode_one_byte_map(struct instr *x)
{
	switch (x->opcode) {
	case 0x00 ... 0x3f:
		return decode_arithmetic(x);
	case 0x63:
	case 0x69:
	case 0x6b:
		decode_operands(x);
		return to_reg(x, 0);
	case 0x80:
	case 0x81:
	case 0x83:
		decode_operands(x);
		return (x->reg & 7) == 7 ? no_dest(x) : to_rm(x, BIT(x->rm));
	case 0x84:
	case 0x85:
	case 0xd8 ... 0xde:
		decode_operands(x);
		return no_dest(x);
	case 0xdf:
		decode_operands(x);
		return x->is_memory ? no_dest(x) : lose(x, BIT(RAX));
	case 0x86:
	case 0x87:
		decode_operands(x);
		return lose(x, BIT(x->reg) | (x->is_memory ? 0 : BIT(x->rm)));
	case 0x88 ... 0x8b:
		return decode_mov(x);
	case 0x8d:
		decode_operands(x);
		return (struct an_instr_flow){.source = x->address,
					      .dest = BIT(x->reg)};
	case 0xc0:
	case 0xc1:
	case 0xd0 ... 0xd3:
		decode_operands(x);
		return to_rm(x, BIT(x->rm));
	case 0xc6:
	case 0xc7:
		decode_operands(x);
		return x->reg & 7 ? unknown : to_rm(x, 0);
	case 0xf6:
	case 0xf7:
		return decode_group_3(x);
	case 0xfe:
	case 0xff:
		return decode_group_5(x);
	}
	return decode_short(x);
}

/* Opcodes after 0f that have vector registers, or none, as destination unless
   listed otherwise; most of them also with a VEX prefix. */
static struct an_instr_flow decode_vector(struct instr *x)
{
	decode_operands(x);
	switch (x->opcode) {
	case 0x2c:
	case 0x2d:
	case 0x50:
	case 0xc5:
	case 0xd7:
		return lose(x, BIT(x->reg));
	case 0x7e:
		return lose(x, x->is_memory || x->is_f3 ? 0 : BIT(x->rm));
	}
	return no_dest(x);
}

static struct an_instr_flow decode_two_byte_map(struct instr *x)
{
	switch (x->opcode) {
	case 0x0d:
	case 0x10 ... 0x18:
	case 0x1e:
	case 0x1f:
	case 0x28 ... 0x2f:
	case 0x50 ... 0x76:
	case 0x7c ... 0x7f:
	case 0xc2 ... 0xc6:
	case 0xd0 ... 0xfe:
		return decode_vector(x);
	case 0x80 ... 0x8f:
	case 0xc8 ... 0xcf:
		return nothing; /* jumps; bswap */
	case 0x90 ... 0x9f:
	case 0xab:
	case 0xb3:
	case 0xba:
	case 0xbb:
		decode_operands(x);
		return to_rm(x, BIT(x->rm));
	case 0xa4:
	case 0xa5:
	case 0xac:
	case 0xad:
		decode_operands(x);
		return to_rm(x, BIT(x->rm) | BIT(x->reg));
	case 0xa3:
		decode_operands(x);
		return no_dest(x);
	case 0x40 ... 0x4f:
	case 0xaf:
	case 0xb8:
	case 0xbc:
	case 0xbd:
		decode_operands(x);
		return to_reg(x, BIT(x->reg));
	case 0xb6:
	case 0xb7:
	case 0xbe:
	case 0xbf:
		decode_operands(x);
		if (!(x->opcode & 1) && has_high_byte(x) && !x->is_memory)
			return unknown;
		return to_reg(x, rest_of(x, x->reg, false));
	}
	return unknown;
}

/* Skip a VEX prefix. Registers that the instruction may write are lost. */
static struct an_instr_flow decode_vex(struct instr *x)
{
	bool is_long = x->opcode == 0xc4;
	uint8_t second = next_byte(x), third = is_long ? next_byte(x) : second;
	unsigned map = is_long ? second & 0x1f : 1;

	x->rex = 0x40 | (second & 0x80 ? 0 : 4);
	if (is_long)
		x->rex |= (second & 0x40 ? 0 : 2) | (second & 0x20 ? 0 : 1);
	x->is_f3 = (third & 3) == 2;
	x->opcode = next_byte(x);
	if (map == 1 && x->opcode != 0x92 && x->opcode != 0x93)
		return decode_vector(x);
	if (map == 2 && (x->opcode & 0xfc) == 0x90)
		return unknown; /* gather: the index is a vector */
	if (map == 2 && x->opcode < 0xf0) {
		decode_operands(x);
		return no_dest(x);
	}
	decode_operands(x);
	return lose(x, BIT(x->reg) | BIT(~third >> 3 & 15) | BIT(RCX) |
			       (x->is_memory ? 0 : BIT(x->rm)));
}

static struct an_instr_flow decode_escape(struct instr *x)
{
	x->opcode = next_byte(x);
	if (x->opcode != 0x38 && x->opcode != 0x3a)
		return decode_two_byte_map(x);
	if (x->opcode == 0x3a)
		return unknown;
	x->opcode = next_byte(x);
	if (x->opcode >= 0xf0)
		return unknown;
	decode_operands(x);
	return no_dest(x);
}

struct an_instr_flow an_instr_flow_decode(const uint8_t *code, unsigned len)
{
	struct instr x = {.at = code, .end = code + len};
	struct an_instr_flow f;

	decode_prefixes(&x);
	x.opcode = next_byte(&x);
	if (x.opcode == 0x0f)
		f = decode_escape(&x);
	else if (x.opcode == 0xc4 || x.opcode == 0xc5)
		f = decode_vex(&x);
	else
		f = decode_one_byte_map(&x);
	return x.failed || len > MAX_LEN ? unknown : f;
}

/* Return what a chain is worth if there are several. */
static unsigned rank(const struct an_load_chain *c)
{
	return c->n + (c->repeats ? AN_CHAIN_LENGTH : 0);
}

struct an_load_chain an_best_load_chain(const struct an_load_chain *chain,
					unsigned registers)
{
	static const struct an_load_chain empty;
	const struct an_load_chain *best = &empty;

	for (; registers != 0; registers &= registers - 1) {
		const struct an_load_chain *c =
			&chain[__builtin_ctz(registers)];

		best = rank(c) > rank(best) ? c : best;
	}
	return *best;
}

/* Return a chain with one more load at its end. */
static struct an_load_chain append_load(const struct an_load_chain *c,
					uint32_t load)
{
	struct an_load_chain longer = {.load = {load}, .n = 1};

	for (; longer.n <= c->n && longer.n < AN_CHAIN_LENGTH; longer.n++)
		longer.load[longer.n] = c->load[longer.n - 1];
	for (unsigned i = 0; i < longer.n; i++)
		for (unsigned k = 0; k < i; k++)
			longer.repeats |= longer.load[i] == longer.load[k];
	return longer;
}

void an_instr_flow_execute(const struct an_instr_flow *f,
			   struct an_load_chain *chain)
{
	struct an_load_chain c, loaded;

	if (f->dest == 0) {
		chain[RSP].n = 0;
		chain[RSP].repeats = false;
		return;
	}
	c = an_best_load_chain(chain, f->source);
	if (f->loads) {
		loaded = an_best_load_chain(chain, f->address);
		loaded = append_load(&loaded, f->number);
		c = rank(&loaded) > rank(&c) ? loaded : c;
	}
	for (unsigned dest = f->dest; dest != 0; dest &= dest - 1)
		chain[__builtin_ctz(dest)] = c;
	chain[RSP] = (struct an_load_chain){.n = 0};
}
