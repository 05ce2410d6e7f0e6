/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * allocator_explain.c - describes allocator functions; see allocator_file.h
 */
#include "lib/config/allocator_file.h"

#include <stdint.h>

#include "base/text/printable.h"

/* Write the size of a block, or the number and size of its elements. */
static void write_allocated_size_in_words(const struct pt_allocator *f,
					  FILE *file)
{
	if (f->count != PT_NO_ARGUMENT)
		fprintf(file, "(argument %u) elements of ", f->count);
	if (f->size != PT_NO_ARGUMENT)
		fprintf(file, "(argument %u) bytes", f->size);
	else
		fprintf(file, "%llu bytes", (unsigned long long)f->bytes);
}

static void write_allocator_effect_in_words(const struct pt_allocator *f,
					    FILE *file)
{
	if (f->kind == PT_FREES) {
		fprintf(file, " frees the block at (argument %u)", f->pointer);
		return;
	}
	if (f->kind == PT_RESIZES || f->kind == PT_RESIZES_ARRAY)
		fprintf(file, " resizes the block at (argument %u) to ",
			f->pointer);
	else
		fputs(" allocates a block of ", file);
	write_allocated_size_in_words(f, file);
	if (f->kind == PT_STORES)
		fprintf(file, " and stores its address at (argument %u)",
			f->pointer);
}

void al_allocators_explain(const struct pt_allocators *a, const char *path,
			   FILE *file)
{
	const struct pt_allocator *f = (const void *)(a + 1);
	const char *strings = (const char *)(f + a->n);

	al_write_unprintable_as_question_marks(file, path, SIZE_MAX);
	fprintf(file, ": %u allocator function%s.\n\n", a->n,
		a->n == 1 ? "" : "s");
	for (uint32_t i = 0; i < a->n; i++) {
		al_write_unprintable_as_question_marks(
			file, strings + f[i].name, SIZE_MAX);
		if (f[i].image) {
			fputs(" in ", file);
			al_write_unprintable_as_question_marks(
				file, strings + f[i].image, SIZE_MAX);
		}
		write_allocator_effect_in_words(&f[i], file);
		fputc('\n', file);
	}
}
