/** Bundles the script and the style of the dashboard's page. Both become part of the program. */
import { readFile } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { build, type Metafile } from 'esbuild'
import { formProtocol } from './form-protocol.ts'

const PAGE = resolve(import.meta.dirname, '../src/operator/dashboard/page')
const ICON = join(import.meta.dirname, 'icons/sallyport.svg')
/** Browsers since 2024, which the style needs anyway. */
const TARGET = 'es2024'

export interface DashboardPage {
  /** Those of html.ts and protocol-text.ts in daemon/src/operator/dashboard, as a bundler defines them: texts of JavaScript. */
  readonly constants: Readonly<Record<string, string>>
  readonly metafile: Metafile
}

export async function bundleDashboardPage(): Promise<DashboardPage> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(PAGE, 'main.tsx'), join(PAGE, 'style.css')],
    // Nothing is written, but the names of the outputs need a folder.
    write: false,
    metafile: true,
    outdir: PAGE,
    bundle: true,
    platform: 'browser',
    format: 'iife',
    target: TARGET,
    conditions: ['sallyport-source'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    logLevel: 'warning',
  })
  const literal = (extension: string): string => JSON.stringify(outputFiles.find(({ path }) => extname(path) === extension)?.text ?? '')
  const constants = {
    DASHBOARD_SCRIPT: literal('.js'),
    DASHBOARD_STYLE: literal('.css'),
    DASHBOARD_PROTOCOL: JSON.stringify(await formProtocol()),
    DASHBOARD_ICON: JSON.stringify(await readFile(ICON, 'utf8')),
  }
  return { constants, metafile }
}
