/** `sallyport version`: the version of this program and of the contract it speaks. */
import { CONTRACT_VERSION } from '@sallyport/protocol/wire'
import { VERSION } from '@sallyport/core/version'
import type { Command } from './command.ts'
import { EXIT } from './exit-codes.ts'

export const version: Command = {
  name: 'version',
  summary: 'Print the version of the program and of its contract.',
  usage: '[flags]',
  operands: { least: 0, most: 0 },
  flags: [],
  run({ loaded: { settings }, io }) {
    const data = { version: VERSION, contract: CONTRACT_VERSION, node: process.versions.node }
    io.out(settings.json ? JSON.stringify(data) : `sallyport ${data.version}, contract ${data.contract}, node ${data.node}`)
    return Promise.resolve(EXIT.ok)
  },
}
