/** The package for Fedora, openSUSE and their relatives. */
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Installer, InstallerInput } from './installer.ts'
import { AFTER_INSTALL, AFTER_REMOVAL, BEFORE_REMOVAL, CONFIGURATION_FILES, linuxPayload, SCRIPT_FUNCTIONS } from './linux-payload.ts'
import { layOut } from './payload.ts'
import { runTool } from './tools.ts'

const ARCHITECTURES = { x64: 'x86_64', arm64: 'aarch64' } as const

/** A script in a spec file, where a percent sign begins a macro. */
const literal = (script: string): string => script.replaceAll('%', '%%')

/** The spec file. Nothing is built or stripped here: stripping would remove the program from the executable. */
function spec({ version }: InstallerInput, folder: string, files: readonly string[], payload: string): string {
  const [number = version, pre] = version.split('-')
  const list = files.map((path) => (CONFIGURATION_FILES.includes(path) ? `%config(noreplace) ${path}` : path))
  return `%global debug_package %{nil}
%global __os_install_post %{nil}
%global _build_id_links none
%global _buildhost sallyport
%global use_source_date_epoch_as_buildtime 1
%global clamp_mtime_to_source_date_epoch 1
%global _binary_payload ${payload}
Name: sallyport
Version: ${number}
Release: ${pre === undefined ? '1' : `0.${pre}`}
Summary: Local bridge between native games and a platform
License: MIT
AutoReqProv: no
Requires: glibc >= 2.28, libstdc++, libatomic
Recommends: xdg-utils
%description
Games connect over a local socket and speak the framed RPC protocol that they
already use. The bridge identifies them through the kernel, asks the user to
approve access, and forwards authorized calls to the platform.
%install
cp -a "${folder}/." %{buildroot}/
%files
%defattr(-,root,root,-)
${list.join('\n')}
%post
${literal(SCRIPT_FUNCTIONS + AFTER_INSTALL)}
%preun
if [ "$1" -eq 0 ]; then
${literal(SCRIPT_FUNCTIONS + BEFORE_REMOVAL)}fi
%postun
if [ "$1" -eq 0 ]; then
${literal(SCRIPT_FUNCTIONS + AFTER_REMOVAL)}fi
`
}

/** As rpm names them; tests use the fast one. */
const PAYLOADS = { xz: 'w6.xzdio', none: 'w.ufdio' } as const

export async function makeRpm(input: InstallerInput, compression: keyof typeof PAYLOADS = 'xz'): Promise<void> {
  const { scratch, output, time, target } = input
  const folder = join(scratch, 'payload')
  const payload = await linuxPayload(input)
  await layOut(folder, payload, time)
  const file = join(scratch, 'sallyport.spec')
  const paths = payload.map(({ path }) => `/${path}`)
  const folders = ['%dir /usr/lib/sallyport', '%dir /usr/share/doc/sallyport']
  await writeFile(file, spec(input, folder, [...paths, ...folders], PAYLOADS[compression]))
  const made = join(scratch, 'made')
  // rpmbuild does not quote this folder, so it must not be below a source tree whose path may have spaces.
  const top = await mkdtemp(join(tmpdir(), 'rpm-'))
  const define = (name: string, value: string) => ['--define', `${name} ${value}`]
  try {
    await runTool({
      tool: 'rpmbuild',
      args: [
        '-bb',
        '--target',
        `${ARCHITECTURES[target.arch]}-linux`,
        ...define('_topdir', top),
        ...define('_rpmdir', made),
        ...define('_rpmfilename', 'sallyport.rpm'),
        ...define('_dbpath', join(scratch, 'database')),
        file,
      ],
      time,
    })
  } finally {
    await rm(top, { recursive: true, force: true })
  }
  await copyFile(join(made, 'sallyport.rpm'), output)
}

export const rpm: Installer = {
  name: 'rpm',
  tools: ['rpmbuild'],
  fileFor: ({ platform, arch }, version) => (platform === 'linux' ? `sallyport-${version}.${ARCHITECTURES[arch]}.rpm` : undefined),
  make: makeRpm,
}
