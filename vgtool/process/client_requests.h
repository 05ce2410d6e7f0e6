/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * client_requests.h - what the program asks for: include/valgrind/alleria.h
 *
 * A request ends the block that it stands in. So all of them come while no code
 * is running, and are acted on when it is entered again, before the next
 * instruction.
 */
#ifndef VGTOOL_PROCESS_CLIENT_REQUESTS_H
#define VGTOOL_PROCESS_CLIENT_REQUESTS_H

#include "vgtool/core/prelude.h"

void vt_requests_register(void);

/* A window is to open or to close; by its name, or by that of the event that it
   waits for. @thread: that asks; 0: somebody outside. Return: how many windows that are. */
UInt vt_requests_window(const HChar *name, Bool open, UInt thread);

#endif
