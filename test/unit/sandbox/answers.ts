/** What tests read from the answers of the sandbox. */
import { ENDPOINTS, type EndpointName } from '@sallyport/protocol'
import { expect } from 'vitest'
import { type Answer, APPLICATION } from './harness.ts'

/** The token of the application's bot. */
export const BOT = `Bot sandbox-bot-${APPLICATION}`

/** Status and error code. */
export const refusal = ({ status, json }: Answer): readonly unknown[] => [status, json['code']]

/** The answer is a success of its row, in the shape of the row. */
export function expectShape(name: EndpointName, { status, text }: Answer): void {
  expect(ENDPOINTS[name].success).toContain(status)
  expect(ENDPOINTS[name].response.safeParse(text === '' ? null : JSON.parse(text)).error).toBeUndefined()
}
