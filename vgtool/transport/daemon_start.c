/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon_start.c - finds the daemon's socket and starts a private daemon; see
 * daemon_start.h
 *
 * VG_(fork)() would leave the end of a pipe open in the program, and the
 * program's wait() would return a child whose exit signal is SIGCHLD. So the
 * tool clones a middle process without an exit signal, which starts a session
 * and clones the process that becomes the daemon. The middle process ends at
 * once, and the tool waits for it.
 */

#include "vgtool/transport/daemon_start.h"

#include <pub_tool_clientstate.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_vki.h>
#include <pub_tool_vkiscnums.h>

#include "vgtool/core/valgrind_core.h"

enum {
	MAX_ARGS = 64,
	SET_MASK = 2,
	WAIT_ALL = 0x40000000,
	SIGNAL_CHILD = 17,
	CLOEXEC = 02000000,
	START_MS = 10000, /* longest silence of a daemon that starts */
	REPORT = 3,	  /* descriptor number of the daemon's copy of the
			     program's standard error */
};

static Int output_pipe[2]; /* pipe for the daemon's error output until it
			      listens */
const HChar *vt_spawn_build_socket_path(HChar path[VT_MAX_PATH],
					const HChar *socket_name)
{
	const HChar *dir = VG_(getenv)("XDG_RUNTIME_DIR");
	HChar fallback[40];

	if (dir == NULL || dir[0] != '/') {
		VG_(sprintf)(fallback, "/tmp/alleria-%d", VG_(geteuid)());
		dir = fallback;
	}
	if (VG_(strlen)(dir) + VG_(strlen)(socket_name) + sizeof("/alleria/") >
	    VT_MAX_PATH)
		return NULL;
	VG_(sprintf)
	(path, "%s%s/%s", dir, dir == fallback ? "" : "/alleria", socket_name);
	return path;
}

/* Return the path of the daemon's program: ../bin/alleriad from the tool's
   directory in a build tree, else the installed one. */
static const HChar *daemon_path_beside_tool_or_installed(void)
{
	static HChar path[4096];
	SysRes r = vt_syscall3(__NR_readlink, (UWord) "/proc/self/exe",
			       (UWord)path, sizeof(path) - 32);
	HChar *slash;

	if (sr_isError(r))
		return ALLERIA_BINDIR "/alleriad";
	path[sr_Res(r)] = 0;
	slash = VG_(strrchr)(path, '/');
	if (slash != NULL) {
		VG_(strcpy)(slash, "/../bin/alleriad");
		if (!sr_isError(vt_syscall3(__NR_access, (UWord)path, 1, 0)))
			return path;
	}
	return ALLERIA_BINDIR "/alleriad";
}

/* Close all file descriptors from number @first on; without close_range, only
   those below 65536. */
static void close_fds_from(UInt first)
{
	UInt fd;

	if (!sr_isError(vt_syscall3(__NR_close_range, first, ~0u, 0)))
		return;
	for (fd = first; fd < 65536; fd++)
		vt_syscall3(__NR_close, fd, 0, 0);
}

static void exit_process(Int status)
{
	for (;;)
		vt_syscall3(__NR_exit_group, status, 0, 0);
}

/* Remove LD_PRELOAD from the program's environment and return the environment.
   Call in the process that becomes the daemon, which has its own copy of
   memory. */
static HChar **remove_ld_preload_in_place_return_envp(void)
{
	HChar **from = VG_(client_envp), **to = from;

	for (; *from != NULL; from++)
		if (VG_(strncmp)(*from, "LD_PRELOAD=", 11) != 0)
			*to++ = *from;
	*to = NULL;
	return VG_(client_envp);
}

/* Execute the daemon with @args in place of this process; if that fails, exit
   with status 127. The daemon's standard error is the output pipe; its
   descriptor number REPORT is a copy of the program's standard error. */
static void exec_daemon_program_or_exit_127(const HChar *const *args)
{
	vki_sigset_t none = {{0}};
	SysRes r = vt_syscall3(__NR_open, (UWord) "/dev/null", VKI_O_RDWR, 0);

	vt_syscall3(__NR_dup2, sr_Res(r), 0, 0);
	vt_syscall3(__NR_dup2, sr_Res(r), 1, 0);
	if (sr_isError(vt_syscall3(__NR_dup2, 2, REPORT, 0)))
		vt_syscall3(__NR_dup2, sr_Res(r), REPORT, 0);
	vt_syscall3(__NR_dup2, output_pipe[1], 2, 0);
	close_fds_from(REPORT + 1);
	VG_(do_syscall)
	(__NR_rt_sigprocmask, SET_MASK, (UWord)&none, 0, sizeof(none), 0, 0);
	vt_syscall3(__NR_execve, (UWord)args[0], (UWord)args,
		    (UWord)remove_ld_preload_in_place_return_envp());
	exit_process(127);
}

static SysRes clone_process(UWord flags)
{
	return VG_(do_syscall)(__NR_clone, flags, 0, 0, 0, 0, 0);
}

/* Run the middle process: start a session, clone the process that becomes the
   daemon, and exit; the exit status is 0 if the clone succeeded, else 1. */
static void start_session_clone_daemon_and_exit(const HChar *const *args)
{
	SysRes r;

	vt_syscall3(__NR_setsid, 0, 0, 0);
	r = clone_process(SIGNAL_CHILD);
	if (!sr_isError(r) && sr_Res(r) == 0)
		exec_daemon_program_or_exit_127(args);
	exit_process(sr_isError(r));
}

/* Wait for the process @pid to end. Return: whether its exit status is 0. */
static Bool wait_for_process_success(Int pid)
{
	Int status = 0;
	SysRes r;

	do
		r = VG_(do_syscall)(__NR_wait4, pid, (UWord)&status, WAIT_ALL,
				    0, 0, 0);
	while (sr_isError(r) && sr_Err(r) == VKI_EINTR);
	return !sr_isError(r) && status == 0;
}

/* Read the daemon's error output into @output, and end it with a NUL. Stop when
   the pipe is closed, when @size - 1 bytes were read, or when nothing arrives
   for START_MS. */
static void read_daemon_stderr_until_timeout(HChar *output, UInt size)
{
	struct {
		Int fd;
		Short events, revents;
	} p = {output_pipe[0], 1, 0};
	UInt length = 0;
	Int n = 1;

	while (n > 0 && length < size - 1) {
		n = 0;
		if (sr_Res(vt_syscall3(__NR_poll, (UWord)&p, 1, START_MS)) == 1)
			n = VG_(read)(output_pipe[0], output + length,
				      size - 1 - length);
		length += n > 0 ? n : 0;
	}
	output[length] = 0;
}

static Bool make_daemon_stderr_pipe(void)
{
	if (sr_isError(vt_syscall3(__NR_pipe2, (UWord)output_pipe, CLOEXEC, 0)))
		return False;
	output_pipe[0] = vt_move_to_reserved_fd(output_pipe[0]);
	output_pipe[1] = vt_move_to_reserved_fd(output_pipe[1]);
	return output_pipe[0] >= 0 && output_pipe[1] >= 0;
}

/* Start the daemon by a middle process, so that it is no child of this one, and
   wait until the middle process has ended. Return: whether the daemon's process
   was created. */
static Bool spawn_detached_daemon(const HChar *const *args)
{
	SysRes r = clone_process(0);

	if (!sr_isError(r) && sr_Res(r) == 0)
		start_session_clone_daemon_and_exit(args);
	return !sr_isError(r) && wait_for_process_success(sr_Res(r));
}

/* Return the daemon's option --program= with the path of the traced program,
   which the daemon must not overwrite with an output file. Return "" if the
   path has no slash: then the program was found in PATH, and outputs go to
   other directories. */
static const HChar *make_program_path_option(void)
{
	static const HChar option[] = "--program=";
	const HChar *path = VG_(args_the_exename);
	HChar *option_text;

	if (path == NULL || VG_(strchr)(path, '/') == NULL)
		return "";
	option_text = VG_(malloc)("vt.spawn.program",
				  sizeof(option) + VG_(strlen)(path));
	VG_(strcpy)(option_text, option);
	VG_(strcat)(option_text, path);
	return option_text;
}

Bool vt_spawn_daemon(const HChar *socket_path, const HChar *const *options,
		     HChar *output, UInt output_size)
{
	static HChar socket_option[VT_MAX_PATH + 16];
	const HChar *args[MAX_ARGS];
	const HChar *program = make_program_path_option();
	UInt n = 0;
	Bool started;

	VG_(sprintf)(socket_option, "--socket=%s", socket_path);
	args[n++] = daemon_path_beside_tool_or_installed();
	args[n++] = "--private=3"; /* REPORT */
	args[n++] = socket_option;
	if (*program != 0)
		args[n++] = program;
	while (*options != NULL && n < MAX_ARGS - 1)
		args[n++] = *options++;
	args[n] = NULL;
	if (!make_daemon_stderr_pipe())
		return False;
	started = spawn_detached_daemon(args);
	VG_(close)(output_pipe[1]);
	read_daemon_stderr_until_timeout(output, output_size);
	VG_(close)(output_pipe[0]);
	return started;
}
