/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * environment.h - describes the environment with which the program begins
 *
 * The environment lies on the initial stack and moves everything below it, so
 * counts of two runs with different environments differ a little. The tool's
 * page holds number, size and hash of the variables; no text of them leaves the
 * process.
 */
#ifndef VGTOOL_PROCESS_ENVIRONMENT_H
#define VGTOOL_PROCESS_ENVIRONMENT_H

#include "vgtool/core/prelude.h"

/* Compute and store the number, the total size and a hash of the variables on
   the program's initial stack. Call once, before the program starts. */
void vt_environment_hash_count_vars_and_bytes(void);

/* Copy the stored number, size and hash to the tool's page of the ring; do
   nothing without a ring. Call again after a fork, when the page is new. */
void vt_environment_publish_hash_and_size(void);

#endif
