/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cl_export.h - alleria export: a profile in the format of another tool
 */
#ifndef CL_EXPORT_H
#define CL_EXPORT_H

int cl_export(int argc, char **argv);

#endif
