/** Emits protocol.json: the model with one row per line, and a hash that identifies its version. */
import { createHash } from 'node:crypto'
import type { Model } from '../model.ts'
import { NOTICE } from './text.ts'

/** SHA-256 of the model, in hex. */
const modelHash = (model: Model): string => createHash('sha256').update(JSON.stringify(model)).digest('hex')

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A table has one line per row or name; any other value is in one line. */
function lines(value: unknown): string {
  if (!isObject(value)) return JSON.stringify(value)
  if (Array.isArray(value)) return `[\n${value.map((row) => JSON.stringify(row)).join(',\n')}\n]`
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${JSON.stringify(member)}`)
  return `{\n${members.join(',\n')}\n}`
}

/** References such as `#/$defs/User` are relative to this document. */
export function emitJson(model: Model): string {
  const members = Object.entries({ $comment: NOTICE, modelHash: modelHash(model), ...model })
  return `{\n${members.map(([name, value]) => `${JSON.stringify(name)}:${lines(value)}`).join(',\n')}\n}\n`
}
