/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tune.h - alleria tune
 */
#ifndef CLI_COMMANDS_TUNE_H
#define CLI_COMMANDS_TUNE_H

/* @argv: what follows "tune". Returns the exit status. */
int cl_tune(int argc, char **argv);

#endif
