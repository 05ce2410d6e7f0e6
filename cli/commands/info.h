/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cl_info.h - alleria info
 */
#ifndef CL_INFO_H
#define CL_INFO_H

/* @argc, @argv: behind the subcommand. Return: exit status. */
int cl_info(int argc, char **argv);

#endif
