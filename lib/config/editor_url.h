/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * editor_url.h - checks the pattern of links to an editor
 */
#ifndef LIB_CONFIG_EDITOR_URL_H
#define LIB_CONFIG_EDITOR_URL_H

/* Check the value of --editor-url: a URL with a scheme of an editor and with
   "{path}", such as "vscode://file{path}:{line}". @message: [AL_MESSAGE]
   receives one line on error. Return: 0; -EINVAL. */
int al_editor_url_check(const char *url, char *message);

#endif
