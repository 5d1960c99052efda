/** Where the log of the bridge is. */
import { join } from 'node:path'

export const logFile = (dataDir: string): string => join(dataDir, 'log', 'sallyport.log')
