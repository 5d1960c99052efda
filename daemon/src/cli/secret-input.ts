/** Reads a secret from stdin: typed without echo, or piped from another program. */
import type { ReadStream } from 'node:tty'
import { Secret } from '@sallyport/core/secret'

/** Longer than any token. */
const MAX_CHARACTERS = 4096
const ENTER = /[\r\n]/
const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const BACKSPACE = /[\b\u007f]/

export interface SecretSource extends AsyncIterable<unknown> {
  readonly isTTY?: boolean
  setRawMode?: ReadStream['setRawMode']
  setEncoding(encoding: 'utf8'): unknown
}

/** The trimmed line up to Enter, or all piped input. Undefined if it is empty or cancelled with Ctrl-C. */
export async function readSecret(prompt: string, source: SecretSource, show: (text: string) => void): Promise<Secret<string> | undefined> {
  const isTyped = source.isTTY === true
  if (isTyped) show(prompt)
  source.setEncoding('utf8')
  source.setRawMode?.(true)
  try {
    const text = isTyped ? await readTyped(source) : await readAll(source)
    const secret = text?.trim()
    return secret ? new Secret(secret) : undefined
  } finally {
    source.setRawMode?.(false)
    if (isTyped) show('\n')
  }
}

async function readAll(source: SecretSource): Promise<string> {
  let text = ''
  for await (const chunk of source) {
    text += String(chunk)
    if (text.length > MAX_CHARACTERS) break
  }
  return text.slice(0, MAX_CHARACTERS)
}

async function readTyped(source: SecretSource): Promise<string | undefined> {
  let text = ''
  for await (const chunk of source) {
    for (const key of String(chunk)) {
      if (key === CTRL_C) return undefined
      if (key === CTRL_D || ENTER.test(key)) return text
      text = BACKSPACE.test(key) ? text.slice(0, -1) : (text + key).slice(0, MAX_CHARACTERS)
    }
  }
  return text
}
