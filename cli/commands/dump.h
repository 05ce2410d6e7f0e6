/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cl_dump.h - alleria dump
 */
#ifndef CL_DUMP_H
#define CL_DUMP_H

/* @argc, @argv: behind the subcommand. Return: exit status. */
int cl_dump(int argc, char **argv);

#endif
