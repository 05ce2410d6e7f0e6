/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * client_requests.h - obeys requests of the program
 * (include/valgrind/alleria.h), commands from vgdb and messages of the daemon
 *
 * A request of the program (include/valgrind/alleria.h) ends its block. So all
 * such requests arrive while no generated code runs, and take effect before the
 * next instruction. Commands from vgdb or gdb arrive while no generated code
 * runs, or while all threads are in system calls, and take effect likewise.
 */
#ifndef VGTOOL_PROCESS_CLIENT_REQUESTS_H
#define VGTOOL_PROCESS_CLIENT_REQUESTS_H

#include "vgtool/core/prelude.h"

/* Register with Valgrind the function that obeys client requests and monitor
   commands. Context: from pre_clo_init. */
void vt_requests_register_callback(void);

/* Write a mark with @window_or_event_name and, if @open is True, record the
   event @window_or_event_name. Then request that the windows with the name
   @window_or_event_name open or close; unless @open, also close windows that
   open at an event of this name. @requesting_thread_number: number of the
   requesting thread; 0: the request comes from outside the program. Return: the
   number of windows with this name or such an event. */
UInt vt_requests_switch_windows(const HChar *window_or_event_name, Bool open,
				UInt requesting_thread_number);

/* Register the functions that receive the plan and the commands. Call before
   the first connection. */
void vt_commands_register_daemon_callbacks(void);

/* Obey a command from vgdb or gdb. Return: whether it is one of Alleria's; then
   it has been answered. */
Bool vt_monitor_execute_if_ours(const HChar *command);

#endif
