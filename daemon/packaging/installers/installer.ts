/** What makes an installer from an executable. */
import type { Target } from '../base-node.ts'
import type { Notice } from '../notices/notice.ts'
import type { Tool } from './tools.ts'

export interface InstallerInput {
  readonly root: string
  readonly version: string
  readonly target: Target
  readonly executable: string
  /** The pipe bridge of Wine prefixes, for Linux on x64; undefined without its compiler. */
  readonly wineBridge?: string | undefined
  /** Of what others made in the executable, and in the other programs of the installer. */
  readonly notices: readonly Notice[]
  /** Where the installer goes. */
  readonly output: string
  /** An empty folder for intermediate files. */
  readonly scratch: string
  /** Seconds since the epoch, of every file in the installer. */
  readonly time: number
}

export interface Installer {
  readonly name: string
  readonly tools: readonly Tool[]
  /** The file name for a target; undefined if the installer is not for that target. */
  readonly fileFor: (target: Target, version: string) => string | undefined
  readonly make: (input: InstallerInput) => Promise<void>
}
