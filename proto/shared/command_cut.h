/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_cut.h - the end of a command that is too long for a hello */
#ifndef PROTO_SHARED_COMMAND_CUT_H
#define PROTO_SHARED_COMMAND_CUT_H

/* The tool cuts the first string that does not fit, ends it with this text, and
   omits those after it. Readers of a command find out by it that arguments are
   missing. */
#define PT_COMMAND_CUT "... [cut at 64 KiB]"

#endif
