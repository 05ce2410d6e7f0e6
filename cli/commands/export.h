/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export.h - alleria export: a profile in the format of another tool
 */
#ifndef CLI_COMMANDS_EXPORT_H
#define CLI_COMMANDS_EXPORT_H

int cl_export(int argc, char **argv);

#endif
