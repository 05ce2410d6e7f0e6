/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostile.c - a tool that means harm, or speaks another version
 *
 *   hostile SOCKET major N        says hello in version N; prints the answer
 *   hostile SOCKET silent N       N connections that say nothing, until killed
 *   hostile SOCKET scribble MS    random words all over the ring, and random
 *                                 messages, in one connection after another;
 *                                 prints how many, and their seed
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "proto/hello.h"
#include "proto/log.h"
#include "proto/ring.h"
#include "proto/unit.h"

enum { ANSWER_S = 20 };

static struct sockaddr_un where = {.sun_family = AF_UNIX};
static struct pt_welcome welcome;
static uint64_t state; /* of random() */

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static uint64_t any(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static uint64_t below(uint64_t n)
{
	return any() % n;
}

/* Mostly numbers that almost make sense. */
static uint64_t word(void)
{
	switch (below(8)) {
	case 0:
		return any();
	case 1:
		return UINT64_MAX - below(16);
	case 2:
		return below(8);
	case 3:
		return below(1 << 20);
	case 4:
		return below(1 << 16) * 8;
	default:
		return below(2) ? pt_control_unit_first_word(
					  (enum pt_kind)below(PT_KINDS + 1),
					  (uint32_t)below(4),
					  (unsigned)below(12) * 8)
				: pt_encode_block_unit_header(
					  (uint32_t)below(4),
					  (unsigned)below(64) * 4);
	}
}

static int dial(void)
{
	struct timeval limit = {ANSWER_S, 0};
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (connect(fd, (struct sockaddr *)&where, sizeof(where)))
		die("connect");
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	return fd;
}

static void say_hello(int fd, unsigned major, int strange)
{
	struct {
		struct pt_hello hello;
		char strings[16];
	} p = {.hello = {.magic = PT_MAGIC,
			 .major = (uint16_t)major,
			 .bytes = sizeof(p),
			 .pid = (uint32_t)getpid(),
			 .n_strings = 3},
	       .strings = "/\0hostile\0x\0y\0"};
	uint64_t *words = (uint64_t *)(void *)&p;

	p.hello.bytes = sizeof(p.hello) + sizeof("/\0hostile\0x");
	if (strange) {
		p.hello.flags = (uint32_t)below(2);
		words[below(sizeof(p.hello) / 8)] = word();
	}
	send(fd, &p, p.hello.bytes < sizeof(p) ? p.hello.bytes : sizeof(p),
	     MSG_NOSIGNAL);
}

/* The ring's descriptor; -1 when there is none. */
static int get_welcome(int fd)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {0};
	struct iovec part = {&welcome, sizeof(welcome)};
	struct msghdr m = {.msg_iov = &part,
			   .msg_iovlen = 1,
			   .msg_control = &control,
			   .msg_controllen = sizeof(control)};
	int ring = -1;

	memset(&welcome, 0, sizeof(welcome));
	if (recvmsg(fd, &m, 0) > 0 && m.msg_controllen)
		memcpy(&ring, CMSG_DATA(&control.head), sizeof(ring));
	return ring;
}

/* One block, described well, and executions of it that fill a chunk. */
static void begin_well(unsigned char *map)
{
	struct pt_daemon_page *d = (struct pt_daemon_page *)map;
	struct pt_tool_page *t = (struct pt_tool_page *)(map + PT_PAGE);
	struct block {
		struct pt_log_block block;
		struct pt_instr instr;
		struct pt_access access;
		struct pt_exit exit;
	} *b = (struct block *)(map + 2 * PT_PAGE);
	uint64_t i, n = d->chunk_bytes / 8;
	uint64_t *staging = (uint64_t *)(map + 2 * PT_PAGE + d->log_bytes);
	uint64_t *chunk = staging + n; /* in place 0 */

	*b = (struct block){
		.block = {.head = {PT_LOG_BLOCK, sizeof(*b)},
			  .n_instrs = 1,
			  .n_accesses = 1,
			  .n_exits = 1,
			  .n_slots = 1},
		.instr = {.addr = 0x1000, .len = 4},
		.access = {.size = 8, .kind = PT_STORE},
		.exit = {.n_instrs = 1, .n_accesses = 1, .bytes = 12},
	};
	chunk[0] = pt_control_unit_first_word(PT_CHUNK, 0, PT_CHUNK_HEAD);
	chunk[1] = n * 8;
	/* Two executions of the block fill three words. */
	for (i = 2; i + 3 <= n; i += 3) {
		uint64_t header =
			pt_encode_block_unit_header(0, pt_block_unit_bytes(1));

		chunk[i] = (i * 8) << 32 | header;
		chunk[i + 1] = header << 32;
		chunk[i + 2] = i * 8;
	}
	memcpy(staging, chunk, d->chunk_bytes);
	t->staging = t->cursor = (uint64_t)(uintptr_t)staging;
	pt_store_release(&t->log_head, sizeof(*b));
}

static void scribble(int fd, unsigned char *map)
{
	uint64_t *all = (uint64_t *)(map + PT_PAGE);
	size_t n = (welcome.bytes - PT_PAGE) / 8;
	struct pt_tool_page *t = (struct pt_tool_page *)(map + PT_PAGE);
	struct pt_message m;
	unsigned i, rounds = 1 + (unsigned)below(40);

	if (below(4))
		begin_well(map);
	while (rounds--) {
		for (i = (unsigned)below(200); i > 0; i--)
			all[below(8) ? below(n) : below(12)] = word();
		if (below(2))
			pt_store_release(&t->published, below(9));
		m = (struct pt_message){.type = (uint32_t)below(9),
					.value = word()};
		if (send(fd, &m, below(30) ? sizeof(m) : below(sizeof(m)),
			 MSG_NOSIGNAL | MSG_DONTWAIT) < 0 &&
		    errno != EAGAIN)
			return;
	}
}

/* One connection. Whether the daemon answered, be it by hanging up. */
static int attack(void)
{
	int fd = dial(), ring;
	void *map;

	errno = 0;
	say_hello(fd, PT_MAJOR, !below(4));
	ring = get_welcome(fd);
	if (ring < 0) {
		close(fd);
		return errno != EAGAIN;
	}
	if (ftruncate(ring, 0) == 0 || ftruncate(ring, 1 << 30) == 0)
		return 0; /* it is not sealed */
	map = mmap(NULL, welcome.bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
		   ring, 0);
	close(ring);
	if (map == MAP_FAILED)
		die("mmap");
	scribble(fd, map);
	munmap(map, welcome.bytes);
	close(fd);
	return 1;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int attack_for(double seconds)
{
	double end = now() + seconds;
	uint64_t seed = (uint64_t)(now() * 1e6) | 1;
	unsigned n = 0;

	state = seed;
	while (now() < end) {
		if (!attack()) {
			printf("no answer to %u, seed %llu\n", n,
			       (unsigned long long)seed);
			return 1;
		}
		n++;
	}
	printf("%u connections, seed %llu\n", n, (unsigned long long)seed);
	return 0;
}

int main(int argc, char **argv)
{
	int n = argc == 4 ? atoi(argv[3]) : 0, fd;

	if (argc != 4 || strlen(argv[1]) >= sizeof(where.sun_path))
		return 2;
	strcpy(where.sun_path, argv[1]);
	if (!strcmp(argv[2], "scribble"))
		return attack_for(n / 1e3);
	if (!strcmp(argv[2], "silent")) {
		while (n--)
			dial();
		puts("ready");
		fflush(stdout);
		pause();
	}
	fd = dial();
	say_hello(fd, (unsigned)n, 0);
	get_welcome(fd);
	puts(welcome.reason);
	return 0;
}
