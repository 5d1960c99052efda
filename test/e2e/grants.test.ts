/** A grant belongs to one program: no prompt for the same file, a prompt for a copy or a changed one. Grants are listed and revoked. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPkce } from '@sallyport/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jsonOf, OP } from '#test/support/frames.ts'
import { stateOf } from './support/bridge-state.ts'
import { type Daemon, type Folders, folders, sallyport, startDaemon, TARGETS } from './support/daemon.ts'
import { fieldOf, Person } from './support/person.ts'
import { makeProgram, ProgramClient } from './support/program-client.ts'

const APPLICATION = '888000444'
const SCOPES = ['identify', 'guilds']
const OURS = { client_id: APPLICATION, contract: '1.0', streams: true }
const OLD = { client_id: APPLICATION }

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  let game: string
  let copy: string
  let accessToken: string

  beforeAll(async () => {
    at = await folders()
    game = makeProgram(join(at.data, 'games', 'game'))
    copy = makeProgram(join(at.data, 'games', 'copy'))
    daemon = await startDaemon(target, at)
  })
  afterAll(async () => {
    await daemon.stop()
    await at.remove()
  })

  const start = (program: string, hello: object = OURS) => ProgramClient.start(program, daemon.socket, hello)
  const person = () => new Person(daemon)

  async function grantOf(program: string): Promise<{ readonly id: string; readonly basis: string; readonly scopes: readonly string[] }> {
    const { code, out } = await sallyport(target, ['grants', '--json', '--data-dir', at.data])
    expect(code).toBe(0)
    const rows = JSON.parse(out) as readonly { id: string; program: string; basis: string; scopes: readonly string[] }[]
    const row = rows.find((one) => one.program === program)
    if (row === undefined) throw new Error(`no grant of ${program} in ${out}`)
    return row
  }

  test('a program that signed in is signed in again without a prompt, by another daemon too', async () => {
    const first = await start(game)
    const { verifier, challenge } = createPkce()
    const asked = await first.call('AUTHORIZE', { scopes: SCOPES, code_challenge: challenge, code_challenge_method: 'S256' })
    const { code, redirect_uri } = asked.data as { readonly code: string; readonly redirect_uri: string }
    const tokens = await first.call('GET_TOKEN', { code, code_verifier: verifier, redirect_uri })
    accessToken = (tokens.data as { readonly access_token: string }).access_token
    await daemon.kill()
    await first.end()

    daemon = await startDaemon(target, at, ['--consent', 'prompt'])
    const again = await start(game)
    expect(await again.call('AUTHENTICATE', {})).toMatchObject({ evt: null, data: { user: { username: 'ada' }, scopes: SCOPES } })
    expect(await again.call('GET_CURRENT_USER')).toMatchObject({ evt: null, data: { username: 'ada' } })
    expect(await grantOf(game)).toMatchObject({ basis: 'allowed', scopes: SCOPES })
    await again.end()
  })

  test('a copy causes a prompt, and the decision on the dashboard applies', async () => {
    const client = await start(copy)
    const refused = client.call('AUTHENTICATE', {})
    const asked = await person().prompt()
    expect(asked.lines).toMatchObject([
      { label: 'Application' },
      { label: 'Account', text: 'ada' },
      { label: 'May do', text: SCOPES.join(', ') },
      { label: 'Why', text: expect.stringContaining('not allowed') },
      { label: 'Process' },
      { label: 'Program', text: copy },
    ])
    const guess = { method: 'POST', headers: { authorization: 'Bearer guess' } }
    expect((await fetch(new URL(`/api/prompts/${asked.id}/allow`, daemon.ready.dashboard ?? ''), guess)).status).toBe(401)
    expect(await person().answer(asked, 'deny')).toBe(200)
    expect(await refused).toMatchObject({ evt: 'ERROR', data: { code: 5000, message: expect.stringContaining('access_denied') } })
    // Asked again at once, it is refused without bothering the user.
    expect(await client.call('AUTHENTICATE', {})).toMatchObject({ data: { code: 5000 } })
    expect(await person().answer(asked, 'allow')).toBe(404)
    await client.end()
  })

  test('a changed executable causes a prompt, with any earlier decision', async () => {
    // The copy was refused just now: another daemon has not heard of it.
    await daemon.stop()
    daemon = await startDaemon(target, at, ['--consent', 'prompt'])
    appendFileSync(copy, 'x')
    const client = await start(copy, OLD)
    const allowed = client.call('AUTHENTICATE', {})
    const first = await person().prompt()
    expect(fieldOf(first, 'Program')).toBe(copy)
    await person().answer(first, 'allow')
    expect(await allowed).toMatchObject({ evt: null, data: { user: { username: 'ada' } } })
    await client.end()

    appendFileSync(game, 'x')
    const changed = await start(game)
    const silent = await start(copy, OLD)
    const waiting = changed.call('AUTHENTICATE', {})
    const second = await person().prompt()
    expect([fieldOf(second, 'Program'), fieldOf(second, 'Why')]).toEqual([game, expect.stringContaining('changed')])
    expect(await silent.call('AUTHENTICATE', {})).toMatchObject({ evt: null })
    await person().answer(second, 'allow')
    expect(await waiting).toMatchObject({ evt: null })
    await Promise.all([changed.end(), silent.end()])
  })

  test('the user narrows, hides and blocks a program, also over a restart, and lifts the block', async () => {
    const choose = (...words: readonly string[]) => sallyport(target, ['grants', ...words, '--data-dir', at.data])
    const { id } = await grantOf(copy)
    const first = await start(copy)
    expect(await first.call('AUTHENTICATE', {})).toMatchObject({ evt: null, data: { scopes: SCOPES } })
    expect(await first.call('GET_CURRENT_USER_GUILDS')).toMatchObject({ evt: null })
    expect(await choose('narrow', id, 'guilds')).toMatchObject({ code: 0, out: expect.stringContaining('no longer has: guilds') })
    expect(await choose('hide', id)).toMatchObject({ code: 0 })
    expect(await choose('narrow', id, 'email')).toMatchObject({ code: 4, err: expect.stringContaining('does not have email') })
    expect(await choose('hide', 'zzzzzz')).toMatchObject({ code: 4, err: expect.stringContaining('no grant zzzzzz') })
    expect(await first.call('GET_CURRENT_USER_GUILDS')).toMatchObject({ evt: 'ERROR', data: { code: 4006 } })
    expect(await first.call('SET_ACTIVITY', { pid: 1, activity: { details: 'At sea' } })).toMatchObject({ data: { hidden: true } })
    await first.end()
    await daemon.stop()
    daemon = await startDaemon(target, at, ['--consent', 'prompt'])
    const second = await start(copy)
    expect(await second.call('AUTHENTICATE', {})).toMatchObject({ evt: null, data: { scopes: ['identify'] } })
    expect(await second.call('SET_ACTIVITY', { pid: 1, activity: { details: 'At sea' } })).toMatchObject({ data: { hidden: true } })
    expect((await stateOf(daemon)).presences).toMatchObject([{ details: 'At sea', hidden: 'hidden' }])

    expect(await choose('block', id)).toMatchObject({ code: 0, out: expect.stringContaining(`grants revoke ${id}`) })
    const farewell = await second.next()
    expect([farewell.opcode, jsonOf(farewell.payload)]).toMatchObject([OP.CLOSE, { code: 4003 }])
    await second.end()
    await daemon.stop()
    daemon = await startDaemon(target, at, ['--consent', 'prompt'])
    const third = await start(copy)
    for (const cmd of ['AUTHENTICATE', 'SET_ACTIVITY', 'GET_BRIDGE_STATUS'])
      expect(await third.call(cmd, {})).toMatchObject({ data: { code: 4006, message: expect.stringContaining('blocked this program') } })
    expect(await person().prompts()).toEqual([])
    expect((await choose()).out).toMatch(new RegExp(`^${id} .* blocked$`, 'm'))
    expect(await choose('revoke', id)).toMatchObject({ code: 0 })
    // The program begins anew.
    const allowed = third.call('AUTHENTICATE', {})
    await person().answer(await person().prompt(), 'allow')
    expect(await allowed).toMatchObject({ evt: null, data: { scopes: SCOPES } })
    await third.end()
  })

  test('revoking signs one program out and leaves the other; with the last one the tokens go', async () => {
    const [ours, old] = [await start(game), await start(copy, OLD)]
    for (const client of [ours, old]) expect(await client.call('AUTHENTICATE', {})).toMatchObject({ evt: null })
    const { id } = await grantOf(copy)
    const revoked = await sallyport(target, ['grants', 'revoke', id, '--data-dir', at.data])
    expect(revoked).toMatchObject({ code: 0, out: expect.stringContaining(`Revoked ${id}`) })
    const farewell = await old.next()
    expect(farewell.opcode).toBe(OP.CLOSE)
    expect(jsonOf(farewell.payload)).toMatchObject({ code: 4003 })
    expect(await ours.call('GET_CURRENT_USER')).toMatchObject({ evt: null })
    expect(await sallyport(target, ['grants', 'revoke', id, '--data-dir', at.data])).toMatchObject({
      code: 4,
      err: expect.stringContaining(id),
    })

    const api = () => fetch(`${daemon.ready.apiBase}/users/@me`, { headers: { authorization: `Bearer ${accessToken}` } })
    expect((await api()).status).toBe(200)
    await sallyport(target, ['grants', 'revoke', (await grantOf(game)).id, '--data-dir', at.data])
    expect(await ours.message()).toMatchObject({ evt: 'TOKEN_REVOKED', data: { application_id: APPLICATION, cause: 'revoked_by_user' } })
    expect((await api()).status).toBe(401)
    expect(await ours.call('AUTHENTICATE', {})).toMatchObject({ evt: 'ERROR', data: { code: 4009 } })
    expect((await sallyport(target, ['grants', '--data-dir', at.data])).out).toBe('No program has a grant.\n')
    await Promise.all([ours.end(), old.end()])
  })

  test('after the daemon ended, the command line reports it, and no address is left', async () => {
    await daemon.stop()
    const { code, err } = await sallyport(target, ['grants', '--data-dir', at.data])
    expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining('sallyport run') })
    daemon = await startDaemon(target, at)
  })
})
