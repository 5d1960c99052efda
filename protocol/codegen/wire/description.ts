/** The operations of a public OpenAPI description, with the fields of their requests. */
import { type Fields, fieldsOf, type Resolve, type Schema } from './fields.ts'

export interface DescribedOperation {
  /** `METHOD /path`, as the description writes it. */
  readonly line: string
  readonly query: Fields
  readonly body: Fields
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema
}

interface OperationObject {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

export interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, OperationObject & Readonly<Record<string, OperationObject>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Common form of templates with different names of parameters. */
export const shapeOf = (line: string): string => line.replaceAll(/\{[^}]*\}/g, '{}')

/** A part of a multipart body that is one of a list: `files[0]`. */
const PART = /^(\w+)\[\d+\](?=$|\.)/

const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && 'openapi' in value && 'paths' in value && 'components' in value

/** Throws for a file that is no such description. */
export function describedOperations(document: unknown): readonly DescribedOperation[] {
  if (!isDocument(document)) throw new Error('The file is no OpenAPI description: it has no openapi, paths and components.')
  const { schemas } = document.components
  const resolve: Resolve = (reference) => {
    const schema = schemas[reference.replace('#/components/schemas/', '')]
    if (schema === undefined) throw new Error(`The description refers to ${reference}, which it does not have.`)
    return schema
  }
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): readonly DescribedOperation[] => {
      const operation = item[method]
      if (operation === undefined) return []
      const query = [...(item.parameters ?? []), ...(operation.parameters ?? [])].filter((one) => one.in === 'query')
      const bodies = Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) => [...fieldsOf(schema, resolve)])
      return [
        {
          line: `${method.toUpperCase()} ${path}`,
          query: new Map(query.flatMap(({ name, schema }) => [...fieldsOf({ type: 'object', properties: { [name]: schema } }, resolve)])),
          body: new Map(bodies.map(([at, kinds]) => [at.replace(PART, '$1'), kinds])),
        },
      ]
    }),
  )
}
