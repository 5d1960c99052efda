/** Six states that a player sees, for pictures of the dashboard and for checks of its accessibility. */
import type { BridgeState } from '@sallyport/protocol'
import { generatedPicture } from '#daemon/sandbox/src/api/generated-picture.ts'
import { CLIENT, EMPTY_STATE, GAME, GRANT, PRESENCE, PROMPT } from './bridge-state.ts'

const MINUTE_MS = 60_000

interface Sample {
  readonly id: string
  readonly name: string
  readonly program: string
  readonly details?: string
  readonly state?: string
}

const SAMPLES: readonly Sample[] = [
  { id: '1409811209381122048', name: 'Tide Pilot', program: '/home/mary/games/tide/tide-pilot', details: 'Out at sea', state: 'In a crew' },
  { id: '1400072213359001600', name: 'Dockside', program: '/usr/games/dockside', details: 'Sorting crates', state: 'Solo' },
  {
    id: '1390001200114001920',
    name: 'The Extraordinarily Long-Winded Chronicles of the Northern Harbour',
    program: '/home/mary/.local/share/Steam/steamapps/common/Northern Harbour/bin/linux-x86_64/northern-harbour-client',
    details: 'Reading chapter twelve of the harbour master’s memoirs',
  },
  { id: '1380000000000000001', name: 'Seagull FM', program: 'the Flatpak application io.example.SeagullFM', details: 'Song of the buoys' },
  { id: '1370000000000000002', name: 'Kraken', program: '/home/mary/games/kraken', details: 'Regatta', state: 'Second lap' },
]

const gameOf = ({ id, name, program, details, state }: Sample, at: number): BridgeState['games'][number] => ({
  ...GAME,
  connection: 7 + at,
  application_id: id,
  application_name: name,
  program,
  program_name: program.split(/[/ ]/).at(-1) ?? program,
  ...(at === 1 ? { can_link: true, subscriptions: ['AUTHORIZE_REQUEST'] } : { user: { id: '5', username: 'mary' } }),
  activity: `Playing ${name}: ${[details, state].join(', ')}`,
})

const presenceOf = ({ id, name, details, state }: Sample, at: number): BridgeState['presences'][number] => ({
  ...PRESENCE,
  connection: 7 + at,
  application_id: id,
  type: at === 3 ? 2 : 0,
  name,
  ...(details === undefined ? {} : { details }),
  ...(state === undefined ? {} : { state }),
  ...(at === 1 ? {} : { username: 'mary' }),
  started_at: Date.now() - (at + 1) * 13 * MINUTE_MS,
  ...(at === 0
    ? {
        party: { size: 2, max: 4 },
        large_picture: { image: imageId(0), text: 'The harbour at night' },
        small_picture: { image: imageId(1), text: 'Captain' },
        buttons: [
          { label: 'Watch the regatta', url: 'https://tide.test/watch' },
          { label: 'Join the club', url: 'https://tide.test/club' },
        ],
      }
    : {}),
  ...(at === 4 ? { hidden: 'hidden-now' as const } : { shown_on: at === 1 ? [CLIENT.id, 'web'] : ['account'] }),
  ...(at === 1 ? { chosen_places: [CLIENT.id, 'web'] } : {}),
})

const grantOf = ({ id, name, program }: Sample, at: number): BridgeState['grants'][number] => ({
  ...GRANT,
  id: `g${at}`,
  application_id: id,
  application_name: name,
  program,
  program_name: program.split(/[/ ]/).at(-1) ?? program,
  basis: (['allowed', 'token', 'allowed', 'blocked', 'none'] as const)[at] ?? 'allowed',
  scopes: at < 3 ? ['openid', 'sdk.social_layer'] : [],
  ...(at === 0 ? { denied_scopes: ['dm_channels.messages.read'], lasts: 'session' as const } : {}),
  ...(at === 4 ? { presence: 'hidden' as const } : {}),
  ...(at === 1 ? { chosen_places: [CLIENT.id, 'web'] } : {}),
})

const applicationOf = ({ id, name }: Sample, at: number): BridgeState['applications'][number] =>
  // One that the platform does not name.
  at === 1 ? { id, claimed_name: name } : { id, name, icon: imageId(at + 2) }

const stateOf = (samples: readonly Sample[]): BridgeState => ({
  ...EMPTY_STATE,
  places: [
    { id: '5', kind: 'client', username: 'mary', running: true },
    CLIENT,
    { id: '77', kind: 'client', running: false },
    { id: 'account', kind: 'account', running: true },
    { id: 'web', kind: 'web', running: true },
  ],
  games: samples.map(gameOf),
  presences: samples.map(presenceOf),
  grants: samples.map(grantOf),
  applications: samples.map(applicationOf),
  accounts: samples
    .slice(0, 3)
    .map(({ id }) => ({ id: `${id}-5`, application_id: id, user_id: '5', username: 'mary', scopes: ['openid', 'sdk.social_layer'] })),
  providers: [
    { name: 'desktop-client', state: 'unavailable', reason: "The platform's desktop client does not run." },
    { name: 'gateway', state: 'idle' },
    { name: 'headless-sessions', state: 'active' },
  ],
})

const ASKED: BridgeState['prompts'][number] = {
  ...PROMPT,
  application_id: SAMPLES[0]?.id ?? '',
  program: SAMPLES[0]?.program ?? '',
  program_name: 'tide-pilot',
  scopes: ['openid', 'sdk.social_layer'],
  lines: [
    { label: 'Application', text: 'Tide Pilot (1409811209381122048)' },
    { label: 'Program', text: SAMPLES[0]?.program ?? '' },
  ],
}

const named = (samples: readonly Sample[]): Pick<BridgeState, 'applications'> => ({ applications: samples.map(applicationOf) })

/** By name. `gone` is the state before the daemon ended. */
export const PLAYER_STATES = {
  nothing: EMPTY_STATE,
  prompt: {
    ...EMPTY_STATE,
    prompts: [ASKED],
    games: SAMPLES.slice(0, 1).map(({ id, program }) => ({ ...GAME, application_id: id, program, program_name: 'tide-pilot' })),
    ...named(SAMPLES.slice(0, 1)),
  },
  page: {
    ...EMPTY_STATE,
    pages: [{ url: 'http://127.0.0.1:40000/enter', lines: ASKED.lines, opened_at: Date.now(), browser: 'started' }],
    ...named(SAMPLES.slice(0, 1)),
  },
  one: stateOf(SAMPLES.slice(0, 1)),
  five: stateOf(SAMPLES),
  gone: stateOf(SAMPLES.slice(0, 2)),
} satisfies Readonly<Record<string, BridgeState>>

function imageId(at: number): string {
  return String(at).repeat(32)
}

/** A picture for each id of the states above. */
export const pictureAt = (id: string) => ({ type: 'image/png', bytes: generatedPicture(id) })
