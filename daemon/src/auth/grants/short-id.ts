/** Short names that a person can read aloud and type: no letters that look alike. */
import { randomInt } from 'node:crypto'

const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 6
/** A question stands for minutes, and is answered by name. */
const QUESTION_LENGTH = 4

const ofLength = (length: number): string => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

export const shortId = (): string => ofLength(LENGTH)
export const questionId = (): string => ofLength(QUESTION_LENGTH)
