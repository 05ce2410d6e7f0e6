/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * alleria.h - what a program tells Alleria while it is recorded
 *
 *	#include <valgrind/alleria.h>
 *
 *	ALLERIA_WINDOW_BEGIN("solve");
 *	solve();
 *	ALLERIA_WINDOW_END("solve");
 *
 * Nothing is linked. Outside Valgrind a macro is a dozen instructions that do
 * nothing; with NVALGRIND defined it is none, and its arguments are not
 * evaluated. Each takes effect before the next instruction, in whichever thread
 * it stands, for the process. What is told is an event of the profile
 * (ALLERIA_MARK in alleria/records.h).
 *
 * Names are strings that end with NUL; ALLERIA_LONGEST_NAME bytes of them
 * count. One that cannot be read is ignored, with a message.
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

enum { ALLERIA_LONGEST_NAME = 255 /* [bytes] without the NUL */ };

/* Numbers on the wire: they do not change. */
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

/* What is collected; to be added up. Allocations and locks are but kept as
   events so far. */
enum alleria_category {
	ALLERIA_COLLECT_CALLS = 1,	 /* that interceptors record */
	ALLERIA_COLLECT_ACCESSES = 2,	 /* to memory, and the instructions that
					 make them; calls come with them */
	ALLERIA_COLLECT_ALLOCATIONS = 4, /* of memory, and its release */
	ALLERIA_COLLECT_LOCKS = 8,	 /* taken and released */
	ALLERIA_COLLECT_ALL = 15
};

#define ALLERIA_TELL_(request, a, b, c)                                        \
	((void)VALGRIND_DO_CLIENT_REQUEST_EXPR(0, request, a, b, c, 0, 0))

/* 1 under `valgrind --tool=alleria`, else 0. */
#define RUNNING_ON_ALLERIA                                                     \
	((int)VALGRIND_DO_CLIENT_REQUEST_EXPR(0, VG_USERREQ__ALLERIA_RUNNING,  \
					      0, 0, 0, 0, 0))

/* Leaves a mark with that name at this place of the profile. */
#define ALLERIA_MARK(name) ALLERIA_TELL_(VG_USERREQ__ALLERIA_MARK, name, 0, 0)

/* The event `client_request: NAME` of a window file happens. */
#define ALLERIA_EVENT(name) ALLERIA_TELL_(VG_USERREQ__ALLERIA_EVENT, name, 0, 0)

/*
 * BEGIN: the event `client_request: NAME` happens, and the window that is
 * called NAME opens, if there is one, whatever it waits for.
 * END: the window that is called NAME closes, and so do those that the event
 * `client_request: NAME` opens.
 * With neither they are but marks. They do not nest.
 */
#define ALLERIA_WINDOW_BEGIN(name)                                             \
	ALLERIA_TELL_(VG_USERREQ__ALLERIA_WINDOW_BEGIN, name, 0, 0)
#define ALLERIA_WINDOW_END(name)                                               \
	ALLERIA_TELL_(VG_USERREQ__ALLERIA_WINDOW_END, name, 0, 0)

/*
 * Collection of categories goes on, stops, or does what it did not do. At the
 * beginning everything is collected that there is. While it is stopped windows
 * open and close, but nothing is recorded. A forked child begins as its parent
 * is.
 */
#define ALLERIA_START_COLLECT(categories)                                      \
	ALLERIA_TELL_(VG_USERREQ__ALLERIA_START, categories, 0, 0)
#define ALLERIA_STOP_COLLECT(categories)                                       \
	ALLERIA_TELL_(VG_USERREQ__ALLERIA_STOP, categories, 0, 0)
#define ALLERIA_TOGGLE_COLLECT(categories)                                     \
	ALLERIA_TELL_(VG_USERREQ__ALLERIA_TOGGLE, categories, 0, 0)

/* The memory from @address on, @size [bytes], has that name from here on. */
#define ALLERIA_REGION(address, size, name)                                    \
	ALLERIA_TELL_(VG_USERREQ__ALLERIA_REGION, address, size, name)

/* What was recorded so far is given to the daemon now, which would else have
   it when a buffer is full. */
#define ALLERIA_FLUSH() ALLERIA_TELL_(VG_USERREQ__ALLERIA_FLUSH, 0, 0, 0)

#endif
