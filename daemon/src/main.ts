/** The program: the words of its command line go to the command line's table; as a helper of itself it answers one question. */
import { KEYCHAIN_WORD } from './auth/vault/keychain-process.ts'

// Node would open a debugger, which asks nobody for a secret. Whoever starts the program by its launcher has a flag against it, which works
// from the first moment on; this is for everybody else.
process.on('SIGUSR1', () => {})

const [, , word] = process.argv

async function serveBridge(): Promise<void> {
  const [{ answerKeychain }, { EXIT }] = await Promise.all([import('./auth/vault/keychain-answer.ts'), import('./cli/exit-codes.ts')])
  const refusal = await answerKeychain()
  process.stderr.write(`sallyport ${KEYCHAIN_WORD}: ${refusal}\n`, () => process.exit(EXIT.usage))
}

// Each loads only what it needs: the helper is waited for.
void (word === KEYCHAIN_WORD ? serveBridge() : import('./cli/process-io.ts').then(({ runProcess }) => runProcess()))
