/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * client_requests.h - obeys requests of the program: include/valgrind/alleria.h
 *
 * A request ends its block. So all requests arrive while no generated code
 * runs, and take effect before the next instruction.
 */
#ifndef VGTOOL_PROCESS_CLIENT_REQUESTS_H
#define VGTOOL_PROCESS_CLIENT_REQUESTS_H

#include "vgtool/core/prelude.h"

void vt_requests_register(void);

/* Open or close the windows with this name, or that wait for an event of this
   name. @thread: the requesting thread; 0: the request comes from outside.
   Return: the number of these windows. */
UInt vt_requests_switch_windows(const HChar *name, Bool open, UInt thread);

#endif
