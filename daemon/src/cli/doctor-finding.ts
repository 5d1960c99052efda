/** What a check of `sallyport doctor` found. */

/** Each check, and why it matters. */
export const WHY = {
  'socket path': 'The system cuts or refuses longer paths of sockets, so no game could connect.',
  'socket folder': 'Who can write there can replace the sockets, and then receives what games send.',
  sockets: 'A file in a slot keeps the bridge out of it, and games wait for a server that is not there.',
  'first slot': 'Many games try only the first slot.',
  instances: 'Games of one user then have two bridges with different accounts and presences.',
  contract: 'New games and commands may need what an older bridge lacks.',
  warnings: 'While a warning holds, a part of the bridge does not work, or soon will not.',
  settings: 'A bridge keeps the settings of its start, so games may meet another platform than the one that you chose.',
  clients: 'A game finds the socket only where it searches.',
  'data folder': 'It holds the sign-ins of the user.',
  'data files': 'A bridge cannot use a data file that is damaged, or that a newer version has changed.',
  'private files': 'They hold the sign-ins of the user, and the keys to them.',
  keychain: 'It holds the key of the stored tokens.',
  platform: 'Sign-ins and calls of games go there.',
  clock: 'Tokens and signatures are valid between two times, so a wrong clock makes them invalid.',
  ports: 'A bridge does not start when a port of its settings is in use.',
  service: 'The system starts the bridge by these files.',
  tray: 'A tray icon is visible only where a desktop shows one.',
  wine: 'Windows games search for a pipe of their prefix.',
} as const

/** `not checked`: nothing is known to be wrong, but it could not be found out. */
export type CheckState = 'ok' | 'not checked' | 'wrong'

/** A check that is not ok says what to do. */
export interface Finding {
  readonly check: keyof typeof WHY
  readonly state: CheckState
  readonly says: string
  /** Present if it is wrong. */
  readonly why?: string
}

export const found = (check: Finding['check'], state: CheckState, says: string): Finding => ({
  check,
  state,
  says,
  ...(state === 'wrong' ? { why: WHY[check] } : {}),
})

export const messageOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure))
