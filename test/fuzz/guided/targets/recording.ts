/** A recording: any file gives frames, or is refused with a sentence that names it. */
import { writeFileSync } from 'node:fs'
import { readRecording } from '#daemon/src/cli/recording-reader.ts'
import { SettingsError } from '#daemon/src/config/settings-error.ts'
import { ownFile } from '../own-file.ts'
import { hold, refusalOf, type Target } from '../target.ts'

const { path: file, close } = ownFile('recording')
const HEADER = '{"recording":1,"application_id":"1","version":"0.1.0","contract":"1.0"}\n'

export const target: Target = {
  close,
  seeds: [`${HEADER}{"connection":1,"direction":"in","opcode":"FRAME","payload":{"cmd":"A","args":{}}}\n`, HEADER],
  words: ['"recording"', '"connection"', '"direction"', '"in"', '"out"', '"opcode"', '\n', HEADER],
  run(bytes) {
    writeFileSync(file, bytes)
    let frames = 0
    const failure = refusalOf(
      () => {
        for (const { connection, direction, opcode } of readRecording(file)) {
          frames += 1
          hold(Number.isSafeInteger(connection) && typeof opcode === 'string', 'a frame has its fields')
          hold(direction === 'in' || direction === 'out', 'a frame has a direction')
        }
      },
      (one) => one instanceof SettingsError,
    )
    if (failure !== undefined) hold((failure as Error).message.includes(file), 'a refusal names the file')
    hold(frames <= bytes.length, 'no more frames than lines')
  },
}
