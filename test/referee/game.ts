/**
 * The referee: a game that was written for the relaxed sandbox. Each step does what a careless game does, and answers `ok` or the platform's own
 * code. All of them pass in the relaxed sandbox, and none in the strict one.
 */
import type { StrictRuleName } from '@sallyport/sandbox/strict/rules'
import { RawClient } from '../e2e/support/raw-client.ts'
import { type Arena, Player } from './player.ts'

export interface Step {
  readonly name: string
  readonly rule: StrictRuleName
  /** The answer of the strict sandbox. */
  readonly strict: string
  play(player: Player, arena: Arena): Promise<string>
}

const MESSAGE_CONTENT = 1 << 15
/** A lobby window of the platform is longer than the windows of buckets, which a patient game never fills. */
const PAUSE_MS = 10_000

/** Signs in by the daemon, as a game does. */
async function authorize({ applicationId }: Player, { socket }: Arena, args: object): Promise<string> {
  const game = await RawClient.ready(socket, { client_id: applicationId })
  const { evt, data } = await game.call('AUTHORIZE', { client_id: applicationId, scopes: ['identify'], ...args })
  game.hangUp()
  return evt === null ? 'ok' : (/OAuth2 Error: ([^:]+)/.exec(data.message)?.[1] ?? data.message)
}

const asks = (scope: string): Step => ({
  name: `requests the scope ${scope} without an approval`,
  rule: 'scope-approval',
  strict: 'invalid_scope',
  play: (player, arena) => authorize(player, arena, { scopes: ['identify', scope] }),
})

export const STEPS: readonly Step[] = [
  asks('rpc'),
  asks('rpc.voice.write'),
  asks('messages.read'),
  asks('guilds.join'),
  asks('gdm.join'),
  asks('applications.builds.upload'),
  {
    name: 'signs in by a scheme of its own, which it has not registered',
    rule: 'redirect-registration',
    strict: 'Invalid OAuth2 redirect_uri',
    play: (player, arena) =>
      authorize(player, arena, { custom_scheme: 'carelessgame', code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' }),
  },
  {
    name: 'reads its user 60 times at once',
    rule: 'rate-limit-global',
    strict: '429 global',
    async play(player) {
      const token = await player.token()
      return player.atOnce(60, () => player.api('GET', '/users/@me', token))
    },
  },
  {
    name: 'sends 10 messages to a channel at once',
    rule: 'rate-limit-bucket',
    strict: '429',
    play: (player, { channel }) =>
      player.repeats(10, () => player.api('POST', `/channels/${channel}/messages`, player.bot, { content: 'Ahoy' })),
  },
  {
    name: 'sends 10 messages to a lobby at once',
    rule: 'rate-limit-bucket',
    strict: '429',
    async play(player) {
      const token = await player.token()
      const lobby = await player.lobby(token)
      return player.repeats(10, () => player.api('POST', `/lobbies/${lobby}/messages`, token, { content: 'Ahoy' }))
    },
  },
  {
    name: 'sends 10 direct messages at once',
    rule: 'rate-limit-bucket',
    strict: '429',
    async play(player, { friend }) {
      const token = await player.token()
      return player.repeats(10, () => player.api('POST', `/users/${friend}/messages`, token, { content: 'Ahoy' }))
    },
  },
  {
    name: 'adds 10 reactions at once',
    rule: 'rate-limit-bucket',
    strict: '429',
    async play(player, { channel }) {
      const { id } = (await player.ok('POST', `/channels/${channel}/messages`, player.bot, { content: 'Ahoy' })) as { readonly id: string }
      const emoji = encodeURIComponent('👍')
      return player.atOnce(10, () => player.api('PUT', `/channels/${channel}/messages/${id}/reactions/${emoji}/@me`, player.bot))
    },
  },
  {
    name: 'renames a channel for each of 5 scores',
    rule: 'rate-limit-bucket',
    strict: '429',
    async play(player, { harbour }) {
      const { id } = (await player.ok('POST', `/guilds/${harbour}/channels`, player.bot, { name: 'scores' })) as { readonly id: string }
      const answer = await player.repeats(5, (count) => player.api('PATCH', `/channels/${id}`, player.bot, { name: `scores-${count}` }))
      await player.api('DELETE', `/channels/${id}`, player.bot)
      return answer
    },
  },
  {
    name: 'shows 8 activities in a second',
    rule: 'rate-limit-bucket',
    strict: '429',
    async play(player) {
      const token = await player.token()
      const shows = (count: number) => ({
        activities: [{ type: 0, name: 'Careless', details: `Round ${count}`, application_id: player.applicationId, platform: 'desktop' }],
      })
      return player.repeats(8, (count) => player.api('POST', '/users/@me/headless-sessions', token, shows(count)))
    },
  },
  {
    name: 'makes 110 lobbies in two hours, before its approval',
    rule: 'rate-limit-approval',
    strict: '429',
    async play(player, { advance }) {
      const token = await player.token()
      return player.repeats(110, async (count) => {
        if (count % 10 === 0) await advance(PAUSE_MS)
        return player.api('PUT', '/lobbies', token, { secret: `lobby ${count}` })
      })
    },
  },
  {
    name: 'links a channel 25 times in two hours, before its approval',
    rule: 'rate-limit-approval',
    strict: '429',
    async play(player, { channel, advance }) {
      const token = await player.token()
      const lobby = await player.lobby(token)
      return player.repeats(25, async (count) => {
        if (count % 10 === 0) await advance(PAUSE_MS)
        return player.api('PATCH', `/lobbies/${lobby}/channel-linking`, token, count % 2 === 0 ? { channel_id: channel } : {})
      })
    },
  },
  {
    name: 'identifies a bot with an intent that it did not turn on',
    rule: 'message-content',
    strict: '4014',
    play: (player) => player.identifies(MESSAGE_CONTENT),
  },
  {
    name: 'searches messages without the intent for their content',
    rule: 'message-content',
    strict: '403, 50001',
    async play(player, { harbour }) {
      const response = await player.api('GET', `/guilds/${harbour}/messages/search?content=harbour`, player.bot)
      // The index of a guild may be made first.
      return response.status === 202 ? 'ok' : player.outcome(response)
    },
  },
  {
    name: 'reads what a user wrote without the intent for content',
    rule: 'message-content',
    strict: 'no content',
    async play(player, { channel }) {
      const messages = (await player.ok('GET', `/channels/${channel}/messages?limit=100`, player.bot)) as readonly {
        readonly content: string
        readonly author: { readonly bot?: boolean }
      }[]
      const ofUsers = messages.filter(({ author }) => author.bot !== true)
      return ofUsers.length > 0 && ofUsers.every(({ content }) => content !== '') ? 'ok' : 'no content'
    },
  },
  {
    name: 'identifies a bot twice at once',
    rule: 'identify-pace',
    strict: 'opcode 9',
    async play(player) {
      const first = await player.identifies(1)
      return first === 'ok' ? player.identifies(1) : first
    },
  },
  {
    name: 'responds in public where the user may not use external apps',
    rule: 'external-app',
    strict: 'ephemeral',
    async play(player, { channel, control }) {
      const interaction = {
        application_id: player.applicationId,
        user: 'grace',
        channel_id: channel,
        installed: ['user'],
        answer_within_ms: 60_000,
      }
      const { id, token } = (await control('POST', '/interactions', interaction)) as { readonly id: string; readonly token: string }
      const path = `/interactions/${id}/${token}/callback?with_response=true`
      const { interaction: answered } = (await player.ok('POST', path, player.bot, { type: 4, data: { content: 'Ahoy' } })) as {
        readonly interaction: { readonly response_message_ephemeral: boolean }
      }
      return answered.response_message_ephemeral ? 'ephemeral' : 'ok'
    },
  },
]

/** Plays every step in an application of its own, and returns its answers in order. */
export async function playAll(arena: Arena): Promise<readonly string[]> {
  const answers: string[] = []
  for (const [index, step] of STEPS.entries()) {
    // A step starts with empty windows.
    await arena.advance(PAUSE_MS)
    answers.push(await step.play(new Player(arena, `88800070${String(index).padStart(2, '0')}`), arena))
  }
  return answers
}
