/** Compares the endpoint rows with described operations, field by field. Pure. */
import type { LeftOutFieldsRow } from '../../src/endpoints/left-out-fields.ts'
import type { LeftOutRow } from '../../src/endpoints/left-out.ts'
import type { Model } from '../model.ts'
import { type DescribedOperation, shapeOf } from './description.ts'
import { type Fields, fieldsOf, type Kinds, parentOf, type Schema } from './fields.ts'

export interface Tables extends Pick<Model, 'endpoints' | '$defs'> {
  readonly leftOut: readonly LeftOutRow[]
  readonly leftOutFields: readonly LeftOutFieldsRow[]
  readonly otherKinds: readonly LeftOutFieldsRow[]
}

export interface Comparison {
  /** How much was compared. */
  readonly operations: number
  readonly fields: number
  /** Documented, and neither in a row nor left out with a reason. */
  readonly missing: readonly string[]
  /** Fields whose values have other kinds here. */
  readonly kinds: readonly string[]
  /** Exceptions that nothing needs any more. */
  readonly unneeded: readonly string[]
}

type Row = Model['endpoints'][number]

/** `ROW.path` of one row, and `*.path` of every row: also as the end of a longer path. */
const isNamed = (exception: string, row: string, path: string): boolean => {
  const end = exception.indexOf('.')
  const [named, at] = [exception.slice(0, end), exception.slice(end + 1)]
  return named === '*' ? path === at || path.endsWith(`.${at}`) : named === row && path === at
}

class Exceptions {
  readonly #all: readonly string[]
  readonly #used = new Set<string>()

  constructor(rows: readonly LeftOutFieldsRow[]) {
    this.#all = rows.flatMap(({ fields }) => fields)
  }

  has(rows: readonly Row[], path: string): boolean {
    const found = this.#all.filter((one) => rows.some(({ name }) => isNamed(one, name, path)))
    for (const one of found) this.#used.add(one)
    return found.length > 0
  }

  unneeded(): readonly string[] {
    return this.#all.filter((one) => !this.#used.has(one))
  }
}

/** The fields that the rows of one operation accept. A row may send one argument as the whole body. */
export function acceptedBy(rows: readonly Row[], $defs: Model['$defs']): Fields {
  const resolve = (reference: string): Schema => ($defs as Readonly<Record<string, Schema>>)[reference.replace('#/$defs/', '')] ?? {}
  return new Map(
    rows.flatMap(({ args, bodyArgument, upload }) => {
      // The kind of a file is that of the bridge: a name and its bytes, or a path.
      const whole = [...fieldsOf(args as Schema, resolve)].map(([path, kinds]): readonly [string, Kinds] => [
        path,
        path === upload?.argument ? new Set() : kinds,
      ])
      return bodyArgument === undefined || bodyArgument === null
        ? whole
        : [
            ...whole,
            ...whole.flatMap(([path, kinds]) =>
              path.startsWith(`${bodyArgument}[]`) ? [[path.slice(bodyArgument.length), kinds] as const] : [],
            ),
          ]
    }),
  )
}

/** Whether the row accepts a path, or anything in a field that contains it. */
function isAccepted(path: string, accepted: Fields): boolean {
  if (accepted.has(path)) return true
  const parent = parentOf(path)
  if (parent === undefined) return false
  const isOpen = accepted.has(parent) && ![...accepted.keys()].some((one) => one !== parent && parentOf(one) === parent)
  return isOpen || (!accepted.has(parent) && isAccepted(parent, accepted))
}

/** Whether a parent of the path is missing itself, which says enough. */
const isBelowMissing = (path: string, accepted: Fields): boolean => {
  const parent = parentOf(path)
  return parent !== undefined && (!isAccepted(parent, accepted) || isBelowMissing(parent, accepted))
}

export function compare(described: readonly DescribedOperation[], tables: Tables): Comparison {
  const byShape = Map.groupBy(tables.endpoints, ({ method, path }) => shapeOf(`${method} ${path}`))
  const leftOut = new Set(tables.leftOut.flatMap(({ operations }) => operations.map(shapeOf)))
  const leftOutFields = new Exceptions(tables.leftOutFields)
  const otherKinds = new Exceptions(tables.otherKinds)
  const missing: string[] = []
  const kinds: string[] = []
  let operations = 0
  let fields = 0
  for (const { line, query, body } of described) {
    const rows = byShape.get(shapeOf(line))
    if (rows === undefined) {
      if (!leftOut.has(shapeOf(line))) missing.push(`${line}: no row`)
      continue
    }
    operations++
    const accepted = acceptedBy(rows, tables.$defs)
    const name = rows.map((row) => row.name).join(', ')
    for (const [place, found] of [
      ['query', query],
      ['body', body],
    ] as const) {
      for (const [path, theirs] of found) {
        fields++
        const ours = accepted.get(path)
        if (ours === undefined) {
          if (isAccepted(path, accepted) || isBelowMissing(path, accepted) || leftOutFields.has(rows, path)) continue
          missing.push(`${name}: ${place} ${path}`)
        } else if (theirs.size > 0 && ours.size > 0 && ours.isDisjointFrom(theirs) && !otherKinds.has(rows, path))
          kinds.push(`${name}: ${place} ${path}: ${[...ours].join(', ')} here, ${[...theirs].join(', ')} described`)
      }
    }
  }
  return { operations, fields, missing, kinds, unneeded: [...leftOutFields.unneeded(), ...otherKinds.unneeded()] }
}
