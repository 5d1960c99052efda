/** Bundles the script and the style of the dashboard's page. Both become part of the program. */
import { extname, join, resolve } from 'node:path'
import { build } from 'esbuild'

const PAGE = resolve(import.meta.dirname, '../src/admin/page')
/** Browsers since 2024, which the style needs anyway. */
const TARGET = 'es2024'

/** The value of DASHBOARD_PAGE in daemon/src/admin/html.ts. */
export interface DashboardPage {
  readonly script: string
  readonly style: string
}

export async function bundleDashboardPage(): Promise<DashboardPage> {
  const { outputFiles } = await build({
    entryPoints: [join(PAGE, 'main.ts'), join(PAGE, 'style.css')],
    // Nothing is written, but the names of the outputs need a folder.
    write: false,
    outdir: PAGE,
    bundle: true,
    platform: 'browser',
    format: 'iife',
    target: TARGET,
    conditions: ['sallyport-source'],
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'warning',
  })
  const textOf = (extension: string): string => outputFiles.find(({ path }) => extname(path) === extension)?.text ?? ''
  return { script: textOf('.js'), style: textOf('.css') }
}
