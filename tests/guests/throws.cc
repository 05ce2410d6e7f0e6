/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * throws.cc - exceptions through functions of which every instruction is known
 *
 * Room: tests. windows-throws.test compiles it.
 *
 *   throws N   turn(i) for i from 0 to N - 1; every second one throws, and is
 *              caught three functions further up; says what was caught
 *
 *   turn    tries outer(); where it throws, work(); work()
 *   outer   through(); Guard; through(); work()       ~Guard is work()
 *   through I 6 R 3 W 3; I 3 R 1 W 2 when thrower() throws
 *   thrower work(), then throws the second time
 */
#include <cstdio>
#include <cstdlib>

extern "C" {
long word;

/* I 302 R 101 W 100 */
void work(void);
__asm__("	.text\n"
	"	.globl work\n"
	"	.type work, @function\n"
	"work:	mov $100, %ecx\n"
	"1:	incq word(%rip)\n"
	"	dec %ecx\n"
	"	jnz 1b\n"
	"	ret\n"
	"	.size work, . - work\n");

void through(int);
__asm__("	.globl through\n"
	"	.type through, @function\n"
	"through:\n"
	"	.cfi_startproc\n"
	"	sub $8, %rsp\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	incq word(%rip)\n"
	"	call thrower\n"
	"	incq word(%rip)\n"
	"	add $8, %rsp\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size through, . - through\n");

__attribute__((noinline)) int thrower(int what)
{
	work();
	if (what)
		throw what;
	return 7;
}

struct Guard {
	~Guard()
	{
		work();
	}
};

__attribute__((noinline)) void outer(int what)
{
	through(0);
	Guard guard;
	through(what);
	work();
}

__attribute__((noinline)) int turn(int i)
{
	try {
		outer(i % 2 ? i : 0);
	} catch (int what) {
		work();
		i += what;
	}
	work();
	return i;
}
}

int main(int, char **argv)
{
	int sum = 0;

	for (int i = 0; i < atoi(argv[1]); i++)
		sum += turn(i);
	printf("%d\n", sum);
	return 0;
}
