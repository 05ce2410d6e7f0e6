/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cl_calls.h - alleria calls
 */
#ifndef CL_CALLS_H
#define CL_CALLS_H

/* @argc, @argv: behind the subcommand. Return: exit status. */
int cl_calls(int argc, char **argv);

#endif
