import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { HttpReply, HttpRequest } from '#daemon/src/platform/api/forwarder-port.ts'
import { ApplicationRequests } from '#daemon/src/platform/applications/application-requests.ts'
import { openApplicationStore } from '#daemon/src/platform/applications/application-store.ts'
import { Applications } from '#daemon/src/platform/applications/applications.ts'
import { generatedPicture } from '#daemon/sandbox/src/api/generated-picture.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { RecordingLog } from '#test/support/recording-log.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const PNG = generatedPicture('x').toString('latin1')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'applications-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const settled = () => new Promise((resolve) => setImmediate(resolve))

interface Place {
  readonly baseUrl?: string
  readonly cdnHost?: string
}

/** A platform that answers by path, and the daemon's knowledge of it. */
function start(
  replies: Readonly<Record<string, unknown>>,
  { baseUrl = 'https://platform.test/api/v10', cdnHost = 'cdn.test' }: Place = {},
) {
  const clock = new FakeClock()
  const asked: HttpRequest[] = []
  const send = async (request: HttpRequest): Promise<HttpReply> => {
    asked.push(request)
    const found = replies[request.url]
    if (found instanceof Error) throw found
    if (found === undefined) return { status: 404, headers: {}, body: '' }
    return { status: 200, headers: {}, body: typeof found === 'string' ? found : JSON.stringify(found) }
  }
  const requests = new ApplicationRequests({ profile: { baseUrl, cdnHost, userAgent: 'Bridge' }, send, clock })
  const log = new RecordingLog()
  const openStore = () => openApplicationStore(join(folder, 'applications.sqlite'), 'test')
  const applications = new Applications({ clock, log, requests, openStore })
  const urls = () => asked.map(({ url }) => url)
  return { clock, asked, urls, applications, log }
}

const FACTS = 'https://platform.test/api/v10/applications/42/rpc'
const ICON = 'https://cdn.test/app-icons/42/abc.png?size=128'
const ASSETS = 'https://platform.test/api/v10/oauth2/applications/42/assets'
const ASSET = 'https://cdn.test/app-assets/42/77.png?size=256'
const TIDE = { [FACTS]: { name: 'Tide Pilot', icon: 'abc' }, [ICON]: PNG, [ASSETS]: [{ id: '77', name: 'Harbour' }], [ASSET]: PNG }

/** Reads until nothing more is asked. */
async function readAll({ applications, asked }: ReturnType<typeof start>, read: () => void): Promise<void> {
  for (let before = -1; before !== asked.length; ) {
    before = asked.length
    read()
    await settled()
    expect(applications).toBeDefined()
  }
}

describe('while a user looks', () => {
  test('name, icon and pictures are asked once, and announced', async () => {
    const made = start(TIDE)
    const { applications, urls, asked } = made
    let changes = 0
    applications.changed.on(() => changes++)
    applications.look()
    await readAll(made, () => {
      applications.of('42')
      applications.imageOf('42', 'HARBOUR')
    })
    expect(urls()).toEqual([FACTS, ASSETS, ICON, ASSET])
    expect(changes).toBe(4)
    const { name, icon = '' } = applications.of('42')
    expect([name, applications.image(icon)?.type]).toEqual(['Tide Pilot', 'image/png'])
    expect(Buffer.from(applications.image(icon)?.bytes ?? []).toString('latin1')).toBe(PNG)
    expect(applications.imageOf('42', 'harbour')).toMatch(/^[0-9a-f]{32}$/)
    expect(asked.every(({ headers }) => JSON.stringify(headers) === '{"user-agent":"Bridge"}')).toBe(true)
    await applications.close()
  })

  test('at most ten requests a minute are sent', async () => {
    const made = start({})
    const { applications, asked, clock } = made
    const end = applications.look()
    for (let id = 1; id <= 25; id++) applications.of(String(id))
    for (let turns = 0; turns < 30; turns++) await settled()
    expect(asked).toHaveLength(10)
    clock.advance(MINUTE - 1)
    await settled()
    expect(asked).toHaveLength(10)
    clock.advance(1)
    for (let turns = 0; turns < 30; turns++) await settled()
    expect(asked).toHaveLength(20)
    end()
    expect(clock.pending).toBe(0)
    await applications.close()
  })

  test.each([
    ['knows no such application', {}],
    ['cannot be reached', { [FACTS]: new Error('ECONNREFUSED') }],
    ['answers nonsense', { [FACTS]: '<html>' }],
  ])('a platform that %s is asked again after a day', async (_, replies) => {
    const made = start(replies)
    const { applications, urls, clock } = made
    applications.look()
    await readAll(made, () => applications.of('42'))
    expect(applications.of('42')).toEqual({ name: undefined, icon: undefined })
    clock.advance(DAY - 1)
    await readAll(made, () => applications.of('42'))
    expect(urls()).toEqual([FACTS])
    clock.advance(1)
    await readAll(made, () => applications.of('42'))
    expect(urls()).toEqual([FACTS, FACTS])
    await applications.close()
  })
})

test('nothing is asked while no user looks', async () => {
  const made = start(TIDE)
  await readAll(made, () => made.applications.of('42'))
  const end = made.applications.look()
  end()
  await readAll(made, () => made.applications.of('42'))
  expect(made.urls()).toEqual([])
  await made.applications.close()
})

test('what is known outlives the daemon', async () => {
  const first = start(TIDE)
  first.applications.look()
  await readAll(first, () => first.applications.of('42'))
  const { icon } = first.applications.of('42')
  await first.applications.close()
  const second = start(TIDE)
  second.applications.look()
  expect(second.applications.of('42')).toEqual({ name: 'Tide Pilot', icon })
  await settled()
  expect(second.urls()).toEqual([])
  await second.applications.close()
})

describe('what is never asked', () => {
  test.each([
    ['an image elsewhere', 'https://elsewhere.test/x.png'],
    ['an image that the platform fetched from elsewhere', 'mp:external/abc/https/elsewhere.test/x.png'],
  ])('%s', async (_, asset) => {
    const made = start(TIDE)
    made.applications.look()
    await readAll(made, () => expect(made.applications.imageOf('42', asset)).toBeUndefined())
    expect(made.urls()).toEqual([])
    await made.applications.close()
  })

  test('a platform without encryption, but on this machine', async () => {
    const plain = start(TIDE, { baseUrl: 'http://platform.test/api/v10' })
    plain.applications.look()
    await readAll(plain, () => plain.applications.of('42'))
    expect(plain.urls()).toEqual([])
    await plain.applications.close()
    const local = start({}, { baseUrl: 'http://127.0.0.1:3000/api/v10', cdnHost: '127.0.0.1:3000' })
    local.applications.look()
    await readAll(local, () => local.applications.of('42'))
    expect(local.urls()).toEqual(['http://127.0.0.1:3000/api/v10/applications/42/rpc'])
    await local.applications.close()
  })

  test('an address made of what is no id, and no hash', async () => {
    const made = start({ [FACTS]: { name: 'x', icon: '../../../etc' } })
    made.applications.look()
    await readAll(made, () => {
      made.applications.of('42')
      made.applications.of('../users/@me')
    })
    expect(made.urls()).toEqual([FACTS])
    await made.applications.close()
  })
})

test.each([
  ['a picture with script', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['a page', '<!doctype html>'],
  ['one of more than half a MiB', PNG + 'x'.repeat(600_000)],
])('%s is no icon', async (_, body) => {
  const made = start({ ...TIDE, [ICON]: body })
  made.applications.look()
  await readAll(made, () => made.applications.of('42'))
  expect(made.applications.of('42')).toEqual({ name: 'Tide Pilot', icon: undefined })
  await made.applications.close()
})

test('a file that cannot be opened costs names only, and is logged', async () => {
  const clock = new FakeClock()
  const log = new RecordingLog()
  const requests = new ApplicationRequests({
    profile: { baseUrl: 'https://platform.test', cdnHost: 'cdn.test', userAgent: 'x' },
    send: () => Promise.reject(new Error('must not be sent')),
    clock,
  })
  const applications = new Applications({
    clock,
    log,
    requests,
    openStore: () => {
      throw new Error('damaged')
    },
  })
  applications.look()
  expect(applications.of('42')).toEqual({ name: undefined, icon: undefined })
  expect(log.lines.map(({ event }) => event)).toEqual(['applications-not-opened'])
  await applications.close()
})

describe('while a game has no name', () => {
  const SOON = 1000
  test('the name is asked once, a moment later, and nothing else', async () => {
    const { applications, urls, clock } = start(TIDE)
    expect([applications.nameOf('42', clock.now()), applications.nameOf('42', clock.now())]).toEqual([undefined, undefined])
    await settled()
    expect(urls()).toEqual([])
    clock.advance(SOON)
    await settled()
    expect([applications.nameOf('42', clock.now()), urls()]).toEqual(['Tide Pilot', [FACTS]])
    clock.advance(DAY - SOON)
    await settled()
    expect(urls()).toEqual([FACTS])
    await applications.close()
  })

  test('an application that the platform does not know is asked again after a day', async () => {
    const { applications, asked, clock } = start({})
    for (const [days, requests] of [
      [0, 1],
      [0, 1],
      [1, 2],
    ] as const) {
      clock.advance(days * DAY)
      expect(applications.nameOf('7', clock.now())).toBeUndefined()
      clock.advance(SOON)
      await settled()
      expect(asked).toHaveLength(requests)
    }
    await applications.close()
  })

  test('a stored name needs no request', async () => {
    const first = start(TIDE)
    first.applications.nameOf('42', first.clock.now())
    first.clock.advance(SOON)
    await settled()
    await first.applications.close()
    const { applications, asked, clock } = start(TIDE)
    expect(applications.nameOf('42', clock.now())).toBeUndefined()
    clock.advance(SOON)
    await settled()
    expect([applications.nameOf('42', clock.now()), asked]).toEqual(['Tide Pilot', []])
    await applications.close()
  })
})
