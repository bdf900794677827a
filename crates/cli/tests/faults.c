/* Makes one write, sync or truncation of the files of a folder fail.
 *
 * FAULT_FOLDER  the folder
 * FAULT_COUNT   a file that gets one byte for every such call
 * FAULT_KIND    full, error, short, crash-before, crash-after or cut
 * FAULT_NUMBER  the call that fails, from 1; 0 for none
 *
 * A short write is followed by a full disk, as it is on real ones. A cut is that
 * of the power: the program dies, and of every file there is what it held at its
 * last sync. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long calls;
static int short_of = -1;

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

static int path_of(int fd, char path[4096]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, 4095);
    path[length < 0 ? 0 : length] = 0;
    return length >= 0;
}

static int is_ours(int fd) {
    char path[4096];
    const char *folder = getenv("FAULT_FOLDER");
    return folder && path_of(fd, path) && strncmp(path, folder, strlen(folder)) == 0;
}

static int is(const char *kind) { return strcmp(getenv("FAULT_KIND"), kind) == 0; }

/* What a file held before a change that is not synced yet, newest first. */
struct undo {
    char path[4096];
    off_t at, length;
    ssize_t size;
    char *bytes;
    struct undo *next;
};
static struct undo *unsynced;

/* Notes what a change of SIZE bytes at AT overwrites; SIZE -1 is up to the end. */
static void remember(int fd, off_t at, ssize_t size) {
    if (!getenv("FAULT_KIND") || !is("cut") || !is_ours(fd)) return;
    struct undo *undo = calloc(1, sizeof *undo);
    struct stat now;
    if (!undo || fstat(fd, &now) || !path_of(fd, undo->path)) abort();
    off_t left = now.st_size > at ? now.st_size - at : 0;
    undo->at = at;
    undo->length = now.st_size;
    undo->size = size < 0 || size > left ? left : size;
    undo->bytes = malloc(undo->size + 1);
    int file = open(undo->path, O_RDONLY);
    if (file < 0 || pread(file, undo->bytes, undo->size, at) != undo->size) abort();
    close(file);
    pthread_mutex_lock(&lock);
    undo->next = unsynced;
    unsynced = undo;
    pthread_mutex_unlock(&lock);
}

static void forget(int fd) {
    char path[4096];
    if (!path_of(fd, path)) return;
    pthread_mutex_lock(&lock);
    for (struct undo **at = &unsynced; *at;) {
        struct undo *undo = *at;
        if (strcmp(undo->path, path) != 0) { at = &undo->next; continue; }
        *at = undo->next;
        free(undo->bytes);
        free(undo);
    }
    pthread_mutex_unlock(&lock);
}

static void cut_power(void) {
    ssize_t (*put)(int, const void *, size_t, off_t) = real("pwrite");
    int (*cut)(int, off_t) = real("ftruncate");
    for (struct undo *undo = unsynced; undo; undo = undo->next) {
        int file = open(undo->path, O_WRONLY);
        if (file < 0) continue; /* it was deleted since */
        if (put(file, undo->bytes, undo->size, undo->at) != undo->size) abort();
        if (cut(file, undo->length)) abort();
        close(file);
    }
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
            if (is("cut")) { cut_power(); die(); }                     \
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
    remember(fd, lseek(fd, 0, SEEK_CUR), size);
    FAIL(fd, size, next(fd, bytes, size / 2), next(fd, bytes, size));
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
    ssize_t (*next)(int, const void *, size_t, off_t) = real("pwrite");
    remember(fd, at, size);
    FAIL(fd, size, next(fd, bytes, size / 2, at), next(fd, bytes, size, at));
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
    ssize_t (*next)(int, const void *, size_t, off64_t) = real("pwrite64");
    remember(fd, at, size);
    FAIL(fd, size, next(fd, bytes, size / 2, at), next(fd, bytes, size, at));
}

static int sync_file(const char *name, int fd) {
    int (*next)(int) = real(name);
    int failed = next(fd);
    if (!failed) forget(fd);
    return failed;
}

int fsync(int fd) {
    FAIL(fd, 0, 0, sync_file("fsync", fd));
}

int fdatasync(int fd) {
    FAIL(fd, 0, 0, sync_file("fdatasync", fd));
}

int ftruncate(int fd, off_t size) {
    int (*next)(int, off_t) = real("ftruncate");
    remember(fd, size, -1);
    FAIL(fd, 0, 0, next(fd, size));
}

int ftruncate64(int fd, off64_t size) {
    int (*next)(int, off64_t) = real("ftruncate64");
    remember(fd, size, -1);
    FAIL(fd, 0, 0, next(fd, size));
}
