/** Tests the dashboard's page in a real browser with a state from the test: hostile names, long lists, clicks, and a daemon that is gone. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { GAME, GRANT, INVITE, PRESENCE, PROMPT, SAMPLE_STATE } from '#test/support/bridge-state.ts'
import { DashboardWorld, status } from './support/dashboard-world.ts'

const prompt = (id: string) => ({ ...PROMPT, id })
const turnTo = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()
const texts = async (page: Page, selector: string) =>
  (await page.locator(selector).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())

const world = new DashboardWorld()

test('names are shown as plain text, with any content, and change no text direction', async () => {
  const name = '<img src=x onerror=alert(1)>"\'</script><script>alert(2)</script>'
  const turned = '\u202Eemag'
  world.publisher.publish({
    games: [{ ...GAME, program: `/opt/${turned}`, program_name: turned, user: { id: '1', username: name } }],
    presences: [
      {
        ...PRESENCE,
        name,
        details: name,
        state: name,
        buttons: [{ label: name, url: 'javascript:alert(5)' }],
        large_picture: { text: name },
      },
    ],
    applications: [{ id: '42', name, icon: 'f'.repeat(32) }],
    accounts: [{ id: '42-1', application_id: '42', user_id: '1', username: name, scopes: [name] }],
    grants: [{ ...GRANT, application_name: name, username: name, program: name, program_name: name, scopes: [name] }],
    prompts: [{ ...PROMPT, program: `/opt/${turned}`, program_name: turned, username: name, scopes: [name], why: name }],
    pages: [{ url: 'javascript:alert(3)', lines: [{ label: 'Program', text: turned }], opened_at: 0, browser: 'started' }],
    invites: [
      {
        ...INVITE,
        application_name: name,
        sender: turned,
        activity: { name, type: 3, details: name, state: turned },
        cover: 'javascript:alert(4)',
      },
    ],
    bots: [{ application_id: '42', name }],
    providers: [{ name, state: 'failing', reason: name }],
    warnings: [{ kind: 'provider_failing', message: name, advice: name }],
  })
  const page = await world.open((await world.serve()).url)
  await status(page, 'live')
  for (const one of ['Now', 'Games and permissions', 'Accounts', 'Details']) {
    await turnTo(page, one)
    await page.getByRole('link', { name: one, exact: true }).and(page.locator('[aria-current=page]')).waitFor()
    expect(await page.locator('img, main script').count()).toBe(0)
    expect(await page.locator('main a').count()).toBe(0)
    expect(await page.locator('main').innerText()).not.toContain('\u202E')
  }
  const spelled = String.raw`\u{202e}emag`
  expect(await texts(page, '#questions .program')).toEqual([`${spelled} /opt/${spelled}`])
})

describe('a prompt', () => {
  test('a click is for what stood there for a while, and not for what came under it', async () => {
    world.publisher.publish({ prompts: [prompt('q1')] })
    const page = await world.open((await world.serve()).url)
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect.poll(() => world.answers).toEqual(['allow q1'])
    // All buttons of the place rest after a change, then each world.answers its own prompt.
    await page.evaluate(`{
      const place = document.getElementById('questions')
      const note = () => (place.dataset.rested = [...place.querySelectorAll('button')].map(({ disabled }) => disabled).join())
      new MutationObserver(note).observe(place, { childList: true })
    }`)
    world.publisher.publish({ prompts: [prompt('q0'), prompt('q2')] })
    await page.locator('#questions[data-rested="true,true,true,true"]').waitFor()
    await page.getByRole('button', { name: 'Deny' }).last().click()
    await expect.poll(() => world.answers).toEqual(['allow q1', 'deny q2'])
  })

  test('is answered without some permissions, and for this time only', async () => {
    world.publisher.publish({
      prompts: [{ ...PROMPT, scopes: ['identify', 'guilds', 'email'] }],
      applications: [{ id: '42', name: 'Tide Pilot' }],
    })
    const page = await world.open((await world.serve()).url)
    await page.getByRole('heading', { name: 'Tide Pilot wants to sign in' }).waitFor()
    expect(await page.getByRole('checkbox', { name: 'see your name and picture' }).isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: 'see your e-mail address' }).uncheck()
    await page.getByRole('radio', { name: 'this time only' }).check()
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect.poll(() => world.answers).toEqual(['allow-once ab12 email'])
  })

  test('of a program that cannot be recognised has no choice but yes and no', async () => {
    world.publisher.publish({ prompts: [{ ...PROMPT, can_choose: false }] })
    const page = await world.open((await world.serve()).url)
    await page.getByText('see your name and picture').waitFor()
    expect(await page.locator('#questions input').count()).toBe(0)
  })

  test('says that only the game gives itself its name', async () => {
    world.publisher.publish({ prompts: [PROMPT], applications: [{ id: '42', name: 'Application 42', claimed_name: 'Minecraft' }] })
    const page = await world.open((await world.serve()).url)
    await page.getByRole('heading', { name: 'Minecraft wants to sign in' }).waitFor()
    await page.getByText('The game gives itself this name.').waitFor()
  })

  test('is counted in the title of the tab', async () => {
    world.publisher.publish({ prompts: [prompt('q1'), prompt('q2')] })
    const page = await world.open((await world.serve()).url)
    await expect.poll(() => page.title()).toBe('(2) Now - Sallyport')
  })

  test('is answered by keyboard alone', async () => {
    world.publisher.publish({ prompts: [PROMPT] })
    const page = await world.open((await world.serve()).url)
    await page.getByRole('button', { name: 'Deny' }).and(page.locator(':enabled')).waitFor()
    for (let steps = 0; steps < 30; steps++) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate('document.activeElement.textContent')) === 'Deny') break
    }
    await page.keyboard.press('Enter')
    await expect.poll(() => world.answers).toEqual(['deny ab12'])
  })
})

test('what did not change is not drawn anew', async () => {
  world.publisher.publish({ prompts: [prompt('q1')], sandbox_origin: 'http://127.0.0.1:1' })
  const page = await world.open((await world.serve()).url)
  await turnTo(page, 'Details')
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await page.evaluate(`for (const element of document.querySelectorAll('#questions button, #facts a, #status')) element.dataset.seen = ''`)
  world.publisher.publish({ counters: { connections: 1, calls: 4 } })
  await page.locator('#counters').getByText('4').waitFor()
  expect(await page.locator('[data-seen]').count()).toBe(4)
})

test('a failed action is reported until the next click', async () => {
  world.publisher.publish({ invites: [INVITE], prompts: [prompt('q1')] })
  const page = await world.open((await world.serve()).url)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('alert').getByText('failed to do this').waitFor()
  world.publisher.publish({ counters: { connections: 1, calls: 4 } })
  expect(await page.getByRole('alert').innerText()).toContain('failed to do this')
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByRole('alert').getByText('failed to do this').waitFor({ state: 'detached' })
})

test('what the daemon left out is counted', async () => {
  world.publisher.publish({ ...SAMPLE_STATE, presence_paused: false })
  const page = await world.open((await world.serve()).url)
  await page.locator('#games').getByText('And 1 more.').waitFor()
  expect(await texts(page, '#questions .rest')).toEqual(['And 2 more.', 'And 3 more.', 'And 4 more.'])
  expect(await texts(page, '#presences .rest')).toEqual(['And 5 more.'])
  await turnTo(page, 'Games and permissions')
  await page.locator('#grants').getByText('And 6 more.').waitFor()
})

test('the sample state is shown whole', async () => {
  world.publisher.publish({
    ...SAMPLE_STATE,
    presences: SAMPLE_STATE.presences.map(({ hidden: _, ...presence }) => presence),
    presence_paused: false,
  })
  const page = await world.open((await world.serve()).url)
  await status(page, 'live')
  const warnings = SAMPLE_STATE.warnings.map(({ message, advice }) => `${message} ${advice}`)
  expect(await texts(page, '#warnings p')).toEqual([...warnings, 'And 9 more.'])
  await page.getByRole('img', { name: 'The harbour at night' }).waitFor()
  expect((await texts(page, '#presences article'))[0]).toMatch(
    /^Playing C? ?Tide Pilot Out at sea In a crew \(2 of 4\) .* Watch the regatta mary: Others see it on the account of the sign-in\. Hide now Always hide Show on: mary \(canary, flatpak\)$/,
  )
  expect(await texts(page, '#games li')).toEqual([
    'T Tide Pilot signed in as mary tide /games/tide Block…',
    'A Application 43 not signed in tide /games/tide Link account Block…',
  ])
  expect((await texts(page, '#questions article')).at(-1)).toContain('ada invites you to Tide Pilot')
  await turnTo(page, 'Games and permissions')
  expect((await texts(page, '#grants li'))[0]).toMatch(
    /^T Tide Pilot as mary tide \/games\/tide You allowed it on .* this time only · Its activity is hidden 0 of 1 permissions Show on: mary \(canary, flatpak\) Show again Keep it Revoke… Block…$/,
  )
  await turnTo(page, 'Accounts')
  expect((await texts(page, '#accounts'))[0]).toMatch(
    /The keychain is locked\. T mary in Tide Pilot 1 permissions .* Sign out… T Bot Tide Bot/,
  )
  await turnTo(page, 'Details')
  expect((await texts(page, '#providers'))[0]).toContain('Live events does not work gateway The platform refused the token.')
  expect((await texts(page, '#counters'))[0]).toMatch(/webhook refused 5$/i)
  await turnTo(page, 'Log')
  await page.getByText('Warning: Other programs have all ports of the websocket transport.').waitFor()
  expect(await texts(page, '.log code')).toEqual(['web-ports-taken port=6463'])
})

describe('what the user can do', () => {
  test.each([
    ['Now', 'Hide now', undefined, 'hide-now 7'],
    ['Now', 'Always hide', undefined, 'hide 7'],
    ['Now', 'Block', 'Block this program?', 'block 7'],
    ['Games and permissions', 'Revoke', 'Take all permissions back?', 'revoke g1'],
    ['Games and permissions', 'This time only', undefined, 'for-session g1'],
    ['Accounts', 'Sign out', 'Sign out?', 'sign-out 42-5'],
  ])('on %s: %s', async (where, button, question, done) => {
    world.publisher.publish({
      games: [GAME],
      presences: [PRESENCE],
      grants: [GRANT],
      accounts: [{ id: '42-5', application_id: '42', user_id: '5', scopes: [] }],
    })
    const page = await world.open((await world.serve()).url)
    await turnTo(page, where)
    await page.getByRole('button', { name: button }).first().click()
    if (question !== undefined) {
      expect(world.answers).toEqual([])
      await page.getByRole('group', { name: question }).getByRole('button', { name: button }).click()
    }
    await expect.poll(() => world.answers).toEqual([done])
  })

  test('permissions of a grant are changed together', async () => {
    world.publisher.publish({ grants: [{ ...GRANT, scopes: ['identify', 'guilds', 'email'], denied_scopes: ['email'] }] })
    const page = await world.open((await world.serve()).url)
    await turnTo(page, 'Games and permissions')
    await page.getByText('2 of 3 permissions').click()
    await page.getByRole('checkbox', { name: 'see your e-mail address' }).check()
    await page.getByRole('checkbox', { name: 'see which servers you are in' }).uncheck()
    await page.getByRole('button', { name: 'Save permissions' }).click()
    await expect.poll(() => world.answers).toEqual(['narrow g1 guilds'])
  })

  test('where a game and every game are shown is chosen and taken back', async () => {
    const places = SAMPLE_STATE.places
    world.publisher.publish({ places, presences: [{ ...PRESENCE, chosen_places: ['web'] }] })
    const page = await world.open((await world.serve()).url)
    const all = page.locator('#presences > .places')
    await all.getByText('Show on: the first desktop client').click()
    await all.getByRole('checkbox', { name: 'mary (canary, flatpak)' }).check()
    await all.getByRole('checkbox', { name: 'the account of the sign-in' }).check()
    await all.getByRole('button', { name: 'Save the choice' }).click()
    await expect.poll(() => world.answers).toEqual(['choose-places all 5-canary-flatpak account'])
    expect(await all.getByRole('button', { name: 'Take the choice back' }).count()).toBe(0)

    const one = page.locator('#presences article .places')
    await one.getByText('Show on: pages in a browser').click()
    await one.getByRole('checkbox', { name: 'pages in a browser' }).uncheck()
    expect(await one.getByRole('button', { name: 'Save the choice' }).isEnabled()).toBe(false)
    await one.getByRole('button', { name: 'Take the choice back' }).click()
    await expect.poll(() => world.answers.at(-1)).toBe('choose-places 7')
  })

  test('presence is paused and resumed by a button, and the page says so', async () => {
    const page = await world.open((await world.serve()).url)
    await page.getByText('No game shows anything now.').waitFor()
    await page.getByRole('button', { name: 'Hide all games' }).click()
    await page.getByText('You hid all games.').waitFor()
    await page.getByRole('button', { name: 'Show my games again' }).click()
    await page.getByText('No game shows anything now.').waitFor()
  })
})

test('a page that lost its daemon says so everywhere, and nothing can be pressed', async () => {
  world.publisher.publish({ ...SAMPLE_STATE, presence_paused: false })
  const { url, close } = await world.serve()
  const page = await world.open(url)
  await status(page, 'live')
  await close()
  await page.getByRole('alert').getByText('Sallyport does not answer.').waitFor()
  await expect.poll(() => page.title()).toBe('Not connected - Sallyport')
  expect(await page.locator('#presences article').first().innerText()).toContain('Not known now.')
  for (const one of ['Now', 'Games and permissions', 'Accounts', 'Details']) {
    await turnTo(page, one)
    expect(await page.locator('main button:enabled').count()).toBe(0)
    for (const heading of await page.locator('main section h2[id]').allInnerTexts()) expect(heading).toContain('not known now')
  }
})

test('a hidden page has no connection, and connects again when it is seen', async () => {
  const page = await world.open((await world.serve()).url)
  await status(page, 'live')
  expect(world.publisher.watching).toBe(1)
  const turn = (state: string) =>
    page.evaluate(`{
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' })
      document.dispatchEvent(new Event('visibilitychange'))
    }`)
  await turn('hidden')
  await expect.poll(() => world.publisher.watching).toBe(0)
  await turn('visible')
  await expect.poll(() => world.publisher.watching).toBe(1)
})

test('the page loads nothing from elsewhere', async () => {
  world.publisher.publish(SAMPLE_STATE)
  const page = await world.blank()
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).protocol === 'blob:' ? 'blob' : new URL(request.url()).host))
  const { url, port } = await world.serve()
  await page.goto(url)
  await page.getByRole('img', { name: 'The harbour at night' }).waitFor()
  expect([...hosts].filter((host) => host !== 'blob')).toEqual([`127.0.0.1:${port}`])
})
