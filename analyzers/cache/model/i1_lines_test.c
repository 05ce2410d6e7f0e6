/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * i1_lines_test.c - compares lines of code in their first level with plain LRU
 * lists
 */

#include "analyzers/cache/model/i1_lines.h"

#include "tests/fixtures/toy_lru.h"
#include "tests/tap.h"

enum { BLOCKS = 200, INSTRS = 40, EXITS = 3, USES = 50000, LINE = 64 };

static struct pt_instr instr[BLOCKS][INSTRS];
static struct pt_exit exits[BLOCKS][EXITS];
static struct an_block block[BLOCKS];

/* Fill block @b with consecutive instructions and a jump after about one in
   eight. */
static void make_block(unsigned b, uint64_t *state)
{
	uint64_t addr = toy_lru_random(state) % 20000;
	uint16_t n = (uint16_t)(1 + toy_lru_random(state) % INSTRS);

	for (uint16_t i = 0; i < n; i++) {
		uint8_t len = (uint8_t)(1 + toy_lru_random(state) % PT_MAX_LEN);

		instr[b][i] = (struct pt_instr){.addr = addr, .len = len};
		addr += len;
		if (toy_lru_random(state) % 8 == 0)
			addr = toy_lru_random(state) % 20000;
	}
	for (uint16_t e = 0; e < EXITS; e++)
		exits[b][e].n_instrs = (uint16_t)(n * (e + 1) / EXITS);
	block[b] = (struct an_block){.id = b,
				     .n_instrs = n,
				     .n_exits = EXITS,
				     .instr = instr[b],
				     .exit = exits[b]};
}

/* Numbers of differences from the expected values. */
struct differences {
	uint64_t lines, counts, rows, misses;
};

struct level {
	struct an_i1_index lines;
	struct an_l1 first;
	struct toy_lru_sets lists; /* the same level as a plain LRU list */
	unsigned sets, assoc;
};

/* Use the @i-th line of an execution: @line, whose first instruction is @in
   with number @row. Add differences to @d. */
static void use_line(struct level *l, const uint32_t *piece, unsigned i,
		     const struct pt_instr *in, uint16_t row, uint64_t line,
		     struct differences *d)
{
	const uint32_t *list = an_i1_index_record_line_ids(piece);
	unsigned missing = an_i1_index_line_first_instr_and_flags(piece, i);
	uint32_t way_index = l->lines.way_of_line[list[i]];
	bool begun = in->addr / LINE < line;
	bool ends = (in->addr + in->len - 1) / LINE > line;

	d->lines +=
		an_i1_index_line_id_to_cache_line(&l->lines, list[i]) != line;
	if (i < AN_INLINE_LINES)
		d->lines += piece[i] != list[i];
	d->rows += missing != (row | (begun ? AN_LINE_CODE_STARTS_BEFORE : 0u) |
			       (ends ? AN_LINE_CODE_ENDS_AFTER : 0u));
	d->misses += an_i1_index_is_line_absent(way_index) !=
		     toy_lru_use(&l->lists, l->sets, l->assoc, line, false);
	if (an_i1_index_is_line_absent(way_index))
		way_index = an_i1_index_fill_lru_way_get_way_index(
			&l->lines, list[i], &l->first);
	l->first.used[way_index] = ++l->first.clock;
}

static void execute(struct level *l, unsigned b, unsigned exit,
		    struct differences *d)
{
	const uint32_t *piece = an_i1_index_block_record(&l->lines, b);
	uint64_t previous = UINT64_MAX;
	unsigned n = 0;

	for (uint16_t i = 0; i < exits[b][exit].n_instrs; i++) {
		const struct pt_instr *in = &instr[b][i];
		uint64_t line = in->addr / LINE;

		for (; line <= (in->addr + in->len - 1) / LINE; line++) {
			if (line != previous)
				use_line(l, piece, n++, in, i, line, d);
			previous = line;
		}
	}
	d->counts += an_i1_index_n_lines_to_exit(piece, exit) != n;
}

static bool make_level(struct level *l, struct an_planner *planner,
		       const struct an_geometry *g)
{
	struct an_hierarchy h;
	struct an_plan plan;
	bool made;

	l->sets = (unsigned)g->level[0].sets;
	l->assoc = g->level[0].assoc;
	made = an_l1_init_empty_level(&l->first, &g->level[0]) == 0 &&
	       an_i1_index_init(&l->lines, &l->first) == 0 &&
	       an_hierarchy_init(&h, g) == 0;
	for (unsigned b = 0; made && b < BLOCKS; b++)
		made = an_planner_create_block_plan(planner, &block[b], &h,
						    &plan) == 0 &&
		       an_i1_index_add_block(&l->lines, plan.code, &l->first) ==
			       0;
	an_hierarchy_release(&h);
	return made;
}

static void compare(unsigned sets, unsigned assoc, uint64_t *state)
{
	struct an_geometry g = toy_lru_geometry(sets, assoc, LINE);
	struct an_planner planner = {0};
	struct differences d = {0};
	static struct level l;

	printf("# %u sets of %u ways\n", sets, assoc);
	l = (struct level){.sets = 0};
	if (ok(make_level(&l, &planner, &g), "lines are listed"))
		for (unsigned i = 0; i < USES; i++) {
			an_l1_renumber_times_if_due(&l.first);
			execute(&l, (unsigned)(toy_lru_random(state) % BLOCKS),
				(unsigned)(toy_lru_random(state) % EXITS), &d);
		}
	is_u64(d.lines, 0, "those that a block uses, in order");
	is_u64(d.counts, 0, "as many as up to the exit");
	is_u64(d.rows, 0, "with what misses");
	is_u64(d.misses, 0, "and they miss as they should");
	an_i1_index_release(&l.lines);
	an_l1_release(&l.first);
	an_planner_free_all_plans(&planner);
}

int main(void)
{
	uint64_t state = 88172645463325252u;

	for (unsigned b = 0; b < BLOCKS; b++)
		make_block(b, &state);
	compare(2, 1, &state);
	compare(16, 8, &state);
	compare(7, 3, &state);
	compare(64, 4, &state);
	return done_testing();
}
