/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * histobin.c - how many bytes do accesses move? histobin PROFILE [FUNCTION]
 *
 *	cc histobin.c $(pkg-config --cflags --libs alleria) -o histobin
 *	alleria run --profile=ls.alp -- ls
 *	./histobin ls.alp
 *
 * A row for each size: loads, stores and modifies of so many bytes, and a bar
 * for their share of all accesses. With FUNCTION, those that it makes.
 */
#include <alleria/alleria.h>
#include <stdio.h>

enum { SIZES = 1 << 16, KINDS = 3, BAR = 32 };

static unsigned long long count[SIZES][KINDS];
static unsigned long long total;

static int add(struct alleria_cursor *c)
{
	const struct alleria_access *a;
	long n;

	while ((n = alleria_accesses(c, &a)) != 0) {
		if (n < 0) {
			fprintf(stderr, "histobin: %s: %s\n",
				alleria_error_text((int)n),
				alleria_cursor_error(c));
			if (n != ALLERIA_E_DAMAGED)
				return (int)n;
			continue;
		}
		for (long i = 0; i < n; i++)
			count[a[i].size][a[i].kind]++;
		total += (unsigned long long)n;
	}
	return 0;
}

static void print_row(unsigned size)
{
	const unsigned long long *row = count[size];
	unsigned long long sum = row[0] + row[1] + row[2];

	if (sum == 0)
		return;
	printf("%5u %12llu %12llu %12llu  ", size, row[ALLERIA_LOAD],
	       row[ALLERIA_STORE], row[ALLERIA_MODIFY]);
	for (unsigned long long i = 0; i < sum * BAR / total; i++)
		putchar('#');
	putchar('\n');
}

static void print(void)
{
	printf("%5s %12s %12s %12s\n", "bytes", "loads", "stores", "modifies");
	for (unsigned size = 0; size < SIZES; size++)
		print_row(size);
}

int main(int argc, char **argv)
{
	struct alleria_filter filter = {0};
	char message[ALLERIA_MESSAGE];
	struct alleria_profile *p;
	struct alleria_cursor *c;
	int err;

	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: histobin PROFILE [FUNCTION]\n");
		return 2;
	}
	if (alleria_open(argv[1], &p, message)) {
		fprintf(stderr, "histobin: %s\n", message);
		return 2;
	}
	filter.function = argv[2];
	err = alleria_cursor_open(p, ALLERIA_ACCESSES, &filter, &c);
	if (!err)
		err = add(c);
	else
		fprintf(stderr, "histobin: %s\n", alleria_error_text(err));
	if (!err)
		print();
	alleria_cursor_close(c);
	alleria_close(p);
	return err ? 2 : 0;
}
