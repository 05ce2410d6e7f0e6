/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cl_control.h - alleria control
 */
#ifndef CL_CONTROL_H
#define CL_CONTROL_H

/* Arguments behind "control". Return: exit status. */
int cl_control(int argc, char **argv);

#endif
