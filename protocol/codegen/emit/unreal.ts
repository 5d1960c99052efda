/** Emits the records of the plugin for Unreal: structs that Blueprint knows, and nodes that read them from JSON and write a presence. */
import type { Model } from '../model.ts'
import { type FieldType, type RecordField, type RecordType, recordTypes } from '../record-types.ts'
import { cString, doc } from './c-text.ts'
import { pascal } from './names.ts'
import { NOTICE } from './text.ts'

/** What a game shows: the input of SET_ACTIVITY. */
const PRESENCE = 'ActivityInput'

const structOf = (record: string): string => `FSallyport${record}`
const nameOf = ({ name, type }: RecordField): string => `${type.kind === 'flag' ? 'b' : ''}${pascal(name)}`
const text = (value: string): string => `TEXT(${cString(value)})`

/** Types that Blueprint has. It has no unsigned number of 64 bits, so an id is text; a value of any shape is JSON as text. */
const TYPES = { id: 'FString', text: 'FString', json: 'FString', integer: 'int64', number: 'double', flag: 'bool' } as const
const DEFAULTS = { id: '', text: '', json: '', integer: ' = 0', number: ' = 0.0', flag: ' = false' } as const

function typeOf(type: FieldType): string {
  switch (type.kind) {
    case 'list':
    case 'map':
      if (type.of.kind === 'list' || type.of.kind === 'map') throw new Error('Blueprint has no list of lists')
      return type.kind === 'list' ? `TArray<${typeOf(type.of)}>` : `TMap<FString, ${typeOf(type.of)}>`
    case 'record':
      return structOf(type.name)
    default:
      return TYPES[type.kind]
  }
}

function member(field: RecordField): readonly string[] {
  const { type, summary } = field
  const initial = type.kind in DEFAULTS ? DEFAULTS[type.kind as keyof typeof DEFAULTS] : ''
  return [
    ...(summary === '' ? [] : [doc([summary], '    ')]),
    '    UPROPERTY(BlueprintReadWrite, EditAnywhere, Category = "Sallyport")',
    `    ${typeOf(type)} ${nameOf(field)}${initial};`,
    '',
  ]
}

function struct({ name, summary, fields }: RecordType): string {
  const names = fields.map((field) => nameOf(field).toLowerCase())
  if (new Set(names).size < names.length)
    throw new Error(`two fields of ${name} have one name, because the engine ignores upper and lower case`)
  return [
    ...(summary === '' ? [] : [doc([summary])]),
    'USTRUCT(BlueprintType)',
    `struct SALLYPORTCLIENT_API ${structOf(name)}`,
    '{',
    '    GENERATED_BODY()',
    '',
    ...fields.flatMap(member).slice(0, -1),
    '};',
  ].join('\n')
}

const node = (sentence: string, signature: string): string =>
  [doc([sentence], '    '), '    UFUNCTION(BlueprintPure, Category = "Sallyport|Records")', `    static ${signature};`].join('\n')

const readNodes = ({ name }: RecordType): readonly string[] => [
  node(
    `Reads JSON as ${name}. Fields that are missing or of another type keep their defaults.`,
    `${structOf(name)} Read${name}(const FString& Json)`,
  ),
  node(
    `Reads the list at the path, e.g. "members", as ${name}.`,
    `TArray<${structOf(name)}> Read${name}List(const FString& Json, const FString& Path)`,
  ),
]

const reader = (type: FieldType): string => {
  if (type.kind === 'record') return `[](sallyport_json Item, ${structOf(type.name)}& One) { Read(Item, One); }`
  return `&SallyportRead::${pascal(type.kind)}`
}

function readField(field: RecordField, index: number): string {
  const { type } = field
  const to = `Record.${nameOf(field)}`
  if (type.kind === 'record') return `        Read(Values[${index}], ${to});`
  const more = type.kind === 'list' || type.kind === 'map' ? `, ${reader(type.of)}` : ''
  return `        SallyportRead::${pascal(type.kind)}(Values[${index}], ${to}${more});`
}

const readBody = ({ name, fields }: RecordType): string =>
  [
    `    void Read(sallyport_json Value, ${structOf(name)}& Record)`,
    '    {',
    `        static const char* const Keys[] = {${fields.map((field) => cString(field.name)).join(', ')}};`,
    `        sallyport_json Values[${fields.length}];`,
    `        sallyport_json_fields(Value, Keys, ${fields.length}, Values);`,
    ...fields.map(readField),
    '    }',
  ].join('\n')

const readDefinitions = ({ name }: RecordType): string =>
  [
    `${structOf(name)} USallyportRecords::Read${name}(const FString& Json)`,
    '{',
    `    ${structOf(name)} Record;`,
    '    Read(FSallyportParsed(Json).At(FString()), Record);',
    '    return Record;',
    '}',
    '',
    `TArray<${structOf(name)}> USallyportRecords::Read${name}List(const FString& Json, const FString& Path)`,
    '{',
    `    TArray<${structOf(name)}> Records;`,
    `    SallyportRead::List(FSallyportParsed(Json).At(Path), Records, ${reader({ kind: 'record', name })});`,
    '    return Records;',
    '}',
  ].join('\n')

const writer = (type: FieldType): string => {
  if (type.kind === 'record') return `[](const ${structOf(type.name)}& One) { return Write(One); }`
  if (type.kind === 'number') return '&SallyportWrite::NumberItem'
  if (type.kind === 'text') return '&SallyportText::Quoted'
  throw new Error(`a list of ${type.kind} in a presence has no writer`)
}

function writeField(field: RecordField): string {
  const { type } = field
  const from = `Record.${nameOf(field)}`
  const json = ((): string => {
    if (type.kind === 'record') return `Write(${from})`
    if (type.kind === 'list') return `SallyportWrite::List(${from}, ${writer(type.of)})`
    if (type.kind === 'map' || type.kind === 'json') throw new Error(`a ${type.kind} in a presence has no writer`)
    return `SallyportWrite::${type.kind === 'id' ? 'Text' : pascal(type.kind)}(${from})`
  })()
  return `        SallyportWrite::Add(Object, ${text(field.name)}, ${json});`
}

const writeBody = ({ name, fields }: RecordType): string =>
  [
    `    FString Write(const ${structOf(name)}& Record)`,
    '    {',
    '        FSallyportObject Object;',
    ...fields.map(writeField),
    '        return Object.IsEmpty() ? FString() : Object.ToJson();',
    '    }',
  ].join('\n')

/** The records inside a record, in an order in which each uses only earlier ones, and itself. */
function withParts(record: RecordType, all: readonly RecordType[]): readonly RecordType[] {
  const parts = new Set<string>()
  const visit = ({ fields }: RecordType): void => {
    for (const { type } of fields) {
      const inner = type.kind === 'list' || type.kind === 'map' ? type.of : type
      if (inner.kind !== 'record' || parts.has(inner.name)) continue
      parts.add(inner.name)
      const found = all.find(({ name }) => name === inner.name)
      if (found !== undefined) visit(found)
    }
  }
  visit(record)
  return [...all.filter(({ name }) => parts.has(name)), record]
}

/**
 * The presence as the bridge takes it. A part that a shown activity has too is that of the activity, whose times and sizes are numbers: the bridge
 * also takes texts there, which no type of Blueprint holds.
 */
function presenceOf(all: readonly RecordType[]): RecordType {
  const input = all.find(({ name }) => name === PRESENCE)
  const shown = all.find(({ name }) => name === 'Activity')
  if (input === undefined || shown === undefined) throw new Error('the tables have no activity')
  const fields = input.fields.map((field) => {
    const same = shown.fields.find(({ name }) => name === field.name)
    return same?.type.kind === 'record' && field.type.kind === 'record' ? { ...field, type: same.type } : field
  })
  return { name: 'Presence', summary: 'What the user plays, for Set Rich Presence. Empty texts, 0 and false are left out.', fields }
}

/** Those that a game can receive, then the presence with what only it has. */
function recordsOf(model: Model) {
  const received = recordTypes(model)
  const all = recordTypes(model, [PRESENCE])
  const presence = presenceOf(all)
  const written = withParts(presence, all)
  return { received, records: [...new Set([...received, ...written])].filter(unique), written }
}
const unique = ({ name }: RecordType, index: number, all: readonly RecordType[]): boolean =>
  all.findIndex((one) => one.name === name) === index

const header = (model: Model): string => {
  const { received, records } = recordsOf(model)
  return [
    `#pragma once\n\n/* Records of the protocol. ${NOTICE} */`,
    '#include "CoreMinimal.h"\n#include "Kismet/BlueprintFunctionLibrary.h"\n\n#include "SallyportRecords.generated.h"',
    ...records.map(struct),
    [
      doc(['Reads records of the protocol from JSON. Numbers are 0, texts empty and flags false where JSON has no value. Ids are texts.']),
      'UCLASS()',
      'class SALLYPORTCLIENT_API USallyportRecords : public UBlueprintFunctionLibrary',
      '{',
      '    GENERATED_BODY()',
      '',
      'public:',
      [
        ...received.flatMap(readNodes),
        node('The presence as JSON, for Set Activity.', `FString WritePresence(const ${structOf('Presence')}& Presence)`),
      ].join('\n\n'),
      '};',
    ].join('\n'),
  ].join('\n\n')
}

const source = (model: Model): string => {
  const { received, written } = recordsOf(model)
  return [
    `#include "SallyportRecords.h"\n\n#include "SallyportRead.h"\n#include "SallyportWrite.h"\n\n/* ${NOTICE} */`,
    ['namespace', '{', [...received.map(readBody), ...written.map(writeBody)].join('\n\n'), '}'].join('\n'),
    ...received.map(readDefinitions),
    [
      `FString USallyportRecords::WritePresence(const ${structOf('Presence')}& Presence)`,
      '{',
      '    const FString Json = Write(Presence);',
      '    return Json.IsEmpty() ? FString(TEXT("{}")) : Json;',
      '}',
    ].join('\n'),
  ].join('\n\n')
}

const FOLDER = 'Source/SallyportClient'

/** Files of `bindings/engines/unreal`. */
export const emitUnreal = (model: Model): Readonly<Record<string, string>> => ({
  [`${FOLDER}/Public/SallyportRecords.h`]: `${header(model)}\n`,
  [`${FOLDER}/Private/SallyportRecords.cpp`]: `${source(model)}\n`,
})
