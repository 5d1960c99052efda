/** An archive with a script that installs for one user, for any Linux. */
import { join } from 'node:path'
import { WINE_BRIDGE } from '../../src/install/wine.ts'
import { iconFiles } from '../icons.ts'
import { NOTICES_FILE, noticesText } from '../notices/notice.ts'
import { commandLineFiles } from './command-line-files.ts'
import type { Installer, InstallerInput } from './installer.ts'
import { layOut, packageFile, type PayloadFile } from './payload.ts'
import { runTool } from './tools.ts'

const nameOf = ({ target, version }: Pick<InstallerInput, 'target' | 'version'>): string => `sallyport-${version}-${target.name}`

/** What is in the archive, below its folder. */
export const archiveFiles = async ({
  root,
  executable,
  wineBridge,
  notices,
}: Pick<InstallerInput, 'root' | 'executable' | 'wineBridge' | 'notices'>): Promise<readonly PayloadFile[]> => [
  { path: 'sallyport', from: executable, isProgram: true },
  ...(wineBridge === undefined ? [] : [{ path: WINE_BRIDGE, from: wineBridge }]),
  packageFile(''),
  { path: 'install.sh', from: join(import.meta.dirname, 'install.sh'), isProgram: true },
  ...[...iconFiles(), ...(await commandLineFiles())].map((file) => ({ ...file, path: `share/${file.path}` })),
  { path: 'LICENSE', from: join(root, 'LICENSE') },
  { path: NOTICES_FILE, text: noticesText(notices) },
  { path: 'CHANGELOG.md', from: join(root, 'CHANGELOG.md') },
]

async function makeTarball(input: InstallerInput): Promise<void> {
  const { scratch, output, time } = input
  const name = nameOf(input)
  await layOut(join(scratch, name), await archiveFiles(input), time)
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--format=gnu']
  await runTool({ tool: 'tar', args: [...same, '--use-compress-program=xz -6 -T1', '-cf', output, '-C', scratch, name], time })
}

export const tarball: Installer = {
  name: 'tarball',
  tools: ['tar', 'xz'],
  fileFor: (target, version) => (target.platform === 'linux' ? `${nameOf({ target, version })}.tar.xz` : undefined),
  make: makeTarball,
}
