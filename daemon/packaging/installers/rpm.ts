/** The package for Fedora, openSUSE and their relatives. */
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { licenceExpression, NOTICES_FILE, noticesText } from '../notices/notice.ts'
import { DESCRIPTION, HOMEPAGE, MAINTAINER, REVISION, SUMMARY } from './about.ts'
import type { Installer, InstallerInput } from './installer.ts'
import { AFTER_INSTALL, AFTER_REMOVAL, BEFORE_REMOVAL, CONFIGURATION_FILES, linuxPayload, SCRIPT_FUNCTIONS } from './linux-payload.ts'
import { layOut, type PayloadFile } from './payload.ts'
import { runTool } from './tools.ts'

const ARCHITECTURES = { x64: 'x86_64', arm64: 'aarch64' } as const

/** A script in a spec file, where a percent sign begins a macro. */
const literal = (script: string): string => script.replaceAll('%', '%%')

/** Libraries that Node needs, by the names that every distribution gives them. */
const REQUIRES = ['libc.so.6(GLIBC_2.28)', 'libstdc++.so.6(GLIBCXX_3.4.21)', 'libatomic.so.1(LIBATOMIC_1.0)'].map(
  (name) => `${name}(64bit)`,
)

/** A version of a pre-release comes before that of the release. */
function rpmVersion(version: string): { readonly number: string; readonly release: string } {
  const [number = version, pre] = version.split('-')
  return { number, release: pre === undefined ? REVISION : `0.${pre}` }
}

const DAYS = 'Sun Mon Tue Wed Thu Fri Sat'.split(' ')
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** As `Thu Jan 01 2026`. `time`: seconds since the epoch. */
function changelogDay(time: number): string {
  const date = new Date(time * 1000)
  const day = String(date.getUTCDate()).padStart(2, '0')
  return `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${day} ${date.getUTCFullYear()}`
}

const FOLDERS = ['usr/lib/sallyport', 'usr/share/licenses/sallyport', 'usr/share/doc/sallyport']

/** The files of the package. */
export const rpmPayload = async (input: InstallerInput): Promise<readonly PayloadFile[]> => [
  ...(await linuxPayload(input)),
  { path: 'usr/share/licenses/sallyport/LICENSE', from: join(input.root, 'LICENSE') },
  { path: `usr/share/licenses/sallyport/${NOTICES_FILE}`, text: noticesText(input.notices) },
  { path: 'usr/share/doc/sallyport/CHANGELOG.md', from: join(input.root, 'CHANGELOG.md') },
]

/** How the spec file lists a path. */
function listed(path: string): string {
  if (CONFIGURATION_FILES.includes(path)) return `%config(noreplace) ${path}`
  if (path.startsWith('/usr/share/licenses/')) return `%license ${path}`
  return path.startsWith('/usr/share/doc/') || path.startsWith('/usr/share/man/') ? `%doc ${path}` : path
}

/** The spec file. Nothing is built or stripped here: stripping would remove the program from the executable. */
function spec({ version, notices, time }: InstallerInput, folder: string, files: readonly string[], payload: string): string {
  const { number, release } = rpmVersion(version)
  const packager = `${MAINTAINER.name} <${MAINTAINER.address}>`
  return `%global debug_package %{nil}
%global __os_install_post %{nil}
%global _build_id_links none
%global _buildhost sallyport
%global use_source_date_epoch_as_buildtime 1
%global clamp_mtime_to_source_date_epoch 1
%global _binary_payload ${payload}
Name: sallyport
Version: ${number}
Release: ${release}
Summary: ${SUMMARY.replace(/^./, (first) => first.toUpperCase())}
License: ${licenceExpression(notices)}
Group: Applications/Internet
URL: ${HOMEPAGE}
Packager: ${packager}
AutoReqProv: no
Requires: ${REQUIRES.join(', ')}
Recommends: xdg-utils
%description
${DESCRIPTION}
%install
cp -a "${folder}/." %{buildroot}/
%files
%defattr(-,root,root,-)
${[...files.map((path) => listed(`/${path}`)), ...FOLDERS.map((path) => `%dir /${path}`)].join('\n')}
%post
${literal(SCRIPT_FUNCTIONS + AFTER_INSTALL)}
%preun
if [ "$1" -eq 0 ]; then
${literal(SCRIPT_FUNCTIONS + BEFORE_REMOVAL)}fi
%postun
if [ "$1" -eq 0 ]; then
${literal(SCRIPT_FUNCTIONS + AFTER_REMOVAL)}fi
%changelog
* ${changelogDay(time)} ${packager} - ${number}-${release}
- Package of version ${version}; CHANGELOG.md says what is new in it.
`
}

/** As rpm names them; tests use the fast one. */
const PAYLOADS = { xz: 'w6.xzdio', none: 'w.ufdio' } as const

export async function makeRpm(input: InstallerInput, compression: keyof typeof PAYLOADS = 'xz'): Promise<void> {
  const { scratch, output, time, target } = input
  const folder = join(scratch, 'payload')
  const payload = await rpmPayload(input)
  await layOut(folder, payload, time)
  const file = join(scratch, 'sallyport.spec')
  const paths = payload.map(({ path }) => path)
  await writeFile(file, spec(input, folder, paths, PAYLOADS[compression]))
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
  fileFor: ({ platform, arch }, version) => {
    const { number, release } = rpmVersion(version)
    return platform === 'linux' ? `sallyport-${number}-${release}.${ARCHITECTURES[arch]}.rpm` : undefined
  },
  make: makeRpm,
}
