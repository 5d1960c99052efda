/** `sallyport trace`: a developer who has only the id of an error finds what is wrong. The real daemon, with its sandbox. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ALL_SCOPES, setApplication } from './support/application-settings.ts'
import { executablePath, NO_BROWSER, openBrowser } from './support/browser.ts'
import { type Daemon, type Folders, folders, sallyport, SMOKE_TARGETS, startCommand, startDaemon } from './support/daemon.ts'
import { sandboxToken } from './support/sandbox-token.ts'
import { RawClient } from './support/raw-client.ts'

const APPLICATION = '223344556677889933'
const PLANTED = 'planted-secret-of-a-trace'

interface Archive {
  readonly log: {
    readonly entries: readonly {
      readonly request: { readonly method: string; readonly url: string }
      readonly response: { readonly status: number }
    }[]
  }
}

describe.each(SMOKE_TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  let game: RawClient
  const run = (...words: string[]) => sallyport(target, [...words, '--data-dir', at.data], { HOME: at.data })
  const fault = (settings: object) =>
    fetch(`${daemon.origin}/sandbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ match: { path: '/users/@me/guilds' }, times: 9, ...settings }),
    })

  const dropped = (path: string) => fault({ match: { path }, drop: 'before-reply' })

  /** The id in the error of a call, and its story. */
  async function failed(cmd: string, args: object): Promise<{ id: string; story: string }> {
    const { evt, data } = await game.call(cmd, args)
    expect(evt).toBe('ERROR')
    const id = String((data as { call_id?: string }).call_id)
    const { code, out } = await run('trace', id)
    expect(code).toBe(0)
    return { id, story: out }
  }

  beforeAll(async () => {
    at = await folders()
    daemon = await startDaemon(target, at, ['--log-level', 'debug'])
    await setApplication(daemon.origin, APPLICATION, ALL_SCOPES)
    game = await RawClient.ready(daemon.socket, { client_id: APPLICATION, contract: '1.0' })
  })
  afterAll(async () => {
    game.hangUp()
    await daemon.stop()
    await at.remove()
  })

  test('a missing sign-in, of which only the failure was kept', async () => {
    const { id, story } = await failed('GET_CURRENT_USER_GUILDS', {})
    expect(story).toContain(`${id} GET_CURRENT_USER_GUILDS`)
    expect(story).toContain('error 4006')
    expect(story).toContain('only the failure')
  })

  test('an argument that breaks a rule', async () => {
    const { story } = await failed('SET_ACTIVITY', { pid: 1, activity: { state: 'x'.repeat(129) } })
    expect(story).toContain('error 4000')
    expect(story).toMatch(/must have at most 128 characters, 129 given/)
    expect(story).toMatch(/argument +activity\.state/)
    expect(story).toMatch(/to do +Correct the argument activity\.state/)
  })

  test('a scope that the token lacks, a limit and a dead platform, each whole while an operator inspects', async () => {
    const watching = await startCommand(target, ['inspect', '--data-dir', at.data], { HOME: at.data })
    await watching.said('Frames are shown')
    const signIn = async (scopes: readonly string[]): Promise<void> => {
      const places = { authorizeUrl: `${daemon.origin}/oauth2/authorize`, tokenUrl: daemon.ready.tokenUrl }
      const { evt } = await game.call('AUTHENTICATE', { access_token: await sandboxToken(places, 'ada', APPLICATION, scopes) })
      expect(evt).toBeNull()
    }
    await signIn(['identify'])
    const scope = await failed('GET_CURRENT_USER_GUILDS', {})
    expect(scope.story).toMatch(/scopes +requires guilds.*missing: guilds/)
    expect(scope.story).toMatch(/to do +Call AUTHORIZE once more with the scope guilds/)

    await signIn(['identify', 'guilds'])
    await fault({ status: 429, headers: { 'retry-after': '3600' } })
    const limited = await failed('GET_CURRENT_USER_GUILDS', {})
    expect(limited.story).toMatch(/token +user \d+: /)
    expect(limited.story).toMatch(/HTTP +GET \/users\/@me\/guilds → 429/)
    expect(limited.story).toContain('error 5011')
    expect(limited.story).toMatch(/to do +Call less often, .* after 3600 s/)
    expect(limited.story.trim().split('\n').length).toBeLessThanOrEqual(14)

    await signIn(['identify', 'connections', 'guilds'])
    const { requests } = (await (await fetch(`${daemon.origin}/sandbox/state`)).json()) as { requests: readonly object[] }
    expect(requests).toContainEqual(expect.objectContaining({ path: expect.stringContaining('/guilds'), status: 429, call: limited.id }))
    await expect.poll(daemon.output).toContain(`"call":"${limited.id}"`)

    await fetch(`${daemon.origin}/sandbox/faults`, { method: 'DELETE' })
    await dropped('/users/@me/connections')
    const dead = await failed('GET_CURRENT_USER_CONNECTIONS', {})
    expect(dead.story).toMatch(/HTTP +GET \/users\/@me\/connections → interrupted/)
    expect(dead.story).toMatch(/to do +Check the network .*sallyport doctor.*try again later/)

    await fetch(`${daemon.origin}/sandbox/faults`, { method: 'DELETE' })
    await fault({ match: { path: '/users/@me/connections' }, status: 401 })
    const refused = await failed('GET_CURRENT_USER_CONNECTIONS', {})
    expect(refused.story).toMatch(/to do +Sign in again/)
    // What the refusal ends comes after the response, and the log names the call there too.
    const isNamed = (line: string) => line.includes('"tokens-revoked"') && line.includes(`"call":"${refused.id}"`)
    await expect.poll(() => daemon.output().split('\n').some(isNamed)).toBe(true)
    await watching.interrupt()
  })

  test('every kept call goes into an archive, from which a browser answers', async (context) => {
    const path = join(at.base, 'calls.har')
    const written = await run('trace', '--all', '--har', path)
    expect([written.code, written.err]).toEqual([0, ''])
    const { log } = JSON.parse(readFileSync(path, 'utf8')) as Archive
    const calls = log.entries.map(({ request, response }) => `${request.method} ${request.url} ${response.status}`)
    expect(calls).toContain(`CALL rpc://${APPLICATION}/AUTHENTICATE 200`)
    expect(calls).toContain(`CALL rpc://${APPLICATION}/GET_CURRENT_USER_GUILDS 5011`)
    expect(await run('trace', '--har', path)).toMatchObject({ code: 2, err: expect.stringContaining('Name a new file') })
    if (executablePath === undefined) return context.skip(NO_BROWSER)
    const browser = await openBrowser()
    const page = await browser.newPage()
    await page.routeFromHAR(path, { notFound: 'abort' })
    const answer = page.waitForResponse('**/guilds')
    // A browser shows no page for an error without a body.
    await page.goto('http://platform.invalid/users/@me/guilds').catch(() => {})
    expect((await answer).status()).toBe(429)
    await browser.close()
  })

  test('an id that was not kept is an error with advice', async () => {
    const { code, err } = await run('trace', 'c999-1')
    expect(code).not.toBe(0)
    expect(err).toContain('no call c999-1')
  })

  test('no trace, listed or single, has a secret', async () => {
    await game.call('AUTHENTICATE', { access_token: PLANTED })
    const { out } = await run('trace', '--json')
    expect(out).toContain('AUTHENTICATE')
    expect(out).not.toContain(PLANTED)
    expect(daemon.output()).not.toContain(PLANTED)
  })
})
