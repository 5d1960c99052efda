/**
 * The Node flags of the daemon, in a clone and in the packaged file. Plain JavaScript, because it must run on any Node version.
 */

const NO_FILE = { win32: 'NUL', other: '/dev/null' }

/** The flags on a system, named as `process.platform` names it. */
export const nodeFlags = (platform) => [
  // Otherwise a signal opens a debugger on loopback, which every user of the machine can use.
  '--disable-sigusr1',
  // An empty file, because OPENSSL_CONF may load libraries.
  `--openssl-config=${NO_FILE[platform] ?? NO_FILE.other}`,
  // Hides the warnings about node:ffi and node:sqlite.
  '--disable-warning=ExperimentalWarning',
  // V8 would wake an idle process three times after each burst of calls, to see whether it can shrink the heap.
  '--no-memory-reducer',
  // For one collection in a quiet time, which returns memory to the system.
  '--expose-gc',
]
