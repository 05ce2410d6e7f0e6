/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * byvalue.c - functions with structs and long doubles as arguments and results
 *
 * Functions that a test calls again elsewhere use nothing but their arguments
 * and registers.
 * Build: -fcf-protection=none -fno-stack-protector
 */
#include <complex.h>
#include <string.h>

#ifdef __clang__
#define FUNCTION __attribute__((noinline, optnone))
#else
#define FUNCTION __attribute__((noipa))
#endif

struct two {
	int a, b;
};

struct vec {
	double x, y;
};

struct longs {
	long a, b;
};

struct front {
	double x;
	long n;
};

struct behind {
	long n;
	double x;
};

struct floats {
	float a, b, c;
};

struct half {
	float f;
	int i;
};

struct big {
	long a, b, c;
};

struct inner {
	short n;
	char c;
};

struct nested {
	struct inner one;
	struct half two;
};

struct name {
	const char *text;
	unsigned n;
};

struct wide {
	long double x;
};

struct room {
	long word[8 << 10];
};

/* 4 bytes, 8 bytes of two. */
FUNCTION struct two swap(struct two t)
{
	return (struct two){t.b, t.a};
}

/* Both 8 bytes in vector registers. */
FUNCTION struct vec add(struct vec a, struct vec b)
{
	return (struct vec){a.x + b.x, a.y + b.y};
}

FUNCTION struct longs divide(long a, long b)
{
	return (struct longs){a / b, a % b};
}

FUNCTION struct front turn(struct behind b)
{
	return (struct front){b.x, b.n};
}

FUNCTION struct behind back(struct front f)
{
	return (struct behind){f.n, f.x};
}

FUNCTION struct floats shift(struct floats f, float by)
{
	return (struct floats){f.a + by, f.b + by, f.c + by};
}

/* A float beside an int is in an integer register. */
FUNCTION struct half mix(struct half h, double x)
{
	return (struct half){h.f + (float)x, h.i + 1};
}

/* On the stack, and to where the caller says. */
FUNCTION struct big grow(struct big b, long by)
{
	b.a += by;
	b.b += by;
	b.c += by;
	return b;
}

FUNCTION struct nested into(struct nested n)
{
	n.one.n++;
	n.two.i--;
	return n;
}

FUNCTION unsigned greet(struct name n)
{
	return n.n + (unsigned)strlen(n.text);
}

/* One register is left: `l` is on the stack, `last` is not. */
FUNCTION long spill(long a, long b, long c, long d, long e, struct longs l,
		    long last)
{
	return a + b + c + d + e + l.a + l.b + last;
}

/* Seven vector registers are taken: `v` is on the stack, `last` is not. */
FUNCTION double spills(double a, double b, double c, double d, double e,
		       double f, double g, struct vec v, double last)
{
	return a + b + c + d + e + f + g + v.x + v.y + last;
}

FUNCTION long double wide(int n, long double x, long seventh)
{
	return x * n + seventh;
}

/* Aligned on the stack. */
FUNCTION long align(long a, long b, long c, long d, long e, long f, long g,
		    long double x, long h)
{
	return a + b + c + d + e + f + g + (long)x + h;
}

FUNCTION struct wide wrapped(struct wide w)
{
	return (struct wide){-w.x};
}

FUNCTION double _Complex turned(double _Complex z, float _Complex y)
{
	return z * I + y;
}

FUNCTION const long double *most(const long double *x, int n)
{
	const long double *m = x;

	for (int i = 1; i < n; i++)
		if (x[i] > *m)
			m = &x[i];
	return m;
}

FUNCTION long huge(struct room r, int n)
{
	return r.word[n];
}

int main(void)
{
	static const long double numbers[] = {0.1L, 1e4000L, -2};
	static struct room room = {.word = {[3] = 9}};

	swap((struct two){-1, 2});
	add((struct vec){1, 2}, (struct vec){0.5, -0.25});
	divide(-17, 5);
	back(turn((struct behind){7, 1.5}));
	shift((struct floats){1, 2, 3}, 0.5F);
	mix((struct half){1.5F, 3}, 2);
	grow((struct big){1, 2, 3}, 10);
	into((struct nested){{-4, 'c'}, {0.5F, 6}});
	greet((struct name){"you", 3});
	spill(1, 2, 3, 4, 5, (struct longs){6, 7}, 8);
	spills(1, 2, 3, 4, 5, 6, 7, (struct vec){8, 9}, 10);
	wide(3, 2.5L, 7);
	align(1, 2, 3, 4, 5, 6, 7, 8.5L, 9);
	wrapped((struct wide){0.75L});
	turned(1 + 2 * I, 3 + 4 * I);
	most(numbers, 3);
	return huge(room, 3) != 9;
}
