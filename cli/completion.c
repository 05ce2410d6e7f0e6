/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * completion.c - alleria completion: prints a script that completes command
 * lines
 *
 * Threads: main.
 *
 * The scripts for bash and zsh share three functions that hold the tables.
 */
#include "cli/completion.h"

#include <string.h>

#include "base/text/suggest.h"
#include "cli/args/exit_status.h"
#include "cli/option_list.h"

enum { WORDS = 4096 /* [bytes] of an option's joined values, with a NUL */ };

const char cl_completion_help[] =
	"usage: alleria completion bash|zsh|fish\n"
	"\n"
	"Prints a script that makes the shell complete commands, options, "
	"analyses\n"
	"with their keys, formats and files.\n"
	"\n"
	"  --help\n"
	"\n"
	"  bash: eval \"$(alleria completion bash)\" in ~/.bashrc\n"
	"  zsh:  alleria completion zsh >DIR/_alleria, DIR in $fpath\n"
	"  fish: alleria completion fish "
	">~/.config/fish/completions/alleria.fish\n";

/* ---- bash and zsh ---- */

/* Print three shell functions for bash and zsh, each of which prints words, one
   a line: the commands; the options of command $1, with '=' behind long ones
   that have a value; the values of option $2 of command $1 or, if $2 is empty,
   the possible first arguments of the command. Return: 0; -1: out of
   memory. */
static int print_bash_zsh_word_list_functions(void)
{
	static struct cl_option_list list;
	char words[WORDS];

	fputs("_alleria_commands()\n{\n\tprintf '%s\\n'", stdout);
	for (const struct cl_command *c = cl_commands; c->name; c++)
		printf(" %s", c->name);
	fputs("\n}\n\n_alleria_options()\n{\n\tcase $1 in\n", stdout);
	for (const struct cl_command *c = cl_commands; c->name; c++) {
		list.n = 0;
		if (cl_options_add_all_of_command(&list, c))
			return -1;
		printf("\t%s) printf '%%s\\n'", c->name);
		for (unsigned i = 0; i < list.n; i++)
			printf(" \\\n\t\t%s%s", list.option[i].name,
			       *list.option[i].value &&
					       list.option[i].name[1] == '-'
				       ? "="
				       : "");
		fputs(" ;;\n", stdout);
	}
	fputs("\t*) printf '%s\\n' --quiet --color= --no-pager --version "
	      "--help "
	      ";;\n\tesac\n}\n\n_alleria_values()\n{\n\tcase $1:$2 in\n",
	      stdout);
	for (const struct cl_command *c = cl_commands; c->name; c++) {
		list.n = 0;
		if (cl_options_add_all_of_command(&list, c))
			return -1;
		for (unsigned i = 0; i < list.n; i++) {
			cl_option_join_values_or_file_marker(c, &list.option[i],
							     words, WORDS);
			if (*words)
				printf("\t%s:%s) printf '%%s\\n' %s ;;\n",
				       c->name, list.option[i].name, words);
		}
		if (c->words)
			printf("\t%s:) printf '%%s\\n' %s ;;\n", c->name,
			       c->words);
	}
	fputs("\thelp:) _alleria_commands ;;\n"
	      "\t:--color) printf '%s\\n' auto always never ;;\n"
	      "\tesac\n}\n\n",
	      stdout);
	return 0;
}

/* Print the pattern "run,1|tune,1" for `case $command,$seen in`, which matches
   a command that runs a program if the name of the program was seen. */
static void print_run_commands_case_pattern(void)
{
	const char *separator = "";

	for (const struct cl_command *c = cl_commands; c->name; c++) {
		if (!c->runs_program)
			continue;
		printf("%s%s,1", separator, c->name);
		separator = "|";
	}
}

static const char bash_head[] =
	"_alleria()\n"
	"{\n"
	"	local line=${COMP_LINE:0:COMP_POINT} current command= seen= "
	"last= word\n"
	"	local values head IFS=$' \\t\\n'\n"
	"	local -a words\n"
	"	current=${line##*[[:space:]]}\n"
	"	read -ra words <<<\"${line%\"$current\"}\"\n"
	"	for word in \"${words[@]:1}\"; do\n"
	"		last=$word\n"
	"		[[ $word == -* ]] && continue\n"
	"		if [[ $command ]]; then seen=1; else command=$word; "
	"fi\n"
	"	done\n"
	"	COMPREPLY=()\n"
	"	head=${current%\"${current##*[=:]}\"}\n"
	"	IFS=$'\\n'\n"
	"	case $command,$seen in\n"
	"	";

static const char bash_body[] =
	")\n"
	"		compopt -o default 2>/dev/null\n"
	"		return ;;\n"
	"	esac\n"
	"	if [[ $current == --*=* ]]; then\n"
	"		values=$(_alleria_values \"$command\" "
	"\"${current%%=*}\")\n"
	"		current=${current#*=}\n"
	"		[[ $values == @* ]] || head=${head#*=}\n"
	"	elif [[ $last == -o ]]; then\n"
	"		values=@files\n"
	"	elif [[ $current == -* ]]; then\n"
	"		values=$(_alleria_options \"$command\")\n"
	"	elif [[ ! $command ]]; then\n"
	"		values=$(_alleria_commands)\n"
	"	else\n"
	"		values=$(_alleria_values \"$command\" '')\n"
	"		[[ $values ]] || values=@files\n"
	"	fi\n"
	"	case $values in\n"
	"	@files)\n"
	"		compopt -o filenames 2>/dev/null\n"
	"		COMPREPLY=($(compgen -f -- \"$current\")) ;;\n"
	"	@directories)\n"
	"		compopt -o filenames 2>/dev/null\n"
	"		COMPREPLY=($(compgen -d -- \"$current\")) ;;\n"
	"	*)\n"
	"		COMPREPLY=($(compgen -W \"$values\" -- \"$current\"))\n"
	"		COMPREPLY=(\"${COMPREPLY[@]#\"$head\"}\")\n"
	"		[[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace "
	"2>/dev/null ;;\n"
	"	esac\n"
	"	return 0\n"
	"}\n"
	"\n"
	"complete -F _alleria alleria\n";

/* Print the bash completion script. Return: 0; -1 if memory is short. Errors of
   writing are not checked. */
static int print_bash_completion_script(void)
{
	fputs("# bash completion for alleria\n\n", stdout);
	if (print_bash_zsh_word_list_functions())
		return -1;
	fputs(bash_head, stdout);
	print_run_commands_case_pattern();
	fputs(bash_body, stdout);
	return 0;
}

static const char zsh_head[] =
	"_alleria()\n"
	"{\n"
	"	local command= seen= last= word\n"
	"	local -a values\n"
	"	for word in \"${(@)words[2,CURRENT-1]}\"; do\n"
	"		last=$word\n"
	"		[[ $word == -* ]] && continue\n"
	"		if [[ -n $command ]]; then seen=1; else command=$word; "
	"fi\n"
	"	done\n"
	"	case $command,$seen in\n"
	"	";

static const char zsh_body[] =
	")\n"
	"		_default\n"
	"		return ;;\n"
	"	esac\n"
	"	if [[ $PREFIX == --*=* ]]; then\n"
	"		values=(${(f)\"$(_alleria_values \"$command\" "
	"\"${PREFIX%%=*}\")\"})\n"
	"		compset -P '*='\n"
	"	elif [[ $last == -o ]]; then\n"
	"		values=(@files)\n"
	"	elif [[ $PREFIX == -* ]]; then\n"
	"		values=(${(f)\"$(_alleria_options \"$command\")\"})\n"
	"		compadd -S '' -- ${(M)values:#*=}\n"
	"		compadd -- ${values:#*=}\n"
	"		return\n"
	"	elif [[ -z $command ]]; then\n"
	"		values=(${(f)\"$(_alleria_commands)\"})\n"
	"	else\n"
	"		values=(${(f)\"$(_alleria_values \"$command\" '')\"})\n"
	"		(( $#values )) || values=(@files)\n"
	"	fi\n"
	"	case ${values[1]} in\n"
	"	@files) _files ;;\n"
	"	@directories) _files -/ ;;\n"
	"	*) compadd -- $values ;;\n"
	"	esac\n"
	"}\n"
	"\n"
	"if [[ $funcstack[1] == _alleria ]]; then\n"
	"	_alleria \"$@\"\n"
	"elif (( $+functions[compdef] )); then\n"
	"	compdef _alleria alleria\n"
	"fi\n";

static int print_zsh_completion_script(void)
{
	fputs("#compdef alleria\n\n", stdout);
	if (print_bash_zsh_word_list_functions())
		return -1;
	fputs(zsh_head, stdout);
	print_run_commands_case_pattern();
	fputs(zsh_body, stdout);
	return 0;
}

/* ---- fish ---- */

/* Print @text in single quotes, as one word of the shell fish. */
static void print_fish_quoted_word(const char *text)
{
	putchar('\'');
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			putchar('\\');
		putchar(*text);
	}
	putchar('\'');
}

static void print_fish_complete_line_of_option(const struct cl_command *c,
					       const struct cl_option *o)
{
	char words[WORDS];
	bool is_long = o->name[1] == '-';

	cl_option_join_values_or_file_marker(c, o, words, WORDS);
	printf("complete -c alleria -n '__fish_seen_subcommand_from %s' %s %s",
	       c->name, is_long ? "-l" : "-s", o->name + (is_long ? 2 : 1));
	if (!strcmp(words, "@directories"))
		fputs(" -x -a '(__fish_complete_directories)'", stdout);
	else if (!strcmp(words, "@files"))
		fputs(" -r -F", stdout);
	else if (*words)
		printf(" -x -a '%s'", words);
	else if (*o->value)
		fputs(" -x", stdout);
	if (*o->text) {
		fputs(" -d ", stdout);
		print_fish_quoted_word(o->text);
	}
	putchar('\n');
}

static int print_fish_completion_script(void)
{
	static struct cl_option_list list;

	fputs("# fish completion for alleria\n\n", stdout);
	for (const struct cl_command *c = cl_commands; c->name; c++) {
		printf("complete -c alleria -n __fish_use_subcommand -f -a %s "
		       "-d ",
		       c->name);
		print_fish_quoted_word(c->summary);
		putchar('\n');
		list.n = 0;
		if (cl_options_add_all_of_command(&list, c))
			return -1;
		for (unsigned i = 0; i < list.n; i++)
			print_fish_complete_line_of_option(c, &list.option[i]);
		if (c->words)
			printf("complete -c alleria -n "
			       "'__fish_seen_subcommand_from %s' -f -a '%s'\n",
			       c->name, c->words);
	}
	fputs("complete -c alleria -n '__fish_seen_subcommand_from help' -f "
	      "-a '",
	      stdout);
	for (const struct cl_command *c = cl_commands; c->name; c++)
		printf("%s%s", c == cl_commands ? "" : " ", c->name);
	puts("'");
	return 0;
}

/* ---- the command ---- */
static int print_shell_error_return_wrong_usage(const char *shell_name_or_null)
{
	static const char *const shells[] = {"bash", "zsh", "fish", NULL};
	const char *near = shell_name_or_null
				   ? al_suggest_word(shell_name_or_null, shells)
				   : NULL;

	if (near)
		fprintf(stderr, "alleria: no shell '%s'; did you mean '%s'?\n",
			shell_name_or_null, near);
	else
		fprintf(stderr, "alleria: give a shell: alleria completion "
				"bash|zsh|fish\n");
	return CL_WRONG_USAGE;
}

int cl_completion_print_shell_script(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*print)(void);
	} shells[] = {{"bash", print_bash_completion_script},
		      {"zsh", print_zsh_completion_script},
		      {"fish", print_fish_completion_script}};

	if (argc != 1)
		return print_shell_error_return_wrong_usage(NULL);
	for (size_t i = 0; i < sizeof(shells) / sizeof(*shells); i++) {
		if (strcmp(argv[0], shells[i].name) != 0)
			continue;
		if (!shells[i].print())
			return 0;
		fprintf(stderr, "alleria: out of memory\n");
		return CL_WRONG_USAGE;
	}
	return print_shell_error_return_wrong_usage(argv[0]);
}
