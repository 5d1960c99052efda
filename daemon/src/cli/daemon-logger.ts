/** The log of the daemon: to stderr from the level of the settings, and to the log file from `info`, so that `sallyport logs` has what happened. */
import type { Logger } from '@sallyport/core/logger'
import { type LogLevel, pinoLogger, stderrTargets } from '@sallyport/core/pino-logger'
import { RotatingFile } from '@sallyport/core/storage/rotating-file'
import { logFile } from '@sallyport/core/storage/log-file'

/** `silent` writes nowhere. */
export function daemonLogger(level: LogLevel, dataDir: string): Logger {
  if (level === 'silent') return pinoLogger([])
  const file = new RotatingFile(logFile(dataDir))
  process.once('exit', () => file.flush())
  return pinoLogger([...stderrTargets(level), { level: level === 'debug' ? 'debug' : 'info', stream: file }])
}
