/** What the units of the bridge of the player wrote into the journal, and what systemd wrote about them. */
import type { Machine } from '../e2e/systemd/machine.ts'
import type { Line } from './shell.ts'

/** As journalctl names its fields. */
interface Entry {
  readonly USER_UNIT?: string
  readonly _SYSTEMD_USER_UNIT?: string
  readonly _UID?: string
  readonly __REALTIME_TIMESTAMP: string
  readonly MESSAGE: string
}

/** `since`: milliseconds since the epoch. */
export function journalSince(machine: Machine, since: number): readonly Line[] {
  const printed = machine.run('root', 'journalctl', '--output=json', `--since=@${Math.floor(since / 1000)}`, '--no-pager')
  return printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry)
    .flatMap(({ USER_UNIT, _SYSTEMD_USER_UNIT, _UID, __REALTIME_TIMESTAMP, MESSAGE }) => {
      const unit = USER_UNIT ?? _SYSTEMD_USER_UNIT ?? ''
      if (!unit.includes('sallyport') || _UID !== '1000') return []
      return { at: Number(__REALTIME_TIMESTAMP) / 1000, text: `${unit}: ${MESSAGE}` }
    })
}
