/** A service manager opens the socket and hands it over: the daemon serves it, and leaves the file to its owner. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cleanEnvironment, type Folders, folders, TARGETS } from './support/daemon.ts'
import { RawClient } from './support/raw-client.ts'

interface WithDescriptor {
  readonly _handle: { readonly fd: number }
}

describe.skipIf(process.platform === 'win32').each(TARGETS)('$name', (target) => {
  let at: Folders
  beforeEach(async () => {
    at = await folders()
  })
  afterEach(() => at.remove())

  test('serves the descriptor it was given', async () => {
    mkdirSync(at.runtime, { recursive: true, mode: 0o700 })
    const path = join(at.runtime, 'discord-ipc-0')
    const opened = createServer().listen(path)
    await new Promise((done) => opened.once('listening', done))
    const { fd } = (opened as unknown as WithDescriptor)._handle

    const words = ['run', '--json', '--consent', 'allow', '--data-dir', at.data, '--runtime-dir', at.runtime]
    // The shell learns its own pid, which exec keeps: the daemon must see it in LISTEN_PID.
    const child = spawn('/bin/sh', ['-c', 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"', 'sh', ...target.command, ...words], {
      env: { ...cleanEnvironment(), HOME: at.data },
      stdio: ['ignore', 'pipe', 'inherit', fd],
    })
    const line = await new Promise<string>((resolve) => child.stdout?.setEncoding('utf8').once('data', resolve))
    opened.unref()
    expect(JSON.parse(line)).toMatchObject({ event: 'ready', ipc: ['fd:3'] })

    const client = await RawClient.ready(path)
    expect(await client.call('SET_ACTIVITY', { pid: 1, activity: { state: 'activated' } })).toMatchObject({ data: { state: 'activated' } })
    client.hangUp()
    child.kill('SIGTERM')
    await new Promise((done) => child.once('exit', done))
    expect(existsSync(path)).toBe(true)
    opened.close()
  })
})
