/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vt_idiom_test.c - each branch of the C library, as a whole decoder sees it
 *
 * Room:    vgtool. A program of its own, on the C library and Zydis.
 */
#include "vgtool/vt_idiom.h"

#include <Zydis/Zydis.h>
#include <stdlib.h>

#include "tests/tap.h"

enum { MARGIN = 64 /* [bytes] that no instruction is looked for in */ };

struct code {
	Addr start, end;
};

/* The machine code of the C library in this process. */
static struct code library(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	struct code c = {0};
	char line[512], mode[8], path[256];

	while (f && !c.start && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %255s", &c.start,
			   &c.end, mode, path) < 4 ||
		    mode[2] != 'x' || !strstr(path, "/libc"))
			c.start = 0;
	if (f)
		fclose(f);
	return c;
}

static bool decode(Addr at, ZydisDecodedInstruction *in)
{
	static ZydisDecoder decoder;
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];

	if (!decoder.machine_mode)
		ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
				 ZYDIS_STACK_WIDTH_64);
	return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, (const void *)at,
						   15, in, operand));
}

static bool is_branch(Addr at, const ZydisDecodedInstruction *in,
		      struct vt_sides *s)
{
	bool is_near = in->opcode_map == ZYDIS_OPCODE_MAP_0F;

	if (in->meta.category != ZYDIS_CATEGORY_COND_BR ||
	    in->opcode >> 4 != (is_near ? 8 : 7))
		return false;
	s->side[1] = at + in->length;
	s->side[0] = s->side[1] + (Addr)in->raw.imm[0].value.s;
	return true;
}

static bool is_within(const struct code *c, Addr at)
{
	return at >= c->start && at < c->end - MARGIN;
}

static bool is_jump(const ZydisDecodedInstruction *in)
{
	return in->meta.category == ZYDIS_CATEGORY_UNCOND_BR ||
	       in->meta.category == ZYDIS_CATEGORY_CALL ||
	       in->meta.category == ZYDIS_CATEGORY_RET;
}

/* Whether a side is an idiom's by the whole decoder. */
static bool leads(Addr side, Addr other)
{
	ZydisDecodedInstruction in;
	struct vt_sides s;

	for (int i = 0; i < 3 && decode(side, &in) && !is_jump(&in); i++) {
		if (is_branch(side, &in, &s))
			return s.side[0] == other || s.side[1] == other;
		side += in.length;
	}
	return false;
}

int main(void)
{
	struct code c = library();
	uint64_t branches = 0, seen = 0, idioms = 0, missed = 0, may = 0;
	uint64_t others = 0;
	ZydisDecodedInstruction in;
	struct vt_sides want, got;

	for (Addr at = c.start; is_within(&c, at); at += in.length) {
		if (!decode(at, &in)) {
			in.length = 1;
			continue;
		}
		if (!is_branch(at, &in, &want)) {
			others += vt_idiom_sides(at, in.length, &got);
			continue;
		}
		if (!is_within(&c, want.side[0]))
			continue;
		branches++;
		seen += vt_idiom_sides(at, in.length, &got) &&
			got.side[0] == want.side[0] &&
			got.side[1] == want.side[1];
		may += vt_idiom_may(&want);
		if (leads(want.side[0], want.side[1]) ||
		    leads(want.side[1], want.side[0])) {
			idioms++;
			missed += !vt_idiom_may(&want);
		}
	}
	printf("# %lu branches, %lu idioms, %lu may be\n", branches, idioms,
	       may);
	ok(branches > 10000 && idioms > 500, "the C library has branches");
	is_u64(seen, branches, "where each goes is told");
	is_u64(others, 0, "nothing else is taken for one");
	is_u64(missed, 0, "no idiom is missed");
	ok(may - idioms < branches / 10, "few others are thought to be some");
	return done_testing();
}
