/**
 * Dockside, a small terminal game that uses the bridge: it signs in, lists friends, sets a presence, joins a lobby and chats there. Restart the
 * daemon while it runs: the game waits, reconnects, and continues.
 */
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { ServerNotFoundError, type Restored, SallyportClient } from '@sallyport/client'
import { Crew } from './crew.ts'
import { Friends } from './friends.ts'
import { crane, land, rankOf, shipOf } from './harbour.ts'

const APPLICATION_ID = '1180000000000000042'
const FIRST_WAIT_MS = 30_000

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    fast: { type: 'boolean', default: false },
    'runtime-dir': { type: 'string' },
    secret: { type: 'string', default: 'dockside-pier-9' },
    application: { type: 'string', default: APPLICATION_ID },
    encoding: { type: 'string', default: 'json' },
    join: { type: 'string' },
  },
})

const stepMs = options.fast ? 120 : 750
const say = (line: string): void => console.log(line)
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, stepMs))

function describeRestored({ signIn, activeSubscriptions, refusedSubscriptions, presence }: Restored): string {
  const words = [
    signIn === 'done' ? 'signed in' : signIn === 'failed' ? 'sign-in refused' : undefined,
    refusedSubscriptions > 0 ? `${refusedSubscriptions} subscriptions refused` : activeSubscriptions > 0 ? 'subscribed' : undefined,
    presence === 'done' ? 'presence set' : presence === 'failed' ? 'presence refused' : undefined,
  ]
  return words.filter((word) => word !== undefined).join(', ') || 'nothing to restore'
}

/** Prints the changes of the connection for the player. */
function narrate(client: SallyportClient): void {
  let lost = false
  client.onState((state) => {
    if (state.name === 'waiting' && state.reason === 'lost' && !lost) {
      lost = true
      say('  ~ connection to the bridge lost — waiting')
    }
    if (state.name === 'ready' && lost) {
      lost = false
      say(`  ~ back after ${seconds(state.outageMs)}: ${describeRestored(state.restored)}`)
    }
  })
  client.onAccount((account) => {
    if (account === 'revoked') say('  ~ your permission was revoked')
  })
}

async function connect(): Promise<SallyportClient> {
  const client = new SallyportClient({
    applicationId: options.application,
    encoding: options.encoding === 'msgpack' ? 'msgpack' : 'json',
    requireBridge: true,
    sdkVersion: 'dockside/0.1.0',
    ...(options['runtime-dir'] === undefined ? {} : { runtimeDir: options['runtime-dir'] }),
  })
  try {
    await client.connect()
  } catch (error) {
    if (!(error instanceof ServerNotFoundError)) throw error
    say(`No daemon is running: start one with npm start. Waiting up to ${FIRST_WAIT_MS / 1000} s for it …`)
    await client.connect({ timeoutMs: FIRST_WAIT_MS })
  }
  narrate(client)
  return client
}

async function play(client: SallyportClient, rounds: number): Promise<void> {
  const crew = new Crew(client, options.secret)
  const friends = new Friends(client, options.application, say)
  const game = randomUUID().slice(0, 8)
  const startedAt = Date.now()

  say(`Dockside — pier 9, via ${client.server?.path}`)
  client.on('ACTIVITY_JOIN', () => say('  ~ a friend joins the pier'))
  client.on('AUTHORIZE_REQUEST', () => say('  ~ the platform requests to link your account'))
  say(`signed in as ${await crew.signIn()}`)
  say(`the crew meets in lobby ${await crew.persist(() => crew.join())}`)

  let score = 0
  let isJoining = options.join !== undefined
  for (let round = 0; round < rounds; round += 1) {
    const ship = shipOf(round)
    say(`\n[${round + 1}/${rounds}] the ${ship.name} comes alongside with ${ship.crates} crates of ${ship.cargo}`)
    await crew.persist(() => friends.read())
    await crew.persist(() =>
      client.setActivity({
        name: 'Dockside',
        details: `Unloading the ${ship.name}`,
        state: `${score} crates ashore`,
        timestamps: { start: startedAt },
        party: { id: `pier-${game}`, size: [1, 4] },
        secrets: { join: `rope-${game}` },
      }),
    )
    if (isJoining && (await crew.persist(() => friends.join(options.join ?? '')))) {
      isJoining = false
      say(`      you ask to join ${options.join}`)
    }
    await pause()
    const { landed, story } = land(round)
    score += landed
    say(`      ${crane(landed)}  ${story}`)
    await pause()
    await crew.chat(`${ship.name}: ${story}`, `${game}-${round}`)
    await pause()
  }

  say('\nthe lobby remembers:')
  for (const message of await crew.history()) say(`  ${message.author.username}: ${message.content}`)
  await crew.persist(() => client.clearActivity())
  say(`\n${score} crates ashore in ${seconds(Date.now() - startedAt)} — you rank as ${rankOf(score, rounds)}. Fair winds!`)
}

async function main(): Promise<void> {
  const rounds = Number(options.rounds)
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 100) throw new Error('--rounds must be a whole number from 1 to 100')
  const client = await connect()
  try {
    await play(client, rounds)
  } finally {
    await client.close()
  }
}

try {
  await main()
} catch (error) {
  console.error(`Dockside failed: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
