/** The shortest useful program: sets the player's presence and listens for friends that join. */
import { SallyportClient } from '@sallyport/client'

const client = await SallyportClient.connect({ applicationId: '1180000000000000042', timeoutMs: 10_000 })
client.onState((state) => console.log(state.name))
console.log(`connected through ${client.server?.path}`)

const joins = client.on('ACTIVITY_JOIN', ({ secret }) => console.log(`a friend joins with a secret of ${secret.length} characters`))
await joins.active

const shown = await client.setActivity({
  details: 'Unloading the Copper Wren',
  state: '12 crates ashore',
  timestamps: { start: Date.now() },
})
console.log(`shown as: ${shown?.details}`)

// Restart the daemon now: the client restores the presence and the subscription.
await new Promise((resolve) => setTimeout(resolve, Number(process.argv[2] ?? 15_000)))
await client.close()
