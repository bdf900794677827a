/* Makes one write, sync or truncation of the files of a folder fail.
 *
 * FAULT_FOLDER  the folder
 * FAULT_COUNT   a file that gets one byte for every such call
 * FAULT_KIND    full, error, short, crash-before or crash-after
 * FAULT_NUMBER  the call that fails, from 1; 0 for none
 *
 * A short write is followed by a full disk, as it is on real ones. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long calls;
static int short_of = -1;

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

static int is_ours(int fd) {
    char link[64], path[4096];
    const char *folder = getenv("FAULT_FOLDER");
    if (!folder) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strncmp(path, folder, strlen(folder)) == 0;
}

static void die(void) { kill(getpid(), SIGKILL); pause(); }

/* Whether this call is the one that fails. */
static int is_due(int fd) {
    if (!is_ours(fd)) return 0;
    pthread_mutex_lock(&lock);
    long number = ++calls;
    pthread_mutex_unlock(&lock);
    int count = open(getenv("FAULT_COUNT"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (count >= 0) {
        ssize_t (*plain)(int, const void *, size_t) = real("write");
        plain(count, ".", 1);
        close(count);
    }
    return number == atol(getenv("FAULT_NUMBER"));
}

static int is(const char *kind) { return strcmp(getenv("FAULT_KIND"), kind) == 0; }

/* Fails the call, or does it and dies; SIZE is 0 for calls that write nothing. */
#define FAIL(fd, size, half, whole)                                    \
    do {                                                               \
        if (short_of == (fd) && (size) > 0) {                          \
            short_of = -1;                                             \
            errno = ENOSPC;                                            \
            return -1;                                                 \
        }                                                              \
        if (is_due(fd)) {                                              \
            if (is("crash-before")) die();                             \
            if (is("crash-after")) { whole; die(); }                   \
            if (is("short") && (size) > 1) {                           \
                short_of = (fd);                                       \
                return half;                                           \
            }                                                          \
            errno = is("error") ? EIO : ENOSPC;                        \
            return -1;                                                 \
        }                                                              \
        return whole;                                                  \
    } while (0)

ssize_t write(int fd, const void *bytes, size_t size) {
    ssize_t (*next)(int, const void *, size_t) = real("write");
    FAIL(fd, size, next(fd, bytes, size / 2), next(fd, bytes, size));
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
    ssize_t (*next)(int, const void *, size_t, off_t) = real("pwrite");
    FAIL(fd, size, next(fd, bytes, size / 2, at), next(fd, bytes, size, at));
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
    ssize_t (*next)(int, const void *, size_t, off64_t) = real("pwrite64");
    FAIL(fd, size, next(fd, bytes, size / 2, at), next(fd, bytes, size, at));
}

int fsync(int fd) {
    int (*next)(int) = real("fsync");
    FAIL(fd, 0, 0, next(fd));
}

int fdatasync(int fd) {
    int (*next)(int) = real("fdatasync");
    FAIL(fd, 0, 0, next(fd));
}

int ftruncate(int fd, off_t size) {
    int (*next)(int, off_t) = real("ftruncate");
    FAIL(fd, 0, 0, next(fd, size));
}

int ftruncate64(int fd, off64_t size) {
    int (*next)(int, off64_t) = real("ftruncate64");
    FAIL(fd, 0, 0, next(fd, size));
}
