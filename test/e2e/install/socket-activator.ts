/** Starts a program at the first connection to a socket, again and again, as a user's systemd does with a socket unit. */
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnvironment } from '../support/daemon.ts'
import { missingPrograms } from './missing-programs.ts'

const LISTENS = 'Listening on'

/** Why it cannot be used here; undefined if it can. */
export const noActivator = (): Promise<string | undefined> => missingPrograms({ 'systemd-socket-activate': 'systemd' })

export interface Activator {
  /** What the started programs printed on stdout. */
  output(): string
  /** Ends the activator and the program that it started. */
  stop(): void
}

export interface ActivatorOptions {
  readonly socket: string
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** For its output. */
  readonly folder: string
}

/** Resolves when the socket listens. */
export async function activate({ socket, command, env, folder }: ActivatorOptions): Promise<Activator> {
  const [out, log] = [join(folder, 'activator.out'), join(folder, 'activator.log')]
  const files = [openSync(out, 'a'), openSync(log, 'a')] as const
  const settings = Object.entries(env).map(([name, value]) => `--setenv=${name}=${value}`)
  const words = ['systemd-socket-activate', ...settings, `--listen=${socket}`, ...command]
  const child = spawn('/bin/sh', ['-c', 'while :; do "$@"; done', 'sh', ...words], {
    detached: true,
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', ...files],
  })
  files.forEach(closeSync)
  const ready = async () => {
    while (!readFileSync(log, 'utf8').includes(LISTENS)) await new Promise(setImmediate)
  }
  await ready()
  return {
    output: () => readFileSync(out, 'utf8'),
    stop() {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    },
  }
}
