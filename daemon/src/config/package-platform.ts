/**
 * The platform that a package gives to its program, in a file that the package places beside it. Without such a file the program is a clone's,
 * or a single executable, and its default is the sandbox.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE_FILE } from '@sallyport/core/platform-names'
import { isObject } from './kinds.ts'
import { PLATFORM_NAMES, readJson } from './platforms.ts'
import { SettingsError } from './settings-error.ts'

/** From the folder of the program: on Windows, on Linux, in a bundle of macOS. */
const FOLDERS = ['.', '../lib/sallyport', '../Resources']

/**
 * Undefined without a package. `folder`: that of the program. It names a built-in platform and nothing else, because a stranger's archive may
 * have such a file too. Throws SettingsError for a damaged file.
 */
export function packagePlatform(folder: string): string | undefined {
  const file = FOLDERS.map((way) => join(folder, way, PACKAGE_FILE)).find((path) => existsSync(path))
  if (file === undefined) return undefined
  const content = readJson(file, 'file of the package')
  const name = isObject(content) ? content['platform'] : undefined
  if (typeof name === 'string' && PLATFORM_NAMES.includes(name)) return name
  throw new SettingsError(`${file} names no built-in platform (${PLATFORM_NAMES.join(', ')}). Install the package again.`)
}
