/** The entry point: runs the command line, or the keychain helper process. */
import { EXIT } from './cli/exit-codes.ts'
import { runProcess } from './cli/process-io.ts'
import { KEYCHAIN_SUBCOMMAND } from './auth/vault/keychain-subcommand.ts'

// Without a listener, Node opens a debugger without authentication. The launcher also sets --disable-sigusr1, which works from the start;
// this is for other ways to start the program.
process.on('SIGUSR1', () => {})

const [, , word] = process.argv

async function serveBridge(): Promise<void> {
  const { runKeychainChild } = await import('./auth/vault/keychain-child.ts')
  const refusal = await runKeychainChild()
  process.stderr.write(`sallyport ${KEYCHAIN_SUBCOMMAND}: ${refusal}\n`, () => process.exit(EXIT.usage))
}

void (word === KEYCHAIN_SUBCOMMAND ? serveBridge() : runProcess())
