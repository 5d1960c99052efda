/**
 * Modules of Node that are loaded when one of their functions is first used, not when a module that imports them runs. A game that connects and sets
 * its presence needs none of them. Together they take a tenth of the time to its READY, and `node:tls` begins to decode all root certificates.
 */
import type { Plugin } from 'esbuild'

/** `node-ipc` uses TLS on request only. */
const LAZY = ['node:crypto', 'node:fs/promises', 'node:http', 'node:tls']
const NAMESPACE = 'lazy-builtin'

const isLazy = (value: unknown): boolean => typeof value === 'function' || (typeof value === 'object' && value !== null)

/** The text of a module that exports each function and object of another one as a proxy. Importing a plain value fails the build. */
function lazyModule(name: string): string {
  const exported = Object.entries(process.getBuiltinModule(name) as object).flatMap(([key, value]) => (isLazy(value) ? [key] : []))
  return `
let loaded
const load = () => loaded ??= process.getBuiltinModule(${JSON.stringify(name)})
const lazy = (find) => new Proxy(function () {}, {
  apply: (_, self, args) => Reflect.apply(find(), self, args),
  construct: (_, args) => Reflect.construct(find(), args),
  get: (_, key) => find()[key],
})
export default /* @__PURE__ */ lazy(load)
${exported.map((key) => `export const ${key} = /* @__PURE__ */ lazy(() => load().${key})`).join('\n')}`
}

export const lazyBuiltins: Plugin = {
  name: NAMESPACE,
  setup(bundler) {
    bundler.onResolve({ filter: new RegExp(`^(?:${LAZY.join('|')})$`) }, ({ path, kind }) =>
      // A dynamic import or a call of `require` is late already.
      kind === 'import-statement' ? { path, namespace: NAMESPACE, sideEffects: false } : undefined,
    )
    bundler.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({ contents: lazyModule(path) }))
  },
}
