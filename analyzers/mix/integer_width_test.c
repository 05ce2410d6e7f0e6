/* SPDX-License-Identifier: GPL-2.0-or-later */
/* integer_width_test.c - decodes integer instructions on vector registers, each
   in all encodings */
#include "analyzers/mix/instr_kind.h"

#include <stdio.h>
#include <string.h>

#include "tests/tap.h"

enum encoding { MMX, SSE, VEX_128, VEX_256, N_ENCODINGS };

/* An instruction whose first operands are registers 0 to 7, or memory. */
struct instr {
	enum encoding encoding;
	unsigned map; /* 1: 0F, 2: 0F 38, 3: 0F 3A */
	unsigned opcode;
	unsigned modrm;
};

static const struct known {
	struct instr instr;
	const char *mnemonic;
	unsigned width, count;
} known[] = {
	{{SSE, 1, 0xfc, 0xc1}, "PADDB", 8, 16},
	{{SSE, 1, 0xdc, 0xc1}, "PADDUSB", 8, 16},
	{{SSE, 1, 0xe8, 0xc1}, "PSUBSB", 8, 16},
	{{SSE, 2, 0x1c, 0xc1}, "PABSB", 8, 16},
	{{SSE, 2, 0x08, 0xc1}, "PSIGNB", 8, 16},
	{{SSE, 1, 0xde, 0xc1}, "PMAXUB", 8, 16},
	{{SSE, 1, 0xe0, 0xc1}, "PAVGB", 8, 16},
	{{SSE, 1, 0xd5, 0xc1}, "PMULLW", 16, 8},
	{{SSE, 2, 0x01, 0xc1}, "PHADDW", 16, 8},
	{{SSE, 2, 0x03, 0xc1}, "PHADDSW", 16, 8},
	{{SSE, 2, 0x04, 0xc1}, "PMADDUBSW", 16, 8},
	{{SSE, 3, 0x42, 0xc1}, "MPSADBW", 16, 8},
	{{SSE, 2, 0x41, 0xc1}, "PHMINPOSUW", 16, 1},
	{{SSE, 1, 0xfe, 0xc1}, "PADDD", 32, 4},
	{{SSE, 1, 0xf5, 0xc1}, "PMADDWD", 32, 4},
	{{SSE, 2, 0x40, 0xc1}, "PMULLD", 32, 4},
	{{SSE, 1, 0xe2, 0xc1}, "PSRAD", 32, 4},
	{{SSE, 1, 0x72, 0xe1}, "PSRAD", 32, 4},
	{{SSE, 2, 0x3d, 0xc1}, "PMAXSD", 32, 4},
	{{SSE, 1, 0xd4, 0xc1}, "PADDQ", 64, 2},
	{{SSE, 1, 0xf4, 0xc1}, "PMULUDQ", 64, 2},
	{{SSE, 2, 0x28, 0xc1}, "PMULDQ", 64, 2},
	{{SSE, 1, 0xf3, 0xc1}, "PSLLQ", 64, 2},
	{{SSE, 1, 0xf6, 0xc1}, "PSADBW", 64, 2},
	{{SSE, 1, 0x73, 0xf9}, "PSLLDQ", 128, 1},
	{{SSE, 1, 0xdb, 0xc1}, "PAND", 128, 1},
	{{SSE, 1, 0xdf, 0xc1}, "PANDN", 128, 1},
	{{SSE, 1, 0xeb, 0xc1}, "POR", 128, 1},
	{{SSE, 1, 0xef, 0xc1}, "PXOR", 128, 1},
	{{SSE, 2, 0x17, 0xc1}, "PTEST", 0, 0},
	{{SSE, 1, 0x74, 0xc1}, "PCMPEQB", 0, 0},
	{{SSE, 2, 0x00, 0xc1}, "PSHUFB", 0, 0},
	{{MMX, 1, 0xfc, 0xc1}, "PADDB", 8, 8},
	{{MMX, 1, 0xf4, 0xc1}, "PMULUDQ", 64, 1},
	{{MMX, 1, 0xef, 0xc1}, "PXOR", 64, 1},
	{{VEX_256, 1, 0xdb, 0xc1}, "VPAND", 256, 1},
	{{VEX_256, 1, 0x73, 0xf9}, "VPSLLDQ", 128, 2},
	{{VEX_256, 2, 0x47, 0xc1}, "VPSLLVD", 32, 8},
};

/* Write the bytes of an instruction with VEX. @vvvv: the field of that name: 15
   for none. Return: number of bytes. */
static size_t encode_with_vex(const struct instr *in, unsigned vvvv,
			      uint8_t *code_out)
{
	code_out[0] = 0xc4;
	code_out[1] = (uint8_t)(0xe0 | in->map);
	code_out[2] = (uint8_t)(vvvv << 3 | 1);
	code_out[2] |= in->encoding == VEX_256 ? 4 : 0;
	code_out[3] = (uint8_t)in->opcode;
	code_out[4] = (uint8_t)in->modrm;
	return 5;
}

static size_t encode_without_vex(const struct instr *in, uint8_t *code_out)
{
	size_t n = 0;

	if (in->encoding == SSE)
		code_out[n++] = 0x66;
	code_out[n++] = 0x0f;
	if (in->map > 1)
		code_out[n++] = in->map == 2 ? 0x38 : 0x3a;
	code_out[n++] = (uint8_t)in->opcode;
	code_out[n++] = (uint8_t)in->modrm;
	return n;
}

/* Return the key of @code with or without an immediate operand of one byte, for
   which there is room after the code. */
static struct al_key decode_with_immediate_if_needed(uint8_t *code,
						     size_t code_bytes)
{
	struct al_key key = an_instr_kind_decode_to_key(code, code_bytes);

	code[code_bytes] = 1;
	return key.word[0] ? key
			   : an_instr_kind_decode_to_key(code, code_bytes + 1);
}

static struct al_key encode_and_decode(const struct instr *in)
{
	uint8_t code[8];
	struct al_key key;

	if (in->encoding < VEX_128)
		return decode_with_immediate_if_needed(
			code, encode_without_vex(in, code));
	key = decode_with_immediate_if_needed(code,
					      encode_with_vex(in, 14, code));
	return key.word[0] ? key
			   : decode_with_immediate_if_needed(
				     code, encode_with_vex(in, 15, code));
}

static void write_name(const struct al_key *key, char name_out[AN_CLASS_NAME])
{
	an_instr_kind_write_xed_class_name(an_instr_kind_class_word(key),
					   name_out);
}

static void test_known(const struct known *k)
{
	struct al_key key = encode_and_decode(&k->instr);
	struct an_operations o = an_instr_kind_arithmetic_of_key(&key);
	char name[AN_CLASS_NAME], fact[80];

	write_name(&key, name);
	is_str(name, k->mnemonic, "the class");
	snprintf(fact, sizeof(fact), "%s: %u operations of %u bits", name,
		 k->count, k->width);
	if (!ok(o.width == k->width && o.count == k->count, fact))
		printf("# got %u operations of %u bits\n", o.count, o.width);
}

/* ---- equal mnemonics in two encodings ---- */

/* Whether two instructions on vector registers have equal mnemonics but for a V
   at the beginning. Names of those on general registers begin with other
   letters than P, M and V. */
static bool is_same_vector_mnemonic(const struct al_key *key,
				    const struct al_key *other)
{
	char name[AN_CLASS_NAME], of_other[AN_CLASS_NAME];

	write_name(key, name);
	write_name(other, of_other);
	return (*name == 'V' || *name == 'P' || *name == 'M') &&
	       !strcmp(name + (*name == 'V'), of_other + (*of_other == 'V'));
}

/* Whether @wide, on registers @factor times as wide, does @factor times as many
   operations of equal width, or as many of @factor times the width. */
static bool scales_with_register(struct an_operations narrow,
				 struct an_operations wide, unsigned factor)
{
	return narrow.type == wide.type && wide.count == wide.elements &&
	       wide.width * wide.count ==
		       factor * narrow.width * narrow.count &&
	       (wide.width == narrow.width || wide.count == narrow.count);
}

/* Compare an instruction in two encodings if it is of integers in both. Return:
   1 if it was compared, or 0. @holds: set to false if they differ. */
static unsigned compare_if_integer(struct instr in, enum encoding narrow,
				   enum encoding wide, unsigned factor,
				   bool *holds)
{
	struct an_operations a, b;
	struct al_key x, y;
	char name[AN_CLASS_NAME];

	in.encoding = narrow;
	x = encode_and_decode(&in);
	in.encoding = wide;
	y = encode_and_decode(&in);
	a = an_instr_kind_arithmetic_of_key(&x);
	b = an_instr_kind_arithmetic_of_key(&y);
	if (x.word[0] == 0 || y.word[0] == 0 ||
	    (a.type != AN_INTEGER && b.type != AN_INTEGER) ||
	    !is_same_vector_mnemonic(&x, &y))
		return 0;
	if (scales_with_register(a, b, factor))
		return 1;
	write_name(&y, name);
	printf("# %s: %u x %u bits, %u x %u bits\n", name, a.count, a.width,
	       b.count, b.width);
	*holds = false;
	return 1;
}

static void test_all(enum encoding narrow, enum encoding wide, unsigned factor,
		     const char *fact)
{
	bool holds = true;
	unsigned n = 0;

	for (unsigned map = 1; map <= 3; map++)
		for (unsigned i = 0; i < 256 * 16; i++) {
			struct instr in = {.map = map,
					   .opcode = i >> 4,
					   .modrm = (i & 7) << 3 | 1};

			in.modrm |= i & 8 ? 0xc0 : 0;
			n += compare_if_integer(in, narrow, wide, factor,
						&holds);
		}
	printf("# %u instructions compared\n", n);
	ok(holds && n > 800, fact);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		test_known(&known[i]);
	test_all(SSE, VEX_128, 1, "with VEX, an instruction counts the same");
	test_all(VEX_128, VEX_256, 2, "on 256 bits, it does twice the work");
	test_all(MMX, SSE, 2, "on 128 bits, it does twice the work of MMX");
	return done_testing();
}
