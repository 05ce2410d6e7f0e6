/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cl_annotate.h - alleria annotate
 */
#ifndef CL_ANNOTATE_H
#define CL_ANNOTATE_H

/* @argc, @argv: behind the subcommand. Return: exit status. */
int cl_annotate(int argc, char **argv);

#endif
