/* SPDX-License-Identifier: GPL-2.0-or-later */
/* miss_intensity.c - adds floating-point operations per byte that misses a
   cache level to the result of the analysis "mix"; see results.h */

#include "lib/report/findings/findings.h"
#include "lib/report/results.h"

enum { LEVEL, MISSES, BYTES, OPERATIONS, STORED, RATIO = STORED, COLUMNS };

static const struct al_column column[COLUMNS] = {
	[LEVEL] = {.title = "level"},
	[MISSES] = AL_NUMBER_COLUMN(NULL, "misses"),
	[BYTES] = AL_NUMBER_COLUMN(NULL, "bytes fetched"),
	[OPERATIONS] = AL_NUMBER_COLUMN(NULL, "flops"),
	[RATIO] = {.title = "flops/byte",
		   .kind = AL_COLUMN_RATIO,
		   .numerator = OPERATIONS,
		   .denominator = BYTES,
		   .factor = 1,
		   .decimals = 4},
};

static void
add_level_flops_per_missed_byte_object(struct al_model *mix,
				       const union al_cell *row_cells)
{
	uint64_t bytes = row_cells[BYTES].number;

	al_model_begin_object(mix, NULL);
	al_model_add_uncopied_string(mix, "name", row_cells[LEVEL].text);
	al_model_add_number(mix, "misses", NULL, NULL,
			    row_cells[MISSES].number);
	al_model_add_number(mix, "bytes", NULL, "bytes", bytes);
	al_model_add_real(mix, "intensity", NULL, "flops/byte",
			  bytes ? (double)row_cells[OPERATIONS].number /
					  (double)bytes
				: 0);
	al_model_end_object_or_list(mix);
}

static void add_flops_per_missed_byte_of_levels(struct al_model *mix,
						const struct al_model *cache,
						const struct al_table *levels,
						struct al_table *shown)
{
	const struct al_result_node *operations =
		al_model_find_member(&mix->root, "float_operations");

	al_model_begin_list(mix, "levels");
	for (size_t i = 0; i < levels->n_rows; i++) {
		uint64_t misses = al_row_number_or_0(levels, i, "misses");
		const union al_cell cell[STORED] = {
			[LEVEL].text = al_model_copy_string_empty_if_no_memory(
				mix, al_row_text_or_empty(levels, i, "name")),
			[MISSES].number = misses,
			[BYTES].number =
				misses * al_row_number_or_0(levels, i, "line"),
			[OPERATIONS].number =
				operations ? operations->value.number : 0,
		};

		if (al_is_level_of_code_only(cache, levels, i))
			continue;
		add_level_flops_per_missed_byte_object(mix, cell);
		al_table_add_row(mix, shown, cell);
	}
	al_model_end_object_or_list(mix);
}

void al_flops_per_missed_byte_add_to_mix(struct al_model *mix,
					 const struct al_model *cache)
{
	static const unsigned shown[] = {LEVEL, MISSES, BYTES, RATIO};
	const struct al_table *levels = al_model_find_table(cache, "levels");
	struct al_table *t;

	if (levels == NULL)
		return;
	t = al_model_add_table(mix, NULL, "Operations per missing byte", column,
			       COLUMNS);
	add_flops_per_missed_byte_of_levels(mix, cache, levels, t);
	al_model_add_view_copy(mix, AL_VIEW("Operations per missing byte", t,
					    shown, .sort = AL_UNSORTED));
}
