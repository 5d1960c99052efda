/** The exit codes of every command. Scripts rely on them: a number never changes its meaning. */
export const EXIT = {
  ok: 0,
  /** Something failed that has no code of its own; the sentence on stderr says what. */
  failed: 1,
  /** The command line, a variable or a settings file is wrong. */
  usage: 2,
  /** No bridge runs where the command looked. */
  noDaemon: 3,
  /** The bridge answered the call with an error. */
  refused: 4,
  /** The command exists in the contract and not in this version. */
  notInThisVersion: 5,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** A process that ends by a signal exits with this number more than the signal's own. */
export const SIGNAL_EXIT_BASE = 128
