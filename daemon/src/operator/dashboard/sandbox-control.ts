/** The controls of the sandbox, as the page shows and sends them. */
import type { SandboxAnswer, SandboxChoices } from '@sallyport/core/dashboard-messages'
import { redacted } from '@sallyport/core/redacted'

export interface SandboxControls extends SandboxChoices {
  /** Undefined: there is no such control. */
  send(method: string, path: string, body: string): Promise<{ readonly status: number; readonly body: string | Buffer } | undefined>
}

interface SentControl {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** Undefined for anything else than a request of the page. */
export function sentControlOf(given: unknown): SentControl | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  const { method, path, body } = given as Readonly<Record<string, unknown>>
  return typeof method === 'string' && typeof path === 'string' && typeof body === 'string' ? { method, path, body } : undefined
}

/** The answer, without secrets. Undefined: there is no such control. */
export async function answerOf(controls: SandboxControls, { method, path, body }: SentControl): Promise<SandboxAnswer | undefined> {
  const reply = await controls.send(method, path, body)
  if (reply === undefined) return undefined
  const text = reply.body.toString()
  return { status: reply.status, answer: text === '' ? null : redacted(JSON.parse(text)) }
}
