/**
 * A platform whose gateway says READY with as many relationships as asked, then one RELATIONSHIP_UPDATE, so that a game knows when the daemon has
 * taken all. It prints its port. The text of READY is made before, because others are measured while it is sent.
 *
 * node account-feed.ts APPLICATION RELATIONSHIPS
 */
import { openPlatform, USER } from './platform.ts'

const [, , application = '', count = '0'] = process.argv
const SCOPES = ['identify', 'relationships.read', 'rpc', 'gateway.connect']
const FIRST = 400_000_000_000_000_000n
/** Of a relationship with a friend. */
const FRIEND = 1

const relationship = (index: number): object => {
  const id = String(FIRST + BigInt(index))
  return { id, type: FRIEND, user: { ...USER, id, username: `mate.${index}` } }
}

const RELATIONSHIPS = JSON.stringify(Array.from({ length: Number(count) }, (_, index) => relationship(index)))

const platform = await openPlatform({
  application,
  scopes: SCOPES,
  onIdentify({ dispatch, dispatchText, readyFields }) {
    const fields = JSON.stringify({ ...readyFields, presences: [] })
    dispatchText('READY', `${fields.slice(0, -1)},"relationships":${RELATIONSHIPS}}`)
    dispatch('RELATIONSHIP_UPDATE', relationship(0))
  },
})
process.stdout.write(`${platform.port}\n`)
