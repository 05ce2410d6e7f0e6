/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_alignment_test.c - tests pairs of lines against the longest common
 * subsequence by dynamic programming
 */
#include "lib/diff/line_alignment.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "proto/shared/hash.h"
#include "tests/fixtures/random_below.h"
#include "tests/tap.h"

enum { MOST = 60, ROUNDS = 3000 };

static uint32_t longest_common(const struct al_diff_text *a,
			       const struct al_diff_text *b)
{
	static uint32_t best[MOST + 1][MOST + 1];

	for (uint32_t i = 1; i <= a->n; i++)
		for (uint32_t k = 1; k <= b->n; k++) {
			uint32_t up = best[i - 1][k], left = best[i][k - 1];

			best[i][k] = up > left ? up : left;
			if (a->line[i - 1] == b->line[k - 1])
				best[i][k] = best[i - 1][k - 1] + 1;
		}
	return best[a->n][b->n];
}

/* Return the number of equal pairs; UINT32_MAX if a pair is wrong or they are
   not in order. */
static uint32_t count_pairs(const struct al_diff_text *a,
			    const struct al_diff_text *b,
			    const struct al_line_pairing *p)
{
	uint32_t n = 0, last = 0;

	for (uint32_t i = 0; i < a->n; i++) {
		if (p[i].other == AL_NO_LINE)
			continue;
		if (p[i].other >= b->n || p[i].other < last ||
		    (!p[i].is_changed && a->line[i] != b->line[p[i].other]))
			return UINT32_MAX;
		last = p[i].other + 1;
		n += !p[i].is_changed;
	}
	return n;
}

static void test_random(void)
{
	uint64_t one[MOST], other[MOST];
	struct al_line_pairing p[MOST];
	unsigned wrong = 0;

	for (int round = 0; round < ROUNDS; round++) {
		struct al_diff_text a = {.line = one,
					 .n = random_below(MOST + 1)};
		struct al_diff_text b = {.line = other,
					 .n = random_below(MOST + 1)};
		uint32_t kinds = 1 + random_below(12);

		for (uint32_t i = 0; i < MOST; i++) {
			one[i] = random_below(kinds);
			other[i] = random_below(kinds);
		}
		if (al_diff_align_lines(&a, &b, p) != 0 ||
		    count_pairs(&a, &b, p) != longest_common(&a, &b))
			wrong++;
	}
	is_u64(wrong, 0, "as many equal lines as can be are paired, in order");
}

static void test_changed(void)
{
	uint64_t one[] = {1, 2, 3, 4, 5, 6}, other[] = {9, 1, 7, 8, 4, 6};
	struct al_diff_text a = {.line = one, .n = 6};
	struct al_diff_text b = {.line = other, .n = 6};
	struct al_line_pairing p[6];

	al_diff_align_lines(&a, &b, p);
	ok(p[0].other == 1 && !p[0].is_changed, "a line moves down");
	ok(p[1].other == 2 && p[1].is_changed && p[2].other == 3 &&
		   p[2].is_changed,
	   "lines of a hunk stand for each other");
	ok(p[4].other == AL_NO_LINE, "a removed line has no other");
	ok(p[5].other == 5 && !p[5].is_changed, "the last line");
}

static void test_large(void)
{
	enum { N = 20000 };
	static uint64_t one[N], other[N];
	static struct al_line_pairing p[N];
	struct al_diff_text a = {.line = one, .n = N};
	struct al_diff_text b = {.line = other, .n = N};

	for (uint32_t i = 0; i < N; i++) {
		one[i] = i;
		other[i] = i + 1000000;
	}
	other[N / 2] = one[N / 2];
	is_u64((uint64_t)al_diff_align_lines(&a, &b, p), 0,
	       "texts without common lines end in time");
	ok(count_pairs(&a, &b, p) <= 1, "and have no false pair");
}

static void test_read(void)
{
	static const char content[] = "a\n  a \n\nb\nfab(a)\nfab(b)\nfab(ab)";
	char path[] = "/tmp/al_line_alignment.XXXXXX";
	struct al_diff_text t;
	FILE *f = fdopen(mkstemp(path), "w");
	uint64_t hash;

	if (f == NULL || fputs(content, f) < 0 || fclose(f) != 0)
		abort();
	hash = pt_hash_update_with_bytes(PT_HASH_START, content,
					 strlen(content));
	is_u64((uint64_t)al_diff_read_text(path, hash, &t), 0, "a text");
	ok(t.n == 7 && t.line[0] == t.line[1] && t.line[1] != t.line[3],
	   "a hash for each line, without blanks at its ends");
	ok(al_diff_line_hash_without_name(&t, 4, "a", 1) ==
			   al_diff_line_hash_without_name(&t, 5, "b", 1) &&
		   al_diff_line_hash_without_name(&t, 4, "a", 1) !=
			   al_diff_line_hash_without_name(&t, 6, "b", 1),
	   "a name is left out where it is a whole identifier");
	al_diff_free_text(&t);
	ok(al_diff_read_text(path, hash + 1, &t) == -ESTALE && !t.line,
	   "a text that has changed is refused");
	unlink(path);
	ok(al_diff_read_text(path, hash, &t) == -ENOENT, "no file");
}

int main(void)
{
	test_random();
	test_changed();
	test_large();
	test_read();
	return done_testing();
}
