/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_cachetext.h - cache files from text
 */
#ifndef AL_CACHETEXT_H
#define AL_CACHETEXT_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/al_cachefile.h"
#include "lib/al_message.h"

static char path[64];

/* Reads @bytes of @text as a file: 0, or -EINVAL and the message. */
static inline int read_bytes(const void *text, size_t bytes,
			     struct an_geometry *g, char *message)
{
	int fd = memfd_create("cache.yaml", MFD_CLOEXEC);
	int rc = -EIO;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, text, bytes) == (ssize_t)bytes)
		rc = al_cachefile_read(path, g, message);
	close(fd);
	return rc;
}

/* The message without the file's name; "" when the file is good. */
static inline const char *complaint(const char *text)
{
	static char message[AL_MESSAGE];
	struct an_geometry g;
	size_t len;

	if (!read_bytes(text, strlen(text), &g, message)) {
		free(g.sweep);
		return "";
	}
	len = strlen(path);
	return strncmp(message, path, len) ? message : message + len + 1;
}

#define HEAD "levels:\n"
#define I1 "- {name: I1, kind: instruction, size: 1K, assoc: 2, line: 64}\n"
#define D1 "- {name: D1, kind: data, size: 1K, assoc: 2, line: 64}\n"
#define L2 "- {name: L2, kind: unified, size: 4K, assoc: 4, line: 64}\n"
#define LEVEL(name, kind, next)                                                \
	"- {name: " name ", kind: " kind ", size: 1K, assoc: 2, line: 64, "    \
	"next: " next "}\n"

#include "lib/al_badtext.h"

#endif
