/** What is in the runtime folder of a user of the machine, where games look. */
import type { Machine, User } from '../e2e/systemd/machine.ts'
import { USERS } from '../e2e/systemd/root.ts'

export interface SlotFile {
  readonly slot: number
  readonly inode: number
  readonly isOurs: boolean
}

/**
 * Prints the inode and the path of each socket. Nothing is connected to, because a connection starts the bridge. Ours have a second name: the
 * socket unit's, or that of the daemon that took a slot itself.
 */
const LIST = `cd /run/user/$1 && find . -maxdepth 2 -type s -printf '%i %p\\n'`

export function slotsOf(machine: Machine, user: User): readonly SlotFile[] {
  const found = machine
    .run('root', 'sh', '-c', LIST, 'sh', String(USERS[user]))
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as [string, string])
  const slots = found.map(([inode, path]) => ({ inode, slot: /^\.\/discord-ipc-(\d)$/.exec(path)?.[1] }))
  return slots
    .flatMap(({ inode, slot }) => (slot === undefined ? [] : [{ inode, slot }]))
    .map(({ inode, slot }) => ({
      slot: Number(slot),
      inode: Number(inode),
      isOurs: found.some(([other, path]) => other === inode && path.includes('sallyport')),
    }))
    .toSorted((one, other) => one.slot - other.slot)
}

/** `0 client, 1 ours`. `client`: the inode of the client's socket. */
export const slotsText = (slots: readonly SlotFile[], client?: number): string =>
  slots.length === 0
    ? 'none'
    : slots.map(({ slot, inode, isOurs }) => `${slot} ${isOurs ? 'ours' : inode === client ? 'client' : 'another'}`).join(', ')
