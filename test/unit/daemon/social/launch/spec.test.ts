/** Which launch commands are valid, and how they are parsed. */
import { describe, expect, it } from 'vitest'
import { parseLaunchCommand, steamCommand } from '#daemon/src/social/launch/spec.ts'

describe('a launch command', () => {
  it.each([
    ['/usr/bin/game', { kind: 'program', program: '/usr/bin/game', args: [] }],
    ['  /usr/bin/game  --join  ', { kind: 'program', program: '/usr/bin/game', args: ['--join'] }],
    [
      '"/opt/My Game/game" --map "dry dock" --name="a b"',
      { kind: 'program', program: '/opt/My Game/game', args: ['--map', 'dry dock', '--name=a b'] },
    ],
    // No character has a special meaning.
    [
      "/bin/echo $HOME `id` ; rm -rf ~ && x > y | z 'q'",
      { kind: 'program', program: '/bin/echo', args: ['$HOME', '`id`', ';', 'rm', '-rf', '~', '&&', 'x', '>', 'y', '|', 'z', "'q'"] },
    ],
    ['/bin/game ""', { kind: 'program', program: '/bin/game', args: [''] }],
    ['steam://rungameid/480', { kind: 'uri', uri: 'steam://rungameid/480' }],
    ['my-game+x://join/now', { kind: 'uri', uri: 'my-game+x://join/now' }],
  ])('%s', (command, plan) => {
    expect(parseLaunchCommand(command, 'linux')).toEqual(plan)
  })

  it('for Windows keeps its backslashes', () => {
    expect(parseLaunchCommand(String.raw`"C:\Games\My Game\game.exe" -join`, 'win32')).toEqual({
      kind: 'program',
      program: String.raw`C:\Games\My Game\game.exe`,
      args: ['-join'],
    })
  })

  it.each([
    ['game --join', 'absolute'],
    ['./game', 'absolute'],
    ['~/game', 'absolute'],
    ['   ', 'absolute'],
    ['C:\\game.exe', 'absolute'],
    ['/opt/"game', 'quote'],
    ['/bin/game\nrm', 'control'],
    ['/bin/game \0', 'control'],
    ['javascript://alert(1)', 'javascript:'],
    ['FILE:///etc/passwd', 'FILE:'],
    ['data://text', 'data:'],
  ])('%j is rejected', (command, why) => {
    expect(parseLaunchCommand(command, 'linux')).toEqual({ problem: expect.stringContaining(why) })
  })

  it('for Steam is a URI', () => {
    expect(parseLaunchCommand(steamCommand(480), 'linux')).toEqual({ kind: 'uri', uri: 'steam://rungameid/480' })
  })
})
