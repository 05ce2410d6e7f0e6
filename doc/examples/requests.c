/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * requests.c - the macros of <valgrind/alleria.h>, except
 * ALLERIA_TOGGLE_COLLECT, as functions, for languages that cannot use C macros
 *
 *	cc -O2 -shared -fPIC -I.../include requests.c -o requests.so
 *
 * requests.py uses it from Python.
 */
#include <valgrind/alleria.h>

#include <stddef.h>

int alleria_request_running(void)
{
	return RUNNING_ON_ALLERIA;
}

void alleria_request_mark(const char *name)
{
	ALLERIA_MARK(name);
}

void alleria_request_event(const char *name)
{
	ALLERIA_EVENT(name);
}

void alleria_request_begin(const char *name)
{
	ALLERIA_WINDOW_BEGIN(name);
}

void alleria_request_end(const char *name)
{
	ALLERIA_WINDOW_END(name);
}

void alleria_request_start(int category_bits)
{
	ALLERIA_START_COLLECT(category_bits);
}

void alleria_request_stop(int category_bits)
{
	ALLERIA_STOP_COLLECT(category_bits);
}

void alleria_request_region(const void *address, size_t size, const char *name)
{
	ALLERIA_REGION(address, size, name);
}

void alleria_request_flush(void)
{
	ALLERIA_FLUSH();
}
