/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * monitor.h - obeys commands from vgdb or gdb
 *
 * Commands arrive while no generated code runs, or while all threads are in
 * system calls. They take effect as requests of the program do.
 */
#ifndef VGTOOL_PROCESS_MONITOR_H
#define VGTOOL_PROCESS_MONITOR_H

#include "vgtool/core/prelude.h"

/* Obey a command. Return: whether it is one of Alleria's; then it has been
   answered. */
Bool vt_monitor_execute(const HChar *command);

#endif
