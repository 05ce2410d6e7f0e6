/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * damage.c - every command over a profile in which one bit is wrong:
 * damage FOLDER PROFILE EVERY SEED FUNCTION [PART PARTS]
 *
 * Flips one bit in about one of EVERY bytes, drawn by SEED (EVERY 1: in each
 * byte), of them those whose offset modulo PARTS is PART, and runs the commands
 * over each copy. A command passes when it ends with a status other than 0, or
 * when its output is that over the undamaged profile. FOLDER is an empty folder
 * to work in, FUNCTION one to annotate.
 *
 * The commands run in this process: the linker leads the C library's call of
 * main() to __wrap_main(), and the command line's is __real_main(). A child
 * runs them, so that a crash ends one run only. None writes to "-", which the
 * command line opens once a process.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tap.h"

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);

enum { WORDS = 8, TEXT = 1 << 20, SECONDS = 60, SHOWN = 5 };

/* The commands. P stands for the profile, OUT for a file to write, F for the
   function. */
static const struct command {
	const char *word[WORDS];
	bool differs; /* it prints what it saved: its output may differ */
} commands[] = {
	{{"info", "P"}, false},
	{{"info", "P", "--json=OUT"}, false},
	{{"dump", "P"}, false},
	{{"dump", "P", "--format=lackey"}, false},
	{{"dump", "P", "--format=ndjson", "--from=9", "--count=5"}, false},
	{{"calls", "P"}, false},
	{{"calls", "P", "--format=ndjson"}, false},
	{{"sql", "P", "SELECT * FROM accesses"}, false},
	{{"sql", "P", "SELECT * FROM instructions"}, false},
	{{"sql", "P", "SELECT * FROM executions"}, false},
	{{"sql", "P", "SELECT * FROM calls"}, false},
	{{"sql", "P", "SELECT * FROM events"}, false},
	{{"sql", "P", "SELECT * FROM run"}, false},
	{{"sql", "P", "SELECT * FROM processes"}, false},
	{{"sql", "P", "SELECT * FROM threads"}, false},
	{{"sql", "P", "SELECT * FROM objects"}, false},
	{{"sql", "P", "SELECT * FROM functions"}, false},
	{{"sql", "P", "SELECT * FROM lines"}, false},
	{{"annotate", "P", "F", "--workers=1"}, false},
	{{"replay", "P", "--workers=1", "--json=OUT"}, false},
	{{"export", "P", "--workers=1", "--format=cachegrind", "-o", "OUT"},
	 false},
	{{"export", "P", "--workers=1", "--format=callgrind", "-o", "OUT"},
	 false},
	{{"export", "P", "--workers=1", "--format=folded", "-o", "OUT"}, false},
	{{"export", "P", "--workers=1", "--format=ramulator", "-o", "OUT"},
	 false},
	{{"export", "P", "--format=champsim", "-o", "OUT"}, false},
	{{"export", "P", "--format=drmemtrace", "-o", "OUT"}, false},
	{{"export", "P", "--format=din", "-o", "OUT"}, false},
	{{"export", "P", "--format=xdin", "-o", "OUT"}, false},
	{{"export", "P", "--format=npy", "-o", "OUT"}, false},
	{{"export", "P", "--format=sqlite", "-o", "OUT"}, false},
	{{"verify", "P"}, false},
	{{"recover", "P", "-o", "OUT"}, true},
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

/* The results of a run. */
struct given {
	int status;
	size_t bytes;
	char text[TEXT]; /* standard output, then the files that were written */
};

/* Memory shared with the child. */
static struct shared {
	uint64_t damaged_offset; /* byte that is damaged */
	unsigned command;
	unsigned runs[COMMANDS];
	unsigned wrong[COMMANDS];
	struct given right[COMMANDS];
} * shared;

static char profile[4096], folder[4096], out[4096], errors[4096];
static char *function;
static uint64_t part, parts = 1;
static int terminal; /* the original standard output */

/* ---- a run ---- */

static char *word_for(const char *word)
{
	char *text;

	if (!strcmp(word, "P"))
		word = profile;
	if (!strcmp(word, "F"))
		word = function;
	if (strcmp(word, "OUT") && strcmp(word, "--json=OUT"))
		return strdup(word);
	if (asprintf(&text, "%s%s", word[0] == '-' ? "--json=" : "", out) < 0)
		abort();
	return text;
}

static int run_main(const struct command *c)
{
	char *argv[WORDS + 2] = {strdup("alleria")}, *all[WORDS + 2];
	int argc = 1, status;

	for (; argc <= WORDS && c->word[argc - 1]; argc++)
		argv[argc] = word_for(c->word[argc - 1]);
	memcpy(all, argv, sizeof(all));
	alarm(SECONDS);
	status = __real_main(argc, argv);
	alarm(0);
	for (int i = 0; i < argc; i++)
		free(all[i]);
	return status;
}

static void add_file(struct given *g, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = 1;

	while (fd >= 0 && n > 0) {
		if (g->bytes == TEXT)
			abort();
		n = read(fd, g->text + g->bytes, TEXT - g->bytes);
		g->bytes += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0)
		close(fd);
}

/* Add the content of a file, or of all files in a folder, and remove it. */
static void add_output(struct given *g, const char *path)
{
	struct dirent **entry;
	char inner[PATH_MAX];
	int n = scandir(path, &entry, NULL, alphasort);

	if (n < 0) {
		add_file(g, path);
		unlink(path);
		return;
	}
	for (int i = 0; i < n; i++) {
		snprintf(inner, sizeof(inner), "%s/%s", path, entry[i]->d_name);
		if (entry[i]->d_name[0] != '.')
			add_output(g, inner);
		free(entry[i]);
	}
	free(entry);
	if (strcmp(path, folder))
		rmdir(path);
}

/* Remove the lines of JSON that hold times. */
static void drop_times(struct given *g)
{
	size_t to = 0;

	for (size_t offset = 0, end; offset < g->bytes; offset = end) {
		char *line = g->text + offset;
		char *newline = memchr(line, '\n', g->bytes - offset);

		end = newline ? (size_t)(newline - g->text) + 1 : g->bytes;
		if (memmem(line, end - offset, "_ns\": ", 6))
			continue;
		memmove(g->text + to, line, end - offset);
		to += end - offset;
	}
	g->bytes = to;
}

static void redirect(const char *path, int fd)
{
	int to = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (to < 0 || dup2(to, fd) < 0)
		abort();
	close(to);
}

static void run(const struct command *c, struct given *g)
{
	char path[sizeof(folder) + 16];

	snprintf(path, sizeof(path), "%s/!stdout", folder);
	redirect(path, STDOUT_FILENO);
	redirect(errors, STDERR_FILENO);
	g->bytes = 0;
	g->status = run_main(c);
	fflush(stdout);
	clearerr(stdout);
	dup2(terminal, STDOUT_FILENO);
	add_output(g, folder);
	if (!strcmp(c->word[0], "replay"))
		drop_times(g);
}

/* ---- a damaged byte ---- */

static bool is_reported(void)
{
	static struct given said;

	said.bytes = 0;
	add_file(&said, errors);
	return memmem(said.text, said.bytes, "runtime error:", 14);
}

static void report(const char *what)
{
	const struct command *c = &commands[shared->command];

	if (++shared->wrong[shared->command] > SHOWN)
		return;
	dprintf(terminal, "# byte %" PRIu64 ",", shared->damaged_offset);
	for (unsigned i = 0; i < WORDS && c->word[i]; i++)
		dprintf(terminal, " %s", c->word[i]);
	dprintf(terminal, ": %s\n", what);
}

static void run_all(void)
{
	static struct given got;

	for (; shared->command < COMMANDS; shared->command++) {
		const struct command *c = &commands[shared->command];
		const struct given *right = &shared->right[shared->command];

		shared->runs[shared->command]++;
		run(c, &got);
		if (is_reported())
			report("undefined behaviour");
		else if (got.status == 0 && !c->differs &&
			 (got.bytes != right->bytes ||
			  memcmp(got.text, right->text, got.bytes)))
			report("another output with status 0");
	}
}

static void flip(uint64_t offset, unsigned bit)
{
	int fd = open(profile, O_RDWR | O_CLOEXEC);
	unsigned char byte;

	if (fd < 0 || pread(fd, &byte, 1, (off_t)offset) != 1)
		abort();
	byte ^= (unsigned char)(1u << bit);
	if (pwrite(fd, &byte, 1, (off_t)offset) != 1 || close(fd))
		abort();
}

/* ---- all bytes ---- */

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* Run the remaining commands in a child. Return: whether it ran to its end. */
static bool run_child(void)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		run_all();
		_exit(0);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status == 0;
}

static void show_errors(void)
{
	static struct given said;

	said.bytes = 0;
	add_file(&said, errors);
	fwrite(said.text, 1, said.bytes < 4000 ? said.bytes : 4000, stderr);
}

/* Flip a random bit of the byte at @offset, so that sweeps with other seeds
   flip others. */
static void damage(uint64_t offset, uint64_t *state)
{
	unsigned bit = (unsigned)next_random(state) % 8;
	static struct given rest;

	flip(offset, bit);
	shared->damaged_offset = offset;
	shared->command = 0;
	while (!run_child()) {
		report("a crash");
		show_errors();
		add_output(&rest, folder);
		rest.bytes = 0;
		shared->command++;
	}
	flip(offset, bit);
}

static const char *name_of(const struct command *c, const char *fact)
{
	static char text[256];

	snprintf(text, sizeof(text), "%s %s %s: %s", c->word[0],
		 c->word[2] ? c->word[2] : "",
		 c->word[2] && c->word[3] ? c->word[3] : "", fact);
	return text;
}

static void store_expected(void)
{
	for (unsigned i = 0; i < COMMANDS; i++) {
		const struct command *c = &commands[i];

		run(c, &shared->right[i]);
		if (!ok(shared->right[i].status == 0,
			name_of(c, "status 0 of the whole profile")))
			show_errors();
	}
}

static void sweep(uint64_t bytes, uint64_t every, uint64_t seed)
{
	uint64_t state = seed;

	for (uint64_t offset = 0; offset < bytes; offset++)
		if ((every == 1 || next_random(&state) % every == 0) &&
		    offset % parts == part)
			damage(offset, &state);
	for (unsigned i = 0; i < COMMANDS; i++)
		if (!ok(shared->runs[i] > 0 && shared->wrong[i] == 0,
			name_of(&commands[i], "a wrong bit is reported, or has "
					      "no effect")))
			printf("# %u of %u\n", shared->wrong[i],
			       shared->runs[i]);
}

static uint64_t copy_profile(const char *from)
{
	static struct given all;
	int fd = open(profile, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	add_file(&all, from);
	if (fd < 0 || write(fd, all.text, all.bytes) != (ssize_t)all.bytes ||
	    close(fd))
		abort();
	return all.bytes;
}

int __wrap_main(int argc, char **argv)
{
	uint64_t bytes;

	if (argc != 6 && argc != 8) {
		fprintf(stderr, "usage: damage FOLDER PROFILE EVERY SEED "
				"FUNCTION [PART PARTS]\n");
		return 99;
	}
	snprintf(profile, sizeof(profile), "%s/profile", argv[1]);
	snprintf(errors, sizeof(errors), "%s/errors", argv[1]);
	snprintf(folder, sizeof(folder), "%s/outputs", argv[1]);
	snprintf(out, sizeof(out), "%.4000s/out", folder);
	function = argv[5];
	if (argc == 8) {
		part = strtoull(argv[6], NULL, 10);
		parts = strtoull(argv[7], NULL, 10);
	}
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
	if (shared == MAP_FAILED || terminal < 0 || mkdir(folder, 0700))
		return 99;
	setvbuf(stdout, NULL, _IOLBF, 0);
	bytes = copy_profile(argv[2]);
	store_expected();
	sweep(bytes, strtoull(argv[3], NULL, 10), strtoull(argv[4], NULL, 10));
	return done_testing();
}
