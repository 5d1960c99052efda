/** The logger: one event name per line, and fields. */

export interface Logger {
  debug(event: string, fields?: object): void
  info(event: string, fields?: object): void
  warn(event: string, fields?: object): void
  error(event: string, fields?: object): void
  child(fields: object): Logger
}

const ignore = () => {}
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => silentLogger }
