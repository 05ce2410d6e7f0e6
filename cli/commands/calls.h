/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.h - alleria calls
 */
#ifndef CLI_COMMANDS_CALLS_H
#define CLI_COMMANDS_CALLS_H

/* @argc, @argv: behind the subcommand. Return: exit status. */
int cl_calls(int argc, char **argv);

#endif
