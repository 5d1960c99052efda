/** The presence of the C++ client without a bridge: kept, shown later, or shown by the platform's own client. Under the sanitizers. */
import { expect, test } from 'vitest'
import { frame, OP } from '#test/support/frames.ts'
import { NO_BRIDGE } from '#test/support/scripted-server.ts'
import { describeCpp } from './support/c-world.ts'

const USER = { id: '77', username: 'ada', global_name: 'Ada', discriminator: '0', avatar: null }

describeCpp('the C++ client without a bridge', (world) => {
  test('keeps a presence without a bridge, shows it once, and reports it once', async () => {
    world.probe.send('timeout 50')
    world.probe.send('app 42')
    world.probe.send('presence late')
    world.probe.send('leave 1')
    // The call ends, and the presence waits.
    expect(await world.probe.line('result')).toMatchObject({ result: 2, type: 'NetworkError', retryable: true })
    const peer = await world.server.peer()
    await peer.ready()
    expect(await peer.answer()).toMatchObject({ cmd: 'SET_ACTIVITY', args: { activity: { state: 'late' } } })
    expect(await world.probe.line('result', 2)).toMatchObject({ result: 1, ok: true })
    await world.probe.quit()
  })

  test("shows a presence through the platform's own client, which gets nothing else", async () => {
    world.probe.send('on-log')
    world.probe.send('timeout 2000')
    world.probe.send('app 42')
    world.probe.send('presence there')
    const server = await world.server.peer()
    await server.ready(NO_BRIDGE)
    expect((await server.answer()).args.activity.state).toBe('there')
    expect(await world.probe.line('result')).toMatchObject({ result: 1, ok: true })
    world.probe.send('leave 1')
    expect(await world.probe.line('result', 2)).toMatchObject({ type: 'NetworkError', retryable: true })
    server.socket.destroy()
    const bridge = await world.server.peer()
    await bridge.ready()
    expect((await bridge.answer()).cmd).toBe('SET_ACTIVITY')
    world.probe.send('leave 2')
    await world.probe.quit()
  })

  test('gives the user of the desktop client', async () => {
    world.probe.send('app 42')
    world.probe.send('desktop-user')
    const peer = await world.server.peer()
    await peer.ready({ user: USER })
    const { opcode, payload } = await peer.frame()
    expect(opcode).toBe(OP.PING)
    peer.write(frame(OP.PONG, payload))
    expect(await world.probe.line('result')).toMatchObject({ ok: true, value: 'Ada' })
    await world.probe.quit()
  })
})
