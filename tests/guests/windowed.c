/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * windowed.c - threads, signals and processes that call a function of which
 * every instruction is known
 *
 *   windowed threads four threads, once all are there; thread i calls work() i
 *                       times; then the main one does once windowed signal
 *                       work(), SIGUSR1, whose handler calls work(), work()
 *                       windowed altstack a thread takes the signal on another
 *                       stack, in work() windowed coroutine work() switches to
 *                       another stack and back, twice windowed fork work(); the
 *                       child calls it twice windowed exec work(), then becomes
 *                       'windowed again': work() thrice windowed wait says
 *                       "ready"; for each byte that it reads work(), then
 *                       "done" windowed inside forking(), which calls work(),
 *                       forks and calls work(), in both; both call work() again
 *                       windowed begun the same, in a window "w"
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <valgrind/alleria.h>

enum { THREADS = 4, STACK = 1 << 16 };

long word;
static pthread_barrier_t all;
static ucontext_t here, there;

/* I 3002 R 1001 W 1000; a C++ program would call it space::work(int). */
void work(void) __asm__("_ZN5space4workEi");
__attribute__((naked)) void work(void)
{
	__asm__("	mov $1000, %ecx\n"
		"1:	incq word(%rip)\n"
		"	dec %ecx\n"
		"	jnz 1b\n"
		"	ret");
}

/* Alike, by another name. */
__attribute__((noinline)) void inner(void)
{
	work();
	word++;
}

static void *thread(void *number)
{
	pthread_barrier_wait(&all);
	for (long i = 0; i < (long)number; i++)
		work();
	return NULL;
}

static void run_threads(void)
{
	pthread_t id[THREADS];

	pthread_barrier_init(&all, NULL, THREADS);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&id[i], NULL, thread, (void *)(i + 1));
	for (int i = 0; i < THREADS; i++)
		pthread_join(id[i], NULL);
	work();
}

static void handler(int number)
{
	(void)number;
	work();
}

__attribute__((noinline)) void raising(void)
{
	raise(SIGUSR1);
	work();
}

static void *on_altstack(void *stack)
{
	struct sigaction act = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
	stack_t alt = {.ss_sp = stack, .ss_size = STACK};

	sigaltstack(&alt, NULL);
	sigaction(SIGUSR1, &act, NULL);
	raising();
	return NULL;
}

/* The thread's stack lies below what is mapped before it. */
static void run_altstack(void)
{
	void *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *own = mmap((char *)stack - (64 << 20), 1 << 20,
			 PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);
	pthread_attr_t attr;
	pthread_t id;

	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, own, 1 << 20);
	pthread_create(&id, own < stack ? &attr : NULL, on_altstack, stack);
	pthread_join(id, NULL);
}

static void side(void)
{
	for (;;) {
		work();
		swapcontext(&there, &here);
	}
}

__attribute__((noinline)) void switching(void)
{
	swapcontext(&here, &there);
	work();
	swapcontext(&here, &there);
	work();
}

/* From a coroutine's view its caller's stack lies above, and the reverse. */
static void run_coroutine(void)
{
	static char stack[STACK];

	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = sizeof(stack);
	makecontext(&there, side, 0);
	switching();
}

static int run_fork(void)
{
	int status;
	pid_t pid;

	work();
	pid = fork();
	if (pid == 0) {
		work();
		work();
		_exit(0);
	}
	return waitpid(pid, &status, 0) != pid || status != 0;
}

__attribute__((noinline)) pid_t forking(void)
{
	pid_t pid;

	work();
	pid = fork();
	work();
	return pid;
}

static int run_inside(void)
{
	int status;
	pid_t pid = forking();

	work();
	if (pid == 0)
		_exit(0);
	return waitpid(pid, &status, 0) != pid || status != 0;
}

static int run_wait(void)
{
	char byte;

	if (write(1, "ready\n", 6) != 6)
		return 1;
	while (read(0, &byte, 1) == 1) {
		work();
		if (write(1, "done\n", 5) != 5)
			return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "threads")) {
		run_threads();
	} else if (!strcmp(what, "signal")) {
		signal(SIGUSR1, handler);
		work();
		raise(SIGUSR1);
		work();
	} else if (!strcmp(what, "altstack")) {
		run_altstack();
	} else if (!strcmp(what, "coroutine")) {
		run_coroutine();
	} else if (!strcmp(what, "fork")) {
		return run_fork();
	} else if (!strcmp(what, "inside")) {
		return run_inside();
	} else if (!strcmp(what, "begun")) {
		ALLERIA_WINDOW_BEGIN("w");
		return run_inside();
	} else if (!strcmp(what, "exec")) {
		work();
		execl(argv[0], argv[0], "again", NULL);
		return 1;
	} else if (!strcmp(what, "wait")) {
		return run_wait();
	} else {
		work();
		work();
		inner();
	}
	return 0;
}
