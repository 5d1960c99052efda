/** `sallyport stop`: ends the daemon of this user and its tray, for example before another version of the program runs. */
import type { Command } from './command.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { stopHere } from './install-steps.ts'

export const stop: Command = {
  name: 'stop',
  summary: 'Stop the running bridge and the tray. Where a socket of systemd starts the bridge, the next game starts it again.',
  usage: '[flags]',
  operands: { min: 0, max: 0 },
  flags: FIND_FLAGS,
  run: stopHere,
}
