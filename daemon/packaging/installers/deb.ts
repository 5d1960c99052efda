/** The package for Debian and its relatives. */
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Installer, InstallerInput } from './installer.ts'
import { AFTER_INSTALL, AFTER_REMOVAL, BEFORE_REMOVAL, CONFIGURATION_FILES, linuxPayload, SCRIPT_FUNCTIONS } from './linux-payload.ts'
import { layOut, type PayloadFile } from './payload.ts'
import { runTool } from './tools.ts'

const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' } as const

/** What Node needs of the system. */
const DEPENDS = 'libc6 (>= 2.28), libstdc++6 (>= 8), libatomic1'

const control = ({ version, target }: InstallerInput): string => `Package: sallyport
Version: ${version.replace('-', '~')}
Architecture: ${ARCHITECTURES[target.arch]}
Maintainer: The Sallyport project <packages@sallyport.invalid>
Section: games
Priority: optional
Depends: ${DEPENDS}
Recommends: xdg-utils
Description: local bridge between native games and a platform
 Games connect over a local socket and speak the framed RPC protocol that they
 already use. The bridge identifies them through the kernel, asks the user to
 approve access, and forwards authorized calls to the platform.
`

const script = (condition: string, commands: string): string => `#!/bin/sh
set -e
${SCRIPT_FUNCTIONS}if ${condition}; then
${commands.replaceAll(/^(?=.)/gm, '  ')}fi
`

const controlFiles = (input: InstallerInput): readonly PayloadFile[] => [
  { path: 'DEBIAN/control', text: control(input) },
  { path: 'DEBIAN/conffiles', text: `${CONFIGURATION_FILES.join('\n')}\n` },
  { path: 'DEBIAN/postinst', text: script('[ "$1" = configure ]', AFTER_INSTALL), isProgram: true },
  { path: 'DEBIAN/prerm', text: script('[ "$1" = remove ]', BEFORE_REMOVAL), isProgram: true },
  { path: 'DEBIAN/postrm', text: script('[ "$1" = remove ] || [ "$1" = purge ]', AFTER_REMOVAL), isProgram: true },
]

/** `compression`: as dpkg-deb names it; tests use a fast one. */
export async function makeDeb(input: InstallerInput, compression: 'xz' | 'none' = 'xz'): Promise<void> {
  const { scratch, output, time } = input
  const folder = join(scratch, 'root')
  await layOut(folder, [...(await linuxPayload(input)), ...controlFiles(input)], time)
  const part = join(scratch, 'sallyport.deb')
  // One thread, because the number of threads of the machine changes the bytes. A higher level saves a few percent in twice the time.
  const options = compression === 'xz' ? ['-Zxz', '-z6', '--threads-max=1'] : ['-Znone']
  await runTool({ tool: 'dpkg-deb', args: ['--root-owner-group', ...options, '--build', folder, part], time })
  await copyFile(part, output)
}

export const deb: Installer = {
  name: 'deb',
  tools: ['dpkg-deb'],
  fileFor: ({ platform, arch }, version) => (platform === 'linux' ? `sallyport_${version}_${ARCHITECTURES[arch]}.deb` : undefined),
  make: makeDeb,
}
