/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dump.h - alleria dump
 */
#ifndef CLI_COMMANDS_DUMP_H
#define CLI_COMMANDS_DUMP_H

/* @argc, @argv: behind the subcommand. Return: exit status. */
int cl_dump(int argc, char **argv);

#endif
