import { expect, test } from 'vitest'
import { socketCandidates } from '#daemon/src/platform/desktop/socket-candidates.ts'

test('every slot of the runtime directory precedes those of packages', () => {
  const {
    paths,
    folders,
    isRelevant: matters,
  } = socketCandidates({ directory: '/run/user/7/', ipcPrefix: 'discord-ipc', platform: 'linux' })
  expect(paths).toHaveLength(30)
  expect(paths[0]).toBe('/run/user/7/discord-ipc-0')
  expect(paths[9]).toBe('/run/user/7/discord-ipc-9')
  expect(paths[10]).toBe('/run/user/7/app/com.discordapp.Discord/discord-ipc-0')
  expect(paths[29]).toBe('/run/user/7/snap.discord/discord-ipc-9')
  expect(folders).toEqual(['/run/user/7/', '/run/user/7/app', '/run/user/7/app/com.discordapp.Discord', '/run/user/7/snap.discord'])
  expect(['discord-ipc-0', 'discord-ipc-9', 'app', 'com.discordapp.Discord', 'snap.discord'].every(matters)).toBe(true)
  expect(['discord-ipc-10', 'discord-ipc', 'pulse', ''].some(matters)).toBe(false)
})

test('on Windows there are ten pipes, and no directories to watch', () => {
  const { paths, folders } = socketCandidates({ directory: 'ignored', ipcPrefix: 'discord-ipc', platform: 'win32' })
  expect(paths).toHaveLength(10)
  expect(paths[3]).toBe('\\\\.\\pipe\\discord-ipc-3')
  expect(folders).toEqual([])
})
