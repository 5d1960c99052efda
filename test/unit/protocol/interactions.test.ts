/** Interaction responses: data of each callback, and the rules of modals and buttons. */
import { buttonProblems, callbackOf, ENDPOINTS, INTERACTION_CALLBACKS, INTERACTION_TYPES, LIMITS, canAnswer } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'

const TARGET = { interaction_id: '1', interaction_token: 'token' }
const wrong = (answer: object): string[] =>
  ENDPOINTS.CREATE_INTERACTION_RESPONSE.args.safeParse({ ...TARGET, ...answer }).error?.issues.map(({ path }) => path.join('.')) ?? []

describe('callbacks', () => {
  it('start the activity only from commands, components and modals', { tags: ['6-21'] }, () => {
    const { LAUNCH_ACTIVITY } = INTERACTION_CALLBACKS
    const accepted = Object.entries(INTERACTION_TYPES).filter(([, type]) => canAnswer(type, LAUNCH_ACTIVITY))
    expect(accepted.map(([name]) => name)).toEqual(['applicationCommand', 'messageComponent', 'modalSubmit'])
    expect(wrong({ type: 12 })).toEqual([])
    expect(wrong({ type: 12, data: { content: 'x' } })).toEqual(['data'])
  })

  it('take the deprecated callback, whose replacement the table names', { tags: ['6-22'] }, () => {
    expect(callbackOf(10)?.deprecated).toContain('premium button')
    expect(wrong({ type: 10 })).toEqual([])
    expect(wrong({ type: 10, data: { content: 'x' } })).toEqual(['data'])
    expect(callbackOf(11)).toBeUndefined()
    expect(wrong({ type: 11 })).toEqual(['type'])
  })

  it('say whether a purchase is allowed', () => {
    const { SOCIAL_LAYER_SKU_PURCHASE_ELIGIBILITY: row } = INTERACTION_CALLBACKS
    expect(Object.values(INTERACTION_TYPES).filter((type) => canAnswer(type, row))).toEqual([6])
    expect(wrong({ type: 13, data: { eligible: false, ineligible_reason: 1, ineligible_reason_description: 'Owned.' } })).toEqual([])
    expect(wrong({ type: 13 })).toEqual(['data'])
    expect(wrong({ type: 13, data: { content: 'x' } })).toEqual(['data'])
    expect(wrong({ type: 4, data: { eligible: true } })).toEqual(['data'])
  })

  it('reject a poll in an update, and files without an attachment', () => {
    const poll = { question: { text: 'Where to?' }, answers: [{ poll_media: { text: 'Reef' } }] }
    expect(wrong({ type: 4, data: { poll } })).toEqual([])
    expect(wrong({ type: 7, data: { poll } })).toEqual(['data.poll'])
    expect(wrong({ type: 4, data: { content: 'x', attachments: [{ id: '0' }] } })).toEqual(['data.attachments.0.id'])
  })
})

describe('forms', () => {
  const form = (component: object) =>
    wrong({ type: 9, data: { custom_id: 'f', title: 'Crew', components: [{ type: 18, label: 'x', component }] } })

  it('request 0 to 10 files', { tags: ['8-10'] }, () => {
    for (const count of [0, LIMITS.modalFiles.value])
      expect(form({ type: 19, custom_id: 'l', min_values: count, max_values: count })).toEqual([])
    for (const count of [-1, 11]) {
      expect(form({ type: 19, custom_id: 'l', min_values: count })).not.toEqual([])
      expect(form({ type: 19, custom_id: 'l', max_values: count })).not.toEqual([])
    }
  })

  it('allow no label on a text input inside a Label, and no disabled components', { tags: ['1-18', '7-11', '7-12'] }, () => {
    for (const label of [undefined, null]) expect(form({ type: 4, custom_id: 'n', style: 1, label })).toEqual([])
    expect(form({ type: 4, custom_id: 'n', style: 1, label: 'Name' })).toEqual(['data.components.0.component.label'])
    const select = { type: 3, custom_id: 's', options: [{ label: 'a', value: 'a' }] }
    for (const disabled of [false, null]) expect(form({ ...select, disabled })).toEqual([])
    expect(form({ ...select, min_values: 1, max_values: 1 })).toEqual([])
    expect(form({ ...select, min_values: 2, max_values: 1 })).toEqual(['data.components.0.component.min_values'])
    expect(form({ ...select, disabled: true })).toEqual(['data.components.0.component.disabled'])
  })
})

describe('buttons', () => {
  const problems = (button: object) => buttonProblems([{ type: 1, components: [{ type: 2, ...button }] }]).map(({ path }) => path.at(-1))

  it('have the fields of their style', { tags: ['2.2-61'] }, () => {
    expect(problems({ style: 6, sku_id: '1' })).toEqual([])
    expect(problems({ style: 6, label: 'Buy', custom_id: 'b', sku_id: '1' })).toEqual(['custom_id', 'label'])
    expect(problems({ style: 6 })).toEqual(['sku_id'])
    expect(problems({ style: 5, url: 'https://game.test' })).toEqual([])
    expect(problems({ style: 5, custom_id: 'b' })).toEqual(['url', 'custom_id'])
    expect(problems({ style: 1, custom_id: 'b' })).toEqual([])
    expect(problems({ style: 1, sku_id: '1' })).toEqual(['custom_id', 'sku_id'])
  })

  it('are checked in sections and containers, in sent and edited messages', () => {
    const section = { type: 9, components: [{ type: 10, content: 'x' }], accessory: { type: 2, style: 6 } }
    expect(buttonProblems([{ type: 17, components: [section] }])[0]?.path).toEqual([
      'components',
      0,
      'components',
      0,
      'accessory',
      'sku_id',
    ])
    const flags = 1 << 15
    const message = { channel_id: '1', flags, components: [section] }
    expect(ENDPOINTS.CREATE_MESSAGE.args.safeParse(message).success).toBe(false)
    expect(ENDPOINTS.EDIT_MESSAGE.args.safeParse({ ...message, message_id: '1' }).success).toBe(false)
  })
})
