/** Emits protocol.json: the model, and a hash that identifies its version. References are relative to this document. */
import { createHash } from 'node:crypto'
import type { Model } from '../model.ts'

export const NOTICE = 'Generated from the tables of the protocol package by `npm run codegen`. Do not edit.'

/** SHA-256 of the model, in hex. */
export const modelHash = (model: Model): string => createHash('sha256').update(JSON.stringify(model)).digest('hex')

export const emitJson = (model: Model): string =>
  `${JSON.stringify({ $comment: NOTICE, modelHash: modelHash(model), ...model }, null, 1)}\n`
