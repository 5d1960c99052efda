/** A user signs in on the sandbox's page in a real browser. After a restart of the daemon, the game signs in again without a prompt. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { executablePath, NO_BROWSER, type OpenBrowser, openBrowser } from './support/browser.ts'
import { type Daemon, type Folders, folders, sallyport, startDaemon, SMOKE_TARGETS } from './support/daemon.ts'
import { Person } from './support/person.ts'

describe.skipIf(process.platform === 'win32').each(SMOKE_TARGETS)('$name', (target) => {
  let browser: OpenBrowser
  let at: Folders
  let daemon: Daemon

  beforeAll(async () => {
    if (executablePath !== undefined) browser = await openBrowser()
  })
  afterAll(async () => {
    if (executablePath !== undefined) await browser.close()
  })
  beforeEach(async (context) => {
    context.skip(executablePath === undefined, NO_BROWSER)
    at = await folders()
    await mkdir(join(at.base, 'no-programs'))
    await start()
  })
  afterEach(async () => {
    await daemon.stop()
    await at.remove()
  })

  /** Nothing on the path, so that no other browser of this machine is opened: the address is printed for the person. */
  const start = async () => {
    daemon = await startDaemon(target, at, ['--consent', 'prompt'], { PATH: join(at.base, 'no-programs') })
  }
  const run = (...words: string[]) => sallyport(target, [...words, '--runtime-dir', at.runtime], { HOME: at.data })

  /** The page that the daemon names, once the program that asks was allowed to. */
  async function consentPage() {
    const page = await browser.newPage()
    await page.goto(await new Person(daemon).nextAddress())
    return page
  }

  test('signing in on the page, a restart, and the same game calls without a prompt', { tags: ['1-3', '5-1'] }, async () => {
    const asked = consentPage()
    const signedIn = run('login')
    const page = await asked
    expect(await page.title()).toContain('Allow')
    await page.selectOption('select[name=user_id]', { index: 1 })
    const chosen = await page.locator('select[name=user_id] option:checked').innerText()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(/\/callback/)
    expect(await page.locator('body').innerText()).toMatch(/signed in|back to/i)
    const { code, out } = await signedIn
    expect(code).toBe(0)
    expect(out).toContain(/\((\w+)\)$/.exec(chosen)?.[1])

    const before = await run('call', 'GET_CURRENT_USER')
    await daemon.stop()
    await start()
    const after = await run('call', 'GET_CURRENT_USER')
    expect(after.code, after.err).toBe(0)
    expect(JSON.parse(after.out)).toEqual(JSON.parse(before.out))
    expect(daemon.output()).not.toMatch(/go to http/)
  })

  test('a denial reaches the user at the command line, and the game', async () => {
    const asked = consentPage()
    const signedIn = run('login')
    const page = await asked
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.waitForURL(/\/callback/)
    const { code, err } = await signedIn
    expect(code).not.toBe(0)
    expect(err).toMatch(/denied|not allow|declined/i)
    expect((await run('call', 'GET_CURRENT_USER')).code).not.toBe(0)
  })
})
