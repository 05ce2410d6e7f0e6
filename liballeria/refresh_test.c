/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refresh_test.c - a profile that grows while memory is short
 *
 * The linker leads what this program calls calloc() and reallocarray() to the
 * functions here, which fail when they are to.
 */
#include <alleria/alleria.h>

#include "tests/fixtures/toy_profile.h"
#include "tests/tap.h"

void *__real_calloc(size_t n, size_t size);
void *__real_reallocarray(void *old, size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_reallocarray(void *old, size_t n, size_t size);

static unsigned countdown; /* number of the allocation from which on all fail:
			      1: the next; 0: none */

static bool fails(void)
{
	if (countdown > 1)
		countdown--;
	return countdown == 1;
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_reallocarray(void *old, size_t n, size_t size)
{
	return fails() ? NULL : __real_reallocarray(old, n, size);
}

/* ---- a profile in two steps ---- */

static struct pf_packer *packer;
static struct pf_coder *coder;
static struct pf_writer *writer;

static void put(unsigned from, unsigned to)
{
	struct pf_packed packed;

	for (unsigned i = from; i < to; i++) {
		pack(packer, coder, &made[i], &packed);
		if (i == DONE
			    ? pf_writer_write_end_and_finish(writer, &packed)
			    : pf_writer_queue_copy_then_write(writer, &packed))
			abort();
	}
}

/* Write facts about processes and images to @out, to be compared. */
static void describe(struct alleria_profile *p, char *out, size_t size)
{
	FILE *f = fmemopen(out, size, "w");
	const struct alleria_run *run = alleria_run(p);

	fprintf(f, "%u %llu;", run->processes,
		(unsigned long long)run->counts.instructions);
	for (uint32_t i = 1; i <= run->processes; i++) {
		const struct alleria_process *a = alleria_process(p, i);

		fprintf(f, " %u of %u, %u images, %llu:", a->number, a->parent,
			a->images, (unsigned long long)a->counts.instructions);
		for (uint32_t k = 0; k < a->images; k++)
			fprintf(f, " %s", alleria_image(p, i, k)->command[0]);
	}
	fclose(f);
}

/* Refresh while memory is short from the @n-th allocation on. *@ended: receives
   whether everything was read before that. */
static bool refresh(unsigned n, bool *ended)
{
	char before[512], after[512], again[512], message[ALLERIA_MESSAGE];
	struct alleria_profile *p, *fresh;
	bool good = true;
	int rc;

	unlink(toy_profile_path);
	writer = pf_writer_new_and_create_file(toy_profile_path, message);
	put(RUN, MORE);
	if (alleria_open(toy_profile_path, &p, message))
		abort();
	describe(p, before, sizeof(before));
	put(MORE, BLOCKS);
	countdown = n;
	rc = alleria_refresh(p);
	countdown = 0;
	*ended = rc == 1;
	describe(p, after, sizeof(after));
	if (rc != 1)
		good = rc == ALLERIA_E_MEMORY && !strcmp(before, after) &&
		       alleria_refresh(p) == 1;
	describe(p, after, sizeof(after));
	if (alleria_open(toy_profile_path, &fresh, message))
		abort();
	describe(fresh, again, sizeof(again));
	good &= !strcmp(after, again) && !alleria_refresh(p);
	alleria_close(fresh);
	alleria_close(p);
	pf_writer_flush_close_free(writer);
	return good;
}

int main(void)
{
	bool good = true, ended = false;
	unsigned n = 1;

	toy_profile_begin();
	packer = pf_packer_new(PF_LEVEL);
	coder = pf_coder_new();
	for (; good && !ended && n < 1000; n++)
		good = refresh(n + 1, &ended);
	if (!ok(good && ended,
		"wherever memory is short when a profile is brought up to "
		"date, it stays as it was, and the next time it is"))
		printf("# allocation %u\n", n - 1);
	ok(n > 5, "it was short at several places");
	pf_coder_free(coder);
	pf_packer_free(packer);
	toy_profile_end();
	return done_testing();
}
