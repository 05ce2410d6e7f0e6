/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon_commands.h - obeys commands of the daemon while the program runs
 */
#ifndef VGTOOL_PROCESS_DAEMON_COMMANDS_H
#define VGTOOL_PROCESS_DAEMON_COMMANDS_H

#include "vgtool/core/prelude.h"

/* Register the functions that receive the plan and the commands. Call before
   the first connection. */
void vt_commands_register(void);

#endif
