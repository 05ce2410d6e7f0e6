/* SPDX-License-Identifier: GPL-2.0-or-later */
/* instr_flow_test.c - origins of the values of registers */

#include "base/code/instr_flow.h"

#include "tests/tap.h"

enum { RAX = 0, RCX = 1, RDX = 2, RBP = 5, RSI = 6, RDI = 7, NONE = 16 };

/* Check the origin of register @number after an instruction of @len bytes. */
static void check(const char *name, const uint8_t *code, unsigned len,
		  unsigned number, enum al_register_origin expected,
		  struct al_register_sum sum)
{
	struct al_register_sum got = {0};
	enum al_register_origin origin =
		al_instr_decode_register_value(code, len, number, &got);

	if (expected != AL_REGISTER_SUM && expected != AL_REGISTER_LOADED)
		got = sum;
	ok(origin == expected && got.base == sum.base &&
		   got.index == sum.index &&
		   got.is_code_relative == sum.is_code_relative &&
		   got.displacement == sum.displacement,
	   name);
}

#define CHECK(name, number, origin, sum, ...)                                  \
	do {                                                                   \
		static const uint8_t code[] = {__VA_ARGS__};                   \
		struct al_register_sum expected_sum = sum;                     \
		check(name, code, sizeof(code), number, origin, expected_sum); \
	} while (0)
#define SUM(...)                                                               \
	(struct al_register_sum)                                               \
	{                                                                      \
		__VA_ARGS__                                                    \
	}

static void check_stores(void)
{
	static const uint8_t store[] = {0x48, 0x89, 0x45, 0xf8};
	static const uint8_t store_4_bytes[] = {0x89, 0x45, 0xf8};
	static const uint8_t load[] = {0x48, 0x8b, 0x45, 0xf8};
	struct al_register_sum address = {0};

	is_u64(al_instr_decode_stored_register(store, sizeof(store), &address),
	       RAX, "mov %rax,-8(%rbp)");
	ok(address.base == RBP && address.index == NONE &&
		   address.displacement == -8,
	   "its address");
	is_u64(al_instr_decode_stored_register(store_4_bytes,
					       sizeof(store_4_bytes), &address),
	       NONE, "mov %eax,-8(%rbp)");
	is_u64(al_instr_decode_stored_register(load, sizeof(load), &address),
	       NONE, "mov -8(%rbp),%rax");
}

/* Check what al_instr_decode_step() says of an instruction of @len bytes. */
static void check_step(const char *name, const uint8_t *code, unsigned len,
		       struct al_instr_step expected)
{
	struct al_instr_step got = {0};

	ok(al_instr_decode_step(code, len, &got) && got.len == expected.len &&
		   got.transfer == expected.transfer &&
		   got.has_target == expected.has_target &&
		   got.written == expected.written &&
		   got.displacement == expected.displacement,
	   name);
}

#define CHECK_STEP(name, step, ...)                                            \
	do {                                                                   \
		static const uint8_t code[] = {__VA_ARGS__};                   \
		struct al_instr_step expected_step = step;                     \
		check_step(name, code, sizeof(code), expected_step);           \
	} while (0)
#define STEP(...)                                                              \
	(struct al_instr_step)                                                 \
	{                                                                      \
		__VA_ARGS__                                                    \
	}

static void check_steps(void)
{
	struct al_register_sum address = {0};
	struct al_instr_step step;

	CHECK_STEP("mov %rdi,%rax, then another instruction",
		   STEP(3, AL_TRANSFER_NEXT, false, 1 << RAX, 0), 0x48, 0x89,
		   0xf8, 0x90);
	CHECK_STEP("jne -16", STEP(2, AL_TRANSFER_BRANCH, true, 0, -16), 0x75,
		   0xf0);
	CHECK_STEP("jmp 256", STEP(5, AL_TRANSFER_JUMP, true, 0, 256), 0xe9, 0,
		   1, 0, 0);
	CHECK_STEP("jmp *%rax", STEP(2, AL_TRANSFER_END, false, 0, 0), 0xff,
		   0xe0);
	CHECK_STEP("call 256", STEP(5, AL_TRANSFER_CALL, true, 0xfc7, 256),
		   0xe8, 0, 1, 0, 0);
	CHECK_STEP("call *%rax", STEP(2, AL_TRANSFER_CALL, false, 0xfc7, 0),
		   0xff, 0xd0);
	CHECK_STEP("ret", STEP(1, AL_TRANSFER_END, false, 0, 0), 0xc3);
	CHECK_STEP("ud2", STEP(2, AL_TRANSFER_END, false, 0, 0), 0x0f, 0x0b);
	ok(al_instr_decode_address((const uint8_t *)"\x83\x40\x08\x01", 4,
				   &address) &&
		   address.base == RAX && address.displacement == 8,
	   "address of addl $1,8(%rax)");
	ok(!al_instr_decode_address((const uint8_t *)"\x48\x8d\x40\x08", 4,
				    &address),
	   "lea has none");
	ok(!al_instr_decode_step((const uint8_t *)"\xe9\0\1", 3, &step),
	   "an instruction that is cut off");
}

static bool may_push_or_pop(const char *code)
{
	return al_instr_may_push_or_pop((const uint8_t *)code);
}

static void check_first_bytes(void)
{
	const uint8_t *store_rdi = (const uint8_t *)"\x48\x89\x7d\xe8";
	const uint8_t *store_r15 = (const uint8_t *)"\x4c\x89\x7d\xe8";

	ok(al_instr_may_store_register(store_rdi, 4, RDI) &&
		   !al_instr_may_store_register(store_rdi, 4, 15),
	   "mov %%rdi,-24(%%rbp) may store rdi");
	ok(al_instr_may_store_register(store_r15, 4, 15) &&
		   !al_instr_may_store_register(store_r15, 4, RDI),
	   "mov %%r15,-24(%%rbp) may store r15");
	ok(!al_instr_may_store_register((const uint8_t *)"\x48\x8b\x7d\xe8", 4,
					RDI),
	   "a load stores none");
	ok(may_push_or_pop("\x53") && may_push_or_pop("\x41\x5f") &&
		   may_push_or_pop("\x6a\x01") && may_push_or_pop("\xc9") &&
		   may_push_or_pop("\xff\x75\xf0"),
	   "push, pop and leave");
	ok(!may_push_or_pop("\x48\x89\x7d") && !may_push_or_pop("\xff\xd0") &&
		   !may_push_or_pop("\xe8\x01\x01"),
	   "no others");
}

int main(void)
{
	CHECK("mov -8(%rbp),%rax", RAX, AL_REGISTER_LOADED,
	      SUM(RBP, NONE, false, -8), 0x48, 0x8b, 0x45, 0xf8);
	CHECK("mov 16(%rdi,%rsi,8),%rax", RAX, AL_REGISTER_LOADED,
	      SUM(RDI, RSI, false, 16), 0x48, 0x8b, 0x44, 0xf7, 0x10);
	CHECK("mov 256(%rip),%rax", RAX, AL_REGISTER_LOADED,
	      SUM(NONE, NONE, true, 256), 0x48, 0x8b, 0x05, 0, 1, 0, 0);
	CHECK("lea 16(%rdi,%rsi,8),%rax", RAX, AL_REGISTER_SUM,
	      SUM(RDI, RSI, false, 16), 0x48, 0x8d, 0x44, 0xf7, 0x10);
	CHECK("mov %rdi,%rax", RAX, AL_REGISTER_SUM, SUM(RDI, NONE, false, 0),
	      0x48, 0x89, 0xf8);
	CHECK("add %rdx,%rax", RAX, AL_REGISTER_SUM, SUM(RAX, RDX, false, 0),
	      0x48, 0x01, 0xd0);
	CHECK("add $16,%rax", RAX, AL_REGISTER_SUM, SUM(RAX, NONE, false, 16),
	      0x48, 0x83, 0xc0, 0x10);
	CHECK("sub $16,%rax", RAX, AL_REGISTER_SUM, SUM(RAX, NONE, false, -16),
	      0x48, 0x83, 0xe8, 0x10);
	CHECK("mov %rdi,%rax, rcx", RCX, AL_REGISTER_KEPT, SUM(0), 0x48, 0x89,
	      0xf8);
	CHECK("mov %rax,-8(%rbp)", RAX, AL_REGISTER_KEPT, SUM(0), 0x48, 0x89,
	      0x45, 0xf8);
	CHECK("mov %ecx,%eax", RAX, AL_REGISTER_UNKNOWN, SUM(0), 0x89, 0xc8);
	CHECK("xor %eax,%eax", RAX, AL_REGISTER_UNKNOWN, SUM(0), 0x31, 0xc0);
	CHECK("mov %fs:0,%rax", RAX, AL_REGISTER_UNKNOWN, SUM(0), 0x64, 0x48,
	      0x8b, 0x04, 0x25, 0, 0, 0, 0);
	CHECK("mov 4(%ecx),%rax", RAX, AL_REGISTER_UNKNOWN, SUM(0), 0x67, 0x48,
	      0x8b, 0x41, 0x04);
	CHECK("lea 4(%rax,%eiz),%rax", RAX, AL_REGISTER_UNKNOWN, SUM(0), 0x67,
	      0x48, 0x8d, 0x44, 0x20, 0x04);
	CHECK("mov %cs,%rax", RAX, AL_REGISTER_UNKNOWN, SUM(0), 0x48, 0x8c,
	      0xc8);
	CHECK("xchg %rax,%rdi", RDI, AL_REGISTER_UNKNOWN, SUM(0), 0x48, 0x97);
	CHECK("add (%rdi),%rax", RAX, AL_REGISTER_UNKNOWN, SUM(0), 0x48, 0x03,
	      0x07);
	CHECK("invalid", RAX, AL_REGISTER_UNKNOWN, SUM(0), 0x06);
	check_stores();
	check_steps();
	check_first_bytes();
	return done_testing();
}
