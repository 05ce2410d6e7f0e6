/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.c - calls of every kind, so many of each that they can be counted
 *
 * Build: -O0
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static jmp_buf back;
static volatile int seen;

/* Not static: code of its own jumps to it. */
int leaf(int n);

int leaf(int n)
{
	return 3 * n;
}

static int middle(int n)
{
	return leaf(n) + leaf(n + 1);
}

/* Jumps, so that leaf() returns to the caller. */
__attribute__((naked)) static int tail(__attribute__((unused)) int n)
{
	__asm__("jmp leaf");
}

static int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static int odd(int n);

static int even(int n)
{
	return n == 0 ? 1 : odd(n - 1);
}

static int odd(int n)
{
	return n == 0 ? 0 : even(n - 1);
}

static void deep(int n)
{
	if (n > 0)
		deep(n - 1);
	else if (n == 0)
		longjmp(back, 1);
	seen++;
}

static void leap(void)
{
	if (setjmp(back) == 0)
		deep(3);
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void handler(int number)
{
	seen += leaf(number);
}

static void *thread(void *n)
{
	seen += middle(*(int *)n);
	return NULL;
}

int main(void)
{
	int cell[20], n = 5;
	pthread_t id;

	signal(SIGUSR1, handler);
	for (int i = 0; i < 20; i++)
		cell[i] = 7 * i % 20;
	qsort(cell, 20, sizeof(*cell), compare);
	for (int i = 0; i < 10; i++)
		n += middle(i) + tail(i);
	n += fib(10) + even(21);
	for (int i = 0; i < 4; i++)
		leap();
	raise(SIGUSR1);
	pthread_create(&id, NULL, thread, &n);
	pthread_join(id, NULL);
	return n == 0;
}
