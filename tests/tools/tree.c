/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree.c - a configuration file as JSON, of words, lists and maps
 *
 *   tree FILE.yaml
 */
#include <stdio.h>

#include "base/text/message.h"
#include "base/text/yaml.h"

static void print_word(const char *word)
{
	putchar('"');
	for (; *word; word++) {
		if ((unsigned char)*word < ' ')
			printf("\\u%04x", (unsigned)*word);
		else if (*word == '"' || *word == '\\')
			printf("\\%c", *word);
		else
			putchar(*word);
	}
	putchar('"');
}

static void print(const struct al_node *node)
{
	const struct al_node *child = node->child;

	if (node->kind == AL_TEXT) {
		print_word(node->text);
		return;
	}
	putchar(node->kind == AL_LIST ? '[' : '{');
	for (; child; child = child->next) {
		if (child->key) {
			print_word(child->key->text);
			putchar(':');
		}
		print(child);
		if (child->next)
			putchar(',');
	}
	putchar(node->kind == AL_LIST ? ']' : '}');
}

int main(int argc, char **argv)
{
	char message[AL_MESSAGE];
	struct al_node *root;

	if (argc != 2 || al_yaml_read(argv[1], &root, message)) {
		fprintf(stderr, "tree: %s\n", argc == 2 ? message : "one file");
		return 1;
	}
	print(root);
	putchar('\n');
	al_yaml_free_with_siblings(root);
	return 0;
}
