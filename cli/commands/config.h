/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * config.h - declares the command alleria config
 */
#ifndef CLI_COMMANDS_CONFIG_H
#define CLI_COMMANDS_CONFIG_H

/* Run alleria config: explain a window file or an allocator file, or print the
   schema of window files. @argv: [@argc] the arguments after its name. Return:
   exit status. */
int cl_config_check_file_or_print_schema(int argc, char **argv);

extern const char cl_config_help[];

/* The JSON Schema of window files, with ' in place of double quotes. */
extern const char cl_schema[];

#endif
