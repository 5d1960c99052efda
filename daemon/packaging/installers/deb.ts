/** The package for Debian and its relatives. */
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NOTICES_FILE, noticesText } from '../notices/notice.ts'
import { DESCRIPTION, HOMEPAGE, MAINTAINER, REVISION, SUMMARY } from './about.ts'
import { gzipped } from './compressed.ts'
import { debianCopyright } from './debian-copyright.ts'
import type { Installer, InstallerInput } from './installer.ts'
import { AFTER_INSTALL, AFTER_REMOVAL, BEFORE_REMOVAL, CONFIGURATION_FILES, linuxPayload, SCRIPT_FUNCTIONS } from './linux-payload.ts'
import { type PayloadFacts, payloadFacts } from './payload-size.ts'
import { layOut, type PayloadFile } from './payload.ts'
import { runTool } from './tools.ts'

const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' } as const

/** What Node needs of the system. */
const DEPENDS = 'libc6 (>= 2.28), libstdc++6 (>= 8), libatomic1'

const maintainer = `${MAINTAINER.name} <${MAINTAINER.address}>`

const debVersion = (version: string): string => `${version.replace('-', '~')}-${REVISION}`

const control = ({ version, target }: InstallerInput, { kibibytes }: PayloadFacts): string => `Package: sallyport
Version: ${debVersion(version)}
Architecture: ${ARCHITECTURES[target.arch]}
Maintainer: ${maintainer}
Installed-Size: ${kibibytes}
Depends: ${DEPENDS}
Recommends: xdg-utils
Section: net
Priority: optional
Homepage: ${HOMEPAGE}
Description: ${SUMMARY}
${DESCRIPTION.replaceAll(/^/gm, ' ')}
`

/** Of the package, not of the program. */
const debianChangelog = ({ version, time }: InstallerInput): string => `sallyport (${debVersion(version)}) unstable; urgency=medium

  * Package of version ${version}; changelog.gz says what is new in it.

 -- ${maintainer}  ${new Date(time * 1000).toUTCString().replace('GMT', '+0000')}
`

/** What the checker of Debian finds, and stays. */
const OVERRIDES = `# Node.js is linked as its project publishes it, with its libraries. No Debian package has this version.
sallyport: embedded-library *usr/bin/sallyport*
sallyport: hardening-no-pie *usr/bin/sallyport*
`

/** The files of the package. */
export async function debPayload(input: InstallerInput): Promise<readonly PayloadFile[]> {
  const [licence, changes] = await Promise.all(['LICENSE', 'CHANGELOG.md'].map((file) => readFile(join(input.root, file), 'utf8')))
  const documents: readonly PayloadFile[] = [
    { path: 'copyright', text: debianCopyright(licence ?? '', input.notices) },
    { path: `${NOTICES_FILE}.gz`, text: gzipped(noticesText(input.notices)) },
    { path: 'changelog.gz', text: gzipped(changes ?? '') },
    { path: 'changelog.Debian.gz', text: gzipped(debianChangelog(input)) },
  ]
  return [
    ...(await linuxPayload(input)),
    ...documents.map((file) => ({ ...file, path: `usr/share/doc/sallyport/${file.path}` })),
    { path: 'usr/share/lintian/overrides/sallyport', text: OVERRIDES },
  ]
}

const script = (condition: string, commands: string): string => `#!/bin/sh
set -e
${SCRIPT_FUNCTIONS}if ${condition}; then
${commands.replaceAll(/^(?=.)/gm, '  ')}fi
`

const controlFiles = (input: InstallerInput, facts: PayloadFacts): readonly PayloadFile[] => [
  { path: 'DEBIAN/control', text: control(input, facts) },
  { path: 'DEBIAN/md5sums', text: facts.md5sums },
  { path: 'DEBIAN/conffiles', text: `${CONFIGURATION_FILES.join('\n')}\n` },
  { path: 'DEBIAN/postinst', text: script('[ "$1" = configure ]', AFTER_INSTALL), isProgram: true },
  { path: 'DEBIAN/prerm', text: script('[ "$1" = remove ]', BEFORE_REMOVAL), isProgram: true },
  { path: 'DEBIAN/postrm', text: script('[ "$1" = remove ] || [ "$1" = purge ]', AFTER_REMOVAL), isProgram: true },
]

/** As dpkg-deb names them; tests use the fast ones. */
const COMPRESSIONS = {
  // One thread, because the number of threads of the machine changes the bytes. A higher level saves a few percent in twice the time.
  xz: ['-Zxz', '-z6', '--threads-max=1'],
  gzip: ['-Zgzip', '-z1'],
  none: ['-Znone'],
} as const

export async function makeDeb(input: InstallerInput, compression: keyof typeof COMPRESSIONS = 'xz'): Promise<void> {
  const { scratch, output, time } = input
  const folder = join(scratch, 'root')
  const payload = await debPayload(input)
  await layOut(folder, [...payload, ...controlFiles(input, await payloadFacts(payload))], time)
  const part = join(scratch, 'sallyport.deb')
  await runTool({ tool: 'dpkg-deb', args: ['--root-owner-group', ...COMPRESSIONS[compression], '--build', folder, part], time })
  await copyFile(part, output)
}

export const deb: Installer = {
  name: 'deb',
  tools: ['dpkg-deb'],
  fileFor: ({ platform, arch }, version) =>
    platform === 'linux' ? `sallyport_${debVersion(version)}_${ARCHITECTURES[arch]}.deb` : undefined,
  make: makeDeb,
}
