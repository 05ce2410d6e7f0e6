/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * environment.h - describes the environment with which the program begins
 *
 * The environment lies on the initial stack and moves everything below it, so
 * counts of two runs differ a little when it does. The tool's page holds
 * number, size and hash of the variables; no text of them leaves the process.
 */
#ifndef VGTOOL_PROCESS_ENVIRONMENT_H
#define VGTOOL_PROCESS_ENVIRONMENT_H

#include "vgtool/core/prelude.h"

/* Read the environment from the client's initial stack. Call it once, before
   the program starts. */
void vt_environment_hash_and_count(void);

/* Publish number, size and hash in the tool's page, also in a new page after a
   fork. */
void vt_environment_publish_hash_and_size(void);

#endif
