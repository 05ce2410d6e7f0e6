/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control.h - alleria control
 */
#ifndef CLI_COMMANDS_CONTROL_H
#define CLI_COMMANDS_CONTROL_H

/* Arguments behind "control". Return: exit status. */
int cl_control(int argc, char **argv);

#endif
