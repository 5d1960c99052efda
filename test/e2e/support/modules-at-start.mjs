/** Preloaded into a daemon of sources: at its ready line, writes the modules that are loaded by then to descriptor 3, as JSON. */
import { writeFileSync } from 'node:fs'
import { builtinModules, registerHooks } from 'node:module'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = resolve(import.meta.dirname, '../../..')
const REPORT = 3
const NATIVE = 'NativeModule '

const inOrder = (names) => names.toSorted((one, other) => (one < other ? -1 : 1))
const files = []
registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith('file:')) files.push(relative(ROOT, fileURLToPath(url)))
    return nextLoad(url, context)
  },
})
// Node itself and this file have loaded these.
const before = new Set(process.moduleLoadList)

const write = process.stdout.write.bind(process.stdout)
process.stdout.write = (text, ...rest) => {
  process.stdout.write = write
  const builtins = process.moduleLoadList
    .filter((name) => name.startsWith(NATIVE) && !before.has(name))
    .map((name) => name.slice(NATIVE.length))
    .filter((name) => builtinModules.includes(name) || builtinModules.includes(`node:${name}`))
  writeFileSync(REPORT, JSON.stringify({ files: inOrder(files), builtins: inOrder(builtins) }))
  return write(text, ...rest)
}
