/** The words of the bridge's state: each key was chosen once, and every reader uses it. */
import { BridgeState, BridgeStatus } from '@sallyport/protocol'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { buildModel } from '#protocol/codegen/model.ts'
import { generateBindings } from '#protocol/codegen/generate.ts'
import { EMPTY_STATE, SAMPLE_STATE } from '#test/support/bridge-state.ts'

type Schema = Readonly<Record<string, unknown>>
const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** `games[]/user/id` for each field, in order. */
function keysOf(schema: unknown, at = ''): readonly string[] {
  if (!isSchema(schema)) return []
  if (isSchema(schema['items'])) return keysOf(schema['items'], `${at}[]`)
  const fields = isSchema(schema['properties']) ? Object.entries(schema['properties']) : []
  return fields.flatMap(([name, field]) => {
    const path = at === '' ? name : `${at}/${name}`
    return [path, ...keysOf(field, path)]
  })
}

/** The same paths of a value; of a list, those of all its items. */
function pathsOf(value: unknown, at = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsOf(item, `${at}[]`))
  if (!isSchema(value)) return []
  return Object.entries(value).flatMap(([name, field]) => {
    const path = at === '' ? name : `${at}/${name}`
    return [path, ...pathsOf(field, path)]
  })
}

/** The schema of a record in the table of definitions. */
const schemaOf = (name: string, type: z.ZodType): unknown => (z.toJSONSchema(type) as { $defs?: Schema }).$defs?.[name]

const KEYS = keysOf(schemaOf('BridgeState', BridgeState()))

/** Every key, by the field of the state. */
const REVIEWED: Readonly<Record<string, readonly string[]>> = {
  version: [],
  contract: [],
  platform: [],
  uptime_s: [],
  pid: [],
  ipc: [],
  websocket: [],
  sandbox_origin: [],
  peers: ['state', 'reason'],
  web_users_checked: [],
  presence_paused: [],
  presence_feed: ['address', 'reason', 'pages'],
  games: [
    'connection',
    'application_id',
    'application_name',
    'program',
    'pid',
    'trust',
    'user',
    'user/id',
    'user/username',
    'activity',
    'subscriptions',
    'can_link',
    'can_choose',
    'program_name',
  ],
  prompts: [
    'id',
    'title',
    'lines',
    'lines[]/label',
    'lines[]/text',
    'asked_at',
    'kind',
    'application_id',
    'pid',
    'program',
    'program_name',
    'username',
    'scopes',
    'why',
    'can_choose',
  ],
  pages: ['url', 'lines', 'lines[]/label', 'lines[]/text', 'opened_at', 'pid', 'browser'],
  invites: [
    'id',
    'application_id',
    'application_name',
    'user_id',
    'sender',
    'activity',
    'activity/type',
    'activity/name',
    'activity/details',
    'activity/state',
    'cover',
  ],
  presences: [
    'application_id',
    'username',
    'type',
    'name',
    'details',
    'state',
    'started_at',
    'ends_at',
    'party',
    'party/size',
    'party/max',
    'large_picture',
    'large_picture/image',
    'large_picture/text',
    'small_picture',
    'small_picture/image',
    'small_picture/text',
    'buttons',
    'buttons[]/label',
    'buttons[]/url',
    'hidden',
    'can_choose',
    'connection',
    'shown_on',
    'chosen_places',
  ],
  grants: [
    'id',
    'application_id',
    'application_name',
    'user_id',
    'username',
    'program',
    'basis',
    'scopes',
    'granted_at',
    'last_used_at',
    'denied_scopes',
    'presence',
    'lasts',
    'program_name',
    'chosen_places',
  ],
  accounts: ['application_id', 'user_id', 'username', 'scopes', 'id'],
  bots: ['application_id', 'name'],
  vault_problem: [],
  providers: ['name', 'state', 'reason', 'ignored'],
  warnings: ['kind', 'message', 'advice', 'application_id', 'ends_at'],
  counters: ['connections', 'calls', 'webhook_pings', 'webhook_events', 'webhook_duplicates', 'webhook_ignored', 'webhook_refused'],
  omitted: ['games', 'prompts', 'pages', 'invites', 'presences', 'grants', 'accounts', 'bots', 'warnings', 'applications'],
  applications: ['id', 'name', 'claimed_name', 'icon'],
  started_at: [],
  places: ['id', 'kind', 'username', 'build', 'package', 'running'],
  chosen_places: [],
  websocket_problem: [],
}

it('has these keys; a new one is chosen with the others in view', () => {
  const reviewed = Object.entries(REVIEWED).flatMap(([name, keys]) => {
    const isList = keys.length > 0 && Array.isArray(SAMPLE_STATE[name])
    return [name, ...keys.map((key) => `${name}${isList ? '[]' : ''}/${key}`)]
  })
  expect(KEYS).toEqual(reviewed)
})

it('has one word for each thing', () => {
  const words = KEYS.map((path) => path.split('/').at(-1) ?? '')
  expect(words.filter((word) => !/^[a-z]+(?:_[a-z]+)*$/.test(word))).toEqual([])
  const old = new Set(['sources', 'questions', 'joins', 'sessions', 'session', 'overview', 'snapshot'])
  expect(words.filter((word) => old.has(word))).toEqual([])
})

it('has a sample with a value for each key, which displays render in their tests', () => {
  expect([...new Set(pathsOf(SAMPLE_STATE))].toSorted()).toEqual(KEYS.toSorted())
  for (const state of [EMPTY_STATE, SAMPLE_STATE]) expect(BridgeState().parse(state)).toEqual(state)
})

it('is selected for games, without a key of its own', () => {
  const status = keysOf(schemaOf('BridgeStatus', BridgeStatus()))
  expect(status).toContain('games[]/program')
  expect(status.filter((path) => !KEYS.includes(path))).toEqual([])
  expect(status.filter((path) => /prompts|grants|accounts|presence|pages|invites|bots|ipc/.test(path))).toEqual([])
})

it('is in the reference, and in no binding', () => {
  const model = buildModel()
  expect(model.$defs['BridgeState']).toMatchObject({ audience: 'operator' })
  const texts = Object.values(generateBindings(model)).flatMap((files) => Object.values(files))
  expect(texts.length).toBeGreaterThan(5)
  for (const text of texts) expect(text).not.toMatch(/Bridge_?State|last_used_at|presence_paused|PresencePaused/i)
})
