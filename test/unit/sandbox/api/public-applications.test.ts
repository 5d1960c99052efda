import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { generatedPicture } from '#daemon/sandbox/src/api/generated-picture.ts'
import { pictureRoutes, publicApplicationRoutes } from '#daemon/sandbox/src/api/public-applications.ts'
import type { Platform } from '#daemon/sandbox/src/platform.ts'
import { Strictness } from '#daemon/sandbox/src/strict/strictness.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

const none = { get: () => undefined }
const store = { applications: none, applicationSettings: none }
const platform = { store, clock: new FakeClock(), seed: 'seed', strictness: new Strictness('strict') } as unknown as Platform

async function ask(path: string, params: Record<string, string>) {
  const route = [...publicApplicationRoutes(platform), ...pictureRoutes].find((one) => one.path === path)
  return route?.handle({ request: undefined as never, params })
}

test('an application has a name, an icon, and two pictures, which anyone may read', async () => {
  const { body } = (await ask('/applications/{application_id}/rpc', { application_id: '42' })) ?? {}
  const { name, icon } = JSON.parse(String(body)) as { name: string; icon: string }
  expect([name, icon]).toEqual(['Application 42', expect.stringMatching(/^[0-9a-f]{32}$/)])
  const assets = (await ask('/oauth2/applications/{application_id}/assets', { application_id: '42' }))?.body
  expect(JSON.parse(String(assets))).toMatchObject([
    { id: '43', name: 'large' },
    { id: '44', name: 'small' },
  ])
  for (const [path, picture] of [
    ['/app-icons/{owner_id}/{picture}', `${icon}.png`],
    ['/app-assets/{owner_id}/{picture}', '43.png'],
    ['/avatars/{owner_id}/{picture}', 'abc.png'],
    ['/embed/avatars/{picture}', '0.png'],
  ] as const) {
    const found = await ask(path, { owner_id: '42', picture })
    expect([found?.headers['content-type'], Buffer.from(found?.body ?? '').toString('latin1', 1, 4)]).toEqual(['image/png', 'PNG'])
  }
})

test('what is no id is not found', () => {
  for (const id of ['x', '', '1'.repeat(21), '../42'])
    expect(() => publicApplicationRoutes(platform)[0]?.handle({ request: undefined as never, params: { application_id: id } })).toThrow()
})

test('a picture is a PNG of 96 times 96 pixels, the same for the same text', () => {
  const bytes = generatedPicture('tide')
  expect(generatedPicture('tide').equals(bytes)).toBe(true)
  expect(generatedPicture('harbour').equals(bytes)).toBe(false)
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([96, 96])
  const data = bytes.indexOf('IDAT')
  expect(inflateSync(bytes.subarray(data + 4, data + 4 + bytes.readUInt32BE(data - 4))).length).toBe(96 * 97)
})
