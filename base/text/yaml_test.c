/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * yaml_test.c - tests which YAML is read, and which is refused
 */
#include "base/text/yaml.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text/message.h"
#include "tests/tap.h"

static char path[64];

/* Read @bytes of @text as a file. */
static int read_bytes(const void *text, size_t bytes, struct al_node **root,
		      char *message)
{
	int fd = memfd_create("a.yaml", MFD_CLOEXEC);
	int rc = -EIO;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, text, bytes) == (ssize_t)bytes)
		rc = al_yaml_read(path, root, message);
	close(fd);
	return rc;
}

/* Return the message without the file's name; "" if the text is accepted. */
static const char *read_error(const char *text)
{
	static char message[AL_MESSAGE];
	struct al_node *root;
	size_t len;

	if (!read_bytes(text, strlen(text), &root, message)) {
		al_yaml_free_with_siblings(root);
		return "";
	}
	len = strlen(path);
	return strncmp(message, path, len) ? message : message + len + 1;
}

static void test_tree(void)
{
	static const char text[] = "a: [yes, 012, 1:30]\n"
				   "b:\n"
				   "  - c: \"x y\"\n"
				   "    d:\n";
	struct al_node *root, *b, *n;
	char message[AL_MESSAGE];

	if (!ok(!read_bytes(text, sizeof(text) - 1, &root, message),
		"maps and lists in each other")) {
		printf("# %s\n", message);
		return;
	}
	n = root->child->child;
	ok(root->kind == AL_MAP && root->child->kind == AL_LIST && !n->key,
	   "kinds");
	is_str(n->text, "yes", "yes is a word");
	is_str(n->next->text, "012", "012 is as it stands");
	is_str(n->next->next->text, "1:30", "1:30 too");
	ok(!n->next->next->next, "the list ends");
	is_u64(n->next->column, 10, "columns count from 1");
	b = root->child->next;
	is_str(b->key->text, "b", "a member of a map has its key");
	is_str(al_yaml_get(b->child, "c")->text, "x y", "quotes are gone");
	is_str(al_yaml_get(b->child, "d")->text, "", "nothing is empty text");
	is_u64(al_yaml_get(b->child, "d")->key->line, 4, "lines too");
	ok(!al_yaml_get(b->child, "e"), "a key that is not there");
	al_yaml_free_with_siblings(root);
	al_yaml_free_with_siblings(NULL);
}

struct bad {
	const char *text;
	const char *expected;
	const char *fact;
};

static void test_bad(void)
{
	static const struct bad bad[] = {
		{"", "1:1: the file is empty", "nothing"},
		{"# nothing\n", "2:1: the file is empty", "a comment only"},
		{"levels: [\n", "2:1: did not find expected node content",
		 "a bracket that nothing closes"},
		{"levels: &a []\n", "1:9: anchors are not supported: 'a'",
		 "an anchor"},
		{"&a levels: []\n", "1:1: anchors are not supported: 'a'",
		 "an anchor on a key"},
		{"levels: *a\n", "1:9: aliases are not supported: 'a'",
		 "an alias"},
		{"levels: !!seq []\n",
		 "1:9: tags are not supported: 'tag:yaml.org,2002:seq'",
		 "a tag"},
		{"levels: !x y\n", "1:9: tags are not supported: '!x'",
		 "a tag of one's own"},
		{"<<: {levels: []}\n",
		 "1:1: merge keys are not supported: '<<'", "a merge key"},
		{"levels: []\nlevels: []\n",
		 "2:1: 'levels' is given twice, first in line 1",
		 "a key twice"},
		{"? [a]\n: b\n", "1:3: a key is not a word",
		 "a list for a key"},
		{"levels: []\n---\nlevels: []\n", "2:1: a second document",
		 "a second document"},
		{"levels: \"a\\0b\"\n", "1:9: a NUL character", "NUL"},
		{"levels: a\001b\n", "1:10: control characters are not allowed",
		 "a control character"},
		{"- {alloc: \xff\xfe, size: 0}\n",
		 "1:11: invalid leading UTF-8 octet", "a byte of no UTF-8"},
		{"- \xc3\xa4\r\n- \xc3\xa4 \xc3-\n",
		 "2:6: invalid trailing UTF-8 octet",
		 "a character of UTF-8 that is cut, after whole ones"},
		{"levels: [[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]\n",
		 "1:24: nested too deeply", "the 17th level"},
		{"levels: [[[[[[[[[[[[[[[]]]]]]]]]]]]]]]\n", "",
		 "16 levels are read"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		is_str(read_error(bad[i].text), bad[i].expected, bad[i].fact);
}

/* Check that 1 MiB is read, and one byte more is refused. */
static void test_size(void)
{
	static const char text[] = "levels: []\n";
	size_t n = 1 << 20;
	char *big = malloc(n + 1);
	char message[AL_MESSAGE], want[100];
	struct al_node *root;

	if (!big)
		return;
	memset(big, '\n', n + 1);
	memcpy(big, text, sizeof(text) - 1);
	ok(!read_bytes(big, n, &root, message), "1 MiB is read");
	al_yaml_free_with_siblings(root);
	ok(read_bytes(big, n + 1, &root, message) == -EINVAL,
	   "a byte more: not");
	snprintf(want, sizeof(want), "'%s' is larger than 1 MiB", path);
	is_str(message, want, "it says so");

	memset(big, '[', n);
	memcpy(big, "levels:\n", 8);
	ok(read_bytes(big, n, &root, message) == -EINVAL, "endless brackets");
	for (size_t i = 0; i + 8 <= n; i += 8)
		snprintf(big + i, 9, "a%05zu:\n", i / 8 % 100000);
	ok(read_bytes(big, n, &root, message) == -EINVAL &&
		   strstr(message, ":65:1: too many keys, from 'a00064'"),
	   "endless keys");
	free(big);
}

static void test_files(void)
{
	char message[AL_MESSAGE];
	struct al_node *root;

	ok(al_yaml_read("/nowhere/a.yaml", &root, message) == -EINVAL,
	   "no such file");
	is_str(message,
	       "cannot read '/nowhere/a.yaml': No such file or directory",
	       "it says so");
	al_yaml_read("/", &root, message);
	is_str(message, "cannot read '/': Is a directory", "a directory");
	al_yaml_read("/dev/zero", &root, message);
	is_str(message, "'/dev/zero' is larger than 1 MiB",
	       "a file without end is left after 1 MiB");
}

int main(void)
{
	test_tree();
	test_bad();
	test_size();
	test_files();
	return done_testing();
}
