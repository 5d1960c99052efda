/** Approval of privileged intents, and verification, which is another thing. */
import { DAY_MS } from '@sallyport/core/durations'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { APPLICATION, type Harness, startHarness } from '../harness.ts'

let harness: Harness
let general: string
beforeEach(async () => {
  harness = await startHarness()
  const { json } = await harness.send('GET', '~sandbox/state')
  const guilds = json['guilds'] as readonly { channels: readonly { id: string; name: string }[] }[]
  general = guilds.flatMap(({ channels }) => channels).find(({ name }) => name === 'general')?.id ?? ''
})
afterEach(() => harness.close())

const token = `Bot sandbox-bot-${APPLICATION}`
const settings = (json: object) => harness.send('POST', '~sandbox/applications', { json: { application_id: APPLICATION, ...json } })
const application = async () =>
  (await harness.send('GET', '/applications/@me', { token })).json as { flags: number; bot: { public_flags: number } }
const reads = async () => {
  const { text } = await harness.send('GET', `/channels/${general}/messages?limit=1`, { token })
  return (JSON.parse(text) as readonly { content: string }[])[0]?.content !== ''
}
const LIMITED = 1 << 19
const APPROVED = 1 << 18
const VERIFIED = 1 << 16

it('is needed from 10,000 users on, and lasts a year', { tags: ['5-35'] }, async () => {
  await settings({ user_count: 9_999 })
  expect(await reads()).toBe(true)
  await settings({ user_count: 10_000 })
  expect(await reads()).toBe(false)
  await settings({ approved_intents: ['GUILD_MEMBERS'] })
  expect(await reads()).toBe(false)
  await settings({ approved_intents: ['MESSAGE_CONTENT'] })
  expect(await reads()).toBe(true)
  harness.clock.advance(365 * DAY_MS)
  expect(await reads()).toBe(false)
})

it('is not verification: neither gives the other', { tags: ['5-36'] }, async () => {
  await settings({ user_count: 10_000, verified: true })
  expect(await application()).toMatchObject({ flags: LIMITED, bot: { public_flags: VERIFIED } })
  expect(await reads()).toBe(false)
  await settings({ verified: false, approved_intents: ['MESSAGE_CONTENT'] })
  expect(await application()).toMatchObject({ flags: LIMITED | APPROVED, bot: { public_flags: 0 } })
  expect(await reads()).toBe(true)
})
