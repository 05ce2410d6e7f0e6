/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.h - declares the command alleria replay
 */
#ifndef CLI_COMMANDS_REPLAY_H
#define CLI_COMMANDS_REPLAY_H

/* Run alleria replay: run analyses over a profile, and print the report. @argv:
   [@argc] the arguments after its name. Return: exit status. */
int cl_replay_profile_and_report(int argc, char **argv);

/* Run the command as cl_replay_profile_and_report() does, without printing its
   report and without analyses per window. */
int cl_replay_without_report(int argc, char **argv);

struct al_run;

/* Replay as cl_replay_without_report() does, and call @reader with the run
   before it is freed, unless the profile could not be replayed. Return: 0;
   CL_DAMAGED; CL_WRONG_USAGE. The caller gets the exit status for an incomplete
   run from al_run_incomplete_exit_code_or_0(). */
int cl_replay_and_read_run(int argc, char **argv,
			   void (*reader)(void *arg, struct al_run *),
			   void *arg);

extern const char cl_replay_help[];

#endif
