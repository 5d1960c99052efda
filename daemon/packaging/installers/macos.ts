/** An archive with Sallyport.app for macOS. Apple's tools sign it; they run on a Mac only. */
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ICONS } from '../icons.ts'
import { NOTICES_FILE, noticesText } from '../notices/notice.ts'
import type { Installer, InstallerInput } from './installer.ts'
import { layOut, packageFile, type PayloadFile } from './payload.ts'
import { runTool } from './tools.ts'

/** An agent: no icon in the Dock. The scheme belongs to the bundle. */
const infoPlist = (version: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>CFBundleIdentifier</key><string>sallyport.bridge</string>
  <key>CFBundleName</key><string>Sallyport</string>
  <key>CFBundleExecutable</key><string>sallyport</string>
  <key>CFBundleIconFile</key><string>sallyport</string>
  <key>CFBundlePackageType</key><string>APPL</string>
  <key>CFBundleShortVersionString</key><string>${version}</string>
  <key>CFBundleVersion</key><string>${version}</string>
  <key>LSUIElement</key><true/>
  <key>LSMinimumSystemVersion</key><string>13.5</string>
  <key>CFBundleURLTypes</key>
  <array>
    <dict>
      <key>CFBundleURLName</key><string>Sallyport authorization</string>
      <key>CFBundleURLSchemes</key><array><string>sallyport</string></array>
    </dict>
  </array>
</dict>
</plist>
`

const INSTALL = `#!/bin/sh
# Installs Sallyport for this user, without an administrator; a newer version over an older one too.
#   ./install.sh                          into ~/Applications
#   ./install.sh --uninstall [--purge]    --purge: also your data and settings
set -eu

app="$HOME/Applications/Sallyport.app"
program="$app/Contents/MacOS/sallyport"
here="$(cd "$(dirname "$0")" && pwd)"
case "\${1:-}" in
  --uninstall)
    if [ -x "$program" ]; then "$program" uninstall \${2:-}; fi
    rm -rf "$app"
    exit 0
    ;;
  "") ;;
  *) sed -n '2,4s/^# //p' "$0" >&2; exit 2 ;;
esac
mkdir -p "$HOME/Applications"
rm -rf "$app.new"
cp -R "$here/Sallyport.app" "$app.new"
# Without a signature of a developer, one of this machine: Apple Silicon starts no program without any.
codesign --verify "$app.new" 2>/dev/null || codesign --force --deep --sign - "$app.new"
rm -rf "$app"
mv "$app.new" "$app"
"$program" install
`

/** What is in the archive. */
export const bundleFiles = ({
  root,
  version,
  executable,
  notices,
}: Pick<InstallerInput, 'root' | 'version' | 'executable' | 'notices'>): readonly PayloadFile[] => [
  { path: 'Sallyport.app/Contents/Info.plist', text: infoPlist(version) },
  { path: 'Sallyport.app/Contents/MacOS/sallyport', from: executable, isProgram: true },
  { path: 'Sallyport.app/Contents/Resources/sallyport.icns', from: ICONS.icns },
  packageFile('Sallyport.app/Contents/Resources/'),
  // What stays when the archive is gone.
  { path: `Sallyport.app/Contents/Resources/${NOTICES_FILE}`, text: noticesText(notices) },
  { path: 'install.sh', text: INSTALL, isProgram: true },
  { path: 'LICENSE', from: join(root, 'LICENSE') },
]

async function makeZip(input: InstallerInput): Promise<void> {
  const { scratch, output, time } = input
  const folder = join(scratch, 'zip')
  await mkdir(scratch, { recursive: true })
  await layOut(folder, bundleFiles(input), time)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  // zip adds to an archive that exists.
  await rm(output, { force: true })
  // Sorted, without user ids and access times.
  await runTool({ tool: 'zip', args: ['-X', '-9', '-q', '-D', output, ...files.toSorted()], cwd: folder, time })
}

export const macosZip: Installer = {
  name: 'macos-zip',
  tools: ['zip'],
  fileFor: ({ platform, name }, version) => (platform === 'macos' ? `sallyport-${version}-${name}.zip` : undefined),
  make: makeZip,
}
