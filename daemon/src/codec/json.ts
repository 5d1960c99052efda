/** JSON payloads, the encoding every peer speaks. */
import type { Codec } from './codec.ts'

export const json: Codec = {
  name: 'json',
  encode: (value) => JSON.stringify(value),
  decode: (bytes): unknown => JSON.parse(bytes.toString('utf8')),
}
