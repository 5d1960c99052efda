/** `sallyport version`: prints the version of the program and of its contract. */
import { CONTRACT_VERSION } from '@sallyport/protocol/wire'
import { VERSION } from '@sallyport/core/version'
import type { Command } from './command.ts'
import { EXIT } from './exit-codes.ts'

export const version: Command = {
  name: 'version',
  summary: 'Print the version of the program and of its contract.',
  usage: '[flags]',
  operands: { min: 0, max: 0 },
  flags: [],
  run({ loaded: { settings }, io }) {
    const data = { version: VERSION, contract: CONTRACT_VERSION, node: process.versions.node }
    io.out(settings.json ? JSON.stringify(data) : `sallyport ${data.version}, contract ${data.contract}, node ${data.node}`)
    return Promise.resolve(EXIT.ok)
  },
}
