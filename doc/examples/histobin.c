/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * histobin.c - counts accesses by size, and the zeros and ones of their
 * values: histobin PROFILE [FUNCTION]
 *
 *	cc histobin.c $(pkg-config --cflags --libs alleria) -o histobin
 *	alleria run --record=value --profile=ls.alp -- ls
 *	./histobin ls.alp
 *
 * Prints a row for each size: reads, writes and modifies of this size, and a
 * bar for their fraction of all that are counted; if values were recorded, how
 * many bits read and written were 0 and 1. FUNCTION: count only its accesses.
 */
#include <alleria/alleria.h>
#include <stdio.h>

enum { SIZES = 1 << 16, KINDS = 3, BAR = 32 };

static unsigned long long count[SIZES][KINDS], total;
/* Number of bits of the values that are 0 (at index 0) and 1 (at index 1). */
static unsigned long long bits_read[2], bits_written[2];

static void count_0s_1s(unsigned long long *counts, const uint8_t *value, int n)
{
	for (int i = 0; value && i < n; i++)
		for (int bit = 0; bit < 8; bit++)
			counts[value[i] >> bit & 1]++;
}

static void count_access_and_bits_of_value(const struct alleria_access *a)
{
	int n = a->size < ALLERIA_MAX_VALUE ? a->size : ALLERIA_MAX_VALUE;

	total++;
	count[a->size][a->kind]++;
	count_0s_1s(bits_read, a->read, n);
	count_0s_1s(bits_written, a->written, n);
}

static long count_accesses_return_0_or_error(struct alleria_cursor *c)
{
	const struct alleria_access *a;
	long n;

	while ((n = alleria_accesses(c, &a)) != 0) {
		if (n < 0 && n != ALLERIA_E_DAMAGED)
			return n;
		if (n < 0)
			fprintf(stderr, "%s\n", alleria_cursor_error(c));
		for (long i = 0; i < n; i++)
			count_access_and_bits_of_value(&a[i]);
	}
	return 0;
}

static void print_accesses_of_size(unsigned size, const unsigned long long *n)
{
	unsigned long long sum = n[0] + n[1] + n[2];

	printf("%5u %12llu %12llu %12llu  ", size, n[ALLERIA_READ],
	       n[ALLERIA_WRITE], n[ALLERIA_MODIFY]);
	for (unsigned long long i = 0; i < sum * BAR / total; i++)
		putchar('#');
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct alleria_filter filter = {0};
	char message[ALLERIA_MESSAGE];
	struct alleria_profile *p;
	struct alleria_cursor *c;
	long err;

	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: histobin PROFILE [FUNCTION]\n");
		return 2;
	}
	if (alleria_open(argv[1], &p, message)) {
		fprintf(stderr, "histobin: %s\n", message);
		return 2;
	}
	filter.function = argv[2];
	if (!(err = alleria_cursor_open(p, ALLERIA_ACCESSES, &filter, &c)))
		err = count_accesses_return_0_or_error(c);
	if (err)
		fprintf(stderr, "histobin: %s\n", alleria_error_text((int)err));
	printf("%5s %12s %12s %12s\n", "bytes", "reads", "writes", "modifies");
	for (unsigned size = 0; size < SIZES; size++)
		if (count[size][0] || count[size][1] || count[size][2])
			print_accesses_of_size(size, count[size]);
	if (alleria_run(p)->has & ALLERIA_HAS_VALUES)
		printf("zeros and ones: read %llu %llu, written %llu %llu\n",
		       bits_read[0], bits_read[1], bits_written[0],
		       bits_written[1]);
	alleria_cursor_close(c);
	alleria_close(p);
	return err ? 2 : 0;
}
