/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * background_output.c - writes a file on a thread of its own; see atomic_file.h
 *
 * Writing a large report takes the kernel about as long as the program takes to
 * format it. The stream collects what is written in two buffers; a thread, which
 * is started when the first one is full, writes one while the other one is
 * filled.
 */
#include "base/system/atomic_file.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 1 << 18 /* [bytes] */ };

struct background {
	int fd;
	size_t n_filled; /* bytes in buffer[filling] */
	unsigned filling;
	bool has_thread;
	pthread_t thread;
	pthread_mutex_t lock; /* guards the members below */
	pthread_cond_t changed;
	size_t n_to_write[2]; /* bytes of a buffer that the thread has to write;
				 0: the buffer may be filled */
	bool is_closing;
	int error; /* 0 or errno of the first write that failed */
	char buffer[2][BUFFER];
};

/* Write all @n bytes. Return: 0 or errno. */
static int write_all(int fd, const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t written = write(fd, bytes, n);

		if (written < 0 && errno != EINTR)
			return errno;
		if (written == 0)
			return EIO;
		if (written > 0) {
			bytes += written;
			n -= (size_t)written;
		}
	}
	return 0;
}

static void *write_buffers_until_closing(void *background)
{
	struct background *b = background;
	unsigned next = 0;

	pthread_mutex_lock(&b->lock);
	for (;;) {
		int err = b->error;

		while (b->n_to_write[next] == 0 && !b->is_closing)
			pthread_cond_wait(&b->changed, &b->lock);
		if (b->n_to_write[next] == 0)
			break;
		pthread_mutex_unlock(&b->lock);
		if (!err)
			err = write_all(b->fd, b->buffer[next],
					b->n_to_write[next]);
		pthread_mutex_lock(&b->lock);
		b->error = err;
		b->n_to_write[next] = 0;
		next ^= 1;
		pthread_cond_signal(&b->changed);
	}
	pthread_mutex_unlock(&b->lock);
	return NULL;
}

/* Start the thread, with all signals blocked, unless it is started or cannot
   be. */
static void start_thread_once(struct background *b)
{
	sigset_t all, old;

	if (b->has_thread)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	b->has_thread = pthread_create(&b->thread, NULL,
				       write_buffers_until_closing, b) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* Pass the buffer that is being filled to the thread, and wait until the other
   one may be filled. */
static void pass_buffer_to_thread(struct background *b)
{
	pthread_mutex_lock(&b->lock);
	b->n_to_write[b->filling] = b->n_filled;
	b->filling ^= 1;
	pthread_cond_signal(&b->changed);
	while (b->n_to_write[b->filling] > 0)
		pthread_cond_wait(&b->changed, &b->lock);
	pthread_mutex_unlock(&b->lock);
	b->n_filled = 0;
}

/* Write the buffer that is being filled on this thread, which no other one
   helps. */
static void write_buffer_here(struct background *b)
{
	if (!b->error)
		b->error = write_all(b->fd, b->buffer[b->filling], b->n_filled);
	b->n_filled = 0;
}

static int first_error_or_0(struct background *b)
{
	int err;

	pthread_mutex_lock(&b->lock);
	err = b->error;
	pthread_mutex_unlock(&b->lock);
	return err;
}

static ssize_t fill_buffers(void *background, const char *data, size_t size)
{
	struct background *b = background;
	int err = first_error_or_0(b);

	for (size_t left = size; left > 0 && !err;) {
		size_t room = BUFFER - b->n_filled;
		size_t n = left < room ? left : room;

		memcpy(b->buffer[b->filling] + b->n_filled, data, n);
		b->n_filled += n;
		data += n;
		left -= n;
		if (b->n_filled < BUFFER)
			continue;
		start_thread_once(b);
		if (b->has_thread)
			pass_buffer_to_thread(b);
		else
			write_buffer_here(b);
		err = first_error_or_0(b);
	}
	if (!err)
		return (ssize_t)size;
	errno = err;
	return 0;
}

static int write_rest_and_close(void *background)
{
	struct background *b = background;
	int err;

	if (b->has_thread) {
		pthread_mutex_lock(&b->lock);
		b->is_closing = true;
		pthread_cond_signal(&b->changed);
		pthread_mutex_unlock(&b->lock);
		pthread_join(b->thread, NULL);
	}
	write_buffer_here(b);
	err = b->error;
	if (close(b->fd) < 0 && !err)
		err = errno;
	pthread_cond_destroy(&b->changed);
	pthread_mutex_destroy(&b->lock);
	free(b);
	if (!err)
		return 0;
	errno = err;
	return -1;
}

FILE *al_background_open_write_stream(int fd)
{
	const cookie_io_functions_t functions = {.write = fill_buffers,
						 .close = write_rest_and_close};
	struct background *b = malloc(sizeof(*b));
	FILE *stream;

	if (b == NULL)
		return NULL;
	/* The buffers use no memory before they are filled. */
	memset(b, 0, offsetof(struct background, buffer));
	b->fd = fd;
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->changed, NULL);
	stream = fopencookie(b, "w", functions);
	if (stream == NULL)
		free(b);
	return stream;
}
