/** A logger that keeps no line. */
import type { Logger } from '@sallyport/core/logger'

const ignore = () => {}
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => silentLogger }
