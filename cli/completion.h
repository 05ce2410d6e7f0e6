/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * completion.h - declares the command alleria completion
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

/* Run alleria completion: print a script that completes command lines. @argv:
   [@argc] the arguments after its name. Return: exit status. */
int cl_completion_print_shell_script(int argc, char **argv);

extern const char cl_completion_help[];

#endif
