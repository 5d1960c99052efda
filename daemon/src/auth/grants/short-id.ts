/** Short ids that a user can read aloud and type: no letters that look alike. */
import { randomInt } from 'node:crypto'

const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
/** Of the id of a grant. */
const LENGTH = 6

export const shortId = (length = LENGTH): string => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
