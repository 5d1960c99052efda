/** `sallyport record`: writes the frames of one application to a file, for `sallyport replay`. */
import { SettingsError } from '../config/settings-error.ts'
import type { Command } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { followFrames } from './frame-feed.ts'
import { createRecording } from './recording.ts'

export const record: Command = {
  name: 'record',
  summary: 'Write the frames of one application to a new file, without secrets, until Ctrl-C.',
  usage: 'FILE --application ID [flags]',
  operands: { min: 1, max: 1 },
  flags: ['application', ...FIND_FLAGS],
  async run(context) {
    const { io, loaded, operands } = context
    const { application, json } = loaded.settings
    const [path = ''] = operands
    if (loaded.origins.application === 'default') throw new SettingsError('record needs the application: add --application ID.')
    const count = { frames: 0, dropped: 0 }
    const file = createRecording(path, application)
    try {
      await followFrames(
        context,
        { application_id: application },
        {
          onStarted: () => io.info(`Recording application ${application}; start its game now. Press Ctrl-C to stop.`),
          onFrames({ frames, dropped }) {
            count.frames += frames.length
            count.dropped += dropped
            frames.forEach((frame) => file.add(frame))
          },
        },
      )
    } finally {
      file.close()
    }
    io.out(json ? JSON.stringify({ file: path, ...count }) : `Recorded ${count.frames} frames in ${path}.`)
    if (count.dropped === 0) return EXIT.ok
    io.info(`${count.dropped} frames are missing, because they came faster than they were written. Record again.`)
    return EXIT.failed
  },
}
