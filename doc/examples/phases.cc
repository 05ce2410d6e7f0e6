/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * phases.cc - a window that is open as long as an object lives
 *
 *	c++ -O1 -I.../include phases.cc -o phases
 *	alleria run --window=phases.yaml ./phases
 *
 * with phases.yaml:
 *
 *	windows:
 *	  - {name: sort, on: {monitor: true}, profile: [{}]}
 */
#include <valgrind/alleria.h>

#include <algorithm>
#include <iostream>
#include <vector>

class Window
{
      public:
	explicit Window(const char *name) : name_(name)
	{
		ALLERIA_WINDOW_BEGIN(name_);
	}

	~Window()
	{
		ALLERIA_WINDOW_END(name_);
	}

	Window(const Window &) = delete;
	Window &operator=(const Window &) = delete;

      private:
	const char *name_;
};

static std::vector<unsigned> numbers(std::size_t n)
{
	std::vector<unsigned> all;
	unsigned x = 1;

	while (all.size() < n)
		all.push_back(x = x * 1103515245 + 12345);
	return all;
}

int main()
{
	std::vector<unsigned> all = numbers(1000);

	{
		Window window("sort");

		std::sort(all.begin(), all.end());
	}
	std::cout << all.front() << '\n';
	return 0;
}
