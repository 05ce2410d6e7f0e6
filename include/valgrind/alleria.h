/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * alleria.h - client requests by which a program controls its recording
 *
 *	#include <valgrind/alleria.h>
 *
 *	ALLERIA_WINDOW_BEGIN("solve");
 *	solve();
 *	ALLERIA_WINDOW_END("solve");
 *
 * No library is needed. Outside Valgrind a macro executes a dozen instructions
 * without effect; with NVALGRIND defined it expands to no code, and its
 * arguments are not evaluated. A request takes effect for the whole process
 * before the next instruction, whichever thread makes it. Requests with a name
 * or categories are recorded as events of the profile (ALLERIA_MARK in
 * alleria/records.h).
 *
 * Names are strings that end with NUL; only their first ALLERIA_LONGEST_NAME
 * bytes are used. A request whose name cannot be read is ignored; the first one
 * is reported with a message.
 *
 * This file alone is under the following terms, so that any program may use it:
 *
 * Copyright (C) 2026 the authors of Alleria
 *
 * Redistribution and use in source and binary forms, with or without
 * modification, are permitted provided that the following conditions are met:
 *
 * 1. Redistributions of source code must retain the above copyright notice,
 *    this list of conditions and the following disclaimer.
 * 2. Redistributions in binary form must reproduce the above copyright notice,
 *    this list of conditions and the following disclaimer in the documentation
 *    and/or other materials provided with the distribution.
 *
 * THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
 * AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
 * IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
 * ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
 * LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
 * CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
 * SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
 * INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
 * CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
 * ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
 * POSSIBILITY OF SUCH DAMAGE.
 */
#ifndef VALGRIND_ALLERIA_H
#define VALGRIND_ALLERIA_H

#include <valgrind/valgrind.h>

enum {
	ALLERIA_LONGEST_NAME = 255 /* [bytes] of a name that are used, without
				      the NUL */
};

/* Request codes. Compiled programs contain them, so they must not change. */
enum alleria_request {
	VG_USERREQ__ALLERIA_MARK = VG_USERREQ_TOOL_BASE('A', 'L'),
	VG_USERREQ__ALLERIA_EVENT,
	VG_USERREQ__ALLERIA_WINDOW_BEGIN,
	VG_USERREQ__ALLERIA_WINDOW_END,
	VG_USERREQ__ALLERIA_START,
	VG_USERREQ__ALLERIA_STOP,
	VG_USERREQ__ALLERIA_TOGGLE,
	VG_USERREQ__ALLERIA_REGION,
	VG_USERREQ__ALLERIA_FLUSH,
	VG_USERREQ__ALLERIA_RUNNING
};

/* Categories of data, combined by OR. ALLERIA_COLLECT_ALLOCATIONS and _LOCKS
   have no effect yet, except that the request is recorded as an event. */
enum alleria_category {
	ALLERIA_COLLECT_CALLS = 1,	 /* calls that interceptors of the
					    window file record */
	ALLERIA_COLLECT_ACCESSES = 2,	 /* memory accesses and the instructions
					    that make them; while stopped, no
					    calls are recorded either */
	ALLERIA_COLLECT_ALLOCATIONS = 4, /* allocations and releases of
					    memory */
	ALLERIA_COLLECT_LOCKS = 8,	 /* locks acquired and released */
	ALLERIA_COLLECT_ALL = 15
};

#define ALLERIA_TELL_(request, a, b, c)                                        \
	((void)VALGRIND_DO_CLIENT_REQUEST_EXPR(0, request, a, b, c, 0, 0))

/* 1 if the program runs under `valgrind --tool=alleria`, else 0. */
#define RUNNING_ON_ALLERIA                                                     \
	((int)VALGRIND_DO_CLIENT_REQUEST_EXPR(0, VG_USERREQ__ALLERIA_RUNNING,  \
					      0, 0, 0, 0, 0))

/* Record a mark with a name at this point of the profile. */
#define ALLERIA_MARK(name) ALLERIA_TELL_(VG_USERREQ__ALLERIA_MARK, name, 0, 0)

/* Trigger the event `client_request: NAME` of a window file. */
#define ALLERIA_EVENT(name) ALLERIA_TELL_(VG_USERREQ__ALLERIA_EVENT, name, 0, 0)

/*
 * BEGIN: trigger the event `client_request: NAME`, and open the window named
 * NAME, if there is one, whatever event opens it otherwise.
 * END: close the window named NAME and the windows that the event
 * `client_request: NAME` opens.
 * Without such a window they only record a mark. They do not nest.
 */
#define ALLERIA_WINDOW_BEGIN(name)                                             \
	ALLERIA_TELL_(VG_USERREQ__ALLERIA_WINDOW_BEGIN, name, 0, 0)
#define ALLERIA_WINDOW_END(name)                                               \
	ALLERIA_TELL_(VG_USERREQ__ALLERIA_WINDOW_END, name, 0, 0)

/*
 * Start, stop or toggle the collection of categories in the process, for all
 * threads. All categories are collected at first. While ACCESSES or CALLS
 * are stopped, windows open and close, but these are not recorded; stopping
 * other categories has no effect. A forked child inherits the state of its
 * parent.
 */
#define ALLERIA_START_COLLECT(categories)                                      \
	ALLERIA_TELL_(VG_USERREQ__ALLERIA_START, categories, 0, 0)
#define ALLERIA_STOP_COLLECT(categories)                                       \
	ALLERIA_TELL_(VG_USERREQ__ALLERIA_STOP, categories, 0, 0)
#define ALLERIA_TOGGLE_COLLECT(categories)                                     \
	ALLERIA_TELL_(VG_USERREQ__ALLERIA_TOGGLE, categories, 0, 0)

/* Name the memory [@address, @address + @size), @size in bytes, from this point
   of the profile on. It is a data object of the kind `region`. Memory leaves a
   region when it is named again, mapped or unmapped, and when a heap block that
   contains it is allocated or freed. @size 0: end the region that contains
   @address; if it has lost memory in its middle, the part around @address. */
#define ALLERIA_REGION(address, size, name)                                    \
	ALLERIA_TELL_(VG_USERREQ__ALLERIA_REGION, address, size, name)

/* Pass the buffer that is being filled to the daemon now, with the data
   recorded in it so far, instead of when it is full. */
#define ALLERIA_FLUSH() ALLERIA_TELL_(VG_USERREQ__ALLERIA_FLUSH, 0, 0, 0)

#endif
