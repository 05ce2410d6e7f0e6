/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * annotate.h - alleria annotate
 */
#ifndef CLI_COMMANDS_ANNOTATE_H
#define CLI_COMMANDS_ANNOTATE_H

/* @argc, @argv: behind the subcommand. Return: exit status. */
int cl_annotate(int argc, char **argv);

#endif
