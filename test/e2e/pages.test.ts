/** The buttons of the dashboard and of the sandbox's front page in a real browser, whose policies decide whether they do anything at all. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPkce } from '@sallyport/client'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { executablePath, NO_BROWSER, type OpenBrowser, openBrowser } from './support/browser.ts'
import { type Daemon, type Folders, folders, sallyport, startDaemon, TARGETS } from './support/daemon.ts'
import { makeProgram, ProgramClient } from './support/program-client.ts'

const APPLICATION = '555000222'
const SCOPES = ['identify', 'guilds']

describe.skipIf(process.platform !== 'linux').each(TARGETS)('$name', (target) => {
  let browser: OpenBrowser
  let at: Folders
  let daemon: Daemon
  const programs: ProgramClient[] = []
  /** What the browser refused; nothing may be. */
  const complaints: string[] = []

  beforeAll(async () => {
    if (executablePath !== undefined) browser = await openBrowser()
  })
  afterAll(async () => {
    if (executablePath !== undefined) await browser.close()
  })
  beforeEach(async (context) => {
    context.skip(executablePath === undefined, NO_BROWSER)
    at = await folders()
    complaints.length = 0
  })
  afterEach(async () => {
    await Promise.all(programs.splice(0).map((program) => program.end()))
    await daemon.stop()
    await at.remove()
    expect(complaints).toEqual([])
  })

  const open = async (url: string): Promise<Page> => {
    const page = await browser.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error' && /content security policy|blocked by/i.test(message.text())) complaints.push(message.text())
    })
    page.on('pageerror', (failure) => complaints.push(failure.message))
    await page.goto(url)
    return page
  }
  const start = async (path: string): Promise<ProgramClient> => {
    const program = await ProgramClient.start(path, daemon.socket, { client_id: APPLICATION, contract: '1.0', streams: true })
    programs.push(program)
    return program
  }
  const authorize = (program: ProgramClient, more: object = {}) => {
    const { verifier, challenge } = createPkce()
    const asked = program.call('AUTHORIZE', { scopes: SCOPES, code_challenge: challenge, code_challenge_method: 'S256', ...more })
    return { asked, verifier }
  }
  const consentAddress = () => /go to (http:\S+)/.exec(daemon.output())?.[1] ?? ''
  const signIn = async (program: ProgramClient) => {
    const { asked, verifier } = authorize(program)
    const { code, redirect_uri } = (await asked).data as { readonly code: string; readonly redirect_uri: string }
    await program.call('GET_TOKEN', { code, code_verifier: verifier, redirect_uri })
    expect(await program.call('AUTHENTICATE', {})).toMatchObject({ evt: null })
  }

  test('the dashboard: Deny and Allow decide, also where the platform would not ask; Revoke signs the program out', async () => {
    const [game, copy] = ['game', 'copy'].map((name) => makeProgram(join(at.data, 'games', name))) as [string, string]
    daemon = await startDaemon(target, at)
    await signIn(await start(game))
    await daemon.stop()
    daemon = await startDaemon(target, at, ['--consent', 'prompt'], { PATH: '/nonexistent' })
    const page = await open(daemon.ready.dashboard ?? '')

    const refused = (await start(copy)).call('AUTHENTICATE', {})
    await page.getByText(copy).first().waitFor()
    await page.getByRole('button', { name: 'Deny' }).click()
    expect(await refused).toMatchObject({ evt: 'ERROR', data: { code: 5000 } })

    // The platform consented to the application long ago, and would give any program a code.
    const third = makeProgram(join(at.data, 'games', 'third'))
    // A copy of what was refused would be refused too.
    appendFileSync(third, 'x')
    const program = await start(third)
    const { asked } = authorize(program, { prompt: 'none' })
    await page.getByText('You choose the account on the next page.').waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    // No other browser of this machine is opened: the address is named to the person, and answers without a page.
    await expect.poll(consentAddress).not.toBe('')
    await open(consentAddress())
    expect(await asked).toMatchObject({ evt: null, data: { code: expect.stringMatching(/.+/) as string } })

    const silent = await start(game)
    expect(await silent.call('AUTHENTICATE', {})).toMatchObject({ evt: null })
    await page.getByRole('link', { name: 'Games and permissions' }).click()
    const row = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Revoke' }) })
    expect(await row.innerText()).toContain(game)
    await row.getByRole('button', { name: 'Revoke' }).click()
    await row.getByRole('button', { name: 'Revoke' }).click()
    expect(await silent.message()).toMatchObject({ evt: 'TOKEN_REVOKED', data: { cause: 'revoked_by_user' } })
    await page.getByText('You have not allowed or hidden anything yet.').waitFor()
  })

  test('the dashboard: Link account asks a game that waits for it, as often as it is pressed, until its user signed in', {
    tags: ['5-24'],
  }, async () => {
    daemon = await startDaemon(target, at)
    const page = await open(daemon.ready.dashboard ?? '')
    const program = await start(makeProgram(join(at.data, 'games', 'game')))
    await page.getByText('not signed in').waitFor()
    const button = page.getByRole('button', { name: 'Link account' })
    expect(await button.count()).toBe(0)
    expect(await program.call('SUBSCRIBE', {}, 'AUTHORIZE_REQUEST')).toMatchObject({ evt: null })
    for (let times = 0; times < 2; times++) {
      await button.click()
      expect(await program.message()).toEqual({ cmd: 'DISPATCH', evt: 'AUTHORIZE_REQUEST', data: null, nonce: null })
    }
    await signIn(program)
    await button.waitFor({ state: 'detached' })
  })

  test('the sandbox: a ban and its end, an unlinked application, an interaction', async () => {
    daemon = await startDaemon(target, at)
    const program = await start(makeProgram(join(at.data, 'games', 'game')))
    await signIn(program)
    const page = await open(`${daemon.origin}/`)
    const button = (name: string) => page.getByRole('button', { name, exact: true })

    await button(`Unlink ada from ${APPLICATION}`).click()
    await button(`Unlink ada from ${APPLICATION}`).waitFor({ state: 'detached' })
    expect(await program.call('GET_CURRENT_USER')).toMatchObject({ evt: 'ERROR', data: { code: 4009 } })

    await button('Ban ada').click()
    await button('Lift ban of ada').waitFor()
    expect(page.url()).toBe(`${daemon.origin}/`)
    await button('Lift ban of ada').click()
    await button('Ban ada').waitFor()

    await page.getByRole('link', { name: 'Create an interaction' }).click()
    await page.getByLabel('Application').fill(APPLICATION)
    await page.getByLabel('Command').fill('dock')
    await button('Create').click()
    const created = JSON.parse(await page.locator('pre').innerText()) as Record<string, unknown>
    expect(created).toMatchObject({ application_id: APPLICATION, data: { name: 'dock' } })
    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByRole('link', { name: 'Connect a device' }).click()
    await page.getByLabel('Code').waitFor()
  })

  test('a vault that cannot be opened: the dashboard shows the reason, and so does a sign-in that cannot be stored', async () => {
    const noBus = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' }
    daemon = await startDaemon(target, at, ['--vault', 'keychain'], noBus)
    const words = ['login', '--runtime-dir', at.runtime]
    expect(await sallyport(target, words, { HOME: at.data })).toMatchObject({ code: 1, err: expect.stringContaining('could not store') })
    const page = await open(daemon.ready.dashboard ?? '')
    await page.getByRole('link', { name: 'Accounts' }).click()
    await expect.poll(() => page.locator('#accounts .problem').innerText()).toMatch(/keychain.*--vault file/s)
  })
})
