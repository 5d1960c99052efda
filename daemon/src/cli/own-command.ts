/** The words by which a user starts this program at a terminal: they depend on where it was installed from. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const FROM_CLONE = 'npm run sallyport --'
const INSTALLED = 'sallyport'

const IN_MODULES = /^(.*)[\\/]node_modules[\\/]sallyport[\\/]/
/** npx installs into folders of npm's cache that are named by a hash. */
const NPX_FOLDER = /[\\/]_npx[\\/][0-9a-f]+$/
/** A name in the registry, with or without a version or tag. */
const REGISTRY_NAME = /^(?:@[\w.~-]+\/)?[\w.~-]+(?:@[\w.~^-]+)?$/
/** What every shell takes as one word. */
const PLAIN_WORD = /^[\w@.,:/\\~+-]+$/
const QUOTABLE = /^[^\p{C}'"`$!%\\]+$/u

/** What the user named when npx installed into the folder; undefined if npm does not say it. */
function namedFor(folder: string): string | undefined {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { _npx?: { packages?: readonly unknown[] } }
    const [name, ...others] = manifest._npx?.packages ?? []
    return typeof name === 'string' && others.length === 0 ? name : undefined
  } catch {
    return undefined // Another version of npm may keep it elsewhere.
  }
}

function npxWords(name = INSTALLED): string {
  if (REGISTRY_NAME.test(name) && !name.endsWith('.tgz')) return `npx ${name}`
  // A path needs the option: npx would start an absolute one as a program.
  if (PLAIN_WORD.test(name)) return `npx --package=${name} sallyport`
  return QUOTABLE.test(name) ? `npx --package="${name}" sallyport` : `npx ${INSTALLED}`
}

export interface Started {
  /** Paths, links resolved. `script` is `executable` where that holds the program. */
  readonly script: string
  readonly executable: string
  readonly env: NodeJS.ProcessEnv
}

/** From a clone, from an executable or a global npm package, from a project that has the package, or by npx. */
export function ownCommand({ script, executable, env }: Started): string {
  if (script === executable) return INSTALLED
  const [, around] = IN_MODULES.exec(script) ?? []
  if (around === undefined) return FROM_CLONE
  if (NPX_FOLDER.test(around)) return npxWords(namedFor(around))
  return env['npm_command'] === undefined ? INSTALLED : npxWords()
}
