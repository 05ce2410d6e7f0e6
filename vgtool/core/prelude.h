/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prelude.h - includes Valgrind's types and functions, which nearly every file
 * of the tool uses, and the protocol's headers
 *
 * Threads: all of the tool runs under Valgrind's big lock, so it takes no
 *          locks. Memory is shared with the daemon only through proto/ring.h.
 */
#ifndef VGTOOL_CORE_PRELUDE_H
#define VGTOOL_CORE_PRELUDE_H

#include <pub_tool_basics.h>

#include <pub_tool_libcassert.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_libcprint.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_tooliface.h>

#include <stdbool.h>
#include <stdint.h>

#include "proto/hello.h"
#include "proto/log.h"
#include "proto/ring.h"
#include "proto/unit.h"

#endif
