/** Suppresses the warnings about experimental features of Node that this program uses; other warnings are printed. */

const EXPECTED = /^(?:FFI|SQLite) is an experimental feature/

const isExpected = (warning: Error): boolean => warning.name === 'ExperimentalWarning' && EXPECTED.test(warning.message)

/** Wraps the listeners that print warnings. */
export function quietExpectedWarnings(source: Pick<NodeJS.Process, 'listeners' | 'removeAllListeners' | 'on'>): void {
  const printers = source.listeners('warning')
  source.removeAllListeners('warning')
  source.on('warning', (warning) => {
    if (isExpected(warning)) return
    for (const print of printers) print(warning)
  })
}
