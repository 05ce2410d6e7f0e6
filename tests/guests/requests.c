/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * requests.c - every macro of include/valgrind/alleria.h
 *
 * requests: each once; says whether it runs under Alleria. requests wait: until
 * its standard input ends; says "waiting" before, and "worked" for each byte.
 * requests ask: an event for each byte; says "asked". requests exec: the same,
 * then executes a program that says "executed". requests loop N: N marks, to be
 * counted. requests wild: names that are none. requests tree: one process tells
 * another, which says "ended" and reads a byte. requests fork: a mark in a
 * child, too.
 */
#include <alleria/alleria.h> /* both may be included */
#include <valgrind/alleria.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int data[64];

static __attribute__((noinline)) void work(void)
{
	for (int i = 0; i < 64; i++)
		data[i] += i;
}

static void all(void)
{
	ALLERIA_MARK("first");
	ALLERIA_REGION(data, sizeof(data), "data");
	ALLERIA_EVENT("happens");
	ALLERIA_WINDOW_BEGIN("roi");
	work();
	ALLERIA_WINDOW_END("roi");
	ALLERIA_STOP_COLLECT(ALLERIA_COLLECT_ALL);
	work();
	ALLERIA_START_COLLECT(ALLERIA_COLLECT_ACCESSES);
	ALLERIA_TOGGLE_COLLECT(ALLERIA_COLLECT_CALLS | ALLERIA_COLLECT_LOCKS);
	ALLERIA_MARK("second");
	ALLERIA_FLUSH();
	if (RUNNING_ON_ALLERIA)
		ALLERIA_MARK("last");
}

static void wait_for_end(void)
{
	char byte;

	puts("waiting");
	fflush(stdout);
	while (read(0, &byte, 1) > 0) {
		work();
		puts("worked");
		fflush(stdout);
	}
}

static void ask(void)
{
	char byte;

	while (read(0, &byte, 1) > 0) {
		ALLERIA_EVENT("byte");
		puts("asked");
		fflush(stdout);
	}
}

/* Work before, in and after a child. */
static void tree(void)
{
	char byte;

	work();
	ALLERIA_EVENT("early");
	if (fork() == 0) {
		work();
		ALLERIA_EVENT("ready");
		_exit(0);
	}
	wait(NULL);
	puts("ended");
	fflush(stdout);
	(void)!read(0, &byte, 1);
	work();
}

static void wild(void)
{
	static char longest[1000];

	memset(longest, 'x', sizeof(longest) - 1);
	ALLERIA_MARK((const char *)8);
	ALLERIA_MARK((const char *)NULL);
	ALLERIA_MARK("");
	ALLERIA_MARK(longest);
	ALLERIA_MARK("n\303\244me \"\n");
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "all";

	if (strcmp(what, "all") == 0)
		all();
	else if (strcmp(what, "wait") == 0)
		wait_for_end();
	else if (strcmp(what, "ask") == 0 || strcmp(what, "exec") == 0)
		ask();
	else if (strcmp(what, "wild") == 0)
		wild();
	else if (strcmp(what, "tree") == 0)
		tree();
	else if (strcmp(what, "loop") == 0)
		for (int i = 0, n = atoi(argv[2]); i < n; i++)
			ALLERIA_MARK("turn");
	if (strcmp(what, "exec") == 0)
		return execlp("echo", "echo", "executed", NULL);
	ALLERIA_MARK("parent");
	if (strcmp(what, "fork") == 0 && fork() == 0) {
		ALLERIA_MARK("child");
		_exit(0);
	}
	wait(NULL);
	printf("%d\n", data[63]);
	return 0;
}
