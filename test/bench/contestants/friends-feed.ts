/**
 * A platform whose gateway says READY with as many online friends as asked. Each line of standard input makes the first of them change what they
 * do, all in one turn; the answer is when, in nanoseconds of the clock that all processes of the machine share. It prints its port first.
 *
 * node friends-feed.ts APPLICATION FRIENDS CHANGES
 */
import { createInterface } from 'node:readline'
import { openPlatform, type Platform, USER } from './platform.ts'

const [, , application = '', friends = '0', changes = '0'] = process.argv
const SCOPES = ['identify', 'relationships.read', 'rpc', 'gateway.connect']
const FIRST = 400_000_000_000_000_000n
/** Of a relationship with a friend. */
const FRIEND = 1

const idOf = (index: number): string => String(FIRST + BigInt(index))
const relationship = (index: number): object => ({
  id: idOf(index),
  type: FRIEND,
  nickname: null,
  since: '2026-01-01T00:00:00.000000+00:00',
  user: { ...USER, id: idOf(index), username: `mate.${index}`, public_flags: 0, avatar_decoration_data: null },
})
const presence = (index: number, turn: number): object => ({
  user: { id: idOf(index) },
  status: 'online',
  client_status: { desktop: 'online' },
  activities: [
    {
      type: 0,
      name: 'bench',
      application_id: application,
      session_id: `session-${index}`,
      details: `Unloading ship ${turn}`,
      state: 'In a group',
      flags: 2,
      timestamps: { start: 1_700_000_000_000 },
      party: { id: `party-${index}`, size: [1, 4] },
      assets: { large_image: 'a-large-image', large_text: 'The harbour' },
    },
  ],
})

const all = Array.from({ length: Number(friends) }, (_, index) => index)
const changing = all.slice(0, Number(changes))

const platform: Platform = await openPlatform({
  application,
  scopes: SCOPES,
  onIdentify({ dispatch, readyFields }) {
    dispatch('READY', { ...readyFields, relationships: all.map(relationship), presences: all.map((index) => presence(index, 0)) })
    // The game knows by it that the daemon has taken all.
    dispatch('RELATIONSHIP_UPDATE', relationship(0))
  },
})
let turn = 0
createInterface({ input: process.stdin }).on('line', () => {
  turn++
  const texts = changing.map((index) => JSON.stringify(presence(index, turn)))
  const sentAt = process.hrtime.bigint()
  for (const text of texts) platform.dispatchText('PRESENCE_UPDATE', text)
  process.stdout.write(`${sentAt}\n`)
})
process.stdout.write(`${platform.port}\n`)
