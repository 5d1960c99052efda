/** Every step, in the order of the features. */
import { ALL_FEATURES, type Feature } from '../features.ts'
import type { Step } from '../play.ts'
import { CALLS } from './calls.ts'
import { CONTAINED } from './contained.ts'
import { CONNECTING } from './connecting.ts'
import { HOSTILE } from './hostile.ts'
import { KEYED } from './keys.ts'
import { LINES } from './lines.ts'
import { MSGPACK } from './msgpack.ts'
import { RESTORING } from './restoring.ts'
import { SIGN_IN } from './sign-in.ts'
import { TRUST } from './trust.ts'

export const featureOf = ({ id }: Step): Feature => id.slice(0, id.indexOf('/')) as Feature

export const STEPS: readonly Step[] = [CONNECTING, CALLS, LINES, HOSTILE, SIGN_IN, RESTORING, KEYED, MSGPACK, TRUST, CONTAINED]
  .flat()
  .toSorted((one, other) => ALL_FEATURES.indexOf(featureOf(one)) - ALL_FEATURES.indexOf(featureOf(other)))

export const STEP_IDS: ReadonlySet<string> = new Set(STEPS.map(({ id }) => id))
