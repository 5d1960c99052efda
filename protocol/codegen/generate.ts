/** All generated files of the package, as a map of path to text. */
import { emitC } from './emit/c-header.ts'
import { emitJson } from './emit/json.ts'
import { emitParsers } from './emit/parsers.ts'
import { emitReference } from './emit/reference.ts'
import type { Generated } from './files.ts'
import { buildModel } from './model.ts'

/** Files of `protocol/generated`. */
export function generate(): Generated {
  const model = buildModel()
  const reference = Object.entries(emitReference(model)).map(([name, text]) => [`reference/${name}`, text] as const)
  return Object.fromEntries([['protocol.json', emitJson(model)], ...reference])
}

/** Generated files of `bindings/c`. */
export const generateC = (): Generated => emitC(buildModel())

/** Generated files of `protocol/src`. */
export const generateSources = (): Generated => ({ 'parsers.ts': emitParsers() })
