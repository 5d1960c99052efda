/**
 * Puts a daemon on the faulty disk: `node --import test/support/vfs/preload.ts daemon/src/main.ts run …` with TEST_FAULTY_DISK, which holds a
 * FaultyProcess as JSON.
 */
import { writeFileSync } from 'node:fs'
import { type DiskPlan, FaultyDisk } from './faulty-disk.ts'

export interface FaultyProcess {
  /** What buildFaultyDisk made. */
  readonly library: string
  readonly plan: DiskPlan
  /** Gets the points of the disk, one a line, when the process exits by itself. */
  readonly pointsFile?: string
}

const { library, plan, pointsFile } = JSON.parse(process.env['TEST_FAULTY_DISK'] ?? '') as FaultyProcess
const disk = new FaultyDisk(library)
disk.plan(plan)
if (pointsFile !== undefined) process.on('exit', () => writeFileSync(pointsFile, disk.points.join('\n')))
