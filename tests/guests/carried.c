/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * carried.c - loops with known dependences through memory
 *
 * Each function has one loop, or two nested ones. Its name describes the
 * dependence; dependences.test lists the expected results.
 */
enum { N = 400, ROW = 20 };

static int a[N + 16], b[N + 16], c[N + 16];
static char text[N + 16];
static double x[N], sum, value;
static volatile int state = 1, total, kept;

#define LOOP __attribute__((noinline, noipa)) static void

LOOP chain(void)
{
	for (int i = 1; i < N; i++)
		a[i] = a[i - 1] * 3 + 1;
}

LOOP chain_of_4(void)
{
	for (int i = 4; i < N; i++)
		a[i] = a[i - 4] + 1;
}

LOOP copy(void)
{
	for (int i = 0; i < N; i++)
		a[i] = b[i];
}

LOOP anti_forward(void)
{
	for (int i = 0; i < N; i++)
		a[i] = a[i + 1] + b[i];
}

LOOP anti_backward(void)
{
	for (int i = 0; i < N; i++) {
		((volatile int *)b)[i] = 1;
		c[i] = ((volatile int *)b)[i + 1];
	}
}

LOOP flow_forward(void)
{
	for (int i = 1; i < N; i++) {
		((volatile int *)b)[i] = c[i];
		a[i] = ((volatile int *)b)[i - 1];
	}
}

LOOP output_backward(void)
{
	for (int i = 0; i < N; i++) {
		((volatile int *)b)[i] = 1;
		((volatile int *)b)[i + 1] = 2;
	}
}

LOOP reduction(void)
{
	for (int i = 0; i < N; i++)
		total += a[i];
}

LOOP prefix_sum(void)
{
	for (int i = 0; i < N; i++) {
		total += a[i];
		b[i] = total;
	}
}

LOOP recurrence(void)
{
	for (int i = 0; i < N; i++)
		*(volatile double *)&value =
			*(volatile double *)&value *
				*(volatile double *)&value +
			x[i];
}

LOOP counter(void)
{
	for (int i = 0; i < N; i++) {
		total++;
		b[i] = a[i];
	}
}

LOOP bytes(void)
{
	for (int i = 0; i < N; i++)
		text[i] = (char)(text[i] + 1);
}

LOOP bytes_7(void)
{
	for (int i = 7; i < N; i++)
		text[i] = (char)(text[i - 7] + 1);
}

LOOP rows(void)
{
	for (int i = 1; i < ROW; i++)
		for (int j = 0; j < ROW; j++)
			a[i * ROW + j] = a[(i - 1) * ROW + j] + 1;
}

LOOP sum_of_floats(void)
{
	for (int i = 0; i < N; i++)
		*(volatile double *)&sum += x[i];
}

__attribute__((noinline, noipa)) static int next_random(void)
{
	return state = state * 1103515245 + 12345;
}

LOOP in_callee(void)
{
	for (int i = 0; i < N; i++)
		a[i] = next_random() & 15;
}

LOOP read_after(void)
{
	for (int i = 0; i < N; i++)
		a[i] = b[i] + 3;
	reduction();
	state = a[17] + a[N - 1];
}

LOOP calls_itself(int depth)
{
	for (int i = 0; i < depth; i++)
		calls_itself(depth - 1);
}

LOOP sum_if_not_first(void)
{
	for (int i = 0; i < N; i++)
		if (i != 0)
			total += a[i];
}

LOOP congruence(void)
{
	for (int i = 0; i < N; i++)
		total = total * 1103515245 + 12345;
}

LOOP two_sums(void)
{
	for (int i = 0; i < N; i += 2) {
		total += a[i];
		total -= a[i + 1];
	}
}

LOOP counter_of_some(void)
{
	for (int i = 0; i < N; i++)
		if (i % 3 != 0) {
			c[kept] = i;
			kept++;
		}
}

LOOP counter_alone(void)
{
	for (int i = 0; i < N; i++)
		if (i % 3 != 0)
			total++;
}

LOOP two_counts(void)
{
	for (int i = 0; i < N; i++) {
		total++;
		b[i] = a[i];
		total++;
	}
}

LOOP counter_by_choice(void)
{
	for (int i = 0; i < N; i++)
		kept = i % 3 != 0 ? kept + 1 : kept;
}

int main(void)
{
	chain();
	chain_of_4();
	copy();
	anti_forward();
	anti_backward();
	flow_forward();
	output_backward();
	reduction();
	prefix_sum();
	recurrence();
	counter();
	bytes();
	bytes_7();
	rows();
	sum_of_floats();
	in_callee();
	read_after();
	calls_itself(5);
	sum_if_not_first();
	congruence();
	two_sums();
	counter_of_some();
	counter_alone();
	two_counts();
	counter_by_choice();
	return 0;
}
