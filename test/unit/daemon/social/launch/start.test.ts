/** Starting a game: a real process, without a shell and without the bridge's own settings. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SOON } from '../../../../support/soon.ts'
import { startGame } from '../../../../../daemon/src/social/launch/start.ts'

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

it('hands arguments over as they are, beside its program, in an environment without secrets of ours', async () => {
  vi.stubEnv('SALLYPORT_BOT_TOKEN', 'secret')
  vi.stubEnv('NOTIFY_SOCKET', '/run/notify')
  vi.stubEnv('SDL_MARK', 'kept')
  vi.stubEnv('GITHUB_TOKEN', 'secret')
  const file = join(directory, 'told')
  await startGame([])({ kind: 'program', program: process.execPath, args: ['-e', WRITES, file, '$(touch x)', 'a b', ''] })
  const told = await written(file)
  expect(told).toMatchObject({ rest: ['$(touch x)', 'a b', ''], cwd: realpathSync(dirname(process.execPath)), mark: 'kept' })
  expect((told['names'] as string[]).filter((name) => /^SALLYPORT_|^NOTIFY_SOCKET$|TOKEN/.test(name))).toEqual([])
})

it('opens an address with the first opener that can', async () => {
  const file = join(directory, 'opened')
  await startGame([['no-such-program-anywhere'], [process.execPath, '-e', 'process.exit(3)'], [process.execPath, '-e', WRITES, file]])({
    kind: 'uri',
    uri: 'my-game://join',
  })
  expect(await written(file)).toMatchObject({ rest: ['my-game://join'] })
})

it('says why it could not', async () => {
  await expect(startGame([])({ kind: 'program', program: join(directory, 'gone'), args: [] })).rejects.toThrow('ENOENT')
  await expect(startGame([['no-such-program-anywhere']])({ kind: 'uri', uri: 'my-game://join?x=1' })).rejects.toThrow(
    'no program opens my-game: addresses',
  )
})
