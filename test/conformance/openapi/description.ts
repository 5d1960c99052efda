/** The platform's public OpenAPI description: its operations, and validators of its schemas. */
import { readFileSync } from 'node:fs'
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js'

export type Schema = AnySchemaObject

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required?: boolean
  readonly schema: Schema
}

interface OperationObject {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>>; readonly required?: boolean }
  /** By status, or by its first digit as in `4XX`. */
  readonly responses: Readonly<Record<string, ResponseObject | { readonly $ref: string }>>
  /** One of these is sufficient; an empty one means that no token is needed. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
}

/** Without content: an answer without a body. */
export interface ResponseObject {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

type PathItem = { readonly parameters?: readonly Parameter[] } & Partial<Readonly<Record<Lowercase<Method>, OperationObject>>>

interface Document {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, ResponseObject>>
    readonly securitySchemes: {
      readonly OAuth2: { readonly flows: Readonly<Record<string, { readonly scopes: Readonly<Record<string, string>> }>> }
    }
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof METHODS)[number]

export interface Operation {
  /** The template with the description's own parameter names. */
  readonly path: string
  /** Parameters of the path and of the operation. */
  readonly parameters: readonly Parameter[]
  readonly object: OperationObject
  /** JSON pointer to the operation. */
  readonly pointer: string
}

const pointerPart = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1')
const DOCUMENT = 'description'

/** `GET /guilds/{}/channels`: common form of templates with different parameter names. */
export const shapeOf = (method: string, path: string): string => `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`

const parametersIn = (template: readonly string[]): number => template.filter((part) => part.startsWith('{')).length

const INT32 = 2 ** 31
const FORMATS = {
  snowflake: /^(?:0|[1-9][0-9]{0,19})$/,
  nonce: true,
  double: true,
  int32: { type: 'number', validate: (value: number) => value >= -INT32 && value < INT32 },
  int64: true,
  uri: (value: string) => URL.canParse(value),
  'date-time': (value: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value)),
} as const

const meantBy = (text: string): unknown => (/^(?:true|false|-?[0-9]+(?:\.[0-9]+)?)$/.test(text) ? JSON.parse(text) : text)

/** The error of the intended alternative is more useful than the error of the whole union. */
const isVague = (problem: string): boolean => /must be null$|must match exactly one schema in oneOf$/.test(problem)

/** Returns the problem of a failed check, without list indexes. */
export function problems({ errors }: ValidateFunction): readonly string[] {
  const all = new Set((errors ?? []).map(({ instancePath, message }) => `${instancePath.replaceAll(/\/\d+/g, '/[]')} ${message}`.trim()))
  const plain = [...all].filter((problem) => !isVague(problem))
  return plain.length > 0 ? plain : [...all]
}

export class Description {
  readonly #document: Document
  readonly #operations = new Map<string, Operation>()
  readonly #ajv: Ajv2020

  constructor(file: string) {
    this.#document = JSON.parse(readFileSync(file, 'utf8')) as Document
    this.#ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, formats: FORMATS })
    this.#ajv.addSchema(this.#document, DOCUMENT)
    for (const [path, item] of Object.entries(this.#document.paths)) {
      for (const method of METHODS) {
        const key = method.toLowerCase() as Lowercase<Method>
        const object = item[key]
        if (object === undefined) continue
        this.#operations.set(shapeOf(method, path), {
          path,
          object,
          parameters: [...(item.parameters ?? []), ...(object.parameters ?? [])],
          pointer: `/paths/${pointerPart(path)}/${key}`,
        })
      }
    }
  }

  /** Every operation as `METHOD /path`, sorted. */
  get list(): readonly string[] {
    return [...this.#operations].map(([shape, { path }]) => `${shape.split(' ')[0]} ${path}`).toSorted()
  }

  operation(method: string, path: string): Operation | undefined {
    return this.#operations.get(shapeOf(method, path))
  }

  /** The operation of a path with values; undefined: none. A template with fewer parameters is meant first. */
  operationAt(method: string, path: string): Operation | undefined {
    const sent = path.split('/')
    const fits = (template: readonly string[]) =>
      template.every((part, index) => part === sent[index] || (part.startsWith('{') && sent[index] !== ''))
    return [...this.#operations]
      .filter(([shape]) => shape.startsWith(`${method} `))
      .map(([, operation]) => ({ operation, template: operation.path.split('/') }))
      .filter(({ template }) => template.length === sent.length && fits(template))
      .toSorted((a, b) => parametersIn(a.template) - parametersIn(b.template))[0]?.operation
  }

  /** All scopes in the description. */
  get scopes(): ReadonlySet<string> {
    const { flows } = this.#document.components.securitySchemes.OAuth2
    return new Set(Object.values(flows).flatMap(({ scopes }) => Object.keys(scopes)))
  }

  /** The described answer of an operation with this status. */
  response({ object: { responses } }: Operation, status: number): ResponseObject | undefined {
    const found = responses[String(status)] ?? responses[`${String(status)[0]}XX`]
    return found !== undefined && '$ref' in found ? this.#document.components.responses[found.$ref.split('/').at(-1) ?? ''] : found
  }

  /** Whether the record of this name is described. */
  has(record: string): boolean {
    return this.#document.components.schemas[record] !== undefined
  }

  /** Compiles a schema of the document. */
  validator(schema: Schema): ValidateFunction {
    return this.#ajv.compile(this.#rooted(schema))
  }

  body({ pointer }: Operation, contentType: string): ValidateFunction {
    const schema = `${pointer}/requestBody/content/${pointerPart(contentType)}/schema`
    return this.#ajv.compile({ $ref: `${DOCUMENT}#${encodeURI(schema)}` })
  }

  /** Checks a path or query text as text, number, boolean, or a list of these. */
  parameter({ schema }: Parameter): (texts: readonly string[]) => string | undefined {
    const check = this.#ajv.compile(this.#rooted(schema))
    return (texts) => {
      const lists = [texts, texts.map(meantBy)]
      const readings = texts.length === 1 ? [meantBy(texts[0] ?? ''), texts[0], ...lists] : lists
      for (const reading of readings.toReversed()) if (check(reading) === true) return undefined
      // Errors of the last interpretation: a single text.
      return problems(check).join('; ')
    }
  }

  /** Returns the schema with resolved references. */
  resolved(schema: Schema): Schema {
    if (typeof schema['$ref'] !== 'string') return schema
    const name = schema['$ref'].split('/').at(-1) ?? ''
    const target = this.#document.components.schemas[name]
    if (target === undefined) throw new Error(`the description refers to ${schema['$ref']}, which it does not have`)
    return this.resolved(target)
  }

  /** A schema of the document, with references into the document. */
  #rooted(schema: Schema): Schema {
    return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${DOCUMENT}#/`)) as Schema
  }
}
