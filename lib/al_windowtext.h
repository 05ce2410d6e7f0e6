/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_windowtext.h - window files from text
 */
#ifndef AL_WINDOWTEXT_H
#define AL_WINDOWTEXT_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/al_message.h"
#include "lib/al_plan.h"
#include "lib/al_windows.h"

static char path[64];

/* Reads @text as a file: NULL and the message when it is wrong. */
static inline struct al_windows *read_text(const char *text, char *message)
{
	int fd = memfd_create("window.yaml", MFD_CLOEXEC);
	size_t bytes = strlen(text);
	struct al_windows *w = NULL;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	snprintf(message, AL_MESSAGE, "no file");
	if (write(fd, text, bytes) == (ssize_t)bytes)
		al_windows_read(path, &w, message);
	close(fd);
	return w;
}

/* The windows of a file that is right. */
static inline struct al_windows *good(const char *text)
{
	char message[AL_MESSAGE];
	struct al_windows *w = read_text(text, message);

	if (!w) {
		printf("Bail out! %s in\n%s", message, text);
		exit(1);
	}
	return w;
}

/* The plan of process 1 by such a file, for free(). */
static inline struct pt_plan *plan_of(const char *yaml)
{
	struct al_windows *w = good(yaml);
	size_t bytes;
	void *plan;

	if (al_plan_make(w, 1, &plan, &bytes)) {
		printf("Bail out! no plan\n");
		exit(1);
	}
	al_windows_free(w);
	return plan;
}

/* The message without the file's name; "" when the file is good. */
static inline const char *complaint(const char *text)
{
	static char message[AL_MESSAGE];
	struct al_windows *w = read_text(text, message);
	size_t len = strlen(path);

	if (w) {
		al_windows_free(w);
		return "";
	}
	return strncmp(message, path, len) ? message : message + len + 1;
}

/* A window's key in line 2, from column 4. */
#define KEY(text) "windows:\n- {" text ", profile: [{}]}\n"
/* Its `on` in line 2, from column 8; its `till` from column 10. */
#define ON(text) KEY("on: {" text "}")
#define TILL(text) KEY("till: {" text "}")
/* Its profile from column 14, a process from 15, ... */
#define PROFILE(text) "windows:\n- {profile: [" text "]}\n"
#define THREADS(text) PROFILE("{threads: [" text "]}")
#define IMAGES(text) THREADS("{images: [" text "]}")
#define FUNCTIONS(text) IMAGES("{functions: [" text "]}")
#define INSTRUCTIONS(text) FUNCTIONS("{instructions: [" text "]}")

#include "lib/al_badtext.h"

/* Types, and parameters of an interceptor in line 3, from column 22. */
#define CALL(types, intercept)                                                 \
	"types: {" types "}\nwindows: [{profile: [{threads: [{images: "        \
	"[{functions: [{name: f,\nintercept: {" intercept "}}]}]}]}]}]\n"
#define PARAMS(types, params) CALL(types, "params: [" params "]")
#define TYPES(types) PARAMS(types, "")

#endif
