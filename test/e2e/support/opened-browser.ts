/** Stands in for the browser that the daemon opens: notes the address and stays, as browsers do, so that its command line can be read. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { killIfAlive } from '#test/support/ended.ts'
import { SOON } from '#test/support/soon.ts'

const SOURCE = `require('node:fs').appendFileSync(__dirname + '/opened', process.pid + ' ' + process.argv[2] + '\\n'); setInterval(() => {}, 1e9)`

export class OpenedBrowser {
  /** To be the PATH of the daemon. */
  readonly path: string
  #seen = 0

  constructor(base: string) {
    this.path = join(base, 'programs')
    mkdirSync(this.path)
    const program = join(this.path, 'xdg-open')
    writeFileSync(program, `#!${process.execPath}\n${SOURCE}\n`)
    chmodSync(program, 0o755)
  }

  /** The next address that is opened. */
  next(): Promise<string> {
    const index = this.#seen++
    return vi.waitFor(() => {
      const line = this.#lines()[index]
      if (line === undefined) throw new Error('no browser was opened')
      return line.split(' ')[1] ?? ''
    }, SOON)
  }

  /** Ends all that were opened. */
  end(): void {
    for (const line of this.#lines()) killIfAlive(Number(line.split(' ')[0]))
  }

  #lines(): readonly string[] {
    const file = join(this.path, 'opened')
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
  }
}
