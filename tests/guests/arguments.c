/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arguments.c - functions with arguments and results of every kind
 *
 * Functions that a test calls again elsewhere use nothing but their arguments
 * and registers.
 * Build: -fcf-protection=none -fno-stack-protector
 */
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

#ifdef __clang__
#define FUNCTION __attribute__((noinline, optnone))
#else
#define FUNCTION __attribute__((noipa))
#endif

struct point {
	short id;
	double x, y;
	const char *label;
};

struct span {
	int n;
	int *item;
};

struct node {
	long value;
	struct node *next;
};

static jmp_buf back;

FUNCTION double norm(const struct point *p, float scale)
{
	return (double)scale * (p->x * p->x + p->y * p->y);
}

FUNCTION int sum(const int *v, unsigned long n)
{
	int s = 0;

	for (unsigned long i = 0; i < n; i++)
		s += v[i];
	return s;
}

FUNCTION void multiply(const double *a, const double *b, double *c, long n)
{
	for (long i = 0; i < n; i++)
		for (long k = 0; k < n; k++) {
			c[i * n + k] = 0;
			for (long j = 0; j < n; j++)
				c[i * n + k] += a[i * n + j] * b[j * n + k];
		}
}

FUNCTION double scale(double *v, int n, double by)
{
	double last = 0;

	for (int i = 0; i < n; i++)
		last = v[i] *= by;
	return last;
}

FUNCTION long total(const struct span *s)
{
	long t = 0;

	for (int i = 0; i < s->n; i++)
		t -= s->item[i];
	return t;
}

FUNCTION unsigned fill(char *buf, unsigned n, char with)
{
	memset(buf, with, n);
	return n;
}

FUNCTION long factorial(long n)
{
	return n <= 1 ? 1 : n * factorial(n - 1);
}

FUNCTION long many(int a, int b, int c, int d, int e, int f, int g, double h,
		   const char *s)
{
	return a + b + c + d + e + f + g + (long)h + (long)strlen(s);
}

FUNCTION void jump(int how)
{
	if (how)
		longjmp(back, 1);
}

FUNCTION long length(const struct node *n, long most)
{
	long l = 0;

	for (; n && l < most; n = n->next)
		l++;
	return l;
}

FUNCTION void between(const double *from, const double *to)
{
	(void)from;
	(void)to;
}

FUNCTION const char *wide(const wchar_t *w)
{
	return w[0] ? "yes" : "no";
}

FUNCTION void look(const char *at)
{
	(void)at;
}

static void *run(void *arg)
{
	sum(arg, 2);
	return NULL;
}

static void unreadable(void)
{
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(page + 4096, 4096);
	memcpy(page + 4093, "end", 3);
	look(NULL);
	look((char *)1);
	look(page + 4096);
	look(page + 4093);
}

static void matrices(void)
{
	double a[] = {1, 2, 3, 4}, b[] = {0.5, -1, 2, 0.25}, c[4];

	multiply(a, b, c, 2);
	scale(a, 3, -2.5);
	if (!setjmp(back))
		jump(1);
	jump(0);
	between(b, b + 3);
}

static void pointers(void)
{
	static struct node third = {3, NULL}, second = {2, &third},
			   first = {1, &second};
	struct point p = {7, 3, 4, "here"};
	int v[] = {1, -2, 3, 4};
	struct span s = {3, v};

	norm(&p, 2);
	sum(v, 4);
	sum(v, 0);
	total(&s);
	length(&first, 10);
	third.next = &first;
	length(&first, 10);
	wide(L"gr\u00fc\u1234");
}

/* Any argument: ends without a return. */
int main(int argc, char **argv)
{
	int v[] = {10, 20};
	char buf[16];
	pthread_t thread;

	(void)argv;
	pointers();
	matrices();
	unreadable();
	fill(buf, 5, 'x');
	factorial(3);
	many(1, 2, 3, 4, 5, 6, 7, 8.5, "nine");
	pthread_create(&thread, NULL, run, v);
	pthread_join(thread, NULL);
	if (argc > 1)
		exit(0);
	return 3;
}
