/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cl_tune.h - alleria tune
 */
#ifndef CL_TUNE_H
#define CL_TUNE_H

/* @argv: what follows "tune". Returns the exit status. */
int cl_tune(int argc, char **argv);

#endif
