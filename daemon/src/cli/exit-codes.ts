/** The exit codes of every command. Scripts rely on them, so a number never changes its meaning; 5 is retired. */
export const EXIT = {
  ok: 0,
  /** Any other failure; see the message on stderr. */
  failed: 1,
  /** The command line, a variable or a settings file is invalid. */
  usage: 2,
  /** No running bridge was found. */
  noDaemon: 3,
  /** The bridge responded to the call with an error. */
  refused: 4,
  /** The data folder is from a newer version of the program. */
  newerData: 6,
  /** `doctor` found nothing wrong, but could not check everything. */
  notChecked: 7,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** A process that ends by a signal exits with this number plus the signal number. */
export const SIGNAL_EXIT_BASE = 128
