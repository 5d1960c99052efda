/** The health of the data files of a folder, whose log is not read. */
import { DataHealth } from '@sallyport/core/storage/data-health'
import { systemClock } from '@sallyport/core/clock'
import { silentLogger } from './silent-logger.ts'

export const dataHealth = (folder: string, log = silentLogger): DataHealth => new DataHealth({ folder, clock: systemClock, log })
