/* SPDX-License-Identifier: GPL-2.0-or-later */
/* i1_lines.c - records the ways of lines of code; see i1_lines.h */

#include "analyzers/cache/model/i1_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"

int an_i1_index_init(struct an_i1_index *c, const struct an_l1 *f)
{
	*c = (struct an_i1_index){0};
	c->line_of_way = malloc(f->pitch * sizeof(*c->line_of_way));
	if (c->line_of_way == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < f->pitch; i++)
		c->line_of_way[i] = AN_ABSENT;
	return 0;
}

void an_i1_index_release(struct an_i1_index *c)
{
	al_key_table_release(&c->line_ids);
	free(c->way_of_line);
	free(c->line_of_way);
	free(c->records);
	free(c->record_start);
	*c = (struct an_i1_index){0};
}

/* Store the number of line @line (address / line size) in @line_id_out; assign
   one if the line is new. Return: 0 or -ENOMEM. */
static int find_or_add_line_id(struct an_i1_index *c, uint64_t line,
			       const struct an_l1 *f, uint32_t *line_id_out)
{
	uint32_t before = c->line_ids.n;
	int64_t n = al_key_table_find_or_add_index(&c->line_ids,
						   &(struct al_key){{line}});

	if (n < 0 || al_array_reserve(c->way_of_line, c->way_of_line_size,
				      c->line_ids.n) != 0)
		return -ENOMEM;
	if (n == before)
		c->way_of_line[n] =
			AN_ABSENT | an_l1_first_way_of_line_set(f, line);
	*line_id_out = (uint32_t)n;
	return 0;
}

static uint16_t encode_first_instr_and_crossing_flags(const struct an_run *r,
						      uint32_t line_shift)
{
	uint64_t line = r->delta >> line_shift,
		 first = an_run_first_instr_addr(r);
	uint64_t last = first + an_run_first_instr_len(r) - 1;
	unsigned begun =
		first >> line_shift != line ? AN_LINE_CODE_STARTS_BEFORE : 0;
	unsigned ends =
		last >> line_shift != line ? AN_LINE_CODE_ENDS_AFTER : 0;

	return (uint16_t)(r->first_row | begun | ends);
}

/* Append a zeroed record for a block with @n_exits exits and @line_count lines.
   Return NULL if memory is short, or all records have more than UINT32_MAX
   words. */
static uint32_t *append_zeroed_block_record(struct an_i1_index *c,
					    unsigned n_exits,
					    unsigned line_count)
{
	size_t size =
		an_i1_index_record_head_size_in_words(n_exits, line_count) +
		(line_count > AN_INLINE_LINES ? line_count : 0);
	size_t end = c->n_words + size;
	uint32_t *block;

	if (end > UINT32_MAX ||
	    al_array_reserve(c->record_start, c->begins_size,
			     c->n_begins + 1) != 0 ||
	    al_array_reserve(c->records, c->words_size, end) != 0)
		return NULL;
	block = memset(c->records + c->n_words, 0, size * sizeof(*block));
	c->record_start[c->n_begins++] = (uint32_t)c->n_words;
	c->n_words = end;
	return block;
}

/* Write the 16-bit values of a block's record to @halfword: the number of
   exits, for each exit the number of lines up to it, and for each line the
   number of its first instruction with flags (AN_LINE_CODE_ROW ...). */
static void fill_code_line_record_halfwords(uint16_t *halfword,
					    const struct an_path_plan *p,
					    uint32_t line_shift)
{
	const struct an_run *r = an_path_plan_runs(p);
	unsigned n_exits = p->block->n_exits, n = p->n_runs[n_exits - 1];

	*halfword++ = (uint16_t)n_exits;
	memcpy(halfword, p->n_runs, n_exits * sizeof(*halfword));
	halfword += n_exits;
	for (unsigned i = 0; i < n; i++)
		halfword[i] = encode_first_instr_and_crossing_flags(&r[i],
								    line_shift);
}

int an_i1_index_add_block(struct an_i1_index *c, const struct an_path_plan *p,
			  const struct an_l1 *f)
{
	const struct an_run *r = an_path_plan_runs(p);
	unsigned n_exits = p->block->n_exits, n = p->n_runs[n_exits - 1];
	uint32_t *block = append_zeroed_block_record(c, n_exits, n), *list;

	if (block == NULL)
		return -ENOMEM;
	fill_code_line_record_halfwords(
		(uint16_t *)an_i1_index_record_halfwords(block), p, f->shift);
	list = (uint32_t *)an_i1_index_record_line_ids(block);
	for (unsigned i = 0; i < n; i++)
		if (find_or_add_line_id(c, r[i].delta >> f->shift, f,
					&list[i]) < 0)
			return -ENOMEM;
	if (list != block)
		memcpy(block, list, AN_INLINE_LINES * sizeof(*block));
	return 0;
}

uint32_t an_i1_index_fill_lru_way_get_way_index(struct an_i1_index *c,
						uint32_t line_id,
						const struct an_l1 *f)
{
	uint32_t set_start = c->way_of_line[line_id] & ~AN_ABSENT;
	uint32_t way = an_l1_lru_way_index(f, set_start);

	if (c->line_of_way[way] != AN_ABSENT)
		c->way_of_line[c->line_of_way[way]] = AN_ABSENT | set_start;
	c->line_of_way[way] = line_id;
	c->way_of_line[line_id] = way;
	return way;
}
