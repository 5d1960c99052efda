/** Codes, one-time tokens and states of sign-ins that a person answers: by a port, by a scheme of the game's own, and mistyped in a terminal. */
import { createPkce, type SallyportClient } from '@sallyport/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setApplication, withScheme } from './support/application-settings.ts'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, folders, sallyport, startDaemon, TARGETS } from './support/daemon.ts'
import { Leaks } from './support/leaks.ts'
import { Person } from './support/person.ts'
import { APPLICATION, rpcToken } from './support/secret-uses.ts'

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  let person: Person
  let game: SallyportClient
  const leaks = new Leaks()

  beforeAll(async () => {
    at = await folders()
    // No PATH: no browser can be started, and the address is named to the person.
    daemon = await startDaemon(target, at, ['--consent', 'prompt'], { PATH: '/nonexistent' })
    person = new Person(daemon)
    await setApplication(daemon.origin, APPLICATION, withScheme(APPLICATION, 'harbourgame'))
    game = await connectedGame({ applicationId: APPLICATION, runtimeDir: at.runtime })
  })
  afterAll(async () => {
    await game.close()
    await daemon.stop()
    await at.remove()
  })

  type AuthorizeArgs = Parameters<typeof SallyportClient.prototype.call<'AUTHORIZE'>>[1]
  async function ask(args: AuthorizeArgs) {
    const { verifier, challenge, method } = createPkce()
    leaks.plant('code verifier', verifier)
    const answer = game.call('AUTHORIZE', { scopes: ['identify'], code_challenge: challenge, code_challenge_method: method, ...args })
    const page = await person.nextPage()
    const exchange = async () => {
      const { code, redirect_uri = '' } = await answer
      const tokens = await game.call('GET_TOKEN', { code, code_verifier: verifier, redirect_uri })
      leaks.plant('access token', tokens.access_token)
      return code
    }
    return { page, exchange }
  }
  const planted = (redirect: string): string => leaks.plant('code', new URL(redirect).searchParams.get('code'))

  test('by a port of this machine', async () => {
    const { page, exchange } = await ask({})
    const redirect = await person.decide(page, 'allow')
    const code = planted(redirect)
    for (const wrong of [redirect.replace('state=', 'state=x'), `${redirect}&code=2`, redirect])
      leaks.watch('a page of the loopback port', await person.visit(wrong))
    expect(await exchange()).toBe(code)
  })

  test('by a scheme of the game, with every typing error', async () => {
    const { page, exchange } = await ask({ custom_scheme: 'harbourgame', prompt: 'consent' })
    const url = await person.decide(page, 'allow')
    const code = planted(url)
    const lines: readonly (readonly [number, ...string[]])[] = [
      [2, url],
      [2, 'calback', url],
      [2, 'callback', url, url],
      [2, 'callback', '--url', url],
      [2, 'callback', `--${url}`],
      [2, 'call', url],
      [2, 'login', url],
      [4, 'callback', url.replace('state=', 'state=x')],
      [4, 'callback', '--json', url.replace('harbourgame', 'othergame')],
      [2, 'callback', url, '--json'],
      [0, 'callback', url],
      [4, 'callback', '--json', '--', url],
    ]
    for (const [exitCode, ...words] of lines) {
      const [first = '', ...rest] = words
      const isUse = first === 'callback'
      const ran = await sallyport(target, [first, ...(isUse ? ['--data-dir', at.data] : []), ...rest], { HOME: at.data })
      expect([words.length, words[0] === url, ran.code, ran.err]).toEqual([words.length, words[0] === url, exitCode, ran.err])
      leaks.watch(`what is printed by ${words.join(' ').replaceAll(url, 'URL')}`, ran.out + ran.err)
      if (words[0] === url) expect(ran.err).toMatch(/sallyport callback URL/)
    }
    expect(await exchange()).toBe(code)
  })

  test('without a page, by a one-time token of the application’s server', async () => {
    const token = leaks.plant('rpc token', await rpcToken(daemon))
    const { page, exchange } = await ask({ rpc_token: token, prompt: 'consent' })
    const dashboard = new URL(daemon.ready.dashboard ?? '')
    const headers = { Authorization: `Bearer ${dashboard.hash.replace('#token=', '')}` }
    leaks.watch('the dashboard', await (await fetch(new URL('/api/state', dashboard), { headers })).text())
    const redirect = await person.redirectOf(page)
    const code = planted(redirect)
    leaks.watch('a page of the loopback port', await person.visit(redirect))
    leaks.watch('the refusal of a token that was used', await person.redirectOf(page))
    expect(await exchange()).toBe(code)
  })

  test('no secret is left in any output or file', async () => {
    for (const path of ['/', '/sandbox/state']) leaks.watch(`${path} of the sandbox`, await person.visit(`${daemon.origin}${path}`))
    leaks.watchFiles(at.base, 'while it runs')
    await game.close()
    await daemon.stop()
    leaks.watch('the log', daemon.output())
    leaks.watchFiles(at.base, 'after the end')
    expect(leaks.plantedNames).toEqual(expect.arrayContaining(['code verifier', 'code', 'rpc token', 'access token']))
    expect(leaks.found()).toEqual([])
  })
})
