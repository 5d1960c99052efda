/** Events of embedded activities. A page in the activity proxy may subscribe to them. In a browser, only its participants change. */
import * as z from 'zod'
import { RpcUser } from '../records/user.ts'
import { noArguments, undocumented } from '../schema/index.ts'
import { allOf, anyOf } from '../scopes.ts'
import { defineEvent } from './define.ts'

export const activityPipModeUpdate = defineEvent({
  name: 'ACTIVITY_PIP_MODE_UPDATE',
  summary: 'The activity entered or left picture-in-picture mode.',
  delivery: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: noArguments,
  data: undocumented,
  provenance: 'embedded-sdk',
})

export const activityLayoutModeUpdate = defineEvent({
  name: 'ACTIVITY_LAYOUT_MODE_UPDATE',
  summary: 'The layout of the activity changed.',
  delivery: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: noArguments,
  data: () => z.looseObject({ layout_mode: z.number().int().meta({ description: '0 focused, 1 picture-in-picture, 2 grid' }) }),
  provenance: 'embedded-sdk',
})

export const orientationUpdate = defineEvent({
  name: 'ORIENTATION_UPDATE',
  summary: 'The orientation of the screen changed.',
  delivery: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: noArguments,
  data: () =>
    z.looseObject({
      screen_orientation: z.number().int().meta({ description: '0 portrait, 1 landscape' }),
      orientation: z.string().optional().meta({ description: 'portrait or landscape; deprecated for screen_orientation.' }),
    }),
  provenance: 'embedded-sdk',
})

export const thermalStateUpdate = defineEvent({
  name: 'THERMAL_STATE_UPDATE',
  summary: 'The thermal state of the device changed.',
  delivery: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: noArguments,
  data: () => z.looseObject({ thermal_state: z.number().int().meta({ description: '0 nominal, 1 fair, 2 serious, 3 critical' }) }),
  provenance: 'embedded-sdk',
})

export const activityInstanceParticipantsUpdate = defineEvent({
  name: 'ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE',
  summary: 'A user joined or left this activity: all its participants.',
  delivery: 'embedded',
  requires: allOf('rpc.embedded_app', 'rpc.authenticated'),
  args: noArguments,
  data: () => z.looseObject({ participants: z.array(RpcUser()) }),
  provenance: 'embedded-sdk',
})
