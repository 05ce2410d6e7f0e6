/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cl_recover.h - alleria recover
 */
#ifndef CL_RECOVER_H
#define CL_RECOVER_H

/* @argv: what follows "recover". Returns the exit status. */
int cl_recover(int argc, char **argv);

#endif
