/** Direct messages through the real daemon: read once, then answered from the cache, and deleted from the disk with the account. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_COMMUNICATION_SCOPES, type SallyportClient } from '@sallyport/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, folders, startDaemon, TARGETS } from './support/daemon.ts'

const APPLICATION = '888000555'

interface State {
  readonly users: readonly { readonly id: string; readonly username: string }[]
  readonly requests: readonly { readonly method: string; readonly path: string }[]
}

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon

  beforeAll(async () => {
    at = await folders()
    daemon = await startDaemon(target, at)
  })
  afterAll(async () => {
    await daemon.stop()
    await at.remove()
  })

  const state = async () => (await (await fetch(`${daemon.origin}/sandbox/state`)).json()) as State
  const readings = async () =>
    (await state()).requests.filter(({ method, path }) => method === 'GET' && path.split('?')[0]?.endsWith('/messages')).length
  const onDisk = async (text: string) => {
    const names = (await readdir(at.data)).filter((name) => name.startsWith('history.sqlite'))
    const files = await Promise.all(names.map((name) => readFile(join(at.data, name))))
    return files.some((file) => file.includes(text))
  }

  test('a history is requested from the platform once, survives a restart of the daemon, and ends with the sign-in', {
    tags: ['1-9', '4.3-17'],
  }, async () => {
    const user_id = (await state()).users.find(({ username }) => username === 'grace')?.id ?? ''
    const game = await connectedGame({ applicationId: APPLICATION, runtimeDir: at.runtime })
    expect(await game.call('GET_CURRENT_USER_V2')).toBeNull()
    await game.askToSignIn({ scopes: DEFAULT_COMMUNICATION_SCOPES })
    expect(await game.call('GET_CURRENT_USER_V2')).toMatchObject({ username: 'ada', premium_type: 0 })
    expect(game.currentUser).toMatchObject({ username: 'ada' })

    const first = await game.call('SEND_USER_MESSAGE', { user_id, content: 'The keys are under the anchor' })
    const read = async (client: SallyportClient) => (await client.call('GET_USER_MESSAGES', { user_id })).map(({ content }) => content)
    expect(await read(game)).toEqual(['The keys are under the anchor'])
    const asked = await readings()
    await game.call('SEND_USER_MESSAGE', { user_id, content: 'Moved to the bell' })
    await game.call('EDIT_USER_MESSAGE', { user_id, message_id: first.id, content: 'The keys were under the anchor' })
    expect(await read(game)).toEqual(['Moved to the bell', 'The keys were under the anchor'])
    expect(await readings()).toBe(asked)
    expect((await stat(join(at.data, 'history.sqlite'))).mode & 0o077).toBe(0)
    expect(await onDisk('Moved to the bell')).toBe(true)
    await game.close()

    await daemon.stop()
    daemon = await startDaemon(target, at)
    const again = await connectedGame({ applicationId: APPLICATION, runtimeDir: at.runtime })
    await again.signInSilently()
    expect(await read(again)).toEqual(['Moved to the bell', 'The keys were under the anchor'])
    expect(await readings()).toBe(0)

    await again.call('FORGET_TOKENS')
    expect(await onDisk('the bell')).toBe(false)
    await again.close()
  })
})
