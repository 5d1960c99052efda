import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { startWebPresence } from '../../../../daemon/src/transport/web-presence.ts'

test('a plain 404 on one of the ten ports says that a server of the protocol runs; a second one takes another port', async () => {
  const first = await startWebPresence()
  const second = await startWebPresence()
  for (const web of [first, second]) {
    expect(web?.port).toBeGreaterThanOrEqual(6463)
    expect(web?.port).toBeLessThanOrEqual(6472)
    const reply = await fetch(`http://127.0.0.1:${web?.port}/rpc`, { method: 'POST', body: 'anything' })
    expect(reply.status).toBe(404)
    expect(await reply.text()).toBe('')
  }
  expect(first?.port).not.toBe(second?.port)
  await first?.close()
  await second?.close()
  await expect(fetch(`http://127.0.0.1:${first?.port}/`)).rejects.toThrow()
})

test('when every port is taken, nobody is harmed', async () => {
  const owner = createServer().listen(0, '127.0.0.1')
  await once(owner, 'listening')
  const { port } = owner.address() as AddressInfo
  expect(await startWebPresence({ first: port, last: port })).toBeUndefined()
  owner.close()
})
