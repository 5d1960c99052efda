/**
 * The platform's own client: takes a slot as real ones do, serves it, and watches its name: `client '{"directory": …, "takes": "bind", …}'`.
 *
 * It probes the slots by connecting and takes the first that no program serves. It removes a file there that refuses; then it binds, or binds
 * elsewhere and renames. It says `listening` with the inode, what comes in, and `lost` when the name is no longer its own. The order `quit` ends
 * it as a user does: connections end, and its name goes. A killed one leaves its file.
 */
import { existsSync, lstatSync, renameSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { StandInClient, type StandInOptions } from '#test/support/stand-in-client.ts'
import { followOrders, say } from './json-lines.ts'

const SLOTS = 10
const LOOK_MS = 20

export interface ClientPlace extends Omit<StandInOptions, 'path' | 'report'> {
  readonly directory: string
  readonly takes: 'bind' | 'rename'
}

const isServed = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', () => resolve(false))
  })

const { directory, takes, ...options } = JSON.parse(process.argv[2] ?? '') as ClientPlace

async function freeSlot(): Promise<string> {
  for (let slot = 0; slot < SLOTS; slot++) {
    const path = join(directory, `discord-ipc-${slot}`)
    if (!(await isServed(path))) return path
  }
  throw new Error('every slot is taken')
}

const slot = await freeSlot()
if (existsSync(slot)) rmSync(slot)
const bound = takes === 'bind' ? slot : join(directory, `.client-${process.pid}`)
const standIn = new StandInClient({
  ...options,
  path: bound,
  report: (report) => {
    if (report.event !== 'listening') say(report)
  },
})
await standIn.open()
if (bound !== slot) renameSync(bound, slot)
const { ino } = lstatSync(slot)
say({ event: 'listening', path: slot, ino })

const hasName = (): boolean => lstatSync(slot, { throwIfNoEntry: false })?.ino === ino
const watch = setInterval(() => {
  if (hasName()) return
  say({ event: 'lost', path: slot })
  clearInterval(watch)
}, LOOK_MS)

followOrders(async ({ do: what }) => {
  if (what === 'state') return standIn.state
  if (what !== 'quit') throw new Error(`the client cannot ${what}`)
  clearInterval(watch)
  if (hasName()) rmSync(slot)
  await standIn.close()
  setImmediate(() => process.exit(0))
})
