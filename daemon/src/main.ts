/** The program: the words of its command line go to the command line's table; as a helper of itself it answers one question. */
import { KEYCHAIN_WORD } from './auth/vault/keychain-process.ts'

const [, , word, directory = ''] = process.argv

// Each loads only what it needs: the helper is waited for.
void (word === KEYCHAIN_WORD
  ? import('./auth/vault/keychain-answer.ts').then(({ answerKeychain }) => answerKeychain(directory))
  : import('./cli/process-io.ts').then(({ runProcess }) => runProcess()))
