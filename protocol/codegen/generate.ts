/** All generated files of the package, as a map of path to text. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { emitC } from './emit/c-header.ts'
import { emitCpp } from './emit/cpp.ts'
import { emitCsharp } from './emit/csharp.ts'
import { emitGdscript } from './emit/gdscript.ts'
import { emitKeyedCommands } from './emit/keyed-commands.ts'
import { emitJson } from './emit/json.ts'
import { type CHeaders, emitLua } from './emit/lua.ts'
import { emitParsers } from './emit/parsers.ts'
import { emitPython } from './emit/python.ts'
import { emitReference } from './emit/reference.ts'
import { emitUnreal } from './emit/unreal.ts'
import type { Generated } from './files.ts'
import { buildModel, type Model } from './model.ts'

/** Files of `protocol/generated`. */
export function generate(model: Model = buildModel()): Generated {
  const reference = Object.entries(emitReference(model)).map(([name, text]) => [`reference/${name}`, text] as const)
  return Object.fromEntries([['protocol.json', emitJson(model)], ...reference])
}

/** Generated files of `protocol/src`. */
export const generateSources = (model: Model = buildModel()): Generated => ({
  'keyed-commands.ts': emitKeyedCommands(model),
  'parsers.ts': emitParsers(),
})

const C_HEADERS = join(import.meta.dirname, '../../bindings/c/include/sallyport')

/** The written headers of the C library, which the FFI of Lua reads too. */
export const readHeaders = (): CHeaders => ({
  json: readFileSync(join(C_HEADERS, 'json.h'), 'utf8'),
  client: readFileSync(join(C_HEADERS, 'sallyport.h'), 'utf8'),
})

/** Generated files of the bindings, by the folder of each. */
export function generateBindings(model: Model = buildModel()): Readonly<Record<string, Generated>> {
  return {
    'bindings/c': emitC(model),
    'bindings/cpp': emitCpp(model),
    'bindings/csharp': emitCsharp(model),
    'bindings/engines/godot': emitGdscript(model),
    'bindings/engines/unreal': emitUnreal(model),
    'bindings/lua': emitLua(model, readHeaders()),
    'bindings/python': emitPython(model),
  }
}
