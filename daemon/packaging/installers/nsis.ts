/** The setup program for Windows, made by NSIS: for one user, without an administrator; `/S` asks nothing. */
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LAUNCHER_STOP, REMOVALS, type RegistryValue, runValue, schemeValues, trayValue } from '../../src/install/windows.ts'
import { ICONS } from '../icons.ts'
import { NOTICES_FILE, noticesText } from '../notices/notice.ts'
import { withResources } from '../windows-resources.ts'
import { HOMEPAGE, MAINTAINER } from './about.ts'
import type { Installer, InstallerInput } from './installer.ts'
import { payloadFacts } from './payload-size.ts'
import { layOut, packageFile, type PayloadFile } from './payload.ts'
import { runTool } from './tools.ts'

/** Stands for NSIS's variable in texts that are escaped for NSIS. */
const FOLDER = '@FOLDER@'
const LAUNCHER = `${FOLDER}\\sallyportw.exe`
const SCHEME = 'sallyport'
const UNINSTALL_KEY = String.raw`Software\Microsoft\Windows\CurrentVersion\Uninstall\Sallyport`

/** A text of NSIS, in which `$` and quotes mean something. */
const quoted = (text: string): string => `"${text.replaceAll('$', '$$$$').replaceAll('"', '$\\"').replaceAll(FOLDER, '$INSTDIR')}"`

/** `HKCU\…` as root and key. */
const keyOf = (path: string): string => {
  const [root = '', ...rest] = path.split('\\')
  return `${root} ${quoted(rest.join('\\'))}`
}

const writeValue = ({ key, name, text }: RegistryValue): string => `  WriteRegStr ${keyOf(key)} ${quoted(name)} ${quoted(text)}`

const uninstallValue = (name: string, text: string): RegistryValue => ({ key: `HKCU\\${UNINSTALL_KEY}`, name, text })

/** Four numbers, as Windows wants them. */
const fourNumbers = (version: string): string => `${version.split('-')[0]}.0`

/** The oldest Windows that Node starts on. */
const OLDEST = 'Windows 10'

const UNINSTALLER = `${FOLDER}\\uninstall.exe`

interface Script {
  readonly version: string
  readonly files: readonly string[]
  /** Of the installed files. */
  readonly kibibytes: number
  readonly output: string
}

const installedValues = (version: string): readonly RegistryValue[] => [
  runValue([LAUNCHER, 'run']),
  trayValue([LAUNCHER, 'tray']),
  ...schemeValues([LAUNCHER], SCHEME),
  uninstallValue('DisplayName', 'Sallyport'),
  uninstallValue('DisplayVersion', version),
  uninstallValue('Publisher', MAINTAINER.name),
  uninstallValue('DisplayIcon', `${FOLDER}\\sallyport.exe`),
  uninstallValue('InstallLocation', FOLDER),
  uninstallValue('URLInfoAbout', HOMEPAGE),
  uninstallValue('UninstallString', `"${UNINSTALLER}"`),
  uninstallValue('QuietUninstallString', `"${UNINSTALLER}" /S`),
]

/** What the pages say. */
const PAGES = `!define MUI_ICON "sallyport.ico"
!define MUI_UNICON "sallyport.ico"
!define MUI_WELCOMEFINISHPAGE_BITMAP "\${NSISDIR}/Contrib/Graphics/Wizard/nsis3-metro.bmp"
!define MUI_WELCOMEPAGE_TITLE "Sallyport"
!define MUI_WELCOMEPAGE_TEXT "Sallyport connects the games of this computer with your account on a platform. You are asked before a game may do anything with it.$\\r$\\n$\\r$\\nIt needs ${OLDEST} or newer, and no administrator. It starts at each login.$\\r$\\n$\\r$\\nA Sallyport that runs is replaced; its games connect again."
!define MUI_FINISHPAGE_TITLE "Sallyport is installed"
!define MUI_FINISHPAGE_TEXT "It runs now, with an icon in the tray. Games find it by themselves. When one wants to use your account, a notification asks you.$\\r$\\n$\\r$\\nIn a new terminal, the command is sallyport."
!define MUI_FINISHPAGE_RUN
!define MUI_FINISHPAGE_RUN_TEXT "Open the dashboard"
!define MUI_FINISHPAGE_RUN_FUNCTION openDashboard
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
`

const script = ({ version, files, kibibytes, output }: Script): string => `Unicode true
Target amd64-unicode
Name "Sallyport"
OutFile "${output}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\\Programs\\Sallyport"
SetCompressor /SOLID lzma
SetCompressorDictSize 64
VIProductVersion "${fourNumbers(version)}"
VIAddVersionKey "ProductName" "Sallyport"
VIAddVersionKey "ProductVersion" "${version}"
VIAddVersionKey "FileVersion" "${version}"
VIAddVersionKey "FileDescription" "Setup of Sallyport"
VIAddVersionKey "LegalCopyright" "MIT License"
!include "FileFunc.nsh"
!include "MUI2.nsh"
!include "WinVer.nsh"
${PAGES}
Function .onInit
  \${IfNot} \${AtLeastWin10}
    MessageBox MB_OK|MB_ICONSTOP "Sallyport needs ${OLDEST} or newer. Nothing was installed." /SD IDOK
    SetErrorLevel 2
    Quit
  \${EndIf}
FunctionEnd

Function openDashboard
  Exec '"$INSTDIR\\sallyportw.exe" open'
FunctionEnd

Section
  ; An older version ends first; its games connect to the new one.
  IfFileExists "$INSTDIR\\sallyportw.exe" 0 fresh
  ExecWait '"$INSTDIR\\sallyportw.exe" ${LAUNCHER_STOP}'
  fresh:
  SetOutPath "$INSTDIR"
${files.map((file) => `  File "${file}"`).join('\n')}
  WriteUninstaller "$INSTDIR\\uninstall.exe"
${installedValues(version).map(writeValue).join('\n')}
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoRepair" 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "EstimatedSize" ${kibibytes}
  CreateShortcut "$SMPROGRAMS\\Sallyport.lnk" "$INSTDIR\\sallyportw.exe" "open" "$INSTDIR\\sallyport.ico" 0 SW_SHOWNORMAL "" "Open the dashboard of Sallyport"
  ExecWait '"$INSTDIR\\sallyportw.exe" --add-path' $0
  \${If} $0 <> 0
    DetailPrint "PATH could not be changed. Add $INSTDIR to it yourself to type sallyport."
  \${EndIf}
  Exec '"$INSTDIR\\sallyportw.exe" run'
  Exec '"$INSTDIR\\sallyportw.exe" tray'
SectionEnd

Section "Uninstall"
  ExecWait '"$INSTDIR\\sallyportw.exe" ${LAUNCHER_STOP}'
  ExecWait '"$INSTDIR\\sallyportw.exe" --remove-path'
  \${GetParameters} $0
  ClearErrors
  \${GetOptions} $0 "/PURGE" $1
  \${If} \${Errors}
    StrCpy $1 ""
  \${Else}
    StrCpy $1 "--purge"
  \${EndIf}
  ; Also schemes that the user registered later.
  ExecWait '"$INSTDIR\\sallyportw.exe" uninstall $1'
  Delete "$SMPROGRAMS\\Sallyport.lnk"
${files.map((file) => `  Delete "$INSTDIR\\${file}"`).join('\n')}
  Delete "$INSTDIR\\uninstall.exe"
  RMDir "$INSTDIR"
${REMOVALS.values.map(({ key, name }) => `  DeleteRegValue ${keyOf(key)} ${quoted(name)}`).join('\n')}
${REMOVALS.keys([SCHEME])
  .map((path) => `  DeleteRegKey ${keyOf(path)}`)
  .join('\n')}
  DeleteRegKey HKCU "${UNINSTALL_KEY}"
  \${If} $1 != ""
    RMDir /r "$LOCALAPPDATA\\Sallyport"
    RMDir /r "$APPDATA\\Sallyport"
  \${EndIf}
SectionEnd
`

/** A small program of ours, with icon and version. `sources`: from this folder. */
async function compiled(
  { scratch, version, time }: InstallerInput,
  sources: readonly string[],
  { fileName, description }: { readonly fileName: string; readonly description: string },
): Promise<Buffer> {
  const output = join(scratch, fileName)
  await runTool({
    tool: 'x86_64-w64-mingw32-gcc',
    // Without the time of the build and the paths of this machine.
    args: ['-Os', '-s', '-Wall', '-Wextra', '-municode', '-mwindows', '-Wl,--no-insert-timestamp', '-o', output, ...sources],
    cwd: import.meta.dirname,
    time,
  })
  return withResources(await readFile(output), { version, fileName, description, icon: await readFile(ICONS.ico) })
}

/** In this folder. */
export const LAUNCHER_SOURCES = ['windows-launcher.c', 'windows-path.c'] as const
const LAUNCHER_FILE = { fileName: 'sallyportw.exe', description: 'Sallyport, without a window' }
const TRAY_FILE = { fileName: 'sallyport-tray.exe', description: 'Sallyport, icon in the tray' }

const windowsLines = (text: string): string => text.replaceAll(/\r?\n/g, '\r\n')

/** What the setup places, but for the programs that are compiled for it. */
export async function setupFiles({
  root,
  executable,
  notices,
}: Pick<InstallerInput, 'root' | 'executable' | 'notices'>): Promise<readonly PayloadFile[]> {
  const licence = await readFile(join(root, 'LICENSE'), 'utf8')
  return [
    { path: 'sallyport.exe', from: executable },
    packageFile(''),
    { path: 'sallyport.ico', from: ICONS.ico },
    { path: 'LICENSE.txt', text: windowsLines(licence) },
    { path: `${NOTICES_FILE}.txt`, text: windowsLines(noticesText(notices)) },
  ]
}

async function makeSetup(input: InstallerInput): Promise<void> {
  const { version, scratch, output, time } = input
  const folder = join(scratch, 'files')
  const files = [
    ...(await setupFiles(input)),
    { path: LAUNCHER_FILE.fileName, text: await compiled(input, LAUNCHER_SOURCES, LAUNCHER_FILE) },
    { path: TRAY_FILE.fileName, text: await compiled(input, ['../tray/windows-tray.c'], TRAY_FILE) },
  ]
  await layOut(folder, files, time)
  const part = join(scratch, 'setup.exe')
  const names = files.map(({ path }) => path)
  const { kibibytes } = await payloadFacts(files)
  await writeFile(join(scratch, 'setup.nsi'), script({ version, files: names, kibibytes, output: part }))
  await runTool({ tool: 'makensis', args: ['-V2', '-NOCD', join(scratch, 'setup.nsi')], cwd: folder, time })
  await copyFile(part, output)
}

export const nsis: Installer = {
  name: 'nsis',
  tools: ['makensis', 'x86_64-w64-mingw32-gcc'],
  fileFor: ({ platform, name }, version) => (platform === 'win' ? `sallyport-${version}-${name}-setup.exe` : undefined),
  make: makeSetup,
}
