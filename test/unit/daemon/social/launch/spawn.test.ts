/** Starting a game: a real process, without a shell and without the bridge's own settings. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SOON } from '#test/support/soon.ts'
import { spawnGame } from '#daemon/src/social/launch/spawn.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'start-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(directory, { recursive: true })
})

const WRITES = `const fs = require('node:fs'); const [to, ...rest] = process.argv.slice(1)
fs.writeFileSync(to + '.part', JSON.stringify({ rest, cwd: process.cwd(), names: Object.keys(process.env), mark: process.env.SDL_MARK ?? null })); fs.renameSync(to + '.part', to)`
const written = (file: string) => vi.waitFor(() => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>, SOON)

it("passes arguments unchanged, in the program's directory, in an environment without the daemon's secrets", async () => {
  vi.stubEnv('SALLYPORT_BOT_TOKEN', 'secret')
  vi.stubEnv('NOTIFY_SOCKET', '/run/notify')
  vi.stubEnv('SDL_MARK', 'kept')
  vi.stubEnv('GITHUB_TOKEN', 'secret')
  const file = join(directory, 'report')
  await spawnGame([])({ kind: 'program', program: process.execPath, args: ['-e', WRITES, file, '$(touch x)', 'a b', ''] })
  const report = await written(file)
  expect(report).toMatchObject({ rest: ['$(touch x)', 'a b', ''], cwd: realpathSync(dirname(process.execPath)), mark: 'kept' })
  expect((report['names'] as string[]).filter((name) => /^SALLYPORT_|^NOTIFY_SOCKET$|TOKEN/.test(name))).toEqual([])
})

it('opens a URI with the first opener that succeeds', async () => {
  const file = join(directory, 'opened')
  await spawnGame([['no-such-program-anywhere'], [process.execPath, '-e', 'process.exit(3)'], [process.execPath, '-e', WRITES, file]])({
    kind: 'uri',
    uri: 'my-game://join',
  })
  expect(await written(file)).toMatchObject({ rest: ['my-game://join'] })
})

it('rejects with the reason', async () => {
  await expect(spawnGame([])({ kind: 'program', program: join(directory, 'gone'), args: [] })).rejects.toThrow('ENOENT')
  await expect(spawnGame([['no-such-program-anywhere']])({ kind: 'uri', uri: 'my-game://join?x=1' })).rejects.toThrow(
    'no program opens my-game: addresses',
  )
})
