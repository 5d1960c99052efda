/** A program of the machine: what it is called decides what it is, because the bridge knows a program by its file. */
import { basename } from 'node:path'

const ROLES: Readonly<Record<string, () => Promise<unknown>>> = {
  game: () => import('./game.ts'),
  client: () => import('./client.ts'),
  browser: () => import('./browser.ts'),
}

const name = basename(process.execPath)
const role = ROLES[name]
if (role === undefined) throw new Error(`there is no role ${name}`)
await role()
