/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check_result.c - sets the result of a check of alleria doctor
 */
#include "cli/doctor/checks.h"

#include <stdarg.h>
#include <stdio.h>

void cl_check_set_result(struct cl_check_result *r, enum cl_check_grade result,
			 const char *format, ...)
{
	va_list args;

	r->result = result;
	va_start(args, format);
	vsnprintf(r->text, sizeof(r->text), format, args);
	va_end(args);
}

void cl_check_set_remedy(struct cl_check_result *r, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(r->remedy, sizeof(r->remedy), format, args);
	va_end(args);
}
