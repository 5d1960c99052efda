/** Short ids that a user can read aloud and type: no letters that look alike. */
import { randomInt } from 'node:crypto'

const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 6
/** A prompt is open for minutes only, and the user types its id. */
const PROMPT_LENGTH = 4

const ofLength = (length: number): string => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

export const shortId = (): string => ofLength(LENGTH)
export const promptId = (): string => ofLength(PROMPT_LENGTH)
