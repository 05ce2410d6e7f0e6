/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache_model.c - a slow cache simulator that shares nothing with ours
 *
 *   cache_model I1=SIZE,ASSOC,LINE D1=... [L2=...] LL=... <TRACE
 *
 * Reads Lackey's lines (I, L, S, M) and prints nine numbers as Cachegrind
 * does: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw; then for each level a line:
 * reads, read misses, writes, write misses, writebacks. LRU by the time of
 * last use, looked for among all lines of a set. Levels below D1 are unified
 * and hang below each other.
 *
 * Cachegrind's rules: an access is one access, whatever lines it touches, and
 * misses when one of them does; all its lines go on to the next level then;
 * a modify is a read; an access is no longer than the shortest line.
 *
 * A line that begins with '-' is simulated and not counted.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LEVELS = 6 };

struct line {
	uint64_t number; /* address / line size */
	uint64_t used;	 /* time; 0: never */
	int dirty;
};

struct level {
	uint64_t sets, assoc, line_size;
	struct line *lines;		 /* [sets * assoc] */
	uint64_t accesses[2], misses[2]; /* of reads, of writes */
	uint64_t writebacks;
};

struct access {
	char kind; /* L, S, M; L for an instruction */
	uint64_t address, size;
};

struct counts {
	uint64_t all, first, last;
};

static struct level level[MAX_LEVELS]; /* I1, D1, then downwards */
static int n_levels;
static uint64_t now;
static int counts; /* the line */

/* Whether one line misses; it is in the cache afterwards. */
static int touch(struct level *l, uint64_t number, int write)
{
	struct line *set = l->lines + number % l->sets * l->assoc;
	struct line *oldest = set, *found = NULL;
	uint64_t i;

	for (i = 0; i < l->assoc; i++) {
		if (set[i].used && set[i].number == number)
			found = &set[i];
		if (set[i].used < oldest->used)
			oldest = &set[i];
	}
	if (!found) {
		if (oldest->used && oldest->dirty)
			l->writebacks += (uint64_t)counts;
		oldest->number = number;
		oldest->dirty = 0;
	}
	(found ? found : oldest)->used = ++now;
	(found ? found : oldest)->dirty |= write;
	return !found;
}

/* Whether an access misses in any of its lines. */
static int misses(struct level *l, const struct access *a)
{
	uint64_t number, last = (a->address + a->size - 1) / l->line_size;
	int missed = 0;

	for (number = a->address / l->line_size; number <= last; number++)
		missed |= touch(l, number, a->kind != 'L');
	l->accesses[a->kind == 'S'] += (uint64_t)counts;
	l->misses[a->kind == 'S'] += (uint64_t)(missed && counts);
	return missed;
}

static void access_cache(int first, const struct access *a, struct counts *c)
{
	int i;

	c->all += (uint64_t)counts;
	if (!misses(&level[first], a))
		return;
	c->first += (uint64_t)counts;
	for (i = 2; i < n_levels; i++)
		if (!misses(&level[i], a))
			return;
	c->last += (uint64_t)counts;
}

static int add_level(const char *arg)
{
	struct level *l = &level[n_levels++];
	unsigned long long size, assoc, line;

	if (n_levels > MAX_LEVELS ||
	    sscanf(arg, "%*2s=%llu,%llu,%llu", &size, &assoc, &line) != 3)
		return -1;
	l->assoc = assoc;
	l->line_size = line;
	l->sets = size / (assoc * line);
	l->lines = calloc(l->sets * assoc, sizeof(*l->lines));
	return l->lines && l->sets ? 0 : -1;
}

static uint64_t shortest_line(void)
{
	uint64_t shortest = level[0].line_size;
	int i;

	for (i = 1; i < n_levels; i++)
		if (level[i].line_size < shortest)
			shortest = level[i].line_size;
	return shortest;
}

static void run(struct counts *c)
{
	uint64_t longest = shortest_line();
	char text[256];

	while (fgets(text, sizeof(text), stdin)) {
		unsigned long long address, size;
		struct access a;
		char kind;

		counts = text[0] != '-';
		if (sscanf(text + !counts, " %c %llx,%llu", &kind, &address,
			   &size) != 3)
			continue;
		a.kind = kind == 'I' ? 'L' : kind;
		a.address = address;
		a.size = size < longest ? size : longest;
		access_cache(kind != 'I', &a,
			     &c[kind == 'I'   ? 0
				: kind == 'S' ? 2
					      : 1]);
	}
}

int main(int argc, char **argv)
{
	struct counts c[3] = {{0}};
	int i;

	for (i = 1; i < argc; i++)
		if (add_level(argv[i])) {
			fprintf(stderr, "bad level '%s'\n", argv[i]);
			return 2;
		}
	if (n_levels < 3) {
		fputs("three levels are needed\n", stderr);
		return 2;
	}
	run(c);
	for (i = 0; i < 3; i++)
		printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "%c", c[i].all,
		       c[i].first, c[i].last, i < 2 ? ' ' : '\n');
	for (i = 0; i < n_levels; i++)
		printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		       " %" PRIu64 "\n",
		       level[i].accesses[0], level[i].misses[0],
		       level[i].accesses[1], level[i].misses[1],
		       level[i].writebacks);
	return 0;
}
