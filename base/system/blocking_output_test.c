/* SPDX-License-Identifier: GPL-2.0-or-later */
/* blocking_output_test.c - tests that output which may block is written
   completely, or cancelled */
#include "base/system/blocking_output.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/tap.h"

enum { MANY = 1 << 20 /* [bytes] more than a pipe's buffer */ };

static unsigned n_calls;   /* calls of the stop function so far */
static unsigned max_calls; /* calls after which the stop function returns
			      true */

static bool is_stopped(void *arg)
{
	(void)arg;
	return ++n_calls > max_calls;
}

static void set_stop_limit(unsigned times)
{
	n_calls = 0;
	max_calls = times;
	al_special_file_set_cancel_check(is_stopped, NULL);
}

/* Read @fd to its end, as a thread. Return the number of bytes. */
static void *read_all(void *fd)
{
	char buffer[4096];
	size_t bytes = 0;
	ssize_t n;

	while ((n = read((int)(intptr_t)fd, buffer, sizeof(buffer))) > 0)
		bytes += (size_t)n;
	return (void *)bytes;
}

static int write_zeros(FILE *f, size_t bytes)
{
	int err = 0;

	for (size_t i = 0; i < bytes; i++)
		if (putc('x', f) == EOF && !err)
			err = errno;
	errno = 0;
	if (fclose(f) && !err)
		err = errno;
	return err;
}

static void check_fifo(void)
{
	pthread_t reader;
	void *bytes;
	FILE *f;
	int fd;

	set_stop_limit(2);
	ok(!al_special_file_open_write_stream("fifo") && errno == ECANCELED &&
		   n_calls == 3,
	   "a FIFO that nobody reads is given up");
	fd = open("fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	f = al_special_file_open_write_stream("fifo");
	ok(f && write_zeros(f, MANY) == ECANCELED,
	   "so is one whose reader does not read");
	is_u64(n_calls, 4, "and later writes to it do not wait again");
	close(fd);
	set_stop_limit(1000);
	fd = open("fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	f = al_special_file_open_write_stream("fifo");
	fcntl(fd, F_SETFL, 0);
	pthread_create(&reader, NULL, read_all, (void *)(intptr_t)fd);
	ok(f && write_zeros(f, MANY) == 0, "who reads gets it");
	pthread_join(reader, &bytes);
	is_u64((uint64_t)(size_t)bytes, MANY, "all of it");
	close(fd);
}

/* Check that an inherited descriptor is written, and that its flags do not
   change. */
static void check_descriptor(const char *what, int in, int out)
{
	char name[32];
	FILE *f;

	snprintf(name, sizeof(name), "/dev/fd/%d", out);
	set_stop_limit(2);
	f = al_special_file_open_write_stream(name);
	ok(f && write_zeros(f, 10) == 0, what);
	f = al_special_file_open_write_stream(name);
	ok(f && write_zeros(f, 4 * MANY) == ECANCELED,
	   "it is given up when nobody reads");
	ok(!(fcntl(out, F_GETFL) & O_NONBLOCK),
	   "it does not become non-blocking for others");
	close(in);
	f = al_special_file_open_write_stream(name);
	ok(f && write_zeros(f, 10) == EPIPE,
	   "it is an error when it is closed");
	close(out);
}

static void check_program(void)
{
	int in = open("fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int out = al_special_file_open_blocking_write_fd("fifo"), reopened;
	char name[32];

	ok(out >= 0 && !(fcntl(out, F_GETFL) & O_NONBLOCK),
	   "a program's output blocks as usual");
	snprintf(name, sizeof(name), "/dev/fd/%d", out);
	reopened = al_special_file_open_blocking_write_fd(name);
	ok(reopened >= 0 && !(fcntl(reopened, F_GETFL) & O_NONBLOCK),
	   "so does that to a descriptor of a pipe");
	close(reopened);
	close(out);
	close(in);
	set_stop_limit(1);
	ok(al_special_file_open_blocking_write_fd("fifo") == -ECANCELED,
	   "and is given up alike");
}

static void check_names(void)
{
	int fd = open("file", O_RDONLY | O_CREAT | O_CLOEXEC, 0600);
	char name[32];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	ok(!al_special_file_open_write_stream(name) && errno == EBADF,
	   "what is not open for writing is not opened anew");
	ok(!al_special_file_open_write_stream("/dev/fd/999") && errno == EBADF,
	   "nor what is not");
	ok(al_is_stdout_or_special_file("-") &&
		   al_is_stdout_or_special_file("/dev/stdout") &&
		   al_is_stdout_or_special_file("/dev/null") &&
		   al_is_stdout_or_special_file("fifo") &&
		   al_is_stdout_or_special_file(name),
	   "what is special");
	ok(!al_is_stdout_or_special_file("file") &&
		   !al_is_stdout_or_special_file("nothing"),
	   "and what is not");
	close(fd);
}

static void check_seek(void)
{
	int fd = open("file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	char name[32], got[16] = "";
	FILE *f;

	if (write(fd, "__", 2) != 2)
		abort();
	snprintf(name, sizeof(name), "/dev/fd/%d", fd);
	f = al_special_file_open_write_stream(name);
	ok(f && fputs("abcd", f) >= 0 && !fseek(f, 0, SEEK_SET) &&
		   fputs("AB", f) >= 0 && !fclose(f) &&
		   pread(fd, got, sizeof(got) - 1, 0) == 6,
	   "one may go back in a regular file");
	is_str(got, "__ABcd", "as far as where the stream began");
	close(fd);
}

int main(void)
{
	char dir[] = "/tmp/al_sink_test.XXXXXX";
	int pipes[2], sockets[2];

	signal(SIGPIPE, SIG_IGN);
	if (!mkdtemp(dir) || chdir(dir) || mkfifo("fifo", 0600) ||
	    pipe2(pipes, O_CLOEXEC) ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets))
		return 99;
	check_fifo();
	check_descriptor("a pipe is written", pipes[0], pipes[1]);
	check_descriptor("a socket is written", sockets[0], sockets[1]);
	check_program();
	check_names();
	check_seek();
	unlink("fifo");
	unlink("file");
	ok(rmdir(dir) == 0, "nothing else was written");
	return done_testing();
}
