/** Events of embedded activities. A page in the activity proxy may subscribe to them; in a browser, nothing that they report changes. */
import { noArguments, undocumented } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
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
  data: undocumented,
  provenance: 'embedded-sdk',
})

export const orientationUpdate = defineEvent({
  name: 'ORIENTATION_UPDATE',
  summary: 'The orientation of the screen changed.',
  delivery: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: noArguments,
  data: undocumented,
  provenance: 'embedded-sdk',
})

export const thermalStateUpdate = defineEvent({
  name: 'THERMAL_STATE_UPDATE',
  summary: 'The thermal state of the device changed.',
  delivery: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: noArguments,
  data: undocumented,
  provenance: 'embedded-sdk',
})

export const activityInstanceParticipantsUpdate = defineEvent({
  name: 'ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE',
  summary: 'A user joined or left this instance of the activity.',
  delivery: 'embedded',
  requires: anyOf('rpc.embedded_app'),
  args: noArguments,
  data: undocumented,
  provenance: 'embedded-sdk',
})
