/** Generated files: complete, deterministic, and equal to the committed files. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CLOSE_CODES,
  COMMANDS,
  CONTRACT_VERSION,
  ENDPOINTS,
  ERRORS,
  EVENTS,
  LIMITS,
  PERMISSIONS,
  SCOPES,
  VERSIONS,
} from '@sallyport/protocol'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { differences, generate, write } from '../../../protocol/codegen/generate.ts'
import { DefinitionSet } from '../../../protocol/codegen/json-schema.ts'
import { buildModel } from '../../../protocol/codegen/model.ts'

const COMMITTED = join(import.meta.dirname, '../../../protocol/generated')
const namesOf = (rows: readonly { readonly name: string }[]): string[] => rows.map((row) => row.name)

describe('the committed files', () => {
  it('are up to date with the tables; run `npm run codegen` if not', async () => {
    expect(await differences(generate(), COMMITTED)).toEqual([])
  })

  it('have a line for every row in the reference', async () => {
    const pages = { commands: COMMANDS, events: EVENTS, endpoints: ENDPOINTS }
    for (const [page, table] of Object.entries(pages)) {
      const text = await readFile(join(COMMITTED, 'reference', `${page}.md`), 'utf8')
      for (const row of Object.values<{ name: string; summary: string }>(table)) {
        expect(text).toContain(`\n## ${row.name}\n`)
        expect(text).toContain(row.summary)
      }
    }
  })
})

describe('the model', () => {
  const model = buildModel()

  it('is deterministic', () => {
    expect(JSON.stringify(buildModel())).toBe(JSON.stringify(model))
    expect(generate()).toEqual(generate())
  })

  it('contains every row of every table, sorted where order has no meaning', () => {
    expect(namesOf(model.commands)).toEqual(Object.keys(COMMANDS).toSorted())
    expect(namesOf(model.events)).toEqual(Object.keys(EVENTS).toSorted())
    expect(namesOf(model.endpoints)).toEqual(Object.keys(ENDPOINTS).toSorted())
    expect(namesOf(model.errors)).toEqual(Object.keys(ERRORS))
    expect(namesOf(model.closeCodes)).toEqual(Object.keys(CLOSE_CODES))
    expect(namesOf(model.limits)).toEqual(Object.keys(LIMITS))
    expect(namesOf(model.scopes)).toEqual(Object.keys(SCOPES))
    expect(namesOf(model.permissions)).toEqual(Object.keys(PERMISSIONS))
    expect(model.versions.map(({ id }) => id)).toEqual(Object.keys(VERSIONS))
    expect(model.contractVersion).toBe(CONTRACT_VERSION)
  })

  it('contains large bits as text', () => {
    expect(model.permissions.find((row) => row.name === 'SET_VOICE_CHANNEL_STATUS')).toMatchObject({ bit: '281474976710656', shift: 48 })
  })

  it('lists the limits of arguments with their paths', () => {
    const limitsOf = (name: string) => model.commands.find((row) => row.name === name)?.limits
    expect(limitsOf('SET_VOICE_CHANNEL_STATUS')).toContainEqual({ path: 'status', rule: 'maxLength', value: 500 })
    expect(limitsOf('SET_ACTIVITY')).toContainEqual({ path: 'activity.buttons', rule: 'maxItems', value: 2 })
    expect(limitsOf('SET_ACTIVITY')).toContainEqual({ path: 'activity.assets.large_image', rule: 'maxLength', value: 300 })
    expect(limitsOf('BULK_UPDATE_LOBBY_MEMBERS')).toContainEqual({ path: 'members', rule: 'maxItems', value: 25 })
    expect(limitsOf('CREATE_OR_JOIN_LOBBY')).toContainEqual({ path: 'lobby_metadata', rule: 'x-max-total-length', value: 1000 })
  })

  it('refers only to existing definitions', () => {
    const references = [...JSON.stringify(model).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map((match) => match[1])
    expect(references.length).toBeGreaterThan(50)
    expect(new Set(references.filter((name) => !Object.hasOwn(model.$defs, name ?? '')))).toEqual(new Set())
  })

  it('has schemas that another validator interprets the same way', () => {
    const ajv = new Ajv2020({ strict: false })
    const row = model.commands.find((command) => command.name === 'SET_ACTIVITY')
    const check = ajv.compile({ ...row?.args, $defs: model.$defs })
    const cases: unknown[] = [
      { pid: 1 },
      { pid: 1, activity: { details: '', type: 3, party: { size: [1, 2] } } },
      {},
      { pid: 1, activity: { details: 'x' } },
      { pid: 1, activity: { type: 1 } },
      { pid: 1, activity: { state_url: 'javascript:x' } },
      { pid: 1, activity: { other: 1 } },
      { pid: 1, activity: { party: { size: [1] } } },
    ]
    for (const args of cases) expect(check(args), JSON.stringify(args)).toBe(COMMANDS.SET_ACTIVITY.args.safeParse(args).success)
  })
})

describe('definitions', () => {
  it('reject two schemas with one name', () => {
    const definitions = new DefinitionSet()
    const named = (schema: z.ZodType): z.ZodType => z.object({ field: schema })
    const registry = z.globalRegistry
    const first = z.string().meta({ id: 'TestOnlyTwin' })
    definitions.convert(named(first), 'input')
    registry.remove(first)
    const second = z.number().meta({ id: 'TestOnlyTwin' })
    expect(() => definitions.convert(named(second), 'input')).toThrow('two different schemas are named TestOnlyTwin')
    registry.remove(second)
  })
})

describe('writing', () => {
  let directory = ''
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sallyport-codegen-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  it('reports missing, different and extra files, and fixes them', async () => {
    const generated = { 'a.json': '1', 'reference/b.md': '2' }
    expect(await write(generated, directory)).toEqual([join(directory, 'a.json'), join(directory, 'reference/b.md')])
    expect(await differences(generated, directory)).toEqual([])
    await writeFile(join(directory, 'a.json'), 'edited')
    await writeFile(join(directory, 'reference/old.md'), 'left over')
    const wrong = [join(directory, 'a.json'), join(directory, 'reference/old.md')]
    expect(await differences(generated, directory)).toEqual(wrong)
    expect(await write(generated, directory)).toEqual(wrong)
    expect(await differences(generated, directory)).toEqual([])
  })
})
