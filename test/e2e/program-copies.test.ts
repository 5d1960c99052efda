/** A copy of the program without one of its files: what needs that file, and what does not. */
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Folders, folders, sallyport, startDaemon, type Target } from './support/daemon.ts'
import { elsewhere } from './support/elsewhere.ts'
import { copyProgram, programMade } from './support/program.ts'
import { RawClient } from './support/raw-client.ts'

const APPLICATION = '998877665544332211'

let at: Folders
const closers: (() => unknown)[] = []
beforeEach(async () => {
  at = await folders()
})
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
  await at.remove()
})

async function copyWithout(file: string): Promise<Target> {
  await programMade()
  const copy = copyProgram(join(at.base, 'clone'))
  rmSync(join(dirname(copy), file))
  return { name: 'source', command: [process.execPath, copy] }
}

/** A game of a player, whose daemon is such a copy. */
async function gameWithout(file: string, platform: string): Promise<RawClient> {
  const profile = join(at.base, 'elsewhere.json')
  writeFileSync(profile, JSON.stringify(elsewhere(platform)))
  const daemon = await startDaemon(await copyWithout(file), at, ['--platform', profile, '--consent', 'deny'])
  closers.push(() => daemon.stop())
  return RawClient.ready(daemon.socket, { client_id: APPLICATION })
}

test('without the file of the HTTP client and the gateway, the daemon serves a game that does not sign in', async () => {
  const game = await gameWithout('sallyport-online.cjs', 'http://127.0.0.1:9')
  expect(await game.call('SET_ACTIVITY', { pid: 1, activity: { state: 'In a file of its own' } })).toMatchObject({ evt: null })
})

test('without the file of the commands and the sandbox, the daemon sends the requests of a game to its platform', async () => {
  const platform = createServer((_, response) => response.writeHead(401).end('{"code":0,"message":"401: Unauthorized"}'))
  await new Promise<void>((done) => platform.listen(0, '127.0.0.1', done))
  closers.push(() => {
    platform.closeAllConnections()
    platform.close()
  })
  const game = await gameWithout('sallyport-rest.cjs', `http://127.0.0.1:${(platform.address() as AddressInfo).port}`)
  const { data } = await game.call('AUTHENTICATE', { access_token: 'unknown-to-the-platform' })
  expect(data).toMatchObject({ http_status: 401 })
})

test('without the file of the bridge, the program runs the commands that ask one', async () => {
  const target = await copyWithout('sallyport-bridge.cjs')
  const { err } = await sallyport(target, ['status', '--runtime-dir', at.runtime, '--data-dir', at.data], { HOME: at.data })
  expect(err).toContain('No bridge')
  expect((await sallyport(target, ['config', '--json'], { HOME: at.data })).code).toBe(0)
})
