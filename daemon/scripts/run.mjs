/**
 * `node daemon/scripts/run.mjs [--to-run | --not-built] PROGRAM [ARGS]`: prepares the clone, then runs the program on the right Node.
 * `--to-run`: the program needs only what the daemon itself needs, so the packages of the tests are not installed and nothing is type-checked.
 * `--not-built`: the program builds what it needs itself, so that it need not wait for the rest.
 * Not an npm pre-script, because package scripts are disabled, which includes pre-scripts.
 */
import { resolve } from 'node:path'
import { runOnRightNode } from '../bin/right-node.mjs'
import { prepare } from './prepare.mjs'

const NEEDS = {
  '--to-run': { isAll: false, isBuilt: true },
  '--not-built': { isAll: true, isBuilt: false },
}
const given = process.argv.slice(2)
const named = NEEDS[given[0]]
const [program, ...args] = named === undefined ? given : given.slice(1)

if (prepare(named ?? { isAll: true, isBuilt: true })) runOnRightNode(resolve(program), args)
else process.exitCode = 1
