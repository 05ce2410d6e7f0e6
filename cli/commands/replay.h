/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.h - alleria replay
 */
#ifndef CLI_COMMANDS_REPLAY_H
#define CLI_COMMANDS_REPLAY_H

/* @argc, @argv: behind the subcommand. Return: exit status. */
int cl_replay(int argc, char **argv);

/* The same without its report. */
int cl_replay_silently(int argc, char **argv);

#endif
