/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * info.h - alleria info
 */
#ifndef CLI_COMMANDS_INFO_H
#define CLI_COMMANDS_INFO_H

/* @argc, @argv: behind the subcommand. Return: exit status. */
int cl_info(int argc, char **argv);

#endif
