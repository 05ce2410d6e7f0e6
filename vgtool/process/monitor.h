/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * monitor.h - commands that come through vgdb or gdb
 *
 * They come while no code is running, or while all threads are in system calls,
 * and take effect as requests of the program's do.
 */
#ifndef VGTOOL_PROCESS_MONITOR_H
#define VGTOOL_PROCESS_MONITOR_H

#include "vgtool/core/prelude.h"

/* Return: whether the command is one of ours; it has been answered then. */
Bool vt_monitor(const HChar *command);

#endif
