/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue_test.c - blocks that wait while a profile's file cannot be written
 *
 * The writer calls the pwritev() below, which waits while the test says so, and
 * then may fail.
 */
#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "tests/fixtures/toy_file.h"
#include "tests/tap.h"

enum {
	BLOCKS = 1000,
	LARGE = PF_MAX_QUEUED / 4, /* [bytes] of a large block */
	LARGE_BLOCKS = 8,
	PUTTERS = 6
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool hangs;
	unsigned hung; /* number of calls that hang */
	int error;     /* of calls that hung */
} disk = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0, 0};

static int pass_disk(void)
{
	int error = 0;

	pthread_mutex_lock(&disk.lock);
	if (disk.hangs) {
		disk.hung++;
		pthread_cond_broadcast(&disk.changed);
		while (disk.hangs)
			pthread_cond_wait(&disk.changed, &disk.lock);
		disk.hung--;
		error = disk.error;
	}
	pthread_mutex_unlock(&disk.lock);
	return error;
}

ssize_t pwritev(int fd, const struct iovec *iov, int n, off_t offset)
{
	errno = pass_disk();
	return errno ? -1 : syscall(SYS_pwritev, fd, iov, n, offset, 0);
}

static void set_hanging(bool hangs, int error)
{
	pthread_mutex_lock(&disk.lock);
	disk.hangs = hangs;
	disk.error = error;
	pthread_cond_broadcast(&disk.changed);
	pthread_mutex_unlock(&disk.lock);
}

static unsigned wait_for_hang(void)
{
	unsigned hung;

	pthread_mutex_lock(&disk.lock);
	while (disk.hung == 0)
		pthread_cond_wait(&disk.changed, &disk.lock);
	hung = disk.hung;
	pthread_mutex_unlock(&disk.lock);
	return hung;
}

/* ---- the writer ---- */

static struct pf_writer *writer;
static struct pf_packer *packer;

static void start_writer(void)
{
	char message[AL_MESSAGE];

	unlink(toy_file_path);
	writer = pf_writer_new_and_create_file(toy_file_path, message);
	packer = pf_packer_new(PF_LEVEL);
}

static void end_writer(void)
{
	pf_writer_flush_close_free(writer);
	pf_packer_free(packer);
}

/* Add block @i of the sample. */
static void add(unsigned i)
{
	unsigned char payload[TOY_FILE_PAYLOAD];
	struct pf_head head = toy_file_head(i);
	struct pf_packed packed;

	if (pf_pack_payload(packer, &head, payload,
			    toy_file_payload(i, payload), &packed))
		abort();
	pf_writer_queue_or_free_if_failed(writer, pf_block_new_copy(&packed));
}

struct thread {
	pthread_t thread;
	unsigned block; /* block that the thread adds */
	int err;
	bool returned;
};

/* Guards `returned`. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *put_one(void *arg)
{
	struct thread *t = arg;
	struct pf_packer *p = pf_packer_new(PF_LEVEL);

	t->err = toy_file_write_block(writer, p, t->block);
	pf_packer_free(p);
	pthread_mutex_lock(&lock);
	t->returned = true;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void start_thread(struct thread *t, void *(*run)(void *), unsigned block)
{
	*t = (struct thread){.block = block};
	pthread_create(&t->thread, NULL, run, t);
}

static bool has_returned(struct thread *t)
{
	bool returned;

	pthread_mutex_lock(&lock);
	returned = t->returned;
	pthread_mutex_unlock(&lock);
	return returned;
}

/* Return how many of the first blocks of the file are those of the sample, in
   order, without PF_DONE. */
static unsigned blocks_in_order(void)
{
	struct pf_unpacker *u = pf_unpacker_new();
	struct pf_reader *r = toy_file_open();
	const struct pf_entry *e;
	unsigned i = 0;
	size_t n;

	e = pf_reader_entries(r, &n);
	while (i < n && e[i].head.kind != PF_DONE && e[i].head.sequence == i &&
	       toy_file_is_block(r, u, &e[i], i))
		i++;
	pf_reader_close(r);
	pf_unpacker_free(u);
	return i;
}

/* ---- tests ---- */

static void test_order(void)
{
	struct thread first;
	int err;

	start_writer();
	set_hanging(true, 0);
	start_thread(&first, put_one, 0);
	wait_for_hang();
	for (unsigned i = 1; i < BLOCKS / 2; i++)
		add(i);
	err = pf_writer_write_until_queue_within_limit(writer);
	for (unsigned i = BLOCKS / 2; i < BLOCKS; i++)
		err |= toy_file_write_block(writer, packer, i);
	ok(err == 0, "while one writes others need not wait");
	ok(!has_returned(&first), "but for the one that hangs");
	is_u64(pf_writer_bytes_written(writer), 0, "nothing is written yet");
	is_u64((uint64_t)pf_writer_first_error(writer), 0,
	       "nothing has failed yet");
	set_hanging(false, 0);
	pf_writer_write_whole_queue(writer);
	is_u64(pf_writer_bytes_written(writer), toy_file_size(),
	       "then it all is");
	is_u64(blocks_in_order(), BLOCKS, "in the order of the queue");
	pthread_join(first.thread, NULL);
	ok(toy_file_finish(writer, packer) == 0, "an end follows");
	end_writer();
	is_u64(blocks_in_order(), BLOCKS, "behind the blocks");
}

/* Make a writer whose file is created later, and add a block. */
static void start_new(void)
{
	writer = pf_writer_new_create_file_later(toy_file_path);
	packer = pf_packer_new(PF_LEVEL);
	add(0);
}

static void add_end(void)
{
	struct pf_head head = {.kind = PF_DONE, .stream = PF_NO_STREAM};
	struct pf_packed packed;

	if (pf_pack_payload(packer, &head, "", 0, &packed))
		abort();
	pf_writer_queue_end_for_later_write(writer, pf_block_new_copy(&packed));
}

static void test_new(void)
{
	struct pf_reader *r;

	unlink(toy_file_path);
	start_new();
	ok(access(toy_file_path, F_OK) < 0, "a block that waits makes no file");
	add_end();
	ok(pf_writer_write_until_queue_within_limit(writer) == 0,
	   "writing does");
	r = toy_file_open();
	ok(r && pf_reader_state_with_damage(r).damage == PF_WHOLE,
	   "with its end");
	pf_reader_close(r);
	end_writer();
	start_new();
	add_end();
	is_u64((uint64_t)-pf_writer_write_until_queue_within_limit(writer),
	       EEXIST, "where there is a file already, writing fails");
	end_writer();
	is_u64(blocks_in_order(), 1, "and leaves it alone");
}

static void *put_large(void *arg)
{
	struct thread *t = arg;
	struct pf_packed packed = {.head = {.kind = PF_NAMES, .packed = LARGE}};
	char *payload = calloc(1, LARGE);

	packed.payload = payload;
	packed.head.head_bytes = sizeof(packed.head);
	t->err = pf_writer_queue_copy_then_write(writer, &packed);
	free(payload);
	pthread_mutex_lock(&lock);
	t->returned = true;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static unsigned count_returned(struct thread *t, unsigned n)
{
	unsigned returned = 0;

	for (unsigned i = 0; i < n; i++)
		returned += has_returned(&t[i]);
	return returned;
}

/* Check a queue that is full. @error: of the write that hangs. */
static void test_bound(int error, const char *fact)
{
	struct thread t[LARGE_BLOCKS];
	unsigned right = 0, returned = 0;

	start_writer();
	set_hanging(true, 0);
	for (unsigned i = 0; i < LARGE_BLOCKS; i++)
		start_thread(&t[i], put_large, i);
	is_u64(wait_for_hang(), 1, "one writes at a time");
	for (int i = 0; i < 1000 && returned < 2; i++) {
		returned = count_returned(t, LARGE_BLOCKS);
		usleep(1000);
	}
	usleep(50000);
	returned = count_returned(t, LARGE_BLOCKS);
	ok(returned >= 2 && returned < LARGE_BLOCKS / 2,
	   "no more blocks wait than the queue holds");
	set_hanging(false, error);
	for (unsigned i = 0; i < LARGE_BLOCKS; i++) {
		pthread_join(t[i].thread, NULL);
		right += t[i].err == 0 || t[i].err == -error;
	}
	is_u64(right, LARGE_BLOCKS, fact);
	is_u64((uint64_t)-pf_writer_first_error(writer), (uint64_t)error,
	       "which is its error");
	is_u64((uint64_t)-toy_file_finish(writer, packer), (uint64_t)error,
	       "also at the end");
	end_writer();
}

static void *put_many(void *arg)
{
	struct thread *t = arg;
	struct pf_packer *p = pf_packer_new(PF_LEVEL);

	for (unsigned i = 0; i < BLOCKS && !t->err; i++)
		t->err = toy_file_write_block(writer, p, i);
	pf_packer_free(p);
	return NULL;
}

/* Check that an end that is added while other threads write comes last and is
   complete. */
static void test_end(void)
{
	struct thread t[PUTTERS];
	struct pf_reader *r;
	int err = 0;
	size_t n;

	start_writer();
	for (unsigned i = 0; i < PUTTERS; i++)
		start_thread(&t[i], put_many, 0);
	for (unsigned i = 0; i < PUTTERS; i++) {
		pthread_join(t[i].thread, NULL);
		err |= t[i].err;
	}
	ok(err == 0 && toy_file_finish(writer, packer) == 0, "many write");
	end_writer();
	r = toy_file_open();
	ok(r && pf_reader_state_with_damage(r).damage == PF_WHOLE &&
		   pf_reader_entries(r, &n) && n == PUTTERS * BLOCKS + 1,
	   "the file is whole");
	pf_reader_close(r);
}

int main(void)
{
	toy_file_begin();
	test_order();
	test_new();
	test_bound(0, "then all are written");
	test_bound(EIO, "an error ends the wait of all");
	test_end();
	toy_file_end();
	return done_testing();
}
