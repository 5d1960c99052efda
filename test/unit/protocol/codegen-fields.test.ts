/** No generator leaves a field out: one of any shape is JSON, and one without a schema fails. Arguments have classes in C#. */
import { describe, expect, it } from 'vitest'
import { emitC } from '#protocol/codegen/emit/c-header.ts'
import { emitCpp } from '#protocol/codegen/emit/cpp.ts'
import { emitCsharp } from '#protocol/codegen/emit/csharp.ts'
import { emitLua } from '#protocol/codegen/emit/lua.ts'
import { emitPython } from '#protocol/codegen/emit/python.ts'
import { emitReference } from '#protocol/codegen/emit/reference.ts'
import { readHeaders } from '#protocol/codegen/generate.ts'
import { buildModel, type Model } from '#protocol/codegen/model.ts'
import { argumentTypes } from '#protocol/codegen/record-types.ts'

const model = buildModel()

const EMITTERS: readonly (readonly [string, (one: Model) => Readonly<Record<string, string>>, string, string])[] = [
  ['C', emitC, 'generated/sallyport/protocol.h', 'sallyport_json planted;'],
  ['C++', emitCpp, 'generated/sallyport/records.hpp', 'std::optional<RawJson> planted;'],
  ['C#', emitCsharp, 'generated/Records.cs', '[MayBeNull] public object Planted { get; set; }'],
  ['Lua', (one) => emitLua(one, readHeaders()), 'sallyport/types.lua', '---@field planted? any'],
  ['Python', emitPython, 'src/sallyport/types.pyi', 'planted: NotRequired[Any]'],
  ['the reference', emitReference, 'records.md', '`planted` (optional): any.'],
]

/** The model with other fields in one definition. */
const withFields = (name: string, planted: unknown): Model => {
  const definition = model.$defs[name]
  const properties = { ...(definition?.['properties'] as object), planted }
  return { ...model, $defs: { ...model.$defs, [name]: { ...definition, properties } } }
}

describe('a field of a record', () => {
  it.each(EMITTERS)('is kept as JSON in %s if it has any shape', (_language, emit, path, printed) => {
    expect(emit(model)[path]).toBeDefined()
    expect(emit(model)[path]).not.toContain(printed)
    expect(emit(withFields('UserGuild', {}))[path]).toContain(printed)
  })

  it.each(EMITTERS)('makes %s fail if it would be left out', (_language, emit) => {
    expect(() => emit(withFields('UserGuild', 7))).toThrow(/^the field planted of .+ has no schema$/)
  })
})

describe('arguments in C#', () => {
  it('have a class for every command that has some, whose constructor wants what is required', () => {
    const text = emitCsharp(model)['generated/Arguments.cs'] ?? ''
    const { commands } = argumentTypes(model)
    const has = new Set(commands.values())
    const schemaOf = (row: Model['commands'][number]) =>
      'args' in row ? row.args : model.endpoints.find(({ name }) => name === row.endpoint)?.args
    const wanted = model.commands.filter((row) => /"properties":\{"/.test(JSON.stringify(schemaOf(row)))).map(({ name }) => name)
    expect(wanted.length).toBeGreaterThan(200)
    expect(wanted.filter((name) => !has.has(name))).toEqual([])
    expect([...commands.keys()].filter((name) => !text.includes(`class ${name} : CallArguments\n`))).toEqual([])
    // A field with one possible value needs no parameter.
    expect(text).toContain('public ActivityInviteUserArguments(ulong userId, long pid) : base(Sallyport.Commands.ActivityInviteUser)')
    expect(text).toContain('            Type = 1;\n')
  })

  it('keep a field of any shape, and none is left out', () => {
    const planted = emitCsharp(withFields('ActivityInput', {}))['generated/Arguments.cs']
    expect(planted).toContain('public object Planted { get => Get<object>("planted"); set => this["planted"] = value; }')
    expect(() => emitCsharp(withFields('ActivityInput', 7))).toThrow('the field planted of the record ActivityInput has no schema')
  })
})
