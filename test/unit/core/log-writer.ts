/** Writes numbered lines to a log file at a line on its input, one flush each. Run by rotating-file.test.ts. */
import { once } from 'node:events'
import { RotatingFile } from '@sallyport/core/storage/rotating-file'

const [, , file = '', name = '', lines = '', maxBytes = ''] = process.argv
const log = new RotatingFile(file, { maxBytes: Number(maxBytes), scheduleFlush: () => {} })
process.stdout.write('ready\n')
await once(process.stdin, 'data')
for (let line = 0; line < Number(lines); line++) {
  log.write(`${name} ${line}\n`)
  log.flush()
}
process.stdin.destroy()
