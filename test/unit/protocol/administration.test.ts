/** Commands, auto-moderation rules and the audit log: tables and rejected input. */
import {
  AUDIT_LOG_EVENTS,
  AUTO_MODERATION_ACTIONS,
  AUTO_MODERATION_TRIGGERS,
  COMMAND_TYPES,
  commandListProblems,
  commandProblems,
  ENDPOINTS,
  ENTRY_POINT_HANDLERS,
  LIMITS,
  ruleProblems,
} from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'

const menus = (count: number, type: 2 | 3) => Array.from({ length: count }, (_, index) => ({ name: `Menu ${index}`, type }))
const entry = { name: 'launch', type: COMMAND_TYPES.primaryEntryPoint, description: 'Play' }
const fields = (problems: readonly { readonly path: readonly (string | number)[] }[]) => problems.map(({ path }) => path.join('.'))

describe('commands', () => {
  it('have the type numbers of the platform', { tags: ['2.2-45', '2.2-46'] }, () => {
    expect(COMMAND_TYPES).toEqual({ chatInput: 1, user: 2, message: 3, primaryEntryPoint: 4 })
    expect(ENTRY_POINT_HANDLERS).toEqual({ appHandler: 1, platformLaunchActivity: 2 })
  })

  it('are limited to 15 per context menu type', { tags: ['8-14'] }, () => {
    expect(LIMITS.contextMenuCommands.value).toBe(15)
    expect(commandListProblems([...menus(15, 2), ...menus(15, 3)], 'global')).toEqual([])
    expect(commandListProblems(menus(16, 2), 'global')[0]?.message).toContain('16 USER commands; at most 15')
    expect(commandListProblems(menus(16, 3), 'guild')[0]?.message).toContain('16 MESSAGE commands; at most 15')
  })

  it('allow one global entry point', { tags: ['8-15'] }, () => {
    expect(commandListProblems([entry], 'global')).toEqual([])
    expect(commandListProblems([entry, { ...entry, name: 'start' }], 'global')).toHaveLength(1)
    expect(fields(commandListProblems([entry], 'guild'))).toEqual(['0.type'])
  })

  it('have a handler only for entry points', { tags: ['2.2-46'] }, () => {
    for (const handler of [1, 2] as const) {
      expect(commandProblems({ ...entry, handler })).toEqual([])
      expect(fields(commandProblems({ name: 'sail', description: 'x', handler }))).toEqual(['handler'])
    }
  })

  it('require name and description by type', () => {
    expect(fields(commandProblems({ name: 'Set Sail', description: '' }))).toEqual(['name', 'description'])
    expect(commandProblems({ name: 'segeln-über_2', description: 'x' })).toEqual([])
    expect(
      fields(commandProblems({ name: 'Greet them', type: 2, description: 'x', options: [{ type: 5, name: 'a', description: 'x' }] })),
    ).toEqual(['description', 'options'])
  })

  it('have options with unique names, required options first', () => {
    const flag = (name: string, more: object = {}) => ({ type: 5 as const, name, description: 'x', ...more })
    const options = [flag('a'), flag('a'), flag('b', { required: true })]
    expect(fields(commandProblems({ name: 'sail', description: 'x', options }))).toEqual(['options.1.name', 'options.2.required'])
    const inner = [{ type: 1 as const, name: 'enter', description: 'x', options: [flag('NO')] }]
    expect(fields(commandProblems({ name: 'sail', description: 'x', options: inner }))).toEqual(['options.0.options.0.name'])
  })
})

describe('auto-moderation rules', () => {
  const rule: Parameters<typeof ruleProblems>[0] = { trigger_type: 1, event_type: 1, actions: [{ type: 1 }], trigger_metadata: {} }

  it('have the type numbers of the platform', { tags: ['2.2-59'] }, () => {
    expect(Object.entries(AUTO_MODERATION_TRIGGERS).map(([name, { type }]) => `${type} ${name}`)).toEqual([
      '1 KEYWORD',
      '3 SPAM',
      '4 KEYWORD_PRESET',
      '5 MENTION_SPAM',
      '6 MEMBER_PROFILE',
    ])
    expect(AUTO_MODERATION_ACTIONS.BLOCK_MEMBER_INTERACTION).toMatchObject({ type: 4, triggers: ['MEMBER_PROFILE'] })
  })

  it.each([1, 3, 4, 5, 6] as const)('with the trigger %i accept the actions of this trigger', { tags: ['2.2-60'] }, (trigger_type) => {
    const metadata = [undefined, undefined, { channel_id: '1' }, { duration_seconds: 1 }, undefined]
    const event_type = trigger_type === 6 ? 2 : 1
    const taken = ([1, 2, 3, 4] as const).filter((type) => {
      const actions = [{ type, ...(metadata[type] === undefined ? {} : { metadata: metadata[type] }) }]
      return ruleProblems({ ...rule, trigger_type, event_type, actions }).length === 0
    })
    expect(taken).toEqual({ 1: [1, 2, 3], 3: [1, 2], 4: [1, 2], 5: [1, 2, 3], 6: [2, 4] }[trigger_type])
  })

  it('accept only metadata of their trigger and actions', () => {
    expect(fields(ruleProblems({ ...rule, trigger_metadata: { presets: [1] } }))).toEqual(['trigger_metadata.presets'])
    expect(fields(ruleProblems({ ...rule, actions: [{ type: 1, metadata: { channel_id: '1' } }] }))).toEqual([
      'actions.0.metadata.channel_id',
    ])
    expect(fields(ruleProblems({ ...rule, actions: [{ type: 3 }] }))).toEqual(['actions.0.metadata.duration_seconds'])
  })
})

describe('the audit log', () => {
  it('has voice channel status entries, with the new status in options', { tags: ['6-9', '6-10'] }, () => {
    expect(AUDIT_LOG_EVENTS.VOICE_CHANNEL_STATUS_UPDATE).toMatchObject({ type: 192, alsoNamed: 'VOICE_CHANNEL_STATUS_CREATE' })
    expect(AUDIT_LOG_EVENTS.VOICE_CHANNEL_STATUS_UPDATE.options).toContain('status')
    expect(AUDIT_LOG_EVENTS.VOICE_CHANNEL_STATUS_DELETE.type).toBe(193)
    const numbers = Object.values(AUDIT_LOG_EVENTS).map(({ type }) => type)
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
  })

  it('can be filtered by known types', () => {
    const asked = (action_type: number) => ENDPOINTS.GET_GUILD_AUDIT_LOG.args.safeParse({ guild_id: '1', action_type }).success
    expect([192, 193, 74, 2, 194].map(asked)).toEqual([true, true, true, false, false])
  })
})

describe('headless sessions', () => {
  it('contain exactly one activity', () => {
    const activity = { type: 0, name: 'Harbour', application_id: '1', platform: 'desktop' }
    const accepts = (activities: object[]) => ENDPOINTS.CREATE_HEADLESS_SESSION.args.safeParse({ activities }).success
    expect([[], [activity], [activity, activity]].map(accepts)).toEqual([false, true, false])
  })
})
