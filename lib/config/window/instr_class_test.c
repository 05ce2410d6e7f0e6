/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instr_class_test.c - tests names of instructions, and selects that match them
 */
#include "tests/tap.h"

#include "lib/config/window/instr_class.h"
#include "lib/config/window/plan/plan.h"
#include "lib/config/window/plan/process_plan.h"
#include "tests/fixtures/window_text.h"

static const char text[] = "windows:\n"
			   "- name: w\n"
			   "  profile:\n"
			   "  - threads:\n"
			   "    - images:\n"
			   "      - functions:\n"
			   "        - instructions:\n"
			   "          - {form: add_gpr32_mem32}\n"
			   "          - {class: VADDPS}\n"
			   "          - {isa: AVX2}\n"
			   "          - {extension: SSE2}\n"
			   "          - {category: COND_BR}\n"
			   "          - {category: any_mem}\n";

/* Kinds of names, in the order of precedence that the plan uses. */
enum { FORM = 1, CLASS = 2, ISA = 4, EXTENSION = 8, CATEGORY = 16 };

static void test_names(void)
{
	const char *nearest;

	ok(al_select_is_known_name(PT_SELECT_CLASS, "mov", &nearest) &&
		   al_select_is_known_name(PT_SELECT_CLASS, "MOV", &nearest),
	   "a class is known in any spelling");
	ok(al_select_is_known_name(PT_SELECT_CATEGORY, "DATAXFER", &nearest) &&
		   !al_select_is_known_name(PT_SELECT_CATEGORY, "MOV",
					    &nearest),
	   "a class is no category");
	ok(!al_select_is_known_name(PT_SELECT_EXTENSION, "AVX3", &nearest) &&
		   nearest && !strcmp(nearest, "AVX"),
	   "an unknown extension has a nearest one");
	ok(!al_select_is_known_name(PT_SELECT_CATEGORY, "any_mm", &nearest) &&
		   nearest && !strcmp(nearest, "any_mem"),
	   "so has a category that the decoder does not know");
	ok(al_select_is_known_name(PT_SELECT_FORM, "ADD_GPR64_IMM8",
				   &nearest) &&
		   !al_select_is_known_name(PT_SELECT_FORM, "ADX_GPR64",
					    &nearest),
	   "a form begins with a class");
}

static void test_takes(void)
{
	static const uint8_t add[] = {0x03, 0x10};    /* add edx,[rax] */
	static const uint8_t add_to[] = {0x01, 0x10}; /* add [rax],edx */
	static const uint8_t jne[] = {0x75, 0xf5};
	static const uint8_t paddd[] = {0x66, 0x0f, 0xfe, 0xc1};
	static const uint8_t vpaddd[] = {0xc5, 0xf5, 0xfe, 0xc2}; /* with ymm
								     registers
								     */
	static const uint8_t bad[] = {0x06};
	struct al_windows *w = good(text);
	size_t bytes;
	void *plan;

	if (al_plan_make(w, 1, &plan, &bytes)) {
		printf("Bail out! no plan\n");
		exit(1);
	}
	is_u64(al_named_select_bits_matching_instr(plan, add, sizeof(add)),
	       FORM, "a form tells operands");
	is_u64(al_named_select_bits_matching_instr(plan, add_to,
						   sizeof(add_to)),
	       0, "and their order");
	is_u64(al_named_select_bits_matching_instr(plan, jne, sizeof(jne)),
	       CATEGORY, "a jump has a category");
	is_u64(al_named_select_bits_matching_instr(plan, paddd, sizeof(paddd)),
	       EXTENSION, "an instruction has an extension");
	is_u64(al_named_select_bits_matching_instr(plan, vpaddd,
						   sizeof(vpaddd)),
	       ISA, "and an instruction set");
	is_u64(al_named_select_bits_matching_instr(plan, bad, sizeof(bad)), 0,
	       "what is no instruction is taken by none");
	is_u64(al_named_select_bits_matching_instr(plan, add, 1), 0,
	       "nor is a part of one");
	free(plan);
	al_windows_free(w);
}

int main(void)
{
	test_names();
	test_takes();
	return done_testing();
}
