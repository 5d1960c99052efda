import { describe, expect, test } from 'vitest'
import { checkSocketLength, configFile, dataDir, type Machine, runtimeDir, socketPath } from '#daemon/src/config/paths.ts'

const machine = (platform: NodeJS.Platform, env: Machine['env'] = {}): Machine => ({
  platform,
  env,
  home: platform === 'win32' ? 'C:\\Users\\ann' : '/home/ann',
})

describe('the folder of the sockets', () => {
  const all = { XDG_RUNTIME_DIR: '/run/x', TMPDIR: '/t1', TMP: '/t2', TEMP: '/t3' }
  test('is the first variable that is set', () => {
    expect(runtimeDir(machine('linux', all))).toBe('/run/x')
    expect(runtimeDir(machine('linux', { ...all, XDG_RUNTIME_DIR: undefined }))).toBe('/t1')
    expect(runtimeDir(machine('darwin', { TMP: '/t2', TEMP: '/t3' }))).toBe('/t2')
    expect(runtimeDir(machine('linux', { XDG_RUNTIME_DIR: '', TEMP: '/t3' }))).toBe('/t3')
  })
  test('is /tmp when none is', () => expect(runtimeDir(machine('linux'))).toBe('/tmp'))
  test('is always the pipe namespace on Windows', () => expect(runtimeDir(machine('win32', all))).toBe('\\\\?\\pipe\\'))
})

test('a socket path never doubles a slash', () => {
  expect(socketPath('/var/folders/T/', 'discord-ipc', 3, 'darwin')).toBe('/var/folders/T/discord-ipc-3')
  expect(socketPath('/tmp', 'discord-ipc', 0, 'linux')).toBe('/tmp/discord-ipc-0')
  expect(socketPath('\\\\?\\pipe\\', 'discord-ipc', 0, 'win32')).toBe('\\\\?\\pipe\\discord-ipc-0')
  expect(socketPath('\\\\.\\pipe', 'discord-ipc', 0, 'win32')).toBe('\\\\.\\pipe\\discord-ipc-0')
})

describe('a folder whose paths would not fit in sun_path', () => {
  const name = '/discord-ipc-0'
  const folder = (bytes: number) => `/${'d'.repeat(bytes - 1 - name.length)}`
  test.each([
    ['linux', 107],
    ['darwin', 103],
  ] as const)('%s takes %d bytes and refuses one more with a way out', (platform, most) => {
    expect(() => checkSocketLength(folder(most), 'discord-ipc', platform)).not.toThrow()
    expect(() => checkSocketLength(folder(most + 1), 'discord-ipc', platform)).toThrow(/allows \d+\. Choose a shorter --runtime-dir/)
  })
  test('bytes count, not characters', () => {
    expect(() => checkSocketLength(`/${'é'.repeat(60)}`, 'discord-ipc', 'linux')).toThrow(/bytes/)
  })
  test('Windows has no such limit', () => expect(() => checkSocketLength('x'.repeat(300), 'discord-ipc', 'win32')).not.toThrow())
})

test('data and settings follow the conventions of each system', () => {
  expect(dataDir(machine('linux'))).toBe('/home/ann/.local/share/sallyport')
  expect(dataDir(machine('linux', { XDG_DATA_HOME: '/d' }))).toBe('/d/sallyport')
  expect(dataDir(machine('darwin'))).toBe('/home/ann/Library/Application Support/Sallyport')
  expect(dataDir(machine('win32', { LOCALAPPDATA: 'D:\\L' }))).toBe('D:\\L\\Sallyport')
  expect(dataDir(machine('win32'))).toBe('C:\\Users\\ann\\AppData\\Local\\Sallyport')
  expect(configFile(machine('linux', { XDG_CONFIG_HOME: '/c' }))).toBe('/c/sallyport/config.json')
  expect(configFile(machine('linux'))).toBe('/home/ann/.config/sallyport/config.json')
  expect(configFile(machine('win32', { APPDATA: 'D:\\R' }))).toBe('D:\\R\\Sallyport\\config.json')
})
