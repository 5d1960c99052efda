/** Bundles a program into one file, so that it starts two hundred times quickly. Unused modules are left out, because none of ours has side effects. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

export async function oneFile(entry: string, folder: string): Promise<string> {
  const outfile = join(folder, 'program.mjs')
  await mkdir(folder, { recursive: true })
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node26',
    conditions: ['sallyport-source'],
    logLevel: 'silent',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
    plugins: [
      {
        name: 'no-work-on-import',
        setup({ onResolve, resolve }) {
          onResolve({ filter: /^(?:\.|@sallyport\/)/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
            if (pluginData === 'asked') return undefined
            const found = await resolve(path, { importer, resolveDir, kind, pluginData: 'asked' })
            return found.external ? found : { ...found, sideEffects: false }
          })
        },
      },
    ],
  })
  return outfile
}
