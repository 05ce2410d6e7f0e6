/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cl_replay.h - alleria replay
 *
 * Room:    cli.
 * Used by: cl_main.c, cl_annotate.c, cl_export.c.
 */
#ifndef CL_REPLAY_H
#define CL_REPLAY_H

/* @argc, @argv: behind the subcommand. Return: exit status. */
int cl_replay(int argc, char **argv);

/* The same without its report. */
int cl_replay_silently(int argc, char **argv);

#endif
