/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols_test.c - tests names of addresses in this program and in libc
 */
#include "lib/symbols/symbols.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/symbols/elf.h"
#include "lib/symbols/symbol_table.h"
#include "tests/tap.h"

/* Symbols with overlapping ranges. This code is never executed. */
__asm__(".text\n"
	".type al_q_alias, @function\n"
	".type al_q_ali, @function\n"
	".type al_q_part, @function\n"
	".type al_q_long, @function\n"
	".type al_q_short, @function\n"
	".type al_q_empty, @function\n"
	".type _ZN4quar3relEi, @function\n"
	".globl al_q_start\n"
	"al_q_start:\n"
	"al_q_alias: al_q_ali: .skip 8\n" /* +0..20, shortened to +8 because
					     al_q_part begins there */
	"al_q_part: .skip 4\n"		  /* +8..12 */
	".skip 8\n"			  /* +12..20: belongs to no symbol */
	"al_q_long: al_q_short: .skip 4\n"
	".skip 4\n" /* +24..28: rest of the longer symbol */
	"al_q_empty: .skip 4\n"
	"_ZN4quar3relEi: .skip 4\n" /* +32..36 */
	".size al_q_alias, 20\n"
	".size al_q_ali, 20\n"
	".size al_q_part, 4\n"
	".size al_q_short, 4\n"
	".size al_q_long, 8\n"
	".size _ZN4quar3relEi, 4\n");
extern const char al_q_start[];

enum { MARKED = __LINE__ + 2 };

static __attribute__((noinline)) int marked(int x)
{
	return x * 3;
}

static struct al_symbols *symbols;
static uint64_t bias; /* load bias of this program */
static char self[PATH_MAX];
static char dir[] = "/tmp/al_symbols_test.XXXXXX";

static int note_bias(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	(void)data;
	bias = info->dlpi_addr; /* the first object is the program */
	return 1;
}

static struct an_symbol find_symbol(const char *path, uint64_t value)
{
	struct an_symbol s;

	al_symbols_fill_symbol_at_address(
		symbols,
		path ? al_symbols_intern_or_question_marks(symbols, path)
		     : path,
		value, &s);
	return s;
}

static const char *function_at(unsigned offset)
{
	return find_symbol(self, (uintptr_t)al_q_start - bias + offset)
		.function;
}

static void test_names(void)
{
	is_str(function_at(0), "al_q_ali",
	       "of two aliases the shorter is shown");
	is_str(function_at(7), "al_q_ali", "a symbol reaches to the next");
	is_str(function_at(8), "al_q_part", "a symbol within a symbol is seen");
	is_str(function_at(12), "???", "what follows it belongs to nobody");
	is_str(function_at(20), "al_q_short",
	       "of one start, the short is first");
	is_str(function_at(24), "al_q_long",
	       "and the long one goes on behind it");
	is_str(function_at(28), "???", "a symbol without size is no function");
	is_str(function_at(32), "quar::rel(int)", "C++ names are demangled");
	is_str(function_at(36), "???", "an address behind it has no name");
}

static void test_preference(void)
{
	ok(al_symtab_is_first_name_preferred("ab@@V_1.2.3", "abc"),
	   "versions do not count");
	ok(al_symtab_is_first_name_preferred("ab@V", "ab"),
	   "a version is preferred");
	ok(al_symtab_is_first_name_preferred("ab", "ac"),
	   "the alphabet decides");
	ok(!al_symtab_is_first_name_preferred("ac", "ab"),
	   "the alphabet decides, reversed");
	ok(!al_symtab_is_first_name_preferred("", "abc"),
	   "a name is better than none");
}

static void test_lines(void)
{
	struct an_symbol s = find_symbol(self, (uintptr_t)marked - bias);
	struct al_elf elf;
	bool has_lines = false;

	is_str(s.function, "marked", "a static function has its name");
	is_str(s.object, "symbols_test", "an object has no directory");
	if (!al_elf_open_file(&elf, self)) {
		has_lines = al_elf_find_section(elf.elf, ".debug_info", NULL);
		al_elf_close_file(&elf);
	}
	if (has_lines) {
		is_str(s.file, "symbols_test.c", "a file has no directory");
		ok(strstr(s.path, "lib/symbols/symbols_test.c") != NULL,
		   "its path has");
		ok(s.line >= MARKED && s.line <= MARKED + 3,
		   "the line is the function's");
	} else {
		skip("built without -g", "file and line are found");
	}
	s = find_symbol(self, (uintptr_t)al_q_start - bias + 12);
	is_u64(s.line, 0, "there is no line where no source is");
	is_str(s.file, "???", "nor a file");
	is_str(s.path, "???", "nor a path");
}

static void test_libc(void)
{
	Dl_info info;
	struct an_symbol s;

	if (!dladdr((void *)(uintptr_t)getpid, &info)) {
		skip("static program", "libc's functions have names");
		return;
	}
	s = find_symbol(info.dli_fname,
			(uintptr_t)getpid - (uintptr_t)info.dli_fbase);
	ok(!strncmp(s.function, "getpid", 6), "libc's functions have names");
}

/* Run a script with the variables $dir and $self. */
static bool run_script(const char *script)
{
	char command[1024];

	setenv("dir", dir, 1);
	setenv("self", self, 1);
	snprintf(command, sizeof(command), "exec 2>/dev/null; %s", script);
	return system(command) == 0;
}

static void test_unreadable(void)
{
	char path[PATH_MAX];
	struct an_symbol s = find_symbol(NULL, 0x1234);

	is_str(s.object, "???", "code in no file has no object");
	al_symbols_init_symbol_with_object_name(
		symbols,
		al_symbols_intern_or_question_marks(symbols, "/a/b.so"), &s);
	is_str(s.object, "b.so", "of code in no section the object is known");
	is_str(s.function, "???", "and nothing else");
	s = find_symbol("/no/such/libgone.so", 0x1234);
	is_str(s.object, "libgone.so", "a vanished object keeps its name");
	is_str(s.function, "???", "but has no functions");
	snprintf(path, sizeof(path), "%s/pipe", dir);
	mkfifo(path, 0600);
	is_str(find_symbol(path, 1).function, "???", "a pipe does not stop us");
	is_str(find_symbol("/etc/passwd", 1).function, "???", "nor does text");
	snprintf(path, sizeof(path), "%s/cut", dir);
	run_script("head -c 4096 \"$self\" >\"$dir/cut\"");
	is_str(find_symbol(path, 0x1000).function, "???",
	       "nor does half an object");
}

static void test_split(void)
{
	uint64_t value = (uintptr_t)marked - bias;
	char path[PATH_MAX];

	if (!run_script(
		    "cd \"$dir\" && mkdir .debug &&"
		    "objcopy --only-keep-debug \"$self\" .debug/split.debug &&"
		    "cp .debug/split.debug here.debug &&"
		    "strip -o split \"$self\" && cp split bare && cp split "
		    "other "
		    "&& objcopy --add-gnu-debuglink=.debug/split.debug split "
		    "&& objcopy --add-gnu-debuglink=here.debug other "
		    "&& objcopy --only-keep-debug \"$(command -v objcopy)\" "
		    "here.debug")) {
		skip("no objcopy", "split debug files are found");
		return;
	}
	snprintf(path, sizeof(path), "%s/split", dir);
	is_str(find_symbol(path, value).function, "marked",
	       "a split debug file is found by its name");
	snprintf(path, sizeof(path), "%s/bare", dir);
	is_str(find_symbol(path, value).function, "???",
	       "a stripped program has no name for a static function");
	snprintf(path, sizeof(path), "%s/other", dir);
	is_str(find_symbol(path, value).function, "???",
	       "the debug file of another build is refused");
}

/* Return the name of the function at @value in a file of the test's directory.
   A file that was read before is not read again. */
static const char *function_in(const char *name, uint64_t value)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return find_symbol(path, value).function;
}

static void test_fetched(void)
{
	uint64_t value = (uintptr_t)marked - bias;
	char cache[PATH_MAX];

	if (!run_script(
		    "cd \"$dir\" && strip -o fetched \"$self\" &&"
		    "cp fetched local && cp fetched unlike &&"
		    "id=$(readelf -n \"$self\" | sed -n 's,.*Build ID: ,,p')"
		    "&& [ -n \"$id\" ] && mkdir -p \"cache/$id\" wrong/$id &&"
		    "objcopy --only-keep-debug \"$self\" cache/$id/debuginfo"
		    "&& objcopy --only-keep-debug \"$(command -v objcopy)\" "
		    "wrong/$id/debuginfo")) {
		skip("no build id", "a debug file of debuginfod is found");
		return;
	}
	snprintf(cache, sizeof(cache), "%s/cache", dir);
	setenv("DEBUGINFOD_CACHE_PATH", cache, 1);
	unsetenv("DEBUGINFOD_URLS");
	is_str(function_in("local", value), "???",
	       "the files of debuginfod's client are left alone without it");
	setenv("DEBUGINFOD_URLS", "https://localhost:1", 1);
	is_str(function_in("fetched", value), "marked",
	       "a debug file that was fetched is found by its build id");
	snprintf(cache, sizeof(cache), "%s/wrong", dir);
	setenv("DEBUGINFOD_CACHE_PATH", cache, 1);
	is_str(function_in("unlike", value), "???",
	       "and refused if its build id differs");
	unsetenv("DEBUGINFOD_URLS");
}

static void *find_repeatedly(void *unused)
{
	for (int i = 0; i < 1000; i++)
		function_at((unsigned)i % 40);
	return unused;
}

static void test_threads(void)
{
	struct al_symbols *all = symbols;
	pthread_t thread[2];

	symbols = al_symbols_new();
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, find_repeatedly, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	is_str(function_at(0), "al_q_ali", "threads may ask at once");
	al_symbols_free(symbols);
	symbols = all;
}

static void test_many(void)
{
	enum { MANY = 20000 };
	struct an_symbol sym;
	uint64_t wrong = 0;
	char path[32];

	for (unsigned i = 0; i < 2 * MANY; i++) {
		snprintf(path, sizeof(path), "/many/%u", i % MANY * 7919);
		al_symbols_init_symbol_with_object_name(
			symbols,
			al_symbols_intern_or_question_marks(symbols, path),
			&sym);
		wrong += strcmp(sym.object, path + 6) != 0;
	}
	is_u64(wrong, 0, "many objects are told from each other");
}

int main(void)
{
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n < 0 || !mkdtemp(dir) || marked(1) != 3)
		return 1;
	self[n] = 0;
	dl_iterate_phdr(note_bias, NULL);
	symbols = al_symbols_new();

	ok(al_symbols_intern_or_question_marks(symbols, self) ==
		   al_symbols_intern_or_question_marks(symbols, self),
	   "equal strings have one address");
	test_names();
	test_preference();
	test_lines();
	test_libc();
	test_unreadable();
	test_split();
	test_fetched();
	test_threads();
	test_many();

	al_symbols_free(symbols);
	run_script("rm -rf \"$dir\"");
	return done_testing();
}
