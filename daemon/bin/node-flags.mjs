/**
 * The Node flags of the daemon, in a clone and in the packaged file. Plain JavaScript, because it must run on any Node version.
 */

const NO_FILE = { win32: 'NUL', other: '/dev/null' }

/**
 * The flags on a system, named as `process.platform` names it. No flags of V8: with one, Node compiles its own modules at each start, which
 * takes longer than all the rest.
 */
export const nodeFlags = (platform) => [
  // Otherwise a signal opens a debugger on loopback, which every user of the machine can use.
  '--disable-sigusr1',
  // An empty file, because OPENSSL_CONF may load libraries.
  `--openssl-config=${NO_FILE[platform] ?? NO_FILE.other}`,
  // Hides the warnings about node:ffi and node:sqlite.
  '--disable-warning=ExperimentalWarning',
]
