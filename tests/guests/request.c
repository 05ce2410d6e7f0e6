/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request.c - asks Valgrind something, which is an instruction of 19 bytes
 */
#include <valgrind/valgrind.h>

int main(void)
{
	return RUNNING_ON_VALGRIND ? 0 : 1;
}
