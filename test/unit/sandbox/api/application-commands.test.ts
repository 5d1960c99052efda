/** Application commands in the sandbox: limits count existing commands. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expectShape, refusal } from '../answers.ts'
import { type Answer, APPLICATION, type Harness, OTHER_APPLICATION, startHarness } from '../harness.ts'

let harness: Harness
beforeEach(async () => {
  harness = await startHarness()
})
afterEach(() => harness.close())

const send = (method: string, path: string, json?: unknown, application = APPLICATION): Promise<Answer> =>
  harness.send(method, path, { token: `Bot sandbox-bot-${application}`, ...(json === undefined ? {} : { json }) })
const listOf = ({ text }: Answer) => JSON.parse(text) as Record<string, unknown>[]
const guild = async (name: string): Promise<string> => {
  const { guilds } = (await harness.send('GET', '~sandbox/state')).json as unknown as { guilds: { id: string; name: string }[] }
  return guilds.find((one) => one.name === name)?.id ?? ''
}

const commands = `/applications/${APPLICATION}/commands`
const sail = { name: 'sail', description: 'Set sail' }
const entry = { name: 'launch', description: 'Play', type: 4, handler: 2 }

describe('global commands', () => {
  it('are made, listed, changed and deleted', { tags: ['2.2-44'] }, async () => {
    const made = await send('POST', commands, { ...sail, name_localizations: { de: 'segeln' }, default_member_permissions: 8 })
    expectShape('CREATE_GLOBAL_APPLICATION_COMMAND', made)
    expect(made.status).toBe(201)
    expect(made.json).toMatchObject({
      ...sail,
      type: 1,
      contexts: null,
      integration_types: [0, 1],
      dm_permission: true,
      default_member_permissions: '8',
      name_localizations: { de: 'segeln' },
    })
    const path = `${commands}/${String(made.json['id'])}`
    expect(listOf(await send('GET', commands))[0]).not.toHaveProperty('name_localizations')
    expect(listOf(await send('GET', `${commands}?with_localizations=true`))[0]).toHaveProperty('name_localizations', { de: 'segeln' })
    const edited = await send('PATCH', path, { description: 'Go', contexts: [0] })
    expectShape('EDIT_GLOBAL_APPLICATION_COMMAND', edited)
    expect(edited.json).toMatchObject({ name: 'sail', description: 'Go', contexts: [0], dm_permission: false })
    const guildsOnly = await send('POST', commands, { name: 'moor', description: 'Moor', dm_permission: false })
    expect(guildsOnly.json).toMatchObject({ contexts: [0], dm_permission: false })
    expect(edited.json['version']).not.toBe(made.json['version'])
    expectShape('GET_GLOBAL_APPLICATION_COMMAND', await send('GET', path))
    expectShape('DELETE_GLOBAL_APPLICATION_COMMAND', await send('DELETE', path))
    expect(refusal(await send('GET', path))).toEqual([404, 10063])
  })

  it('replace those of the same name and type, and no others', async () => {
    const first = await send('POST', commands, sail)
    const second = await send('POST', commands, { ...sail, description: 'Again' })
    expect([second.status, second.json['id']]).toEqual([200, first.json['id']])
    expect((await send('POST', commands, { name: 'sail', type: 2 })).status).toBe(201)
    expect(listOf(await send('GET', commands))).toHaveLength(2)
  })

  it('are 15 of each kind of menu, and one entry point', { tags: ['8-14', '2.2-46'] }, async () => {
    for (const type of [2, 3]) {
      for (let index = 0; index < 15; index++) expect((await send('POST', commands, { name: `Menu ${index}`, type })).status).toBe(201)
      expect(refusal(await send('POST', commands, { name: 'One more', type }))).toEqual([400, 30032])
      expect((await send('POST', commands, { name: 'Menu 0', type })).status).toBe(200)
    }
    const { handler: _, ...plain } = entry
    const { json } = await send('POST', commands, plain)
    expect(json).toMatchObject({ type: 4, handler: 1 })
    await send('DELETE', `${commands}/${String(json['id'])}`)
    expect((await send('POST', commands, entry)).json).toMatchObject({ type: 4, handler: 2 })
    expect(refusal(await send('POST', commands, { ...entry, name: 'start' }))).toEqual([400, 30032])
  })

  it('keep the rules of their kind when they are changed', async () => {
    const { json } = await send('POST', commands, { name: 'Greet', type: 2 })
    const path = `${commands}/${String(json['id'])}`
    expect(refusal(await send('PATCH', path, { description: 'x' }))).toEqual([400, 50035])
    expect(refusal(await send('PATCH', path, { handler: 1 }))).toEqual([400, 50035])
  })

  it('are all replaced by an overwrite, in which those that stay keep their ids', async () => {
    const { json } = await send('POST', commands, sail)
    await send('POST', commands, { name: 'dock', description: 'Dock' })
    const answer = await send('PUT', commands, [{ ...sail, description: 'Again' }, entry])
    expectShape('BULK_OVERWRITE_GLOBAL_APPLICATION_COMMANDS', answer)
    expect(listOf(answer).map(({ name, id }) => [name, id === json['id']])).toEqual([
      ['sail', true],
      ['launch', false],
    ])
    expect(refusal(await send('PUT', commands, [entry, { ...entry, name: 'start' }]))).toEqual([400, 50035])
    expect(listOf(await send('GET', commands))).toHaveLength(2)
  })

  it('belong to their application', async () => {
    expect(refusal(await send('GET', commands, undefined, OTHER_APPLICATION))).toEqual([403, 20012])
  })
})

describe('commands of a guild', () => {
  it('are separate from the global ones', async () => {
    const place = `/applications/${APPLICATION}/guilds/${await guild('Harbour')}/commands`
    const made = await send('POST', place, sail)
    expectShape('CREATE_GUILD_APPLICATION_COMMAND', made)
    expect(made.json).toMatchObject({ guild_id: await guild('Harbour'), name: 'sail' })
    expect(listOf(await send('GET', commands))).toEqual([])
    const path = `${place}/${String(made.json['id'])}`
    expectShape('EDIT_GUILD_APPLICATION_COMMAND', await send('PATCH', path, { name: 'row' }))
    expect((await send('GET', path)).json).toMatchObject({ name: 'row' })
    expectShape('BULK_OVERWRITE_GUILD_APPLICATION_COMMANDS', await send('PUT', place, []))
    expect(refusal(await send('DELETE', path))).toEqual([404, 10063])
  })

  it('are no entry points, and are not where the bot is not', { tags: ['8-15'] }, async () => {
    const place = `/applications/${APPLICATION}/guilds/${await guild('Harbour')}/commands`
    expect(refusal(await send('POST', place, entry))).toEqual([400, 50035])
    expect(refusal(await send('GET', `/applications/${APPLICATION}/guilds/${await guild('Dry Dock')}/commands`))).toEqual([403, 50001])
  })
})
