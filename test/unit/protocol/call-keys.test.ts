/** Which commands take a key, and which of them have a result that is not kept. */
import { isSecretName } from '@sallyport/core/secret-names'
import { type CommandRow, COMMANDS, type EndpointRow, ENDPOINTS } from '@sallyport/protocol'
import { KEYED_COMMANDS } from '@sallyport/protocol/keyed-commands'
import { expect, it } from 'vitest'
import * as z from 'zod'

const commands = Object.values<CommandRow>(COMMANDS)
const keyed = commands.filter((row) => row.keyed === true)

it('takes a key where a repeat may have another effect, and nowhere else', () => {
  const rows: Readonly<Record<string, EndpointRow>> = ENDPOINTS
  const unsafe = commands.filter(({ name }) => ['none', 'keyed'].includes(rows[name]?.idempotency ?? 'safe'))
  expect(keyed).toEqual(unsafe)
  expect(keyed).toHaveLength(29)
})

it('is the list that clients have without the tables', () => {
  expect([...KEYED_COMMANDS]).toEqual(keyed.map(({ name }) => name).toSorted())
})

it('can fail with the errors of keys, unless the command always fails', () => {
  const failing = keyed.filter(({ errors }) => !errors.includes('UNKNOWN_OUTCOME')).map(({ name }) => name)
  expect(failing).toEqual(['CREATE_GUILD'])
})

const FIELD = /"properties":\{|"([a-z_]+)":\{/g

it('keeps no response that has a field with the name of a secret', () => {
  const hasSecret = ({ response }: EndpointRow): boolean => {
    const schema = JSON.stringify(z.toJSONSchema(response, { io: 'output', unrepresentable: 'any' }))
    return [...schema.matchAll(FIELD)].some(([, name = '']) => isSecretName(name))
  }
  for (const { name } of keyed) {
    const row: EndpointRow = ENDPOINTS[name as keyof typeof ENDPOINTS]
    expect(row.returnsSecrets === true, name).toBe(hasSecret(row))
  }
})
