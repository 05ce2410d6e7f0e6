/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instr_class.c - decodes and selects instructions; see instr_class.h
 */
#include "lib/config/window/instr_class.h"

#include <Zydis/Zydis.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text/suggest.h"
#include "lib/config/window/plan/process_plan.h"

enum { MAX_FORM = 160, MAX_WORDS = ZYDIS_MNEMONIC_MAX_VALUE + 2 };

struct decoded {
	ZydisDecodedInstruction in;
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
	char form[MAX_FORM];
};

/* Return name @name_index, from 0, of the decoder's list for @select_kind: ISA
   sets, ISA extensions, categories, or mnemonics for every other kind. NULL if
   @name_index is beyond the last name. */
static const char *isa_or_mnemonic_name_at_index(uint32_t select_kind,
						 int name_index)
{
	switch (select_kind) {
	case PT_SELECT_ISA:
		return name_index > ZYDIS_ISA_SET_MAX_VALUE
			       ? NULL
			       : ZydisISASetGetString((ZydisISASet)name_index);
	case PT_SELECT_EXTENSION:
		return name_index > ZYDIS_ISA_EXT_MAX_VALUE
			       ? NULL
			       : ZydisISAExtGetString((ZydisISAExt)name_index);
	case PT_SELECT_CATEGORY:
		return name_index > ZYDIS_CATEGORY_MAX_VALUE
			       ? NULL
			       : ZydisCategoryGetString(
					 (ZydisInstructionCategory)name_index);
	default:
		return name_index > ZYDIS_MNEMONIC_MAX_VALUE
			       ? NULL
			       : ZydisMnemonicGetString(
					 (ZydisMnemonic)name_index);
	}
}

bool al_select_is_known_name(uint32_t select_kind, const char *name,
			     const char **nearest_if_unknown)
{
	/* Categories of a window file that the decoder does not know. */
	static const char *const categories_of_all[] = {"any_mem", "any", NULL};
	const char *words[MAX_WORDS];
	char class[MAX_FORM];
	int i = 0;

	snprintf(class, sizeof(class), "%s", name);
	if (select_kind == PT_SELECT_FORM)
		class[strcspn(class, "_")] = '\0';
	while ((words[i] = isa_or_mnemonic_name_at_index(select_kind, i)))
		if (!strcasecmp(words[i++], class))
			return true;
	if (select_kind == PT_SELECT_CATEGORY)
		memcpy(&words[i], categories_of_all, sizeof(categories_of_all));
	*nearest_if_unknown = al_suggest_word(class, words);
	return false;
}

static const char *operand_type_or_reg_class_name(const ZydisDecodedOperand *o)
{
	switch (o->type) {
	case ZYDIS_OPERAND_TYPE_MEMORY:
		return o->mem.type == ZYDIS_MEMOP_TYPE_AGEN ? "AGEN" : "MEM";
	case ZYDIS_OPERAND_TYPE_POINTER:
		return "PTR";
	case ZYDIS_OPERAND_TYPE_IMMEDIATE:
		return o->imm.is_relative ? "RELBR" : "IMM";
	default:
		break;
	}
	switch (ZydisRegisterGetClass(o->reg.value)) {
	case ZYDIS_REGCLASS_GPR8:
	case ZYDIS_REGCLASS_GPR16:
	case ZYDIS_REGCLASS_GPR32:
	case ZYDIS_REGCLASS_GPR64:
		return "GPR";
	case ZYDIS_REGCLASS_X87:
		return "X87";
	case ZYDIS_REGCLASS_MMX:
		return "MMX";
	case ZYDIS_REGCLASS_XMM:
		return "XMM";
	case ZYDIS_REGCLASS_YMM:
		return "YMM";
	case ZYDIS_REGCLASS_ZMM:
		return "ZMM";
	case ZYDIS_REGCLASS_MASK:
		return "MASK";
	case ZYDIS_REGCLASS_SEGMENT:
		return "SEG";
	default:
		return "REG";
	}
}

/* Write the form: the mnemonic and, for each visible operand, "_" with its type
   or register class and its size [bits]. */
static void format_instr_form(struct decoded *d)
{
	int n = snprintf(d->form, MAX_FORM, "%s",
			 ZydisMnemonicGetString(d->in.mnemonic));

	for (int i = 0; i < d->in.operand_count_visible; i++)
		if (n < MAX_FORM)
			n += snprintf(
				d->form + n, (size_t)(MAX_FORM - n), "_%s%u",
				operand_type_or_reg_class_name(&d->operand[i]),
				d->operand[i].size);
}

static bool decode_instruction_and_set_form(const uint8_t *code,
					    size_t max_bytes, struct decoded *d)
{
	ZydisDecoder decoder;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
			 ZYDIS_STACK_WIDTH_64);
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, max_bytes,
						 &d->in, d->operand)))
		return false;
	format_instr_form(d);
	return true;
}

static bool has_name_of_kind_ignoring_case(uint32_t select_kind,
					   const char *name,
					   const struct decoded *d)
{
	switch (select_kind) {
	case PT_SELECT_FORM:
		return !strcasecmp(name, d->form);
	case PT_SELECT_CLASS:
		return !strcasecmp(name,
				   isa_or_mnemonic_name_at_index(
					   select_kind, (int)d->in.mnemonic));
	case PT_SELECT_ISA:
		return !strcasecmp(
			name, isa_or_mnemonic_name_at_index(
				      select_kind, (int)d->in.meta.isa_set));
	case PT_SELECT_EXTENSION:
		return !strcasecmp(
			name, isa_or_mnemonic_name_at_index(
				      select_kind, (int)d->in.meta.isa_ext));
	default:
		return !strcasecmp(
			name, isa_or_mnemonic_name_at_index(
				      select_kind, (int)d->in.meta.category));
	}
}

uint64_t al_named_select_bits_matching_instr(const struct pt_plan *p,
					     const uint8_t *code,
					     size_t max_bytes)
{
	const struct pt_select *s = pt_plan_selects(p);
	struct decoded d;
	uint64_t matches = 0;
	unsigned bit = 0;

	if (!decode_instruction_and_set_form(code, max_bytes, &d))
		return 0;
	for (uint32_t i = 0; i < p->selects.n && bit < PT_MAX_DECODED; i++)
		if (s[i].kind < PT_SELECT_ANY_MEM &&
		    has_name_of_kind_ignoring_case(
			    s[i].kind, pt_plan_string(p, s[i].name), &d))
			matches |= 1ULL << bit++;
		else
			bit += s[i].kind < PT_SELECT_ANY_MEM;
	return matches;
}
