/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control_request.c - sends a command to a running daemon; see control.h
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/text/message.h"
#include "daemon/control/control.h"
#include "daemon/core/runtime_dir.h"
#include "proto/hello.h"

enum { ANSWER_SECONDS = 10 };

static int format_socket_error_return_neg_errno(char *message,
						const char *prefix,
						const char *socket,
						int positive_errno)
{
	al_message_return_einval(message, "%s '%s': %s", prefix, socket,
				 strerror(positive_errno));
	return -positive_errno;
}

/* Whether a process of the caller's own user listens at the other end. */
static bool is_peer_of_same_user(int fd)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0 &&
	       peer.uid == geteuid();
}

/* Connect to the daemon at @path. @send_receive_timeout_s: timeout of each send
   and receive; 0: none. Return: a descriptor; -errno with @message. */
static int connect_to_daemon_of_same_user(const char *path,
					  unsigned send_receive_timeout_s,
					  char *message)
{
	const struct timeval timeout = {.tv_sec = send_receive_timeout_s};
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	int fd;

	if (strlen(path) >= sizeof(to.sun_path))
		return format_socket_error_return_neg_errno(
			message, "cannot reach a daemon at", path,
			ENAMETOOLONG);
	strcpy(to.sun_path, path);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return format_socket_error_return_neg_errno(
			message, "cannot reach a daemon at", path, errno);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
	if (connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0) {
		if (is_peer_of_same_user(fd))
			return fd;
		errno = EPERM;
	}
	format_socket_error_return_neg_errno(
		message, "cannot reach a daemon at", path, errno);
	close(fd);
	return -ECONNREFUSED;
}

/* Send a command as one packet. @words: NULL-terminated. Return: 0; -E2BIG: the
   words do not fit into a packet; another -errno. */
static int send_command_words(int fd, const char *const *words)
{
	static _Alignas(8) char packet[PT_MAX_MESSAGE];
	struct pt_control *head = (struct pt_control *)packet;
	size_t length = sizeof(*head);

	*head = (struct pt_control){
		.magic = PT_CONTROL_MAGIC,
		.major = PT_MAJOR,
		.minor = PT_MINOR,
	};
	for (; words[head->n_strings]; head->n_strings++) {
		size_t n = strlen(words[head->n_strings]) + 1;

		if (n > sizeof(packet) - length)
			return -E2BIG;
		memcpy(packet + length, words[head->n_strings], n);
		length += n;
	}
	head->bytes = (uint32_t)length;
	return send(fd, packet, length, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* Receive the answer in @m, and in *@text_fd a descriptor of the file with the
   answer's text, which the caller closes. Return: 0; -ETIMEDOUT; -EPROTO: the
   packet is no answer, or the connection ended; another -errno. */
static int receive_answer(int fd, struct pt_message *m, int *text_fd)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec part = {m, sizeof(*m)};
	struct msghdr h = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t n = recvmsg(fd, &h, MSG_CMSG_CLOEXEC);

	if (n < 0)
		return errno == EAGAIN ? -ETIMEDOUT : -errno;
	if (n != sizeof(*m) || m->type != PT_MSG_DONE || !CMSG_FIRSTHDR(&h))
		return -EPROTO;
	memcpy(text_fd, CMSG_DATA(&control.head), sizeof(*text_fd));
	return 0;
}

/* Copy the whole file @fd, from offset 0 on, to @to, flush @to and close
   @fd. */
static void copy_fd_to_file_and_close(int fd, FILE *to)
{
	char buffer[4096];
	off_t offset = 0;
	ssize_t n;

	while ((n = pread(fd, buffer, sizeof(buffer), offset)) > 0) {
		fwrite(buffer, 1, (size_t)n, to);
		offset += n;
	}
	fflush(to);
	close(fd);
}

int dm_control_send_command_print_answer(const char *socket,
					 const char *const *words, FILE *out,
					 FILE *error_out, char *message)
{
	bool slow = words[0] && !strcmp(words[0], "report");
	int fd = connect_to_daemon_of_same_user(
		socket, slow ? 0 : ANSWER_SECONDS, message);
	int text = -1, rc;
	struct pt_message m;

	if (fd < 0)
		return fd;
	rc = send_command_words(fd, words);
	if (!rc)
		rc = receive_answer(fd, &m, &text);
	close(fd);
	if (rc)
		return format_socket_error_return_neg_errno(
			message, "no answer from the daemon at", socket, -rc);
	if (m.value)
		fputs("alleria: ", error_out);
	copy_fd_to_file_and_close(text, m.value ? error_out : out);
	return (int)(m.value & 0xff);
}
