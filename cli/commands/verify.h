/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cl_verify.h - alleria verify
 */
#ifndef CL_VERIFY_H
#define CL_VERIFY_H

/* @argv: what follows "verify". Returns the exit status. */
int cl_verify(int argc, char **argv);

#endif
