/** The entry point: runs the command line, or the keychain helper process. */
import { KEYCHAIN_SUBCOMMAND } from './auth/vault/keychain-subcommand.ts'

// Without a listener, Node opens a debugger without authentication. The launcher also sets --disable-sigusr1, which works from the start;
// this is for other ways to start the program.
process.on('SIGUSR1', () => {})

const [, , word] = process.argv

async function serveBridge(): Promise<void> {
  const [{ runKeychainChild }, { EXIT }] = await Promise.all([import('./auth/vault/keychain-child.ts'), import('./cli/exit-codes.ts')])
  const refusal = await runKeychainChild()
  process.stderr.write(`sallyport ${KEYCHAIN_SUBCOMMAND}: ${refusal}\n`, () => process.exit(EXIT.usage))
}

// Imports only the required modules, because the daemon waits for the helper.
void (word === KEYCHAIN_SUBCOMMAND ? serveBridge() : import('./cli/process-io.ts').then(({ runProcess }) => runProcess()))
