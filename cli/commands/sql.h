/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sql.h - alleria sql
 */
#ifndef CLI_COMMANDS_SQL_H
#define CLI_COMMANDS_SQL_H

/* @argc, @argv: behind the subcommand. Return: exit status. */
int cl_sql(int argc, char **argv);

#endif
