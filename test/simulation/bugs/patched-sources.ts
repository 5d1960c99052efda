/** Loads modules of this clone with the changes of a patch, without writing them anywhere. Only modules that are loaded afterwards are changed. */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { applyPatch } from './patch.ts'

const ROOT = new URL('../../../', import.meta.url)

/** `file`: the path of the patch. Throws if it does not apply. */
export function loadPatched(file: string): void {
  const patched = applyPatch(readFileSync(file, 'utf8'), (path) => readFileSync(new URL(path, ROOT), 'utf8'))
  const sources = new Map([...patched].map(([path, text]) => [new URL(path, ROOT).href, text]))
  registerHooks({
    load(url, context, next) {
      const source = sources.get(url)
      return source === undefined ? next(url, context) : { format: 'module-typescript', source, shortCircuit: true }
    },
  })
}
