/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cl_replay.h - alleria replay
 */
#ifndef CL_REPLAY_H
#define CL_REPLAY_H

/* @argc, @argv: behind the subcommand. Return: exit status. */
int cl_replay(int argc, char **argv);

/* The same without its report. */
int cl_replay_silently(int argc, char **argv);

#endif
