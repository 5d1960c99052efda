/**
 * A stand-in for the engine's header tool: rules of its documentation that the plugin could break, checked by reading the headers, and the body
 * that it would write for each class. It is no C++ parser, knows only the types that the plugin uses, and proves nothing about the rest.
 */

interface Parameter {
  readonly type: string
  readonly name: string
}

interface Member {
  readonly kind: 'property' | 'function' | 'plain'
  /** What stands in the brackets of UPROPERTY or UFUNCTION. */
  readonly specifiers: string
  readonly access: string
  readonly type: string
  readonly name: string
  /** Of a function; undefined for a field. */
  readonly parameters: readonly Parameter[] | undefined
  readonly isOverride: boolean
}

interface Type {
  readonly header: string
  readonly kind: 'class' | 'struct'
  readonly name: string
  readonly base: string | undefined
  readonly members: readonly Member[]
  /** Line of GENERATED_BODY, from 1; 0 if there is none. */
  readonly bodyLine: number
  /** Position in its header. */
  readonly at: number
}

interface Delegate {
  readonly header: string
  readonly name: string
  readonly parameters: readonly Parameter[]
}

/** Headers by name, without their ending. */
export type Headers = ReadonlyMap<string, string>

/** Blueprint has no other numbers: uint32 and uint64 fail, as do types of the standard library. */
const SCALARS = new Set(['bool', 'int32', 'int64', 'uint8', 'float', 'double', 'FString', 'FName', 'FText'])

/** Names of members that a class of a game may not use for something else; those that a plugin could think of. */
const OF_OBJECT = `GetName GetFName GetPathName GetFullName GetClass GetOuter GetOutermost GetWorld GetTypedOuter GetFlags SetFlags HasAnyFlags IsA Rename
  PostLoad PostInitProperties BeginDestroy FinishDestroy Serialize Modify AddToRoot RemoveFromRoot IsRooted ProcessEvent FindFunction CallFunction
  ConditionalBeginDestroy IsValidLowLevel LoadConfig SaveConfig ReloadConfig CreateDefaultSubobject IsTemplate IsAsset IsSupportedForNetworking`
const ENGINE: Readonly<Record<string, { readonly base?: string; readonly members: string }>> = {
  UObject: { members: OF_OBJECT },
  UBlueprintFunctionLibrary: { base: 'UObject', members: '' },
  UBlueprintAsyncActionBase: { base: 'UObject', members: 'Activate RegisterWithGameInstance RegisteredWithGameInstance SetReadyToDestroy' },
  USubsystem: { base: 'UObject', members: 'ShouldCreateSubsystem Initialize Deinitialize GetFunctionCallspace CallRemoteFunction' },
  UGameInstanceSubsystem: { base: 'USubsystem', members: 'GetGameInstance' },
  UDeveloperSettings: {
    base: 'UObject',
    members: 'GetContainerName GetCategoryName GetSectionName GetSectionText GetSectionDescription CategoryName SectionName',
  },
  AActor: {
    base: 'UObject',
    members: `Owner Instigator Role RemoteRole Tags Layers Children RootComponent PrimaryActorTick InputComponent InputPriority Tick BeginPlay EndPlay
      Destroy Reset GetOwner SetOwner GetGameInstance GetActorLocation OnDestroyed OnTakeAnyDamage bHidden bReplicates InitialLifeSpan CustomTimeDilation`,
  },
}

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment) => comment.replace(/[^\n]/g, ' '))

/** From an opening bracket to the end of its group. */
function groupAt(text: string, from: number): string {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if ('({'.includes(text[at] ?? '')) depth++
    else if (')}'.includes(text[at] ?? '') && --depth === 0) return text.slice(from, at + 1)
  }
  throw new Error(`a bracket has no end: ${text.slice(from, from + 40)}`)
}

/** Splits at commas outside of brackets. */
function split(text: string): readonly string[] {
  const parts = ['']
  let depth = 0
  for (const one of text) {
    if ('(<{'.includes(one)) depth++
    if (')>}'.includes(one)) depth--
    if (one === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += one
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

function parameterOf(text: string): Parameter {
  const match = /^(.+?[\s&*>])(\w+)(?:\s*=.*)?$/s.exec(text)
  return match === null ? { type: text, name: '' } : { type: (match[1] ?? '').trim(), name: match[2] ?? '' }
}

function memberOf(kind: Member['kind'], specifiers: string, access: string, text: string): Member | undefined {
  const declaration = text.replace(/\s+/g, ' ').trim()
  if (declaration === '' || /^(?:GENERATED_BODY|enum|using|friend|struct|class)\b/.test(declaration)) return undefined
  const isOverride = /\boverride\b/.test(declaration)
  const bracket = declaration.indexOf('(')
  const equals = declaration.indexOf('=')
  const isFunction = bracket >= 0 && (equals < 0 || bracket < equals) && !/<[^>]*$/.test(declaration.slice(0, bracket))
  const head = (isFunction ? declaration.slice(0, bracket) : declaration.replace(/\s*[={].*$/, '')).replace(
    /\b(?:virtual|static|inline)\s+/g,
    '',
  )
  const { type, name } = parameterOf(head.trim())
  const parameters = isFunction ? split(groupAt(declaration, bracket).slice(1, -1)).map(parameterOf) : undefined
  return { kind, specifiers, access, type, name, parameters, isOverride }
}

/** The declarations of a body, in order. */
function membersOf(body: string, first: string): readonly Member[] {
  const members: Member[] = []
  let access = first
  let at = 0
  while (at < body.length) {
    const rest = body.slice(at)
    const label = /^\s*(public|protected|private):/.exec(rest)
    if (label !== null) {
      access = label[1] ?? access
      at += label[0].length
      continue
    }
    const generated = /^\s*GENERATED_BODY\(\)/.exec(rest)
    if (generated !== null) {
      at += generated[0].length
      continue
    }
    const macro = /^\s*(UPROPERTY|UFUNCTION)(?=\()/.exec(rest)
    let specifiers = ''
    if (macro !== null) {
      specifiers = groupAt(rest, macro[0].length).slice(1, -1)
      at += macro[0].length + specifiers.length + 2
    }
    const declaration = /^(?:[^;{(]|\((?:[^()]|\([^()]*\))*\))*/.exec(body.slice(at))?.[0] ?? ''
    const end = at + declaration.length
    const isBlock = body[end] === '{'
    const block = isBlock ? groupAt(body, end) : ''
    const kind = macro === null ? 'plain' : macro[1] === 'UPROPERTY' ? 'property' : 'function'
    const member = memberOf(kind, specifiers, access, declaration)
    if (member !== undefined) members.push(member)
    at = Math.max(end + block.length + (body[end + block.length] === ';' || !isBlock ? 1 : 0), at + 1)
  }
  return members
}

function typesOf(header: string, raw: string): readonly Type[] {
  const text = withoutComments(raw)
  return [...text.matchAll(/^U(CLASS|STRUCT)\(/gm)].map((macro) => {
    const group = groupAt(text, macro.index + macro[0].length - 1)
    const after = macro.index + macro[0].length - 1 + group.length
    const head = /^\s*(class|struct)\s+(?:\w+_API\s+)?(\w+)(?:\s*:\s*public\s+(\w+))?\s*(?=\{)/.exec(text.slice(after))
    if (head === null) throw new Error(`${header}.h: what follows U${macro[1]} is no type`)
    const body = groupAt(text, after + head[0].length)
    const found = body.indexOf('GENERATED_BODY()')
    const [, kind, name = '', base] = head
    return {
      header,
      kind: kind === 'class' ? 'class' : 'struct',
      name,
      base,
      members: membersOf(body.slice(1, -1), kind === 'class' ? 'private' : 'public'),
      bodyLine: found < 0 ? 0 : text.slice(0, after + head[0].length + found).split('\n').length,
      at: macro.index,
    }
  })
}

const COUNTS: readonly string[] = ['', '_OneParam', '_TwoParams', '_ThreeParams']

function delegatesOf(header: string, raw: string): readonly Delegate[] {
  return [...withoutComments(raw).matchAll(/^DECLARE_DYNAMIC_MULTICAST_DELEGATE(_\w+)?\(([^)]*)\)/gm)].map((match) => {
    const [name = '', ...rest] = split(match[2] ?? '')
    if (rest.length !== 2 * COUNTS.indexOf(match[1] ?? '')) throw new Error(`${name} has not as many parameters as its macro says`)
    const parameters = rest.flatMap((type, index) => (index % 2 === 0 ? [{ type, name: rest[index + 1] ?? '' }] : []))
    return { header, name, parameters }
  })
}

class Checker {
  readonly #headers: Headers
  readonly #types: readonly Type[]
  readonly #delegates: readonly Delegate[]

  constructor(headers: Headers) {
    this.#headers = headers
    this.#types = [...headers].flatMap(([name, text]) => typesOf(name, text))
    this.#delegates = [...headers].flatMap(([name, text]) => delegatesOf(name, text))
  }

  problems(): readonly string[] {
    return [
      ...[...this.#headers].flatMap(([name, text]) => this.#lastInclude(name, text)),
      ...this.#delegates.flatMap((delegate) => this.#delegateTypes(delegate)),
      ...this.#types.flatMap((type) => [...this.#whole(type), ...type.members.flatMap((member) => this.#member(type, member))]),
    ]
  }

  /** What the tool would write beside a header: the body of each type. */
  generated(name: string): string {
    const bodies = this.#types
      .filter(({ header }) => header === name)
      .map(
        ({ bodyLine, base }) => `#define ${name}_h_${bodyLine}_BODY ${base === undefined ? '' : `public: using Super = ${base}; private:`}`,
      )
    return ['#undef CURRENT_FILE_ID', `#define CURRENT_FILE_ID ${name}_h`, ...bodies, ''].join('\n')
  }

  #lastInclude(name: string, text: string): readonly string[] {
    const includes = text.split('\n').filter((line) => line.startsWith('#include'))
    return includes.at(-1) === `#include "${name}.generated.h"` ? [] : [`the last include of ${name}.h must be its generated one`]
  }

  #whole(type: Type): readonly string[] {
    const { kind, name, base, members, bodyLine } = type
    const prefix = kind === 'struct' ? 'F' : this.#isA(name, 'AActor') ? 'A' : 'U'
    const functions = members.filter((member) => member.kind === 'function').map((member) => member.name.toLowerCase())
    const delegates = members.filter(({ specifiers }) => specifiers.includes('BlueprintAssignable')).map((member) => member.type)
    const isNode = this.#isA(name, 'UBlueprintAsyncActionBase')
    return [
      ...(bodyLine === 0 ? [`${name} has no GENERATED_BODY()`] : []),
      ...(name.startsWith(prefix) ? [] : [`${name} must begin with ${prefix}`]),
      ...(kind === 'struct' && functions.length > 0 ? [`${name} is a struct, which has no UFUNCTION`] : []),
      ...(new Set(functions).size < functions.length ? [`${name} has two UFUNCTIONs of one name`] : []),
      ...(isNode && new Set(delegates).size > 1 ? [`${name} is a latent node, whose pins must have one type of delegate`] : []),
      ...(base === undefined || this.#isKnown(base) ? [] : [`${name} has the unknown parent ${base}`]),
    ]
  }

  #member(type: Type, member: Member): readonly string[] {
    const at = `${type.name}.${member.name}`
    return [
      ...this.#hidden(type, member, at),
      ...(member.kind === 'property' ? this.#property(type, member, at) : []),
      ...(member.kind === 'function' ? this.#function(type, member, at) : []),
    ]
  }

  /** Names of the parents, and names of parameters: MSVC refuses both in code of the engine (C4458), gcc and clang do not see all. */
  #hidden(type: Type, member: Member, at: string): readonly string[] {
    const inherited = this.#inherited(type.base)
    const own = new Set([...type.members.filter(({ parameters }) => parameters === undefined).map(({ name }) => name), ...inherited])
    return [
      ...(inherited.has(member.name) && !member.isOverride ? [`${at} hides a member of a parent`] : []),
      ...(member.parameters ?? []).filter(({ name }) => own.has(name)).map(({ name }) => `the parameter ${name} of ${at} hides a member`),
    ]
  }

  #property(type: Type, { specifiers, type: valueType, name, access }: Member, at: string): readonly string[] {
    const isShown = /\b(?:Blueprint\w+|Edit\w+|Visible\w+)\b/.test(specifiers)
    const isEvent = specifiers.includes('BlueprintAssignable')
    const known = isEvent ? this.#delegates.some((one) => one.name === valueType) : this.#isValue(valueType, type)
    return [
      ...(known ? [] : [`${at} has a type that the engine does not know there: ${valueType}`]),
      ...(isShown && !/Category\s*=/.test(specifiers) ? [`${at} has no Category`] : []),
      ...(access === 'private' && /\bBlueprintRead\w+\b/.test(specifiers) ? [`${at} is private, and Blueprint cannot read it`] : []),
      ...(valueType === 'bool' && !/^b[A-Z]/.test(name) ? [`${at} is a flag, whose name begins with b`] : []),
    ]
  }

  #function(type: Type, { specifiers, type: result, parameters = [] }: Member, at: string): readonly string[] {
    const isNode = /\bBlueprint(?:Callable|Pure)\b/.test(specifiers)
    const world = /WorldContext\s*=\s*"(\w+)"/.exec(specifiers)?.[1]
    return [
      ...parameters
        .filter((one) => !this.#isValue(valueOf(one.type), type))
        .map((one) => `${at} takes a type that the engine does not know: ${one.type}`),
      ...(result === 'void' || this.#isValue(valueOf(result), type)
        ? []
        : [`${at} returns a type that the engine does not know: ${result}`]),
      ...(isNode && !/Category\s*=/.test(specifiers) ? [`${at} has no Category`] : []),
      ...(specifiers.includes('BlueprintPure') &&
      result === 'void' &&
      !parameters.some((one) => /[^&]&$/.test(one.type) && !one.type.startsWith('const '))
        ? [`${at} is pure, and returns nothing`]
        : []),
      ...(world === undefined || parameters.some(({ name }) => name === world) ? [] : [`${at} has no parameter ${world} for its world`]),
    ]
  }

  #delegateTypes({ name, parameters, header }: Delegate): readonly string[] {
    const at: Pick<Type, 'header' | 'at' | 'name'> = { header, at: Number.MAX_SAFE_INTEGER, name: '' }
    return [
      ...(name.startsWith('F') ? [] : [`${name} is a delegate, and must begin with F`]),
      ...parameters
        .filter((one) => !this.#isValue(valueOf(one.type), at))
        .map((one) => `${name} has a type that the engine does not know: ${one.type}`),
    ]
  }

  /** Whether a property can have this type where the other type is declared. */
  #isValue(text: string, inside: Pick<Type, 'header' | 'at' | 'name'>): boolean {
    const container = /^T(Array|Set|Map)<(.+)>$/.exec(text)
    if (container !== null)
      return split(container[2] ?? '').every((part) => !/^T(?:Array|Set|Map)</.test(part) && this.#isValue(part, inside))
    if (SCALARS.has(text)) return true
    const object = /^(?:T(?:Object|WeakObject)Ptr<(\w+)>|(\w+)\s?\*)$/.exec(text)
    if (object !== null) return /^[UA][A-Z]/.test(object[1] ?? object[2] ?? '')
    const struct = this.#types.find((one) => one.kind === 'struct' && one.name === text)
    if (struct === undefined) return false
    return struct.header === inside.header ? struct.at < inside.at : this.#sees(inside.header, struct.header, new Set())
  }

  /** Whether a header includes another one, also through others. */
  #sees(from: string, to: string, seen: Set<string>): boolean {
    if (from === to) return true
    if (seen.has(from)) return false
    seen.add(from)
    const text = this.#headers.get(from) ?? ''
    return [...text.matchAll(/^#include "(\w+)\.h"/gm)].some(
      (match) => this.#headers.has(match[1] ?? '') && this.#sees(match[1] ?? '', to, seen),
    )
  }

  #baseOf(name: string): string | undefined {
    return this.#types.find((one) => one.name === name)?.base ?? ENGINE[name]?.base
  }

  #isKnown(name: string): boolean {
    return name in ENGINE || this.#types.some((one) => one.name === name)
  }

  #isA(name: string, wanted: string): boolean {
    for (let one: string | undefined = name; one !== undefined; one = this.#baseOf(one)) if (one === wanted) return true
    return false
  }

  #inherited(base: string | undefined): ReadonlySet<string> {
    const names = new Set<string>()
    for (let one = base; one !== undefined; one = this.#baseOf(one)) {
      for (const name of (ENGINE[one]?.members ?? '').split(/\s+/)) names.add(name)
      for (const member of this.#types.find(({ name }) => name === one)?.members ?? []) names.add(member.name)
    }
    return names
  }
}

/** The value that a parameter carries. */
const valueOf = (type: string): string =>
  type
    .replace(/^const\s+/, '')
    .replace(/\s*&$/, '')
    .trim()

/** What the engine's tool would refuse in these headers, one sentence each. */
export const problemsOf = (headers: Headers): readonly string[] => new Checker(headers).problems()

/** What the tool writes for each header, by its name. Throws with the problems, if there are some. */
export function generatedFor(headers: Headers): ReadonlyMap<string, string> {
  const checker = new Checker(headers)
  const problems = checker.problems()
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return new Map([...headers.keys()].map((name) => [name, checker.generated(name)]))
}
