/** Two players on one daemon: join requests, invites, a launched game, and the same via the platform's own client. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EventDataOf, EventName } from '@sallyport/protocol'
import type { SallyportClient } from '@sallyport/client'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { killIfAlive } from '#test/support/ended.ts'
import { startStandIn, type StandInProcess } from '#test/support/stand-in-process.ts'
import { SOON } from '#test/support/soon.ts'
import { setApplication } from './support/application-settings.ts'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, folders, startDaemon, TARGETS } from './support/daemon.ts'
import { sandboxToken } from './support/sandbox-token.ts'

const LAUNCHED = join(import.meta.dirname, 'support', 'launched-game.ts')
const SECRET = 'the-rope-ladder-is-on-the-left'
const ACTIVITY = {
  name: 'Night fishing',
  type: 5 as const,
  details: 'In the harbour',
  assets: { invite_cover_image: 'a-cover' },
  party: { id: 'pier-7', size: [1, 4] as [number, number] },
  secrets: { join: SECRET },
}
const ACTIVITY_SHOWN = {
  name: 'Night fishing',
  type: 5,
  details: 'In the harbour',
  assets: ACTIVITY.assets,
  party: { id: 'pier-7', size: [1, 4] },
}
const EVENTS = ['ACTIVITY_JOIN', 'ACTIVITY_JOIN_REQUEST', 'ACTIVITY_INVITE'] as const

interface Player {
  readonly client: SallyportClient
  readonly userId: string
  /** Events it received, in order. */
  readonly received: { readonly evt: EventName; readonly data: any }[]
  /** The next event of this name, received or future. */
  next<Name extends (typeof EVENTS)[number]>(evt: Name): Promise<EventDataOf<Name>>
}

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  let applications = 820_000_000
  const clients: SallyportClient[] = []
  let standIn: StandInProcess | undefined

  beforeAll(async () => {
    at = await folders()
    daemon = await startDaemon(target, at)
  })
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()))
    await standIn?.kill()
    standIn = undefined
  })
  afterAll(async () => {
    await daemon.stop()
    await at.remove()
  })

  const newApplication = (): string => String(++applications)

  const tokenOf = (username: string, applicationId: string, scopes?: readonly string[]) =>
    sandboxToken({ authorizeUrl: `${daemon.origin}/oauth2/authorize`, tokenUrl: daemon.ready.tokenUrl }, username, applicationId, scopes)

  async function player(username: string, applicationId: string, scopes?: readonly string[]): Promise<Player> {
    const client = await connectedGame({ applicationId, runtimeDir: at.runtime, requireBridge: true })
    clients.push(client)
    const { user } = (await client.request('AUTHENTICATE', { access_token: await tokenOf(username, applicationId, scopes) })) as {
      user: { id: string }
    }
    const received: Player['received'] = []
    for (const evt of EVENTS) await client.on(evt, (data) => received.push({ evt, data })).active
    if (standIn === undefined) await connected(username, applicationId)
    return {
      client,
      userId: user.id,
      received,
      async next(evt) {
        const found = await vi.waitFor(() => {
          const index = received.findIndex((one) => one.evt === evt)
          expect(index, `${evt} for ${username}`).toBeGreaterThanOrEqual(0)
          return index
        }, SOON)
        return received.splice(found, 1)[0]?.data
      },
    }
  }
  /** Waits for its gateway connection, because earlier events do not reach it. Two of one application start five seconds apart. */
  const connected = (username: string, applicationId: string): Promise<void> =>
    vi.waitFor(async () => {
      const answer = await fetch(`${daemon.origin}/sandbox/gateway`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ action: 'heartbeat', user: username, application_id: applicationId }),
      })
      expect(await answer.json()).toEqual({ hit: 1 })
    }, SOON)
  const hosting = async (host: Player): Promise<void> => {
    await host.client.call('SET_ACTIVITY', { pid: process.pid, activity: ACTIVITY })
    // Until the platform shows it, there is nothing to offer.
    await vi.waitFor(() => act('invite', 'ada', 'grace'), SOON)
  }
  /** Details of what the platform shows of the players of an application, in the order of the alphabet. */
  const shownOf = async (applicationId: string): Promise<string[]> => {
    const { headless_sessions } = (await (await fetch(`${daemon.origin}/sandbox/state`)).json()) as {
      readonly headless_sessions: readonly { readonly application_id: string; readonly activity: { readonly details?: string } }[]
    }
    return headless_sessions
      .filter(({ application_id }) => application_id === applicationId)
      .map(({ activity }) => activity.details ?? '')
      .toSorted((one, other) => (one < other ? -1 : 1))
  }
  /** As the user would in the platform's client. */
  const act = async (action: string, user: string, other: string, applicationId = String(applications)): Promise<void> => {
    const answer = await fetch(`${daemon.origin}/sandbox/join`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ user, target: other, application_id: applicationId, action }),
    })
    if (answer.status !== 201) throw new Error(await answer.text())
  }
  /** Checks that no event is left: an earlier event would come before the answer. */
  const quiet = async (one: Player): Promise<void> => {
    await one.client.call('GET_CURRENT_USER')
    expect(one.received).toEqual([])
  }

  test('the host accepts a join request, and the game of the guest gets the secret', { tags: ['1-6'] }, async () => {
    const application = newApplication()
    const host = await player('ada', application)
    const guest = await player('grace', application)
    await hosting(host)
    await guest.next('ACTIVITY_INVITE')

    await guest.client.call('SEND_ACTIVITY_MESSAGE', { user_id: host.userId, activity: { type: 5 } })
    const request = await host.next('ACTIVITY_JOIN_REQUEST')
    expect(request).toMatchObject({ user: { id: guest.userId, username: 'grace' }, activity: { details: ACTIVITY.details }, type: 5 })
    expect(JSON.stringify(request)).not.toContain(SECRET)
    await host.client.call('SEND_ACTIVITY_JOIN_INVITE', { user_id: guest.userId })
    expect(await guest.next('ACTIVITY_JOIN')).toEqual({ secret: SECRET, intent: 0, applicationId: application })
    await expect(host.client.call('SEND_ACTIVITY_JOIN_INVITE', { user_id: guest.userId })).rejects.toMatchObject({ code: 4012 })
    for (const one of [host, guest]) await quiet(one)
  })

  test('a request that is closed, by either name, leads nowhere', async () => {
    const application = newApplication()
    const host = await player('ada', application)
    const guest = await player('grace', application)
    await hosting(host)
    await guest.next('ACTIVITY_INVITE')
    for (const name of ['CLOSE_ACTIVITY_REQUEST', 'CLOSE_ACTIVITY_JOIN_REQUEST'] as const) {
      // From the platform's own page this time.
      await act('ask', 'grace', 'ada')
      await host.next('ACTIVITY_JOIN_REQUEST')
      await host.client.call(name, { user_id: guest.userId })
      await expect(host.client.call(name, { user_id: guest.userId })).rejects.toMatchObject({ code: 4012 })
      await expect(host.client.call('SEND_ACTIVITY_JOIN_INVITE', { user_id: guest.userId })).rejects.toMatchObject({ code: 4012 })
    }
    for (const one of [host, guest]) await quiet(one)
  })

  test('a join request from another device is accepted on the page, and its game gets the event', async () => {
    const application = newApplication()
    const host = await player('ada', application)
    const guest = await player('grace', application)
    await hosting(host)
    await guest.next('ACTIVITY_INVITE')
    await act('ask', 'grace', 'ada')
    await host.next('ACTIVITY_JOIN_REQUEST')
    await act('accept', 'ada', 'grace')
    expect(await guest.next('ACTIVITY_JOIN')).toMatchObject({ secret: SECRET })
    await quiet(guest)
  })

  test('an invite contains all that ACCEPT_ACTIVITY_INVITE needs, and accepting it brings the secret', {
    tags: ['1-6', '4.3-30', '2.2-49'],
  }, async () => {
    const application = newApplication()
    const host = await player('ada', application)
    const guest = await player('grace', application)
    await expect(host.client.call('ACTIVITY_INVITE_USER', { user_id: guest.userId, type: 1, pid: 1 })).rejects.toMatchObject({ code: 5006 })
    await hosting(host)
    await guest.next('ACTIVITY_INVITE')

    await host.client.call('ACTIVITY_INVITE_USER', { user_id: guest.userId, type: 1, content: 'Come aboard', pid: process.pid })
    const invite = await guest.next('ACTIVITY_INVITE')
    expect(invite).toMatchObject({ type: 1, user: { id: host.userId }, application_id: application, activity: ACTIVITY_SHOWN })
    expect(JSON.stringify(invite)).not.toContain(SECRET)
    const { channel_id, message_id, session_id } = invite
    const accept = { type: 1 as const, user_id: host.userId, session_id: session_id ?? '', channel_id, message_id }
    await guest.client.call('ACCEPT_ACTIVITY_INVITE', accept)
    expect(await guest.next('ACTIVITY_JOIN')).toEqual({ secret: SECRET, intent: 0, applicationId: application })

    // No other user can accept it, and no user at all after the host stops playing.
    const thief = await player('linus', application)
    await expect(thief.client.call('ACCEPT_ACTIVITY_INVITE', accept)).rejects.toMatchObject({ code: 4011 })
    await host.client.call('SET_ACTIVITY', { pid: process.pid })
    await vi.waitFor(() => expect(guest.client.call('ACCEPT_ACTIVITY_INVITE', accept)).rejects.toMatchObject({ code: 4011 }), SOON)
    guest.received.length = 0
    await quiet(thief)
  })

  test('an invite to a sibling game is taken by its own application id; that game is launched, and gets its join once', {
    tags: ['2.2-53'],
  }, async () => {
    const application = newApplication()
    const sibling = newApplication()
    await setApplication(daemon.origin, application, { publisher_linking: true })
    await setApplication(daemon.origin, sibling, { parent_application_id: application })
    const host = await player('ada', sibling)
    const guest = await player('grace', application)
    const files = { token: join(at.base, `token-${sibling}`), report: join(at.base, `report-${sibling}`) }
    writeFileSync(files.token, await tokenOf('grace', sibling), { mode: 0o600 })
    const installer = await connectedGame({ applicationId: sibling, runtimeDir: at.runtime, requireBridge: true })
    const quoted = [process.execPath, LAUNCHED, daemon.socket, sibling, files.token, files.report].map((word) => `"${word}"`)
    await installer.call('REGISTER_LAUNCH_COMMAND', { command: quoted.join(' ') })
    await expect(installer.call('REGISTER_LAUNCH_COMMAND', { command: 'game --join' })).rejects.toMatchObject({ code: 4000 })
    await installer.close()

    await hosting(host)
    const { channel_id, message_id, session_id, application_id, user } = await guest.next('ACTIVITY_INVITE')
    expect(application_id).toBe(sibling)
    // The host plays the sibling on this machine too, so it is launched only after the host has quit.
    const taken = { type: 1 as const, user_id: user.id, session_id: session_id ?? '', channel_id, message_id, application_id: sibling }
    await host.client.close()
    // The end reaches the platform by another connection than the requests of the guest.
    await vi.waitFor(async () => expect(await shownOf(sibling)).toEqual([]), SOON)
    await expect(guest.client.call('ACCEPT_ACTIVITY_INVITE', taken)).rejects.toMatchObject({ code: 4011 })
    expect(existsSync(files.report)).toBe(false)

    const headless = (await (
      await fetch(`${daemon.ready.apiBase}/users/@me/headless-sessions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await tokenOf('ada', sibling)}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          activities: [
            { type: 0, name: 'Harbour', application_id: sibling, platform: 'ps5', party: { id: 'pier-7' }, secrets: { join: SECRET } },
          ],
        }),
      })
    ).json()) as { activities: { session_id: string }[] }
    await act('invite', 'ada', 'grace', sibling)
    const other = await guest.next('ACTIVITY_INVITE')
    expect(other.session_id).toBe(headless.activities[0]?.session_id)
    await guest.client.call('ACCEPT_ACTIVITY_INVITE', { ...taken, message_id: other.message_id, session_id: other.session_id ?? '' })

    const report = () =>
      readFileSync(files.report, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    await vi.waitFor(
      () => expect(report()).toContainEqual({ evt: 'ACTIVITY_JOIN', data: { secret: SECRET, intent: 0, applicationId: sibling } }),
      SOON,
    )
    const again = await player('grace', sibling)
    await quiet(again)
    expect(report().filter(({ evt }) => evt === 'ACTIVITY_JOIN')).toHaveLength(1)
    expect(report().filter(({ started }) => started !== undefined)).toHaveLength(1)
    await expect.poll(daemon.output, SOON).toContain('game-launched')
    const [{ started } = {}] = report()
    if (typeof started === 'number') killIfAlive(started)
  })

  test('with the platform’s own client linked it carries the same commands, by both names', async () => {
    const application = newApplication()
    const host = await player('ada', application)
    const apiEndpoint = daemon.ready.apiBase.replace(/^http:/, '').replace(/\/v\d+$/, '')
    standIn = await startStandIn({
      directory: at.runtime,
      slot: 'first',
      user: { id: host.userId, username: 'ada' },
      apiEndpoint,
      apiBase: daemon.ready.apiBase,
    })
    const { order, calls } = standIn
    const grace = { id: '197038439483310086', username: 'grace' }
    await vi.waitFor(async () => expect(await order('joinRequest', application, grace)).toBe(1), SOON)
    expect(await host.next('ACTIVITY_JOIN_REQUEST')).toMatchObject({ user: grace })
    await host.client.call('SEND_ACTIVITY_JOIN_INVITE', { user_id: grace.id, pid: 7 })
    await expect(host.client.call('SEND_ACTIVITY_JOIN_INVITE', { user_id: grace.id })).rejects.toMatchObject({ code: 4012 })
    for (const name of ['CLOSE_ACTIVITY_REQUEST', 'CLOSE_ACTIVITY_JOIN_REQUEST'] as const) {
      await order('joinRequest', application, grace)
      await host.client.call(name, { user_id: grace.id })
      await expect(host.client.call(name, { user_id: grace.id })).rejects.toMatchObject({ code: 4012 })
    }
    await order('invite', application, grace, { messageId: '55', secret: SECRET })
    const accept = { type: 1 as const, user_id: grace.id, session_id: 's', channel_id: '7', message_id: '55', application_id: application }
    await host.client.call('ACCEPT_ACTIVITY_INVITE', accept)
    expect(await host.next('ACTIVITY_JOIN')).toEqual({ secret: SECRET })
    const called = await calls()
    expect(called.find(({ cmd }) => cmd === 'SEND_ACTIVITY_JOIN_INVITE')?.args).toMatchObject({ user_id: grace.id, pid: 7 })
    expect(called.find(({ cmd }) => cmd === 'ACCEPT_ACTIVITY_INVITE')?.args).toMatchObject(accept)
  })

  test('two copies of one game, signed in as two users, both show themselves, and each joins the other', async () => {
    const application = newApplication()
    const ada = await player('ada', application)
    const grace = await player('grace', application)
    const sides = [
      { host: ada, guest: grace, names: ['ada', 'grace'], party: 'pier-1', secret: `${SECRET}-of-ada` },
      { host: grace, guest: ada, names: ['grace', 'ada'], party: 'pier-2', secret: `${SECRET}-of-grace` },
    ] as const
    for (const { host, party, secret } of sides) {
      const activity = { ...ACTIVITY, details: party, party: { ...ACTIVITY.party, id: party }, secrets: { join: secret } }
      await host.client.call('SET_ACTIVITY', { pid: process.pid, activity })
    }
    for (const { host, guest, names, party, secret } of sides) {
      await vi.waitFor(() => act('invite', names[0], names[1]), SOON)
      expect(await guest.next('ACTIVITY_INVITE')).toMatchObject({ user: { id: host.userId }, activity: { party: { id: party } } })
      await guest.client.call('SEND_ACTIVITY_MESSAGE', { user_id: host.userId, activity: { type: 5 } })
      expect(await host.next('ACTIVITY_JOIN_REQUEST')).toMatchObject({ user: { id: guest.userId }, activity: { details: party } })
      await host.client.call('SEND_ACTIVITY_JOIN_INVITE', { user_id: guest.userId })
      expect(await guest.next('ACTIVITY_JOIN')).toEqual({ secret, intent: 0, applicationId: application })
    }
    expect(await shownOf(application)).toEqual(['pier-1', 'pier-2'])

    // One who leaves takes nothing of the other along.
    await grace.client.close()
    await vi.waitFor(async () => expect(await shownOf(application)).toEqual(['pier-1']), SOON)
    expect(ada.received).toEqual([])
  })

  test('two users without the scope for HTTP show presence via their gateway connections, and each joins the other', async () => {
    const application = newApplication()
    const scopes = ['identify', 'gateway.connect', 'activities.read', 'activities.invites.write']
    const [ada, grace] = [await player('ada', application, scopes), await player('grace', application, scopes)]
    const sides = [
      { host: ada, guest: grace, names: ['ada', 'grace'], secret: `${SECRET}-of-ada` },
      { host: grace, guest: ada, names: ['grace', 'ada'], secret: `${SECRET}-of-grace` },
    ] as const
    for (const { host, secret } of sides)
      await host.client.call('SET_ACTIVITY', { pid: process.pid, activity: { ...ACTIVITY, secrets: { join: secret } } })
    for (const { host, guest, names, secret } of sides) {
      await vi.waitFor(() => act('invite', names[0], names[1]), SOON)
      const { session_id, channel_id, message_id } = await guest.next('ACTIVITY_INVITE')
      const offer = { type: 1, user_id: host.userId, session_id: session_id ?? '', channel_id, message_id } as const
      await guest.client.call('ACCEPT_ACTIVITY_INVITE', offer)
      expect(await guest.next('ACTIVITY_JOIN')).toMatchObject({ secret })
    }
    expect(await shownOf(application)).toEqual([])
  })

  test('the platform’s own client serves its own user; the other copy of the game goes by the platform', async () => {
    const application = newApplication()
    const grace = await player('grace', application)
    const apiEndpoint = daemon.ready.apiBase.replace(/^http:/, '').replace(/\/v\d+$/, '')
    const { users } = (await (await fetch(`${daemon.origin}/sandbox/state`)).json()) as { users: { id: string; username: string }[] }
    const adaId = users.find(({ username }) => username === 'ada')?.id ?? ''
    standIn = await startStandIn({
      directory: at.runtime,
      slot: 'first',
      user: { id: adaId, username: 'ada' },
      apiEndpoint,
      apiBase: daemon.ready.apiBase,
    })
    const { order, state } = standIn
    const ada = await player('ada', application)
    for (const [one, details] of [
      [ada, 'of ada'],
      [grace, 'of grace'],
    ] as const)
      await one.client.call('SET_ACTIVITY', { pid: process.pid, activity: { ...ACTIVITY, details } })
    await vi.waitFor(async () => expect(await shownOf(application)).toEqual(['of grace']), SOON)
    await vi.waitFor(
      async () => expect((await state()).connections).toMatchObject([{ activity: { activity: { details: 'of ada' } } }]),
      SOON,
    )

    expect(await order('join', application, 'for ada alone')).toBe(1)
    expect(await ada.next('ACTIVITY_JOIN')).toEqual({ secret: 'for ada alone' })
    await grace.client.call('ACTIVITY_INVITE_USER', { user_id: ada.userId, type: 1, pid: process.pid })
    expect((await standIn.calls()).filter(({ cmd }) => cmd === 'ACTIVITY_INVITE_USER')).toEqual([])
    await quiet(grace)
    await quiet(ada)
  })

  test('no join secret is in the log, or in the sandbox state', async () => {
    expect(daemon.output()).not.toContain(SECRET)
    for (const path of ['sandbox/state', '', 'sandbox/page/join']) {
      const page = await fetch(`${daemon.origin}/${path}`)
      expect(page.status).toBe(200)
      expect(await page.text()).not.toContain(SECRET)
    }
  })
})
