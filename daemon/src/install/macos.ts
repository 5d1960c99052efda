/** Installation on macOS: a LaunchAgent. A URL scheme belongs to an application bundle, which the package contains. */
import { posix } from 'node:path'
import type { CommandLine, Facts, Plan, Step } from './steps.ts'

export const AGENT_LABEL = 'sallyport.bridge'

const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const textOf = (word: string): string => `    <string>${xml(word)}</string>`

/** The property list of the agent. launchd starts the bridge at login, and again after a failure. */
export const launchAgent = (command: CommandLine, logFile: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${AGENT_LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${command.map(textOf).join('\n')}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>AbandonProcessGroup</key>
  <true/>
  <key>StandardErrorPath</key>
  <string>${xml(logFile)}</string>
</dict>
</plist>
`

const agentFile = (home: string): string => posix.join(home, 'Library', 'LaunchAgents', `${AGENT_LABEL}.plist`)
const logFile = (home: string): string => posix.join(home, 'Library', 'Logs', 'sallyport.log')
const domainOf = (uid: number | undefined): string => `gui/${uid ?? 0}`

const unload = (uid: number | undefined): Step => ({
  do: 'run',
  command: ['launchctl', 'bootout', `${domainOf(uid)}/${AGENT_LABEL}`],
  mayFail: true,
})

export function installOnMacos({ home, uid, program, flags }: Facts): Plan {
  const path = agentFile(home)
  return {
    steps: [
      { do: 'write', path, text: launchAgent([...program, 'run', ...flags], logFile(home)) },
      unload(uid),
      { do: 'run', command: ['launchctl', 'bootstrap', domainOf(uid), path] },
    ],
    notes: ['On macOS, a URL scheme belongs to an application bundle. Sallyport.app in the package has the scheme sallyport.'],
  }
}

export function uninstallOnMacos({ home, uid }: Facts): Plan {
  return {
    steps: [unload(uid), { do: 'stop-bridge' }, { do: 'remove', path: agentFile(home) }, { do: 'remove', path: logFile(home) }],
    notes: [],
  }
}
