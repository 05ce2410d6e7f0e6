/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon_commands.h - what the daemon commands while the program runs
 */
#ifndef VGTOOL_PROCESS_DAEMON_COMMANDS_H
#define VGTOOL_PROCESS_DAEMON_COMMANDS_H

#include "vgtool/core/prelude.h"

/* Set what is done with the plan and with commands, before the first
   connection. */
void vt_commands_register(void);

#endif
