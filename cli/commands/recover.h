/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recover.h - alleria recover
 */
#ifndef CLI_COMMANDS_RECOVER_H
#define CLI_COMMANDS_RECOVER_H

/* @argv: what follows "recover". Returns the exit status. */
int cl_recover(int argc, char **argv);

#endif
