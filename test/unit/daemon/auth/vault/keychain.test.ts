import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keychain, type KeychainResponse, type KeychainRequest } from '#daemon/src/auth/vault/keychain.ts'
import type { KeyringAddon } from '#daemon/src/auth/vault/keychain-addon.ts'
import { handleRequest } from '#daemon/src/auth/vault/keychain-child.ts'
import { createKeychainClient } from '#daemon/src/auth/vault/keychain-client.ts'
import { Secret } from '@sallyport/core/secret'

const KEY = new Secret(Buffer.alloc(32, 7))

/** The library over a map, made to fail with `words`. */
function fakeAddon(words?: string) {
  const held = new Map<string, Uint8Array>()
  const opened: unknown[] = []
  class AsyncEntry {
    readonly #name: string
    constructor(service: string, account: string, options: unknown) {
      opened.push(options)
      if (words !== undefined) throw Object.assign(new Error(words), { code: 'GenericFailure' })
      this.#name = `${service} ${account}`
    }
    getSecret = async () => {
      const found = held.get(this.#name)
      return found === undefined ? null : [...found]
    }
    setSecret = async (secret: Uint8Array) => void held.set(this.#name, secret)
    deleteCredential = async () => held.delete(this.#name)
  }
  return { held, opened, load: async () => ({ AsyncEntry }) as unknown as KeyringAddon }
}
const over = (load: () => Promise<KeyringAddon>) => keychain((request) => handleRequest(request, load))

describe('a keychain', () => {
  it('keeps, gives back and removes a key, under our name and pinned to the store that lasts', async () => {
    const { held, opened, load } = fakeAddon()
    const store = over(load)
    expect(await store.read('id', 'brief')).toBeUndefined()
    await store.write('id', KEY)
    expect([...held.keys()]).toEqual(['sallyport id'])
    expect((await store.read('id', 'brief'))?.reveal()).toEqual(KEY.reveal())
    expect([await store.remove('id'), await store.remove('id')]).toEqual([true, false])
    expect(await store.read('id', 'brief')).toBeUndefined()
    for (const options of opened) expect(options).toEqual({ linux: { store: 'secret-service' } })
  })

  it('does not take what is no key for one', async () => {
    const { held, load } = fakeAddon()
    held.set('sallyport id', Buffer.from('short'))
    expect(await over(load).read('id', 'brief')).toBeUndefined()
  })

  it.each([
    [
      'no-bus',
      'Platform failure: DBus error: Using X11 for dbus-daemon autolaunch was disabled at compile time, set your DBUS_SESSION_BUS_ADDRESS instead',
    ],
    ['no-bus', 'Platform failure: DBus error: Failed to connect to socket /run/user/1/bus: No such file or directory'],
    ['no-service', 'Platform failure: DBus error: The name org.freedesktop.secrets was not provided by any .service files'],
    ['locked', "Couldn't access platform storage: Secret Service: no result found"],
    ['dismissed', "Couldn't access platform storage: Secret Service: unlock prompt was dismissed"],
    ['failed', 'Attribute too long'],
  ])('is away, %s, when the library says so', async (reason, words) => {
    const { load } = fakeAddon(words)
    for (const work of [over(load).read('id', 'brief'), over(load).write('id', KEY), over(load).remove('id')])
      await expect(work).rejects.toMatchObject({ name: 'KeyStoreUnavailable', reason })
  })

  it('is unavailable when this build has no library, and without a response', async () => {
    const none = over(() => Promise.reject(new Error('Cannot find native binding')))
    await expect(none.read('id', 'brief')).rejects.toMatchObject({ reason: 'no-addon' })
    const silent = keychain(async () => undefined)
    await expect(silent.read('id', 'brief')).rejects.toMatchObject({ reason: 'no-answer' })
  })

  it('gives a person more time than a store that should be open', async () => {
    const waits: number[] = []
    const store = keychain(async (_request, deadlineMs) => {
      waits.push(deadlineMs)
      return { ok: true, secret: null }
    })
    await store.read('id', 'brief')
    await store.read('id', 'patient')
    const [brief = 0, patient = 0] = waits
    expect(brief).toBeLessThanOrEqual(5_000)
    expect(patient).toBeGreaterThan(60_000)
  })
})

describe('the process that is asked', () => {
  let directory: string
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'keychain-'))
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  const request: KeychainRequest = { op: 'write', account: 'id', secret: 'c2VjcmV0' }
  const running = (name: string, code: string) => {
    const script = join(directory, `${name}.cjs`)
    writeFileSync(script, code)
    return createKeychainClient([process.execPath, script])
  }
  const answers = (name: string, code: string, deadlineMs = 60_000): Promise<KeychainResponse | undefined> =>
    running(name, code).send(request, deadlineMs)

  it('gets the request over its channel, never on its command line or in its environment', async () => {
    process.env['SALLYPORT_PLANTED'] = 'planted'
    const echo = `process.on('message',request=>process.send({ok:true,secret:JSON.stringify([request,process.argv.slice(2),process.env])},()=>process.exit()))`
    const answer = await answers('echo', echo)
    delete process.env['SALLYPORT_PLANTED']
    const [received, words, env] = JSON.parse(answer?.ok === true ? (answer.secret ?? '') : '') as [
      KeychainRequest,
      string[],
      Record<string, string>,
    ]
    expect(received).toEqual(request)
    expect(words).toEqual([])
    expect(JSON.stringify(env)).not.toMatch(/planted|c2VjcmV0/)
    expect(env['PATH']).toBe(process.env['PATH'])
  })

  it.each([
    ['says nothing', ''],
    ['speaks elsewhere', `console.log('{"ok":true}')`],
    ['dies', 'process.exit(3)'],
    ['answers and then fails', 'process.send({ok:true},()=>process.exit(3))'],
  ])('that %s gives no answer', async (what, code) => {
    expect(await answers(what.replaceAll(' ', '-'), code)).toBeUndefined()
  })

  it('that hangs is ended at the deadline, also in a call that blocks it', async () => {
    expect(await answers('hangs', 'setInterval(()=>{},1e6)', 300)).toBeUndefined()
    expect(await answers('blocks', 'for(;;);', 300)).toBeUndefined()
  })

  it('that cannot be started says so', async () => {
    expect(await createKeychainClient([join(directory, 'nothing')]).send(request, 1_000)).toMatchObject({ ok: false, problem: 'addon' })
  })

  it('is ended when the daemon ends', async () => {
    const helper = running('waits', 'setInterval(()=>{},1e6)')
    const asked = helper.send(request, 600_000)
    helper.close()
    expect(await asked).toBeUndefined()
  })
})
