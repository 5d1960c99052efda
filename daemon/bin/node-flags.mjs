/**
 * What Node runs the daemon with, from a clone and in the packaged file alike. Plain JavaScript, because it is read on whatever Node the
 * machine has.
 */

const NO_FILE = { win32: 'NUL', other: '/dev/null' }

/** The flags on a system, named as `process.platform` names it. */
export const nodeFlags = (platform) => [
  // A signal would open a debugger on the loopback, which every user of the machine may use without a secret.
  '--disable-sigusr1',
  // OPENSSL_CONF may name libraries to load; an empty file names none.
  `--openssl-config=${NO_FILE[platform] ?? NO_FILE.other}`,
  // node:ffi and node:sqlite announce themselves on stderr; a user can do nothing about it.
  '--disable-warning=ExperimentalWarning',
]
