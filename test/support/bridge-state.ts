/** States of the bridge that each display renders in its test: one with nothing to show, and one with everything. */
import type { BridgeState } from '@sallyport/protocol'

/** 21 November 2026. */
const DAY = Date.UTC(2026, 10, 21)

export const EMPTY_STATE: BridgeState = {
  version: '0.1.0',
  contract: '1.0',
  platform: 'sandbox',
  started_at: 1_700_000_000_000,
  uptime_s: 61,
  pid: 4242,
  ipc: ['/run/x/discord-ipc-0'],
  peers: { state: 'held' },
  web_users_checked: true,
  presence_paused: false,
  games: [],
  prompts: [],
  pages: [],
  invites: [],
  presences: [],
  applications: [],
  places: [],
  grants: [],
  accounts: [],
  bots: [],
  providers: [],
  warnings: [],
  counters: { connections: 1, calls: 3 },
  omitted: {},
}

export const GAME: BridgeState['games'][number] = {
  connection: 7,
  application_id: '42',
  application_name: 'Tide Pilot',
  program: '/games/tide',
  program_name: 'tide',
  pid: 77,
  trust: 'kernel',
  subscriptions: [],
  can_link: false,
  can_choose: true,
}

export const PROMPT: BridgeState['prompts'][number] = {
  id: 'ab12',
  title: 'A program wants to sign in for a game.',
  lines: [
    { label: 'Application', text: 'Tide Pilot (42)' },
    { label: 'May do', text: 'identify' },
    { label: 'Program', text: '/games/tide' },
  ],
  asked_at: DAY,
  kind: 'sign-in',
  application_id: '42',
  program: '/games/tide',
  program_name: 'tide',
  scopes: ['identify'],
  why: 'You have not allowed this program before.',
  can_choose: true,
}

export const PRESENCE: BridgeState['presences'][number] = {
  connection: 7,
  application_id: '42',
  type: 0,
  name: 'Tide Pilot',
  can_choose: true,
}

export const GRANT: BridgeState['grants'][number] = {
  id: 'g1',
  application_id: '42',
  application_name: 'Tide Pilot',
  user_id: '5',
  username: 'mary',
  program: '/games/tide',
  program_name: 'tide',
  basis: 'allowed',
  scopes: ['identify'],
  granted_at: DAY,
  last_used_at: DAY,
}

export const CLIENT: BridgeState['places'][number] = {
  id: '5-canary-flatpak',
  kind: 'client',
  username: 'mary',
  build: 'canary',
  package: 'flatpak',
  running: true,
}

export const INVITE: BridgeState['invites'][number] = { id: '77', application_id: '42', user_id: '5', sender: 'ada', activity: { type: 0 } }

/** Has a value for every key of the record. */
export const SAMPLE_STATE: BridgeState = {
  ...EMPTY_STATE,
  websocket: 'ws://127.0.0.1:6463',
  websocket_problem: 'Games in browsers cannot connect.',
  sandbox_origin: 'http://127.0.0.1:3000',
  peers: { state: 'unknown', reason: 'This system does not identify processes.' },
  presence_paused: true,
  places: [CLIENT, { id: 'account', kind: 'account', running: true }, { id: 'web', kind: 'web', running: false }],
  chosen_places: ['account'],
  presence_feed: { address: 'ws://127.0.0.1:1337', reason: 'Port 1337 was taken.', pages: 2 },
  games: [
    { ...GAME, user: { id: '5', username: 'mary' }, activity: 'Playing Tide Pilot: Out at sea', subscriptions: ['ACTIVITY_JOIN'] },
    { ...GAME, connection: 8, application_id: '43', application_name: 'Harbour', subscriptions: ['AUTHORIZE_REQUEST'], can_link: true },
  ],
  prompts: [{ ...PROMPT, username: 'mary', pid: 77 }],
  pages: [
    {
      url: 'https://platform.test/oauth2/authorize',
      lines: [{ label: 'Program', text: '/games/tide' }],
      opened_at: DAY,
      pid: 77,
      browser: 'missing',
    },
  ],
  invites: [
    {
      ...INVITE,
      application_name: 'Tide Pilot',
      activity: { type: 5, name: 'Tide Pilot', details: 'Regatta', state: 'Second lap' },
      cover: 'https://cdn.test/cover.png',
    },
  ],
  presences: [
    {
      ...PRESENCE,
      username: 'mary',
      details: 'Out at sea',
      state: 'In a crew',
      started_at: DAY,
      ends_at: DAY + 60_000,
      party: { size: 2, max: 4 },
      large_picture: { image: 'a'.repeat(32), text: 'The harbour at night' },
      small_picture: { image: 'b'.repeat(32), text: 'Captain' },
      buttons: [{ label: 'Watch the regatta', url: 'https://tide.test/watch' }],
      hidden: 'hidden',
      shown_on: ['account'],
      chosen_places: [CLIENT.id],
    },
  ],
  grants: [{ ...GRANT, denied_scopes: ['identify'], presence: 'hidden', lasts: 'session', chosen_places: [CLIENT.id] }],
  applications: [{ id: '42', name: 'Tide Pilot', claimed_name: 'Tide Pilot', icon: 'c'.repeat(32) }],
  accounts: [{ id: '42-5', application_id: '42', user_id: '5', username: 'mary', scopes: ['identify'] }],
  bots: [{ application_id: '42', name: 'Tide Bot' }],
  vault_problem: 'The keychain is locked.',
  providers: [
    { name: 'gateway', state: 'failing', reason: 'The platform refused the token.', ignored: 3 },
    { name: 'headless-sessions', state: 'active' },
  ],
  warnings: [
    {
      kind: 'provider_failing',
      message: 'The provider gateway does not work now: The platform refused the token.',
      advice: 'Store a valid bot token with: sallyport login --bot.',
    },
    {
      kind: 'development_limit',
      message: 'Application 42 created many lobbies.',
      advice: 'Ask the platform to approve it.',
      application_id: '42',
      ends_at: DAY,
    },
  ],
  counters: {
    connections: 9,
    calls: 812,
    webhook_pings: 1,
    webhook_events: 2,
    webhook_duplicates: 3,
    webhook_ignored: 4,
    webhook_refused: 5,
  },
  omitted: { games: 1, prompts: 2, pages: 3, invites: 4, presences: 5, applications: 10, grants: 6, accounts: 7, bots: 8, warnings: 9 },
}

/** A publisher whose states the test decides. */
export class TestPublisher {
  #state: BridgeState
  readonly #listeners = new Set<(state: BridgeState) => void>()

  constructor(state: BridgeState = EMPTY_STATE) {
    this.#state = state
  }

  get watching(): number {
    return this.#listeners.size
  }

  current(): BridgeState {
    return this.#state
  }

  watch(listener: (state: BridgeState) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  publish(more: Partial<BridgeState>): void {
    this.#state = { ...this.#state, ...more }
    for (const listener of this.#listeners) listener(this.#state)
  }
}
