/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * config.h - alleria config
 */
#ifndef CLI_COMMANDS_CONFIG_H
#define CLI_COMMANDS_CONFIG_H

/* @argc, @argv: behind the subcommand. Return: exit status. */
int cl_config(int argc, char **argv);

/* The JSON Schema of window files; double quotes are written '. */
extern const char cl_schema[];

#endif
