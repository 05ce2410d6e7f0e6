/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify.h - alleria verify
 */
#ifndef CLI_COMMANDS_VERIFY_H
#define CLI_COMMANDS_VERIFY_H

/* @argv: what follows "verify". Returns the exit status. */
int cl_verify(int argc, char **argv);

#endif
