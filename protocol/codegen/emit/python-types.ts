/** The values of the protocol as types of Python, for a stub: a TypedDict for each object, and aliases. */
import type { JsonSchema } from '../json-schema.ts'
import type { Model } from '../model.ts'
import { isSchema, propertiesOf, referenceName } from '../schema-fields.ts'
import { pascal } from './names.ts'

const schemasIn = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : [])
const hasProperties = (schema: JsonSchema): boolean => Object.keys(schema['properties'] ?? {}).length > 0
const requiredOf = (schema: JsonSchema): readonly unknown[] => (Array.isArray(schema['required']) ? schema['required'] : [])

const SCALARS: Readonly<Record<string, string>> = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }

/** Words that no field of a class can have as its name. */
const KEYWORDS = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda
  nonlocal not or pass raise return try while with yield`.split(/\s+/),
)
const isName = (key: string): boolean => /^[A-Za-z_]\w*$/.test(key) && !KEYWORDS.has(key)

/** A text of Python in double quotes. */
export const pythonText = (text: string): string => JSON.stringify(text)

/** A value of Python that a JSON value is read as. */
const literal = (value: unknown): string =>
  typeof value === 'string' ? pythonText(value) : value === true ? 'True' : value === false ? 'False' : String(value)

export const docstring = (sentence: string, indent: string): readonly string[] => {
  const text = sentence.trim().replaceAll('\\', '\\\\').replaceAll('"""', "'''")
  return text === '' ? [] : [`${indent}"""${text}${/["\\]$/.test(text) ? ' ' : ''}"""`]
}

const descriptionOf = (schema: JsonSchema): string => (typeof schema['description'] === 'string' ? schema['description'] : '')

const unionOf = (types: readonly string[]): string => {
  const some = [...new Set(types)]
  if (some.includes('Any')) return 'Any'
  const [one = 'Any'] = some
  return some.length === 1 ? one : some.join(' | ')
}

export class PythonTypes {
  readonly #definitions: Model['$defs']
  /** Source texts of classes, by name, in the order in which they were met. */
  readonly #classes = new Map<string, string>()
  /** Source texts of aliases, by name. */
  readonly #aliases = new Map<string, string>()
  readonly #open = new Set<string>()

  constructor(definitions: Model['$defs']) {
    this.#definitions = definitions
  }

  /** The texts of all classes and aliases. */
  get sources(): readonly string[] {
    return [...this.#classes.values(), ...this.#aliases.values()]
  }

  /** The type of a value. `name`: of the class, if the value is an object without one. */
  typeOf(schema: JsonSchema, name: string): string {
    const reference = referenceName(schema)
    if (reference !== undefined) return this.#named(reference)
    if ('const' in schema) return this.#literals([schema['const']])
    if (Array.isArray(schema['enum'])) return this.#literals(schema['enum'])
    const branches = schemasIn(schema['anyOf'] ?? schema['oneOf'])
    if (branches.length > 0) return unionOf(branches.map((branch, index) => this.typeOf(branch, this.#branchName(branches, index, name))))
    const types = [schema['type']].flat().filter((type): type is string => typeof type === 'string')
    return types.length === 0 ? 'Any' : unionOf(types.map((type) => this.#typed(type, schema, name)))
  }

  /** Objects of one union need a name each. */
  #branchName(branches: readonly JsonSchema[], index: number, name: string): string {
    const objects = branches.filter(hasProperties)
    return objects.length < 2 ? name : `${name}${index + 1}`
  }

  #literals(values: readonly unknown[]): string {
    if (values.every((value) => typeof value === 'number' && !Number.isInteger(value))) return 'float'
    return `Literal[${values.map(literal).join(', ')}]`
  }

  #typed(type: string, schema: JsonSchema, name: string): string {
    if (type === 'array') return this.#list(schema, name)
    if (type === 'object') return this.#object(schema, name)
    const scalar = SCALARS[type]
    if (scalar === undefined) throw new Error(`no type of Python is known for ${type}`)
    return scalar
  }

  #list(schema: JsonSchema, name: string): string {
    const parts = schemasIn(schema['prefixItems'])
    const { items } = schema
    const types = isSchema(items) ? [this.typeOf(items, `${name}Item`)] : parts.map((part, index) => this.typeOf(part, `${name}${index}`))
    return `list[${unionOf(types)}]`
  }

  #object(schema: JsonSchema, name: string): string {
    if (hasProperties(schema)) return this.#class(name, schema)
    const { additionalProperties } = schema
    const part = isSchema(additionalProperties) && Object.keys(additionalProperties).length > 0 ? additionalProperties : undefined
    return `dict[str, ${part === undefined ? 'Any' : this.typeOf(part, `${name}Value`)}]`
  }

  #named(name: string): string {
    if (this.#classes.has(name) || this.#aliases.has(name) || this.#open.has(name)) return name
    const schema = this.#definitions[name]
    if (schema === undefined) throw new Error(`no definition is named ${name}`)
    // Games do not receive it.
    if (schema['audience'] === 'operator') return 'Any'
    this.#open.add(name)
    const isUnion = schemasIn(schema['anyOf'] ?? schema['oneOf']).length > 0
    const type = this.typeOf(schema, isUnion ? `${name}Choice` : name)
    if (type !== name) this.#aliases.set(name, [`${name}: TypeAlias = ${type}`, ...docstring(descriptionOf(schema), '')].join('\n'))
    return name
  }

  #class(name: string, schema: JsonSchema): string {
    if (this.#classes.has(name)) throw new Error(`two objects would be the class ${name}`)
    // Its place is before those of its parts.
    this.#classes.set(name, '')
    const fields = propertiesOf(schema, `the class ${name}`).map(([key, field]) => ({
      key,
      type: this.typeOf(field, `${name}${pascal(key)}`),
      description: descriptionOf(field),
    }))
    const isRequired = (key: string): boolean => requiredOf(schema).includes(key)
    const typeText = ({ key, type }: (typeof fields)[number]): string => (isRequired(key) ? type : `NotRequired[${type}]`)
    const about = docstring(descriptionOf(schema), '    ')
    const source = fields.every(({ key }) => isName(key))
      ? [
          `class ${name}(TypedDict):`,
          ...about,
          ...fields.flatMap((field) => [`    ${field.key}: ${typeText(field)}`, ...docstring(field.description, '    ')]),
        ]
      : [`${name} = TypedDict("${name}", {${fields.map((field) => `${pythonText(field.key)}: ${typeText(field)}`).join(', ')}})`]
    this.#classes.set(name, source.join('\n'))
    return name
  }
}
