import { type BridgeMetrics, COMMANDS } from '@sallyport/protocol'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LABELS, METRICS } from '#daemon/src/operator/metrics/table.ts'
import { prometheusText } from '#daemon/src/operator/metrics/text.ts'
import { Game, type TestBridge, testBridge } from '#test/support/bridge.ts'

const PROOF = '0123456789abcdef0123456789abcdef'
const SECRET = 'planted-secret-of-a-game'
let of: TestBridge
// The bridge loads it for the first operator, which takes more turns than a call.
beforeAll(() => import('#daemon/src/operator/metrics/read.ts'))
beforeEach(() => {
  of = testBridge()
})

async function metrics(operator = Game.connected(of)): Promise<BridgeMetrics['metrics']> {
  of.proofs.add(PROOF)
  const { data } = await operator.ask('GET_BRIDGE_METRICS', { operator_proof: PROOF })
  return COMMANDS.GET_BRIDGE_METRICS.data.parse(data).metrics
}

const seriesOf = (all: BridgeMetrics['metrics'], name: string) => all.find((metric) => metric.name === name)?.series ?? []
const valuesOf = (all: BridgeMetrics['metrics'], name: string) =>
  seriesOf(all, name).map(({ labels, value, count }) => ({ ...labels, is: value ?? count }))

describe('GET_BRIDGE_METRICS', () => {
  test('has every metric of the table, and labels of the table alone', async () => {
    const game = Game.connected(of)
    game.call('NO_SUCH_COMMAND')
    const all = await metrics()
    expect(all.map(({ name }) => name)).toEqual(Object.keys(METRICS))
    for (const { name, series } of all) {
      const known: readonly string[] = METRICS[name as keyof typeof METRICS].labels
      for (const { labels } of series)
        expect(
          Object.keys(labels).filter((label) => !known.includes(label)),
          name,
        ).toEqual([])
    }
    expect(Object.keys(LABELS)).toEqual([...new Set(Object.values(METRICS).flatMap(({ labels }): readonly string[] => labels))].toSorted())
  })

  test('counts calls by family and error, and by application', async () => {
    const game = Game.connected(of)
    game.call('SET_ACTIVITY', { pid: 1, activity: { state: 'playing' } })
    game.call('SET_ACTIVITY', { pid: 1 })
    game.call('SET_ACTIVITY', { pid: 'x' })
    game.call('GET_GUILDS')
    game.call('NO_SUCH_COMMAND')
    const other = Game.connected(of, { client_id: '42' })
    other.send(Buffer.from([1, 0, 0, 0, 2, 0, 0, 0, 0x5b, 0x5d]))
    const all = await metrics()
    expect(valuesOf(all, 'rpc_server_call_duration_seconds').filter(({ is }) => is !== 0)).toEqual([
      { rpc_system_name: 'sallyport', command_family: 'presence', is: 2 },
      { rpc_system_name: 'sallyport', command_family: 'presence', error_type: 'INVALID_PAYLOAD', is: 1 },
      { rpc_system_name: 'sallyport', command_family: 'guilds-channels', error_type: 'INVALID_PERMISSIONS', is: 1 },
      { rpc_system_name: 'sallyport', command_family: '_OTHER', error_type: 'INVALID_COMMAND', is: 1 },
      { rpc_system_name: 'sallyport', command_family: '_OTHER', error_type: 'INVALID_PAYLOAD', is: 1 },
    ])
    expect(valuesOf(all, 'sallyport_application_calls_total')).toEqual([{ application_id: '1234567890', is: 6 }])
  })

  test('counts games and connections without its own', async () => {
    Game.connected(of)
    Game.connected(of)
    const operator = Game.connected(of)
    await metrics(operator)
    const all = await metrics(operator)
    expect(valuesOf(all, 'sallyport_games')).toEqual([{ is: 2 }])
    expect(valuesOf(all, 'sallyport_connections')).toEqual([{ is: 3 }])
    expect(valuesOf(all, 'sallyport_connections_opened_total')).toEqual([{ is: 3 }])
  })

  test('counts events that came, and those that games received', async () => {
    const games = [Game.connected(of), Game.connected(of), Game.connected(of)]
    for (const game of games.slice(1)) game.call('SUBSCRIBE', {}, 'CURRENT_USER_UPDATE')
    of.hub.publish({ name: 'CURRENT_USER_UPDATE', args: {} }, { id: '1' })
    of.hub.publish({ name: 'CURRENT_USER_UPDATE', args: {} }, { id: '2' })
    of.hub.publish({ name: 'GUILD_CREATE', args: {} }, { id: '2' })
    const all = await metrics()
    const published = valuesOf(all, 'sallyport_events_published_total')
    const delivered = valuesOf(all, 'sallyport_event_deliveries_total')
    expect(published).toEqual([
      { event: 'CURRENT_USER_UPDATE', is: 2 },
      { event: 'GUILD_CREATE', is: 1 },
    ])
    expect(delivered).toEqual([
      { event: 'CURRENT_USER_UPDATE', is: 4 },
      { event: 'GUILD_CREATE', is: 0 },
    ])
  })

  test('has no more than 200 applications, however many ids a game invents', async () => {
    for (let id = 1; id <= 250; id++) Game.connected(of, { client_id: `${id}` }).call('SET_ACTIVITY', { pid: 1 })
    const counts = valuesOf(await metrics(), 'sallyport_application_calls_total')
    expect(counts).toHaveLength(201)
    expect(counts.at(-1)).toEqual({ application_id: 'other', is: 51 })
  })

  test('is for operators', async () => {
    const game = Game.connected(of)
    expect(await game.ask('GET_BRIDGE_METRICS', { operator_proof: PROOF })).toMatchObject({ evt: 'ERROR', data: { code: 4006 } })
    expect(await game.ask('GET_BRIDGE_METRICS')).toMatchObject({ evt: 'ERROR', data: { code: 4000, path: 'operator_proof' } })
  })
})

test('nothing that a game sends is in the text, but the id of its application', async () => {
  const game = Game.connected(of)
  game.call(SECRET, { access_token: SECRET }, SECRET)
  await game.ask('AUTHENTICATE', { access_token: SECRET })
  game.call('SET_ACTIVITY', { pid: 1, activity: { state: SECRET, secrets: { join: SECRET } } })
  await game.ask('SUBSCRIBE', { [SECRET]: SECRET }, SECRET)
  const text = prometheusText({ metrics: await metrics() })
  expect(text).toContain('1234567890')
  expect(text).toContain('error_type="INVALID_COMMAND"')
  expect(text).not.toContain(SECRET)
})
