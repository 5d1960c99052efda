/** A virtual screen: starts programs on it, moves its mouse, and takes pictures of it. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { cleanEnvironment } from '../e2e/support/daemon.ts'
import { ended } from '#test/support/ended.ts'

const run = promisify(execFile)
const DISPLAY_FD = 3
/** Panels and menus draw within this time; nothing reports when. */
const DRAW_MS = 2_500

export interface Area {
  readonly width: number
  readonly height: number
}

export class Display {
  readonly name: string
  readonly #size: Area
  readonly #closers: (() => Promise<unknown>)[] = []

  private constructor(name: string, size: Area) {
    this.name = name
    this.#size = size
  }

  static async open(size: Area): Promise<Display> {
    const server = spawn(
      'Xvfb',
      ['-displayfd', String(DISPLAY_FD), '-screen', '0', `${size.width}x${size.height}x24`, '-nolisten', 'tcp'],
      {
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      },
    )
    const [number] = (await once(createInterface({ input: server.stdio[DISPLAY_FD] as Readable }), 'line')) as [string]
    const display = new Display(`:${number}`, size)
    display.#closers.push(async () => {
      server.kill('SIGTERM')
      await ended(server)
    })
    return display
  }

  /** Starts a program that ends with the display. */
  start(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): void {
    const child = spawn(program, args, { env: { ...cleanEnvironment(), DISPLAY: this.name, ...env }, stdio: 'ignore' })
    this.#closers.unshift(async () => {
      child.kill('SIGTERM')
      await ended(child)
    })
  }

  /** Waits until everything is drawn. */
  async settle(): Promise<void> {
    await pause(DRAW_MS)
  }

  async click(x: number, y: number): Promise<void> {
    await this.#tool('xdotool', 'mousemove', String(x), String(y), 'click', '1')
    await this.settle()
  }

  async moveTo(x: number, y: number): Promise<void> {
    await this.#tool('xdotool', 'mousemove', String(x), String(y))
    await this.settle()
  }

  /** Writes the picture, with few colours, so that the file is small. */
  async picture(file: string, { width, height }: Area = this.#size): Promise<void> {
    await this.#tool('scrot', '-o', file)
    await this.#tool('mogrify', '-crop', `${width}x${height}+0+0`, '+repage', '-colors', '64', '-strip', file)
  }

  async close(): Promise<void> {
    for (const close of this.#closers) await close()
  }

  async #tool(program: string, ...args: readonly string[]): Promise<void> {
    await run(program, [...args], { env: { ...cleanEnvironment(), DISPLAY: this.name } })
  }
}
