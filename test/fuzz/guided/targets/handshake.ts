/** The handshake: any bytes give parameters within their limits, or a close code with a sentence. Never throws. */
import { CLOSE_CODES, LIMITS } from '@sallyport/protocol'
import { ENCODINGS } from '@sallyport/protocol/wire'
import { isRefusal, readHandshake } from '#daemon/src/ipc/connection/handshake.ts'
import { hold, type Target } from '../target.ts'

const CODES = Object.values(CLOSE_CODES).map(({ code }): number => code)

export const target: Target = {
  seeds: [
    '{"v":1,"client_id":"207646673902501888"}',
    '{"v":"1","client_id":1,"encoding":"msgpack","contract":"1.0","sdk_version":"a","max_frame_bytes":65536,"streams":true}',
  ],
  words: ['"v"', '"client_id"', '"encoding"', '"msgpack"', '"json"', '"max_frame_bytes"', '"streams"', '"contract"', '"sdk_version"'],
  run(bytes) {
    const read = readHandshake(bytes)
    if (isRefusal(read)) {
      hold(CODES.includes(read.code), 'the code is of the table')
      hold(/^[A-Z].{10,200}\.$/.test(read.reason), 'the reason is a sentence')
      return
    }
    hold(/^\d{1,20}$/.test(read.applicationId), 'the application is an id')
    hold(ENCODINGS.includes(read.encoding), 'the encoding is known')
    hold(read.maxFrameBytes >= LIMITS.readyBytes.value, 'READY fits')
    hold(read.maxFrameBytes <= LIMITS.contractFrameBytes.value, 'no frame is larger than the contract allows')
    hold(typeof read.streams === 'boolean', 'streams is yes or no')
  },
}
