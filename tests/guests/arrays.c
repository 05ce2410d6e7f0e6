/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arrays.c - functions given arrays, each with an end of another kind
 */
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#ifdef __clang__
#define FUNCTION __attribute__((noinline, optnone))
#else
#define FUNCTION __attribute__((noipa))
#endif

/* One after the other, up and down. */
static const int v[] = {0, 10, 20, 30, 40, 50, 0};

struct span {
	const int *begin;
	const int *end;
	short n;
};

struct all {
	uint8_t u1;
	uint16_t u2;
	uint32_t u4;
	uint64_t u8;
	int8_t s1;
	int16_t s2;
	int32_t s4;
	int64_t s8;
	float f4;
	double f8;
	long double f10;
	char ascii;
	wchar_t unicode;
};

#define GIVEN(name)                                                            \
	FUNCTION void name(const int *p, const int *q, long n)                 \
	{                                                                      \
		(void)p;                                                       \
		(void)q;                                                       \
		(void)n;                                                       \
	}
GIVEN(by_count)
GIVEN(by_sentinel)
GIVEN(by_count_var)
GIVEN(by_end_var)
GIVEN(by_end_valid)
GIVEN(by_start_var)
GIVEN(by_start_valid)
GIVEN(down_count)
GIVEN(down_sentinel)
GIVEN(down_count_var)
GIVEN(down_end_var)
GIVEN(down_end_valid)
GIVEN(down_start_var)
GIVEN(down_start_valid)

FUNCTION void spans(const struct span *s)
{
	(void)s;
}

FUNCTION void kinds(const struct all *a)
{
	(void)a;
}

FUNCTION void texts(const char *ascii, const wchar_t *unicode, const char *four)
{
	(void)ascii;
	(void)unicode;
	(void)four;
}

int main(void)
{
	const struct span s = {v + 2, v + 4, 3};
	const struct all low = {0,	  0,	     0,		0,
				INT8_MIN, INT16_MIN, INT32_MIN, INT64_MIN,
				-0.5F,	  -0.25,     -0.125L,	'a',
				L'\u00e4'};
	const struct all high = {
		UINT8_MAX, UINT16_MAX, UINT32_MAX,   UINT64_MAX, INT8_MAX,
		INT16_MAX, INT32_MAX,  INT64_MAX,    0.1F,	 0.1,
		0.375L,	   '\n',       L'\U0001f600'};

	by_count(v + 1, NULL, 0);
	by_sentinel(v + 1, NULL, 0);
	by_count_var(v + 1, NULL, 2);
	by_count_var(v + 1, NULL, 0);
	by_count_var(v + 1, NULL, -1);
	by_end_var(v + 1, v + 4, 0);
	by_end_var(v + 1, v + 1, 0);
	by_end_var(v + 4, v + 1, 0);
	by_end_valid(v + 1, v + 4, 0);
	by_end_valid(v + 1, v + 1, 0);
	by_start_var(v + 4, v + 1, 0);
	by_start_valid(v + 4, v + 1, 0);
	down_count(v + 5, NULL, 0);
	down_sentinel(v + 5, NULL, 0);
	down_count_var(v + 5, NULL, 2);
	down_end_var(v + 5, v + 2, 0);
	down_end_valid(v + 5, v + 2, 0);
	down_start_var(v + 2, v + 5, 0);
	down_start_valid(v + 2, v + 5, 0);
	spans(&s);
	kinds(&low);
	kinds(&high);
	texts("tab\t\"\\\x80", L"\u00e4\u4e2d\U0001f600", "four");
	return 0;
}
