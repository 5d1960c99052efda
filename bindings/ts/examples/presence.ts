/** A first program: a presence, a friend that joins, a sign-in and a lobby, with and without a bridge. */
import { CallError, DEFAULT_COMMUNICATION_SCOPES, SallyportClient } from '@sallyport/client'

const client = new SallyportClient({ applicationId: '1180000000000000042' })
client.onState((state) => console.log(state.name))
client.on('ACTIVITY_JOIN', ({ secret }) => console.log(`a friend joins with a secret of ${secret.length} characters`))

// Without a connection the presence is kept. It is reported here once the next connection shows it.
client.onPresence(({ activity, error }) => console.log(error?.message ?? `shown as: ${activity?.details}`))
await client.setActivity({
  details: 'Unloading the Copper Wren',
  state: '12 crates ashore',
  timestamps: { start: Date.now() },
})

try {
  const server = await client.connect({ timeoutMs: 10_000 })
  console.log(`connected through ${server.path}`)
  // Asks the player only if nothing valid is stored.
  const { user } = await client.signIn({ scopes: DEFAULT_COMMUNICATION_SCOPES })
  console.log(`signed in as ${user.username}`)
  const lobby = await client.call('CREATE_OR_JOIN_LOBBY', { secret: 'pier-9' })
  await client.call('SEND_LOBBY_MESSAGE', { lobby_id: lobby.id, content: 'Ahoy' })
  console.log(`said it in lobby ${lobby.id}`)
} catch (error) {
  // The game goes on.
  if (error instanceof CallError) console.log(`${error.errorName}: ${error.message}${error.retryable ? ' Try again.' : ''}`)
  else console.log('no bridge, or it was lost:', error instanceof Error ? error.message : error)
}

// Restart the daemon now: the client restores the sign-in, the presence and the subscription.
await new Promise((resolve) => setTimeout(resolve, Number(process.argv[2] ?? 15_000)))
await client.close()
