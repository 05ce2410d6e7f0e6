/* SPDX-License-Identifier: GPL-2.0-or-later */
/* editor_url.c - checks the pattern of links to an editor; see editor_url.h */

#include "lib/config/editor_url.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/text/message.h"
#include "base/text/suggest.h"
#include "base/text/utf8.h"

/* Schemes that start an editor, and "file". A URL with another scheme, such as
   javascript, is refused. */
static const char *const schemes[] = {
	"vscode", "vscode-insiders", "vscodium",  "cursor", "zed",
	"idea",	  "clion",	     "jetbrains", "subl",   "txmt",
	"mvim",	  "emacs",	     "kate",	  "file",   NULL};

static bool is_editor_url_scheme(const char *name)
{
	for (size_t i = 0; schemes[i]; i++)
		if (!strcmp(schemes[i], name))
			return true;
	return false;
}

static bool is_utf8(const char *text)
{
	uint32_t code_point;
	size_t n = 0;

	while (*text != 0 &&
	       (n = al_utf8_decode_get_length_or_0(text, &code_point)) > 0)
		text += n;
	return *text == 0;
}

int al_editor_url_check(const char *url, char *message)
{
	char scheme[32] = "";
	size_t n = strcspn(url, ":");
	const char *near;

	if (url[n] == ':' && n < sizeof(scheme))
		memcpy(scheme, url, n);
	if (!is_editor_url_scheme(scheme)) {
		near = al_suggest_word(scheme, schemes);
		return al_message_return_einval(
			message,
			"'--editor-url=%.200s' has no scheme of an editor; "
			"did you mean '%s:'?",
			url, near ? near : schemes[0]);
	}
	if (!is_utf8(url))
		return al_message_return_einval(
			message, "the value of '--editor-url' is not UTF-8");
	if (strstr(url, "{path}") == NULL)
		return al_message_return_einval(
			message,
			"'--editor-url=%.200s' has no {path}: "
			"%s://file{path}:{line}",
			url, scheme);
	return 0;
}
