/** Installation on macOS: a LaunchAgent. A URL scheme belongs to an application bundle, which the package contains. */
import { posix } from 'node:path'
import type { CommandLine, Facts, Plan, Step } from './steps.ts'

const AGENT_LABEL = 'sallyport.bridge'
const TRAY_LABEL = 'sallyport.tray'

const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const textOf = (word: string): string => `    <string>${xml(word)}</string>`

/** The property list of the agent. launchd starts the bridge at login, and again after a failure. */
const launchAgent = (command: CommandLine, logFile: string, label = AGENT_LABEL): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${label}</string>
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

export const agentFile = (home: string, label = AGENT_LABEL): string => posix.join(home, 'Library', 'LaunchAgents', `${label}.plist`)
const logFile = (home: string): string => posix.join(home, 'Library', 'Logs', 'sallyport.log')
const domainOf = (uid: number | undefined): string => `gui/${uid ?? 0}`

const unload = (uid: number | undefined, label: string): Step => ({
  do: 'run',
  command: ['launchctl', 'bootout', `${domainOf(uid)}/${label}`],
  mayFail: true,
})

/** Writes an agent and starts it now. */
const agentSteps = ({ home, uid, program, flags }: Facts, label: string, word: string): readonly Step[] => {
  const path = agentFile(home, label)
  return [
    { do: 'write', path, text: launchAgent([...program, word, ...flags], logFile(home), label) },
    unload(uid, label),
    { do: 'run', command: ['launchctl', 'bootstrap', domainOf(uid), path] },
  ]
}

export function installOnMacos(facts: Facts): Plan {
  return {
    steps: [...agentSteps(facts, AGENT_LABEL, 'run'), ...(facts.hasTray ? agentSteps(facts, TRAY_LABEL, 'tray') : [])],
    notes: ['On macOS, a URL scheme belongs to an application bundle. Sallyport.app in the package has the scheme sallyport.'],
  }
}

export function uninstallOnMacos({ home, uid }: Facts): Plan {
  return {
    steps: [
      unload(uid, TRAY_LABEL),
      unload(uid, AGENT_LABEL),
      { do: 'stop-bridge' },
      ...[agentFile(home, TRAY_LABEL), agentFile(home), logFile(home)].map((path): Step => ({ do: 'remove', path })),
    ],
    notes: [],
  }
}
