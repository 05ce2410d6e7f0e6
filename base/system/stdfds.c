/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stdfds.c - opens closed standard descriptors; see stdfds.h */

#include "base/system/stdfds.h"

#include <fcntl.h>
#include <unistd.h>

void al_stdfds_open_missing(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}
