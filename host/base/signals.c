#include "signals.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

/* timeout(1) and terminals may deliver one wish twice, to the process and to its group: a repeat
 * within this time is the same signal. */
#define REPEAT_MS 50

static volatile sig_atomic_t noted;
static volatile sig_atomic_t at_once;
static atomic_llong noted_ms;
static void (*volatile clean_up_function)(const void *);
static const void *volatile clean_up_user;

static void end_now(int number)
{
	static const char text[] = "freshet: interrupted during start-up\n";
	if (at_once && clean_up_function)
		clean_up_function(clean_up_user);
	if (at_once && write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(128 + number); /* nowhere left to say it */
	_exit(128 + number);
}

static long long now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void handle_signal(int number)
{
	if (at_once || (noted && now_ms() - noted_ms > REPEAT_MS))
		end_now(number);
	if (!noted) {
		noted_ms = now_ms();
		noted = number;
	}
}

void signals_install(void)
{
	struct sigaction action = {0};
	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGINT);
	sigaddset(&action.sa_mask, SIGTERM);
	sigaddset(&action.sa_mask, SIGHUP);
	action.sa_flags = SA_RESTART;
	action.sa_handler = handle_signal;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	/* nohup(1) has it ignored, and means it */
	struct sigaction before = {0};
	if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &action, NULL);

	struct sigaction ignore = {0};
	sigemptyset(&ignore.sa_mask);
	ignore.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &ignore, NULL);
	sigaction(SIGXFSZ, &ignore, NULL);
	/* LLVM, where a driver compiles with it, takes SIGXFSZ over with a handler that is reset to
	 * the default when it is called: a second thread that writes would then end the process. */
	sigset_t blocked;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGPIPE);
	sigaddset(&blocked, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &blocked, NULL);
}

void signals_end_at_once(void (*clean_up)(const void *user), const void *user)
{
	clean_up_user = user;
	clean_up_function = clean_up;
	at_once = 1;
	if (noted)
		end_now(noted);
}

void signals_note(void)
{
	at_once = 0;
	clean_up_function = NULL;
}

int signals_noted(void)
{
	return noted;
}
