/** `npm run conformance` plays the portable vectors against the real daemon, and runs through against a foreign server. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { Ground } from '../bench/contestants/contestants.ts'
import { ended } from '#test/support/ended.ts'
import { type Folders, folders, SOURCE, startDaemon } from './support/daemon.ts'
import { sandboxToken } from './support/sandbox-token.ts'

const MAIN = join(import.meta.dirname, '../conformance/main.ts')
const COUNTS = /^(\d+) passed, (\d+) failed, (\d+) skipped(?: \((.+)\))?$/

/** Families that concern every server. The last one can end a server. */
const FOR_EVERY_SERVER = ['SET_ACTIVITY', 'the handshake', 'responses, pings and closes', 'input that crashed or blocked other servers']

const chosen = (...families: readonly string[]): readonly string[] => families.flatMap((family) => ['--family', family])

/** Runs the command to its end. It waits long for each answer, because the machine may be busy; the last `--wait` counts. */
async function conformance(...args: readonly string[]) {
  const words = ['--conditions=sallyport-source', MAIN, '--wait', '30000', ...args]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const code = await ended(child)
  const lines = printed.trimEnd().split('\n')
  const [, passed, failed, skipped, needed = ''] = COUNTS.exec(lines.at(-1) ?? '') ?? []
  expect(skipped, printed).toBeDefined()
  expect(lines).toHaveLength(Number(passed) + Number(failed) + Number(skipped) + 1)
  return { code, lines, passed: Number(passed), failed: Number(failed), needed }
}

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step()
})

async function daemon() {
  const at: Folders = await folders()
  undo.push(() => at.remove())
  const started = await startDaemon(SOURCE, at)
  undo.push(() => started.stop())
  return started
}

test('the daemon passes every portable vector, signed in by its sandbox', async () => {
  const { socket, origin } = await daemon()
  const { code, lines, passed, needed } = await conformance('--socket', socket, '--api', origin)
  expect(lines.filter((line) => line.startsWith('FAILED'))).toEqual([])
  expect(code).toBe(0)
  expect(passed).toBeGreaterThan(150)
  expect(needed).not.toContain('a signed-in user')
})

test('without a token, vectors that sign in are skipped with the reason; a family can be chosen', async () => {
  const { socket } = await daemon()
  const { code, lines, needed } = await conformance('--socket', socket, ...chosen('the handshake', 'commands of embedded activities'))
  expect(code).toBe(0)
  expect(lines.slice(0, 19).every((line) => line.startsWith('ok      the handshake > '))).toBe(true)
  expect(lines[19]).toBe('skipped commands of embedded activities > OPEN_INVITE_DIALOG: needs a signed-in user')
  expect(needed).toBe('need 19: a signed-in user')
})

test('a token is used for its scopes only', async () => {
  const { socket, ready, origin } = await daemon()
  const token = await sandboxToken({ authorizeUrl: `${origin}/oauth2/authorize`, tokenUrl: ready.tokenUrl }, 'ada', '1234567890', [
    'identify',
    'rpc',
  ])
  const families = chosen('events that cannot be subscribed', 'commands of embedded activities')
  const { code, passed, needed } = await conformance('--socket', socket, `--token=${token}`, ...families)
  expect({ code, passed, needed }).toEqual({ code: 0, passed: 9, needed: 'need 19: a token with the scopes identify rpc guilds' })
})

test.skipIf(process.platform !== 'linux')('a foreign server is played to the end and counted', async () => {
  const ground = new Ground()
  undo.push(() => ground.clear())
  const { path } = await ground.start('arrpc')
  const { code, lines, passed, failed } = await conformance('--socket', path, '--wait', '500', ...chosen(...FOR_EVERY_SERVER))
  console.log([...lines.filter((line) => line.startsWith('FAILED')), lines.at(-1)].join('\n'))
  expect(passed).toBeGreaterThan(0)
  expect(code).toBe(failed === 0 ? 0 : 1)
})
