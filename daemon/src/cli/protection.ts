/**
 * Table of all commands: which secrets each holds, and from when on other programs of the user cannot read its memory. A secret here is one
 * that those programs cannot read in a file of the user: the operator's proof and the dashboard's token lie in the data folder.
 */
import type { Io } from './command.ts'

/**
 * `start`: before it does anything. `connected`: once the bridge has identified it, which a protected process would prevent, and before it sends
 * a call. `ready`: the command decides itself. `never`: it holds none.
 */
export interface Protection {
  readonly holds: string
  readonly from: 'start' | 'connected' | 'ready' | 'never'
}

const NO_SECRET = { holds: 'nothing', from: 'never' } as const
const OPERATOR = { holds: 'the state of the bridge', from: 'connected' } as const

export const PROTECTION: Readonly<Record<string, Protection>> = {
  run: { holds: 'tokens, codes, the key of the vault', from: 'ready' },
  sandbox: { holds: 'tokens of generated users', from: 'start' },
  stop: OPERATOR,
  status: OPERATOR,
  metrics: OPERATOR,
  logs: NO_SECRET,
  doctor: { holds: 'the key of the vault', from: 'start' },
  inspect: OPERATOR,
  trace: OPERATOR,
  bugreport: { holds: 'the state of the bridge, then the key of the vault', from: 'connected' },
  record: OPERATOR,
  replay: { holds: 'tokens and codes in responses', from: 'connected' },
  call: { holds: 'tokens and codes in responses', from: 'connected' },
  login: { holds: 'tokens, codes, the token of a bot', from: 'connected' },
  logout: { holds: 'tokens in responses', from: 'connected' },
  link: OPERATOR,
  grants: OPERATOR,
  prompts: OPERATOR,
  open: { holds: 'the code of a one-time address', from: 'start' },
  games: OPERATOR,
  // It connects again and again, as a program that the bridge recognises. All that it holds is in the data folder.
  tray: NO_SECRET,
  presence: OPERATOR,
  // Its command line contains the code, which every program can read. So it is only as short as possible.
  callback: { holds: 'a code', from: 'connected' },
  install: NO_SECRET,
  uninstall: NO_SECRET,
  wine: NO_SECRET,
  config: { holds: 'the secrets of the settings', from: 'start' },
  completion: OPERATOR,
  version: NO_SECRET,
}

/** Protects this process, once and for all. */
export function protect({ harden, info }: Pick<Io, 'harden' | 'info'>): void {
  if (!harden()) info('Warning: the system did not allow this command to protect its memory from other programs of the same user.')
}
