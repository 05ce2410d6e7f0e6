/* SPDX-License-Identifier: GPL-2.0-or-later */
/* instr_kind.c - decodes instructions into kinds; see instr_kind.h */

#include "analyzers/mix/instr_kind.h"

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analyzers/code/vector_width.h"

/* Variants of a class that XED distinguishes by a prefix or suffix of the name,
   and Zydis does not. */
enum variant {
	PLAIN,
	LOCK,  /* suffix _LOCK, as in ADD_LOCK */
	REP,   /* prefix REP_, as in REP_MOVSB */
	REPE,  /* prefix REPE_, as in REPE_CMPSB */
	REPNE, /* prefix REPNE_, as in REPNE_CMPSB */
	NEAR,  /* suffix _NEAR, as in CALL_NEAR */
	FAR,   /* suffix _FAR, as in JMP_FAR */
	XMM,   /* suffix _XMM, as in MOVSD_XMM; MOVSD without it is a string
		  instruction */
};

static const char *const prefix[] = {
	[REP] = "REP_", [REPE] = "REPE_", [REPNE] = "REPNE_", [XMM] = NULL};
static const char *const suffix[] = {
	[LOCK] = "_LOCK", [NEAR] = "_NEAR", [FAR] = "_FAR", [XMM] = "_XMM"};

/* Shift counts [bits] of the fields in word 0 of a key; the mnemonic is in bits
   0 to 15. */
enum { VARIANT = 16, CATEGORY = 24, EXTENSION = 32 };

/* Shift counts [bits] of the fields in word 1 of a key; the type of arithmetic
   is in bits 0 to 7. */
enum { WIDTH = 8, ELEMENTS = 24, COUNT = 40 };

static enum variant
near_far_or_plain_variant_of_instr(const ZydisDecodedInstruction *in)
{
	if (in->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
		return FAR;
	return in->mnemonic == ZYDIS_MNEMONIC_CALL ||
			       in->mnemonic == ZYDIS_MNEMONIC_RET
		       ? NEAR
		       : PLAIN;
}

static bool is_string_instr(const ZydisDecodedInstruction *in)
{
	return in->meta.category == ZYDIS_CATEGORY_STRINGOP ||
	       in->meta.category == ZYDIS_CATEGORY_IOSTRINGOP;
}

static enum variant
rep_variant_of_string_instr(const ZydisDecodedInstruction *in)
{
	if (in->attributes & ZYDIS_ATTRIB_HAS_REPE)
		return REPE;
	if (in->attributes & ZYDIS_ATTRIB_HAS_REPNE)
		return in->attributes & ZYDIS_ATTRIB_ACCEPTS_REPE ? REPNE : REP;
	return in->attributes & ZYDIS_ATTRIB_HAS_REP ? REP : PLAIN;
}

static enum variant xed_name_variant_of_instr(const ZydisDecodedInstruction *in)
{
	if (is_string_instr(in))
		return rep_variant_of_string_instr(in);
	if (in->mnemonic == ZYDIS_MNEMONIC_MOVSD ||
	    in->mnemonic == ZYDIS_MNEMONIC_CMPSD)
		return XMM;
	if (in->mnemonic == ZYDIS_MNEMONIC_XCHG)
		return PLAIN;
	if (in->attributes & ZYDIS_ATTRIB_HAS_LOCK)
		return LOCK;
	return near_far_or_plain_variant_of_instr(in);
}

/* ---- arithmetic ---- */

/* Return how many arithmetic operations an instruction on floating-point
   numbers in vector registers does for each element of its result: 2 for fused
   multiply-add, else 1; 0 if it is no arithmetic. */
static unsigned vector_flops_per_element_or_0(const char *mnemonic)
{
	static const char *const once[] = {
		"add", "sub", "mul", "div",  "sqrt", "rcp", "rsqrt",
		"min", "max", "dpp", "hadd", "hsub", NULL};
	static const char *const twice[] = {"fmadd", "fmsub", "fnmadd",
					    "fnmsub", NULL};

	if (an_mnemonic_begins_with_stem(mnemonic, twice))
		return 2;
	return an_mnemonic_begins_with_stem(mnemonic, once);
}

/* Return the width [bits] of the floating-point numbers that the last two
   letters of @mnemonic stand for (ss, sd, ph, ...); 0: for none. Set
   @is_scalar_out to whether the letter before the last is s. */
static unsigned float_bits_of_suffix_or_0(const char *mnemonic,
					  bool *is_scalar_out)
{
	size_t n = strlen(mnemonic);
	char set = n > 2 ? mnemonic[n - 2] : '\0';
	char type = n > 2 ? mnemonic[n - 1] : '\0';

	*is_scalar_out = set == 's';
	if (set != 's' && set != 'p')
		return 0;
	return type == 's' ? 32 : type == 'd' ? 64 : type == 'h' ? 16 : 0;
}

static struct an_operations
float_operations_of_mnemonic(const char *mnemonic,
			     const ZydisDecodedOperand *result)
{
	struct an_operations o = {.type = AN_FLOAT};
	bool is_scalar;

	o.width = float_bits_of_suffix_or_0(mnemonic, &is_scalar);
	if (o.width != 0)
		o.elements = is_scalar ? 1 : result->size / o.width;
	o.count = o.elements * vector_flops_per_element_or_0(mnemonic);
	return o;
}

static bool is_x87_arithmetic(const char *mnemonic)
{
	static const char *const stem[] = {
		"fadd",	 "fiadd",  "fsub",  "fisub", "fmul",   "fimul",
		"fdiv",	 "fidiv",  "fsqrt", "fprem", "fsin",   "fcos",
		"fptan", "fpatan", "f2xm1", "fyl2x", "fscale", NULL};

	return an_mnemonic_begins_with_stem(mnemonic, stem);
}

static bool is_test_instr(const char *mnemonic)
{
	static const char *const stem[] = {"test", "ptest", NULL};

	return an_mnemonic_begins_with_stem(mnemonic, stem);
}

static bool is_scalar_integer_operation(const ZydisDecodedInstruction *in)
{
	switch (in->meta.category) {
	case ZYDIS_CATEGORY_BINARY:
		return in->mnemonic != ZYDIS_MNEMONIC_CMP;
	case ZYDIS_CATEGORY_LOGICAL:
		return !is_test_instr(ZydisMnemonicGetString(in->mnemonic));
	case ZYDIS_CATEGORY_SHIFT:
	case ZYDIS_CATEGORY_ROTATE:
	case ZYDIS_CATEGORY_ADOX_ADCX:
		return true;
	default:
		break;
	}
	switch (in->mnemonic) {
	case ZYDIS_MNEMONIC_XADD:
	case ZYDIS_MNEMONIC_ANDN:
	case ZYDIS_MNEMONIC_BLSI:
	case ZYDIS_MNEMONIC_BLSMSK:
	case ZYDIS_MNEMONIC_BLSR:
	case ZYDIS_MNEMONIC_MULX:
	case ZYDIS_MNEMONIC_RORX:
	case ZYDIS_MNEMONIC_SARX:
	case ZYDIS_MNEMONIC_SHLX:
	case ZYDIS_MNEMONIC_SHRX:
		return true;
	default:
		return false;
	}
}

static bool is_vector_logic(const char *mnemonic)
{
	static const char *const stem[] = {"pand", "por", "pxor", "pternlog",
					   NULL};

	return an_mnemonic_begins_with_stem(mnemonic, stem);
}

/* Return the operations of an instruction on integers in vector registers. The
   type is AN_NO_ARITHMETIC if it is none. */
static struct an_operations
vector_integer_operations_of_mnemonic(const char *mnemonic,
				      const ZydisDecodedOperand *result)
{
	static const char *const one_minimum[] = {"phmin", NULL};
	struct an_operations o = {.type = AN_NO_ARITHMETIC};

	if (is_vector_logic(mnemonic))
		return (struct an_operations){AN_INTEGER, result->size, 1, 1};
	o.width = an_vector_integer_bits(mnemonic);
	if (o.width == 0)
		return o;
	o.type = AN_INTEGER;
	o.elements = an_mnemonic_begins_with_stem(mnemonic, one_minimum)
			     ? 1
			     : result->size / o.width;
	o.count = o.elements;
	return o;
}

static struct an_operations
arithmetic_of_decoded_instr(const ZydisDecodedInstruction *in,
			    const ZydisDecodedOperand *operand)
{
	const char *name = ZydisMnemonicGetString(in->mnemonic);
	const ZydisDecodedOperand *result = &operand[0];
	struct an_operations none = {.type = AN_NO_ARITHMETIC}, o;

	if (in->meta.category == ZYDIS_CATEGORY_X87_ALU)
		return is_x87_arithmetic(name)
			       ? (struct an_operations){AN_X87, 80, 1, 1}
			       : none;
	o = vector_integer_operations_of_mnemonic(name, result);
	if (o.count)
		return o;
	if (is_scalar_integer_operation(in))
		return (struct an_operations){AN_INTEGER, result->size, 1, 1};
	o = float_operations_of_mnemonic(name, result);
	return o.count ? o : none;
}

/* ---- keys ---- */
struct al_key an_instr_kind_decode_to_key(const uint8_t *code,
					  size_t code_bytes)
{
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction in;
	struct an_operations o;
	ZydisDecoder decoder;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
			 ZYDIS_STACK_WIDTH_64);
	if (code == NULL ||
	    !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, code_bytes,
						 &in, operand)) ||
	    in.length != code_bytes)
		return (struct al_key){{0}};
	o = arithmetic_of_decoded_instr(&in, operand);
	return (struct al_key){
		{(uint64_t)in.mnemonic |
			 (uint64_t)xed_name_variant_of_instr(&in) << VARIANT |
			 (uint64_t)in.meta.category << CATEGORY |
			 (uint64_t)in.meta.isa_ext << EXTENSION,
		 (uint64_t)o.type | (uint64_t)o.width << WIDTH |
			 (uint64_t)o.elements << ELEMENTS |
			 (uint64_t)o.count << COUNT}};
}

struct an_operations an_instr_kind_arithmetic_of_key(const struct al_key *key)
{
	uint64_t w = key->word[1];

	return (struct an_operations){(enum an_arithmetic)(w & 0xff),
				      (unsigned)(w >> WIDTH & 0xffff),
				      (unsigned)(w >> ELEMENTS & 0xffff),
				      (unsigned)(w >> COUNT & 0xffff)};
}

void an_instr_kind_write_xed_class_name(uint64_t class,
					char name_out[AN_CLASS_NAME])
{
	enum variant v = (enum variant)(class >> VARIANT & 0xff);

	if (class == 0) {
		strcpy(name_out, "undecoded");
		return;
	}
	snprintf(name_out, AN_CLASS_NAME, "%s%s%s", prefix[v] ? prefix[v] : "",
		 ZydisMnemonicGetString((ZydisMnemonic)(class & 0xffff)),
		 suffix[v] ? suffix[v] : "");
	for (; *name_out; name_out++)
		if (*name_out >= 'a' && *name_out <= 'z')
			*name_out = (char)(*name_out - 'a' + 'A');
}

const char *an_instr_kind_category_name(uint64_t class)
{
	return ZydisCategoryGetString(
		(ZydisInstructionCategory)(class >> CATEGORY & 0xff));
}

const char *an_instr_kind_extension_name(uint64_t class)
{
	return ZydisISAExtGetString((ZydisISAExt)(class >> EXTENSION & 0xff));
}
