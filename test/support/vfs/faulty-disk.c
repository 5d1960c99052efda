/*
 * A disk that fails as planned, below SQLite. It registers itself as the default VFS of the process, over that of the system, and hands every
 * call on until its plan says otherwise. Each thread has a plan of its own. Functions of SQL set it, which faulty-disk.ts calls.
 *
 * sqlite3.h: sqlite3_vfs, sqlite3_io_methods; https://sqlite.org/vfs.html, https://sqlite.org/loadext.html
 */
#include <signal.h>
#include <sqlite3ext.h>
#include <stdlib.h>
#include <string.h>
SQLITE_EXTENSION_INIT1

enum op { OP_OPEN, OP_WRITE, OP_SYNC, OP_TRUNCATE, OP_DELETE, OPS };
static const char *const NAMES[OPS] = {"open", "write", "sync", "truncate", "delete"};
/* What SQLite's own VFS answers for EIO. */
static const int CODES[OPS] = {SQLITE_CANTOPEN, SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC, SQLITE_IOERR_TRUNCATE, SQLITE_IOERR_DELETE};

/* After its point, a thread's plan ends the process, or freezes the disk: no call changes a file any more. */
enum death { LIVES, IS_KILLED, IS_FROZEN };

struct plan {
  int ops; /* a bit for each */
  char path[256]; /* what the name of a file ends with; empty: any */
  sqlite3_int64 nth; /* of the calls that match, from 1; 0: none fails, and all are noted */
  int is_for_good;
  int is_full; /* ENOSPC instead of EIO */
  int torn; /* how many bytes of the write arrive all the same */
  enum death death;
  sqlite3_int64 matched;
  int is_frozen;
  char *points; /* a line for each call that was noted, or the one that failed */
};
static _Thread_local struct plan plan;

struct file {
  sqlite3_file base;
  const char *name; /* kept by SQLite as long as the file is open; NULL: temporary */
  sqlite3_file *real;
};
#define REAL(file) (((struct file *)(file))->real)
#define NAME(file) (((struct file *)(file))->name)

static sqlite3_vfs *real_vfs;

static const char *short_name(const char *name) {
  const char *slash = name == NULL ? NULL : strrchr(name, '/');
  return slash != NULL ? slash + 1 : name == NULL ? "temporary" : name;
}

static int ends_with(const char *name, const char *end) {
  size_t length = strlen(end);
  const char *given = name == NULL ? "" : name;
  return strlen(given) >= length && strcmp(given + strlen(given) - length, end) == 0;
}

static void note(enum op op, const char *name, int bytes) {
  char *before = plan.points;
  plan.points = sqlite3_mprintf("%s%s %s %d\n", before == NULL ? "" : before, NAMES[op], short_name(name), bytes);
  sqlite3_free(before);
}

/* What the call must answer instead of its work: SQLITE_OK says that it shall do it. `arrives` gets the bytes of a torn write. */
static int verdict(enum op op, const char *name, int bytes, int *arrives) {
  *arrives = 0;
  if (plan.is_frozen) return CODES[op];
  if ((plan.ops & (1 << op)) == 0 || !ends_with(name, plan.path)) return SQLITE_OK;
  plan.matched += 1;
  if (plan.nth == 0) note(op, name, bytes);
  if (plan.nth == 0 || plan.matched < plan.nth || (plan.matched > plan.nth && !plan.is_for_good)) return SQLITE_OK;
  if (plan.matched == plan.nth) note(op, name, bytes);
  *arrives = op == OP_WRITE && plan.matched == plan.nth ? (plan.torn < bytes ? plan.torn : bytes) : 0;
  return plan.is_full ? SQLITE_FULL : CODES[op];
}

/* The last that the process did. */
static void die_if_planned(void) {
  if (plan.death == IS_KILLED) raise(SIGKILL);
  if (plan.death == IS_FROZEN) plan.is_frozen = 1;
}

static int plain_close(sqlite3_file *file) { return REAL(file)->pMethods->xClose(REAL(file)); }
static int plain_read(sqlite3_file *file, void *to, int bytes, sqlite3_int64 at) {
  return REAL(file)->pMethods->xRead(REAL(file), to, bytes, at);
}
static int faulty_write(sqlite3_file *file, const void *from, int bytes, sqlite3_int64 at) {
  int arrives;
  int code = verdict(OP_WRITE, NAME(file), bytes, &arrives);
  if (code == SQLITE_OK) return REAL(file)->pMethods->xWrite(REAL(file), from, bytes, at);
  if (arrives > 0) REAL(file)->pMethods->xWrite(REAL(file), from, arrives, at);
  die_if_planned();
  return code;
}
static int faulty_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int arrives;
  int code = verdict(OP_TRUNCATE, NAME(file), 0, &arrives);
  if (code == SQLITE_OK) return REAL(file)->pMethods->xTruncate(REAL(file), size);
  die_if_planned();
  return code;
}
static int faulty_sync(sqlite3_file *file, int flags) {
  int arrives;
  int code = verdict(OP_SYNC, NAME(file), 0, &arrives);
  if (code == SQLITE_OK) return REAL(file)->pMethods->xSync(REAL(file), flags);
  die_if_planned();
  return code;
}
static int plain_size(sqlite3_file *file, sqlite3_int64 *size) { return REAL(file)->pMethods->xFileSize(REAL(file), size); }
static int plain_lock(sqlite3_file *file, int level) { return REAL(file)->pMethods->xLock(REAL(file), level); }
static int plain_unlock(sqlite3_file *file, int level) { return REAL(file)->pMethods->xUnlock(REAL(file), level); }
static int plain_reserved(sqlite3_file *file, int *is) { return REAL(file)->pMethods->xCheckReservedLock(REAL(file), is); }
static int plain_control(sqlite3_file *file, int op, void *value) { return REAL(file)->pMethods->xFileControl(REAL(file), op, value); }
static int plain_sector(sqlite3_file *file) { return REAL(file)->pMethods->xSectorSize(REAL(file)); }
static int plain_traits(sqlite3_file *file) { return REAL(file)->pMethods->xDeviceCharacteristics(REAL(file)); }
static int plain_map(sqlite3_file *file, int page, int size, int extends, void volatile **at) {
  return REAL(file)->pMethods->xShmMap(REAL(file), page, size, extends, at);
}
static int plain_map_lock(sqlite3_file *file, int at, int count, int flags) {
  return REAL(file)->pMethods->xShmLock(REAL(file), at, count, flags);
}
static void plain_barrier(sqlite3_file *file) { REAL(file)->pMethods->xShmBarrier(REAL(file)); }
static int plain_unmap(sqlite3_file *file, int deletes) { return REAL(file)->pMethods->xShmUnmap(REAL(file), deletes); }

/* Version 2: without xFetch, so every change is a call of xWrite. */
static const sqlite3_io_methods METHODS = {
    .iVersion = 2,
    .xClose = plain_close,
    .xRead = plain_read,
    .xWrite = faulty_write,
    .xTruncate = faulty_truncate,
    .xSync = faulty_sync,
    .xFileSize = plain_size,
    .xLock = plain_lock,
    .xUnlock = plain_unlock,
    .xCheckReservedLock = plain_reserved,
    .xFileControl = plain_control,
    .xSectorSize = plain_sector,
    .xDeviceCharacteristics = plain_traits,
    .xShmMap = plain_map,
    .xShmLock = plain_map_lock,
    .xShmBarrier = plain_barrier,
    .xShmUnmap = plain_unmap,
};

static int faulty_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
  struct file *own = (struct file *)file;
  int arrives;
  int code = verdict(OP_OPEN, name, 0, &arrives);
  (void)vfs;
  own->base.pMethods = NULL;
  own->name = name;
  own->real = (sqlite3_file *)(own + 1);
  if (code != SQLITE_OK) {
    die_if_planned();
    return code;
  }
  code = real_vfs->xOpen(real_vfs, name, own->real, flags, out);
  if (own->real->pMethods != NULL) own->base.pMethods = &METHODS;
  return code;
}

static int faulty_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
  int arrives;
  int code = verdict(OP_DELETE, name, 0, &arrives);
  (void)vfs;
  if (code == SQLITE_OK) return real_vfs->xDelete(real_vfs, name, syncs);
  die_if_planned();
  return code;
}

static const char *text_of(sqlite3_value *value) {
  const char *text = (const char *)sqlite3_value_text(value);
  return text == NULL ? "" : text;
}

static void forget(void) {
  sqlite3_free(plan.points);
  memset(&plan, 0, sizeof plan);
}

/* disk_plan(ops, path, nth, is_for_good, error, torn, death) */
static void set_plan(sqlite3_context *context, int count, sqlite3_value **given) {
  const char *ops = text_of(given[0]);
  const char *death = text_of(given[6]);
  int op;
  (void)count;
  forget();
  for (op = 0; op < OPS; op++)
    if (strstr(ops, NAMES[op]) != NULL) plan.ops |= 1 << op;
  strncpy(plan.path, text_of(given[1]), sizeof plan.path - 1);
  plan.nth = sqlite3_value_int64(given[2]);
  plan.is_for_good = sqlite3_value_int(given[3]);
  plan.is_full = strcmp(text_of(given[4]), "ENOSPC") == 0;
  plan.torn = sqlite3_value_int(given[5]);
  plan.death = strcmp(death, "kill") == 0 ? IS_KILLED : strcmp(death, "freeze") == 0 ? IS_FROZEN : LIVES;
  sqlite3_result_null(context);
}

/* disk_clear() */
static void clear_plan(sqlite3_context *context, int count, sqlite3_value **given) {
  (void)count;
  (void)given;
  forget();
  sqlite3_result_null(context);
}

/* disk_points() */
static void tell_points(sqlite3_context *context, int count, sqlite3_value **given) {
  (void)count;
  (void)given;
  sqlite3_result_text(context, plan.points == NULL ? "" : plan.points, -1, SQLITE_TRANSIENT);
}

/* disk_matched() */
static void tell_matched(sqlite3_context *context, int count, sqlite3_value **given) {
  (void)count;
  (void)given;
  sqlite3_result_int64(context, plan.matched);
}

/* disk_frozen() */
static void tell_frozen(sqlite3_context *context, int count, sqlite3_value **given) {
  (void)count;
  (void)given;
  sqlite3_result_int(context, plan.is_frozen);
}

/* SQLite finds it by the name of the library. */
int sqlite3_faultydisk_init(sqlite3 *database, char **error, const sqlite3_api_routines *api);
int sqlite3_faultydisk_init(sqlite3 *database, char **error, const sqlite3_api_routines *api) {
  static sqlite3_vfs own;
  int code = SQLITE_OK;
  (void)error;
  SQLITE_EXTENSION_INIT2(api);
  /* Another thread may have registered it. */
  if (real_vfs == NULL) {
    real_vfs = sqlite3_vfs_find(NULL);
    own = *real_vfs;
    own.zName = "faulty-disk";
    own.szOsFile = (int)sizeof(struct file) + real_vfs->szOsFile;
    own.pNext = NULL;
    own.xOpen = faulty_open;
    own.xDelete = faulty_delete;
    code = sqlite3_vfs_register(&own, 1);
  }
  if (code == SQLITE_OK) code = sqlite3_create_function(database, "disk_plan", 7, SQLITE_UTF8, NULL, set_plan, NULL, NULL);
  if (code == SQLITE_OK) code = sqlite3_create_function(database, "disk_clear", 0, SQLITE_UTF8, NULL, clear_plan, NULL, NULL);
  if (code == SQLITE_OK) code = sqlite3_create_function(database, "disk_points", 0, SQLITE_UTF8, NULL, tell_points, NULL, NULL);
  if (code == SQLITE_OK) code = sqlite3_create_function(database, "disk_matched", 0, SQLITE_UTF8, NULL, tell_matched, NULL, NULL);
  if (code == SQLITE_OK) code = sqlite3_create_function(database, "disk_frozen", 0, SQLITE_UTF8, NULL, tell_frozen, NULL, NULL);
  return code == SQLITE_OK ? SQLITE_OK_LOAD_PERMANENTLY : code;
}
