/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wild.c - functions given pointers that lead nowhere, round and round, or too
 * far
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __clang__
#define FUNCTION __attribute__((noinline, optnone))
#else
#define FUNCTION __attribute__((noipa))
#endif

enum { PAGE = 4096 };

struct tree {
	struct tree *left, *right, *up;
};

struct list {
	long value;
	struct list *next;
};

struct many {
	const struct many *way[8];
};

FUNCTION void text(const char *at)
{
	(void)at;
}

FUNCTION void counted(const void *at, unsigned long n)
{
	(void)at;
	(void)n;
}

FUNCTION void below(const int *at, unsigned long n)
{
	(void)at;
	(void)n;
}

FUNCTION void bounded(const void *from, const void *to)
{
	(void)from;
	(void)to;
}

FUNCTION void climb(const struct tree *t)
{
	(void)t;
}

FUNCTION void walk(const struct list *l)
{
	(void)l;
}

FUNCTION void fan(const struct many *m)
{
	(void)m;
}

FUNCTION void strings(const char *const *s)
{
	(void)s;
}

FUNCTION void gone(char *at)
{
	munmap(at, PAGE);
}

/* Given as a struct by value, of which the stack has not so much. */
FUNCTION long top(long n)
{
	return n;
}

static char *pages(int n)
{
	return mmap(NULL, (size_t)n * PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Text that the next page, which is not there, would go on with. */
static char *at_end(const char *what)
{
	char *page = pages(2);

	munmap(page + PAGE, PAGE);
	return memcpy(page + PAGE - strlen(what), what, strlen(what));
}

/* A page of a file that has become shorter. */
static char *behind_end(void)
{
	int fd = memfd_create("short", 0);
	char *page;

	if (ftruncate(fd, (off_t)2 * PAGE))
		abort();
	page = mmap(NULL, (size_t)2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
		    fd, 0);
	memset(page, 'x', (size_t)2 * PAGE);
	if (ftruncate(fd, PAGE))
		abort();
	return page;
}

static void in_texts(void)
{
	char *page = pages(1), *file = behind_end();
	size_t most = 1 << 20;
	char *endless = malloc(most);

	memset(endless, 'a', most);
	endless[most - 1] = 0;
	mprotect(page, PAGE, PROT_NONE);
	text(NULL);
	text((char *)UINTPTR_MAX);
	text((char *)(UINTPTR_MAX / 2 - 3));
	text(page);
	text(at_end("end"));
	text(file + PAGE);
	text(file + PAGE - 2);
	text(endless);
	free(endless);
}

static void in_counts(void)
{
	char *end = at_end("123456");
	int v[] = {1, 2, 3};

	counted(end, 6);
	counted(end, UINT64_MAX);
	counted(end, UINT64_MAX / 4 + 2);
	counted((void *)(UINTPTR_MAX - 2), 9);
	counted(NULL, UINT64_MAX);
	below(v + 2, 3);
	below((int *)at_end("0123"), UINT64_MAX);
	bounded(v, v + 3);
	bounded(v + 3, v);
	bounded(v, (void *)UINTPTR_MAX);
	bounded(NULL, (void *)UINTPTR_MAX);
}

static void in_circles(void)
{
	static struct tree t[2] = {{&t[0], &t[1], &t[0]}, {&t[1], &t[0], NULL}};
	static struct list l[2] = {{1, &l[1]}, {2, &l[0]}};
	static struct many m;
	const char *s[] = {"one", (char *)8, "three", NULL};

	for (int i = 0; i < 8; i++)
		m.way[i] = &m;
	climb(t);
	walk(l);
	fan(&m);
	strings(s);
}

int main(void)
{
	in_texts();
	in_counts();
	in_circles();
	gone(pages(1));
	top(1);
	return 3;
}
