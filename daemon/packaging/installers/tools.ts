/** The programs that make installers. A missing one ends its installer only. */
import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const MAX_OUTPUT = 16 * 1024 * 1024

/** By name of the program: the Debian package that contains it. */
const TOOL_PACKAGES = {
  'dpkg-deb': 'dpkg',
  rpmbuild: 'rpm',
  makensis: 'nsis',
  'x86_64-w64-mingw32-gcc': 'gcc-mingw-w64-x86-64',
  tar: 'tar',
  xz: 'xz-utils',
  zip: 'zip',
} as const

export type Tool = keyof typeof TOOL_PACKAGES

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
}

/** The packages of the tools that are not on the search path. */
export async function missingPackages(tools: readonly Tool[]): Promise<readonly string[]> {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const isThere = async (tool: Tool) => (await Promise.all(folders.map((folder) => isExecutable(join(folder, tool))))).includes(true)
  const there = await Promise.all(tools.map(isThere))
  return tools.filter((_, index) => there[index] !== true).map((tool) => TOOL_PACKAGES[tool])
}

export interface ToolRun {
  readonly tool: Tool
  readonly args: readonly string[]
  readonly cwd?: string
  /** Seconds since the epoch, for tools that write times. */
  readonly time: number
}

/** Rejects with the output of a tool that fails. */
export async function runTool({ tool, args, cwd, time }: ToolRun): Promise<void> {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(time), TZ: 'UTC', LC_ALL: 'C.UTF-8' }
  await promisify(execFile)(tool, args, { env, maxBuffer: MAX_OUTPUT, ...(cwd === undefined ? {} : { cwd }) }).catch((failure: unknown) => {
    const { stderr = '', stdout = '' } = failure as { readonly stderr?: string; readonly stdout?: string }
    throw new Error(`${tool} failed: ${stderr.trim() || stdout.trim()}`, { cause: failure })
  })
}
