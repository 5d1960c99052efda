/** The packaged file alone in an empty folder, with an empty environment, serves a published client. */
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Client } from '@xhayper/discord-rpc'
import { describe, expect, test, vi } from 'vitest'
import { PARTS } from '#daemon/packaging/parts.ts'
import { folders, sallyport, startDaemon, SMOKE_TARGETS } from './support/daemon.ts'

/** The text of the dashboard, and the SDK of OpenTelemetry. */
const ON_DEMAND = new Set(['sallyport-dashboard.cjs', 'sallyport-otlp.cjs'])

const packaged = SMOKE_TARGETS.find(({ name }) => name === 'packaged')

describe.skipIf(packaged === undefined)('packaged', () => {
  test('has code caches of the files that a daemon reads until a game has signed in', async () => {
    const program = packaged?.command[0] ?? ''
    const caches = (await readdir(dirname(program))).filter((name) => name.startsWith(`${basename(program)}.`) && name.endsWith('.cache'))
    // The others: what few daemons show or send, and what neither a start nor a sign-in needs.
    const read = PARTS.slice(0, -1).filter(({ file }) => !ON_DEMAND.has(file))
    const named = read.map(({ file }) => `${basename(program)}.${file}.cache`)
    expect(new Set(caches)).toEqual(new Set(named))
  })

  test('copied alone, it serves a published client', async () => {
    const at = await folders()
    const alone = join(at.data, 'alone')
    await mkdir(alone, { recursive: true, mode: 0o700 })
    const program = join(alone, 'sallyport')
    await copyFile(packaged?.command[0] ?? '', program)
    const target = { name: 'packaged', command: [program] } as const

    expect((await sallyport(target, ['version'], { PATH: '' })).out).toMatch(/\d+\.\d+\.\d+/)
    const daemon = await startDaemon(target, at, [], { PATH: '' })
    vi.stubEnv('XDG_RUNTIME_DIR', at.runtime)
    const clientId = '333444555666777888'
    const client = new Client({ clientId, clientSecret: `sandbox-secret-${clientId}` })
    // Where the library keeps the base of the HTTP API; private by its types only.
    Object.assign((client as unknown as { readonly rest: { readonly options: object } }).rest.options, { api: `${daemon.origin}/api` })
    await client.login({ scopes: ['identify'] })
    expect(await client.user?.setActivity({ details: 'Alone' })).toMatchObject({ details: 'Alone' })
    await client.destroy()
    vi.unstubAllEnvs()
    expect(await daemon.stop()).toBe(0)
    await at.remove()
  })
})
