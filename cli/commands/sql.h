/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cl_sql.h - alleria sql
 */
#ifndef CL_SQL_H
#define CL_SQL_H

/* @argc, @argv: behind the subcommand. Return: exit status. */
int cl_sql(int argc, char **argv);

#endif
