/** Generated files: complete and deterministic; schemas of protocol.json are those of the rows; links of the reference resolve. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import {
  CLOSE_CODES,
  type CommandRow,
  COMMANDS,
  CONTRACT_VERSION,
  type EndpointRow,
  ENDPOINTS,
  ERRORS,
  type EventRow,
  EVENTS,
  LIMITS,
  PERMISSIONS,
  SCOPES,
  VERSIONS,
} from '@sallyport/protocol'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { wrapped } from '#protocol/codegen/emit/text.ts'
import { differences, write } from '#protocol/codegen/files.ts'
import { generate, generateBindings } from '#protocol/codegen/generate.ts'
import { DefinitionSet } from '#protocol/codegen/json-schema.ts'
import { buildModel, type Model, type OwnCommand } from '#protocol/codegen/model.ts'
import { type FieldType, recordTypes } from '#protocol/codegen/record-types.ts'

const namesOf = (rows: readonly { readonly name: string }[]): string[] => rows.map((row) => row.name)
const generated = generate()

describe('the reference', () => {
  const pages = Object.entries(generated).flatMap(([path, text]) => (path.endsWith('.md') ? [{ path, text }] : []))
  const headings = new Set(
    pages.flatMap(({ path, text }) => [path, ...[...text.matchAll(/^## (\S+)$/gm)].map((match) => `${path}#${match[1]?.toLowerCase()}`)]),
  )

  it('has only links that resolve', () => {
    const links = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\(([^)#]*)(#[^)]*)?\)/g)].map(([, file = '', anchor = '']) =>
        [file === '' ? path : posix.join(posix.dirname(path), file), anchor].join(''),
      ),
    )
    expect(links.length).toBeGreaterThan(500)
    expect(links.filter((link) => !headings.has(link))).toEqual([])
  })

  it('has the index link to every row, once', () => {
    const index = generated['reference/README.md'] ?? ''
    const linked = [...index.matchAll(/\[([A-Z0-9_]+)\]\((commands|events|endpoints)\//g)].map((match) => `${match[2]} ${match[1]}`)
    const own = Object.keys(COMMANDS).filter((name) => !Object.hasOwn(ENDPOINTS, name))
    const rows = { commands: own, events: Object.keys(EVENTS), endpoints: Object.keys(ENDPOINTS) }
    expect(linked.toSorted()).toEqual(
      Object.entries(rows)
        .flatMap(([table, names]) => names.map((name) => `${table} ${name}`))
        .toSorted(),
    )
  })

  it('wraps paragraphs at 100 columns, and begins no line with a sign that Markdown reads', () => {
    expect(wrapped(`${'x '.repeat(49)}yy z`, '- ', '  ')).toBe(`- ${'x '.repeat(49).trim()}\n  yy z`)
    expect(wrapped(`${'x '.repeat(50)}- z`)).toBe(`${'x '.repeat(50)}-\nz`)
    expect(wrapped('y'.repeat(120), '- ', '  ')).toBe(`- ${'y'.repeat(120)}`)
  })
})

describe('protocol.json', () => {
  interface PrintedRow {
    readonly name: string
    readonly endpoint?: string
    readonly args: unknown
    readonly data: unknown
    readonly response: unknown
  }
  interface Printed {
    readonly commands: readonly PrintedRow[]
    readonly events: readonly PrintedRow[]
    readonly endpoints: readonly PrintedRow[]
    readonly $defs: Readonly<Record<string, unknown>>
  }
  const text = generated['protocol.json'] ?? ''
  const { commands, events, endpoints, $defs } = JSON.parse(text) as Printed
  const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

  /** Replaces references by what they name. Within itself, a definition stays a reference. */
  function expanded(node: unknown, definitions: Readonly<Record<string, unknown>>, open: readonly string[] = []): unknown {
    if (Array.isArray(node)) return node.map((one) => expanded(one, definitions, open))
    if (!isObject(node)) return node
    const { $ref, ...others } = node
    const rest = Object.fromEntries(Object.entries(others).map(([key, value]) => [key, expanded(value, definitions, open)]))
    if (typeof $ref !== 'string') return rest
    const name = $ref.replace('#/$defs/', '')
    if (open.includes(name)) return node
    return { ...(expanded(definitions[name], definitions, [...open, name]) as object), ...rest }
  }

  /** The whole schema of a row, without the bounds of safe integers, which zod adds to every integer. */
  function schemaOf(schema: z.ZodType, io: 'input' | 'output'): unknown {
    const { $schema: _, $defs: definitions = {}, ...root } = z.toJSONSchema(schema, { io }) as Record<string, unknown>
    const isBound = (key: string, value: unknown): boolean =>
      (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) || (key === 'maximum' && value === Number.MAX_SAFE_INTEGER)
    // A second spelling is accepted and not printed.
    const isAlias = (value: unknown): boolean => isObject(value) && !Array.isArray(value) && 'alias_of' in value
    const whole = JSON.stringify(expanded(root, definitions as Readonly<Record<string, unknown>>))
    return JSON.parse(whole, (_key, value: unknown) =>
      isObject(value) && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).filter(([key, one]) => !isBound(key, one) && !isAlias(one)))
        : value,
    )
  }

  const differing = (printed: unknown, schema: z.ZodType, io: 'input' | 'output'): boolean =>
    JSON.stringify(expanded(printed, $defs)) !== JSON.stringify(schemaOf(schema, io))

  it('has the schemas of all rows', () => {
    const byName = new Map(endpoints.map((row) => [row.name, row]))
    const wrong = [
      ...commands.flatMap(({ name, endpoint, args, data }) => {
        const row: CommandRow = COMMANDS[name as keyof typeof COMMANDS]
        const target = endpoint === undefined ? undefined : byName.get(endpoint)
        return differing(target?.args ?? args, row.args, 'input') || differing(target?.response ?? data, row.data, 'output') ? [name] : []
      }),
      ...events.filter(({ name, args, data }) => {
        const row: EventRow = EVENTS[name as keyof typeof EVENTS]
        return differing(args, row.args, 'input') || differing(data, row.data, 'output')
      }),
      ...endpoints.filter(({ name, args, response }) => {
        const row: EndpointRow = ENDPOINTS[name as keyof typeof ENDPOINTS]
        return differing(args, row.args, 'input') || differing(response, row.response, 'output')
      }),
    ]
    expect(wrong).toEqual([])
  })

  it('prints each row in a line of its own, and the schemas of an endpoint once', () => {
    const rows = [...commands, ...events, ...endpoints]
    const lines = new Set(text.split('\n').map((line) => line.replace(/,$/, '')))
    expect(rows.filter((row) => !lines.has(JSON.stringify(row)))).toEqual([])
    expect(commands.filter(({ name, args }) => (args === undefined) !== Object.hasOwn(ENDPOINTS, name))).toEqual([])
    expect(text.length).toBeLessThan(1_000_000)
  })
})

describe('the model', () => {
  const model = buildModel()

  it('is deterministic', () => {
    expect(JSON.stringify(buildModel())).toBe(JSON.stringify(model))
    expect(generate()).toEqual(generated)
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

  it('refers only to existing definitions', () => {
    const references = [...JSON.stringify(model).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map((match) => match[1])
    expect(references.length).toBeGreaterThan(50)
    expect(new Set(references.filter((name) => !Object.hasOwn(model.$defs, name ?? '')))).toEqual(new Set())
  })

  it('has schemas that another validator interprets the same way', () => {
    const ajv = new Ajv2020({ strict: false })
    const row = model.commands.find((command) => command.name === 'SET_ACTIVITY')
    const check = ajv.compile({ ...(row as OwnCommand).args, $defs: model.$defs })
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

  const files = { 'a.json': '1', 'reference/b.md': '2' }

  it('reports missing, different and extra files, and fixes them', async () => {
    const part = { directory, files, isComplete: true }
    expect(await write(part)).toEqual([join(directory, 'a.json'), join(directory, 'reference/b.md')])
    expect(await differences(part)).toEqual([])
    await writeFile(join(directory, 'a.json'), 'edited')
    await writeFile(join(directory, 'reference/old.md'), 'left over')
    const wrong = [join(directory, 'a.json'), join(directory, 'reference/old.md')]
    expect(await differences(part)).toEqual(wrong)
    expect(await write(part)).toEqual(wrong)
    expect(await differences(part)).toEqual([])
  })

  it('leaves other files of a directory that is not all generated', async () => {
    const part = { directory, files, isComplete: false }
    await write(part)
    await writeFile(join(directory, 'reference/written.md'), 'by hand')
    expect(await write(part)).toEqual([])
    expect(await differences({ ...part, isComplete: true })).toEqual([join(directory, 'reference/written.md')])
  })
})

describe('the bindings', () => {
  const model = buildModel()
  const textsOf = (one: Model): ReadonlyMap<string, string> =>
    new Map(
      Object.entries({ ...generateBindings(one), reference: generate(one) }).flatMap(([folder, files]) =>
        Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text] as const),
      ),
    )
  const texts = textsOf(model)

  it('all change with the value of a limit, and with its sentence', () => {
    const [first, ...others] = model.limits
    if (first === undefined) throw new Error('there are no limits')
    const changed = textsOf({ ...model, limits: [{ ...first, value: 1_073_741_824, summary: 'A changed sentence.' }, ...others] })
    const paths = [...texts].filter(([path, text]) => changed.get(path) !== text).map(([path]) => path)
    expect(paths.toSorted()).toEqual([
      'bindings/c/generated/sallyport/protocol.h',
      'bindings/cpp/generated/sallyport/protocol.hpp',
      'bindings/csharp/generated/Protocol.cs',
      'bindings/engines/godot/addons/sallyport/protocol.gd',
      'bindings/lua/sallyport/protocol.lua',
      'bindings/python/src/sallyport/protocol.py',
      'reference/protocol.json',
      'reference/reference/limits.md',
    ])
    for (const path of paths) {
      expect(changed.get(path), path).toContain('1073741824')
      expect(changed.get(path), path).toContain('A changed sentence.')
    }
  })

  it.each([
    ['bindings/cpp/generated/sallyport/protocol.hpp', (name: string) => `"${name}"`],
    ['bindings/csharp/generated/Protocol.cs', (name: string) => `"${name}"`],
    ['bindings/engines/godot/addons/sallyport/protocol.gd', (name: string) => `"${name}"`],
    ['bindings/lua/sallyport/protocol.lua', (name: string) => `"${name}"`],
  ])('have every command, event and scope in %s, with the version that brought it', (path, printed) => {
    const text = texts.get(path) ?? ''
    const rows = [...model.commands, ...model.events, ...model.scopes]
    expect(namesOf(rows.filter(({ name }) => !text.includes(printed(name))))).toEqual([])
    expect([...text.matchAll(/Since contract \d+\.\d+\./g)].length).toBe(model.commands.length + model.events.length)
    for (const { audience, value } of model.limits) if (audience === 'games') expect(text).toContain(String(value))
    for (const { code } of model.errors) expect(text).toContain(`= ${code}`)
  })

  it('have a documented method in Python for every command of games and every event, with the version that brought it', () => {
    const calls = texts.get('bindings/python/src/sallyport/_calls.pyi') ?? ''
    const names = texts.get('bindings/python/src/sallyport/protocol.py') ?? ''
    const subscribing = ['SUBSCRIBE', 'UNSUBSCRIBE']
    const rows = [...model.commands.filter(({ name }) => !subscribing.includes(name)), ...model.events]
    expect(namesOf(rows.filter(({ name }) => calls.split(` def ${name.toLowerCase()}(`).length !== 3))).toEqual([])
    // For the client that waits and for the one of asyncio.
    expect([...calls.matchAll(/Since contract \d+\.\d+\./g)].length).toBe(rows.length * 2)
    expect(namesOf([...model.commands, ...model.events, ...model.scopes].filter(({ name }) => !names.includes(`"${name}"`)))).toEqual([])
    for (const { code } of model.errors) expect(names).toContain(`= ${code}`)
  })

  it('change with a limit of games, and not with one of applications or operators', () => {
    const changed = (audience: string) => {
      const limits = model.limits.map((row) => (row.audience === audience ? { ...row, summary: `Changed. ${row.summary}` } : row))
      return [...textsOf({ ...model, limits })].filter(([path, text]) => texts.get(path) !== text).map(([path]) => path)
    }
    expect(changed('games')).toHaveLength(8)
    const documents = ['reference/protocol.json', 'reference/reference/limits.md']
    expect(changed('applications')).toEqual(documents)
    expect(changed('operators')).toEqual(documents)
  })

  it('have a documented signal in Godot for every event that a game subscribes', () => {
    const header = texts.get('bindings/engines/godot/src/events.h') ?? ''
    const pages = texts.get('bindings/engines/godot/doc_classes/events.xml') ?? ''
    const named = [...header.matchAll(/X\("(\w+)", "(\w+)"\)/g)].map(([, event, signal]) => [event, signal])
    const wanted = model.events.filter(({ delivery }) => delivery !== 'automatic').map(({ name }) => [name, name.toLowerCase()])
    expect(named).toEqual(wanted)
    expect([...pages.matchAll(/<signal name="(\w+)">/g)].map(([, signal]) => signal)).toEqual(wanted.map(([, signal]) => signal))
    // Those of the node itself are taken.
    expect(wanted.flat()).not.toContain('ready')
  })

  it('leave no field of a record out: a value of any shape is JSON, and C++ has it', () => {
    const relationship = recordTypes(model).find(({ name }) => name === 'RelationshipPresence')
    expect(relationship?.fields.map(({ name, type }) => [name, type.kind])).toEqual([
      ['status', 'text'],
      ['activity', 'json'],
    ])
    expect(texts.get('bindings/cpp/generated/sallyport/records.hpp')).toContain('std::optional<RawJson> activity;')
    for (const { name, fields } of recordTypes(model)) {
      const schema = model.$defs[name]
      if (schema !== undefined) expect(fields.map((field) => field.name)).toEqual(Object.keys(schema['properties'] as object))
    }
  })

  it('have records that use only earlier ones, and the same in C++, C# and Lua', () => {
    const seen = new Set<string>()
    const usedBy = (type: FieldType): readonly string[] => (type.kind === 'record' ? [type.name] : 'of' in type ? usedBy(type.of) : [])
    for (const { name, fields } of recordTypes(model)) {
      for (const used of fields.flatMap(({ type }) => usedBy(type))) expect(seen.has(used), `${name} uses ${used}`).toBe(true)
      seen.add(name)
      expect(texts.get('bindings/cpp/generated/sallyport/records.hpp')).toContain(`struct ${name} {`)
      expect(texts.get('bindings/csharp/generated/Records.cs')).toContain(`class ${name}\n`)
      expect(texts.get('bindings/lua/sallyport/types.lua')).toContain(`---@class sallyport.${name}\n`)
    }
    expect(seen.has('LobbyMessage')).toBe(true)
  })
})
