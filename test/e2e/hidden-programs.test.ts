/** Programs that the system hides from a bridge of an ordinary user: a grant of one is valid neither for another nor for its next start. */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { createPkce } from '@sallyport/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canBeOther, NO_OTHER_USER } from '#test/support/other-user.ts'
import { type Daemon, type Folders, startDaemon, TARGETS, type Target } from './support/daemon.ts'
import { AS_USER, foldersOfUser, ofUser } from './support/ordinary-user.ts'
import { makeProgram, ProgramClient } from './support/program-client.ts'

const APPLICATION = '888000666'
const OURS = { client_id: APPLICATION, contract: '1.0', streams: true }
const HIDDEN = ['--hide']
const REFUSED = { evt: 'ERROR', data: { code: 5000, message: expect.stringContaining('access_denied') as string } }

describe.skipIf(!canBeOther).each(TARGETS)(`$name (${canBeOther ? 'as an ordinary user' : NO_OTHER_USER})`, (target) => {
  let at: Folders
  let user: Target
  let daemon: Daemon

  beforeAll(async () => {
    at = foldersOfUser()
    user = await ofUser(target, at.base)
    daemon = await startDaemon(user, at)
  })
  afterAll(async () => {
    await daemon.stop()
    await at.remove()
  })

  const program = (name: string): string => {
    const path = makeProgram(join(at.base, name))
    chmodSync(path, 0o755)
    return path
  }
  const start = (path: string, flags: readonly string[] = []) => ProgramClient.start(path, daemon.socket, OURS, { flags, by: AS_USER })

  async function signInSilently(path: string): Promise<unknown> {
    const client = await start(path, HIDDEN)
    const answer = await client.call('AUTHENTICATE', {})
    await client.end()
    return answer
  }

  test('a hidden program causes a prompt each time, and two hidden programs are not the same', async () => {
    const game = await start(program('game'))
    const { verifier, challenge } = createPkce()
    const asked = await game.call('AUTHORIZE', { scopes: ['identify'], code_challenge: challenge, code_challenge_method: 'S256' })
    const { code, redirect_uri } = asked.data as { readonly code: string; readonly redirect_uri: string }
    const kept = await game.call('GET_TOKEN', { code, code_verifier: verifier, redirect_uri })
    expect(kept.data).not.toHaveProperty('kept')
    await game.end()

    const [one, two] = [program('one'), program('two')]
    expect(await signInSilently(one), 'the user allows it').toMatchObject({ evt: null, data: { user: { username: 'ada' } } })
    await daemon.stop()
    daemon = await startDaemon(user, at, ['--consent', 'deny'])
    expect(await signInSilently(one)).toMatchObject(REFUSED)
    expect(await signInSilently(two)).toMatchObject(REFUSED)
  })

  test('the daemon keeps no sign-in for a hidden program, and says so with the tokens', async () => {
    await daemon.stop()
    daemon = await startDaemon(user, at)
    const client = await start(program('keeper'), HIDDEN)
    const { verifier, challenge } = createPkce()
    const asked = await client.call('AUTHORIZE', { scopes: ['identify'], code_challenge: challenge, code_challenge_method: 'S256' })
    const { code, redirect_uri } = asked.data as { readonly code: string; readonly redirect_uri: string }
    expect(await client.call('GET_TOKEN', { code, code_verifier: verifier, redirect_uri })).toMatchObject({
      evt: null,
      data: { kept: false },
    })
    await client.end()
  })
})
