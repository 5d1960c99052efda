/** The bridge identifies its callers by what the system reports. Without such reports it does not start, and its status shows which it has. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Daemon, type Folders, folders, sallyport, SOURCE, startDaemon, TARGETS } from './support/daemon.ts'
import { ProgramClient } from './support/program-client.ts'

/** Carries bytes between its own streams and the socket that its last word names. */
const CARRIER = `
const socket = require('node:net').connect(process.argv.at(-1))
process.stdin.pipe(socket).pipe(process.stdout)
socket.on('close', () => process.exit())
`

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  beforeEach(async () => {
    at = await folders()
    daemon = await startDaemon(target, at)
  })
  afterEach(async () => {
    await daemon.stop()
    await at.remove()
  })

  test('the status shows that the processes of callers are held', async () => {
    const { code, out } = await sallyport(target, ['status', '--json', '--runtime-dir', at.runtime, '--data-dir', at.data])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ peers: { state: 'held' } })
    const { out: text } = await sallyport(target, ['status', '--runtime-dir', at.runtime, '--data-dir', at.data])
    expect(text).not.toContain('does not identify')
  })

  /** The answer to a program, started by `by`, that registers a launch command. */
  async function register(by: readonly string[], script: string): Promise<unknown> {
    const game = await ProgramClient.start(script, daemon.socket, { client_id: '888000777' }, { by })
    try {
      return await game.call('REGISTER_LAUNCH_COMMAND', { command: process.execPath })
    } finally {
      await game.end()
    }
  }

  test('a program that cannot be known again registers no launch command, and a script does', async () => {
    const script = join(at.base, 'game.cjs')
    writeFileSync(script, CARRIER)
    expect(await register([process.execPath, '-e', CARRIER, '--'], script)).toMatchObject({
      evt: 'ERROR',
      data: {
        code: 4000,
        path: 'command',
        message: expect.stringMatching(/cannot be stored because the calling program is unknown/) as string,
      },
    })
    expect(await register([process.execPath], script)).toMatchObject({ evt: null })
  })
})

// The packaged file takes no options of Node from its environment, so it cannot lose what it needs in this way.
describe.skipIf(process.platform === 'win32')('a Node without node:ffi', () => {
  let at: Folders
  beforeEach(async () => {
    at = await folders()
  })
  afterEach(() => at.remove())

  test('ends before it serves a game, and prints the reason and the remedy', async () => {
    const words = ['run', '--json', '--runtime-dir', at.runtime, '--data-dir', at.data]
    const { code, err } = await sallyport(SOURCE, words, { NODE_OPTIONS: '--no-experimental-ffi', SALLYPORT_VAULT: 'file' })
    // What else cannot be done without it is said before.
    expect(JSON.parse(err.trim().split('\n').at(-1) ?? '')).toEqual({
      error: {
        name: 'SERVICE_UNAVAILABLE',
        code: 1001,
        exit_code: 1,
        message: expect.stringMatching(/node:ffi is missing or disabled.*remove --no-experimental-ffi.*NODE_OPTIONS/) as string,
      },
    })
    expect(code).toBe(1)
    // There is no socket to connect to.
    expect(existsSync(at.runtime) ? readdirSync(at.runtime) : []).toEqual([])
  })
})
