/** Endpoints for the application of a bot. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { APPLICATION_CHANGES, CurrentApplication } from '../records/application-settings.ts'
import { Attachment } from '../records/channel-message.ts'
import { FileInput } from '../records/file.ts'
import { imageData } from '../schema/data-uri.ts'
import { Snowflake, text, tolerant } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

export const getCurrentApplication = defineEndpoint({
  name: 'GET_CURRENT_APPLICATION',
  summary: 'Get the application of the bot.',
  method: 'GET',
  path: '/applications/@me',
  params: () => ({}),
  response: CurrentApplication,
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  provenance: 'documented',
})

export const editCurrentApplication = defineEndpoint({
  name: 'EDIT_CURRENT_APPLICATION',
  summary: 'Edit the settings of the application; absent fields stay unchanged.',
  method: 'PATCH',
  path: '/applications/@me',
  params: () => ({}),
  body: () => ({
    ...APPLICATION_CHANGES(),
    icon: imageData(LIMITS.imageBytes).nullish(),
    cover_image: imageData(LIMITS.imageBytes).nullish(),
  }),
  response: CurrentApplication,
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'natural',
  platformErrors: [50035],
  provenance: 'documented',
})

export const uploadApplicationAttachment = defineEndpoint({
  name: 'UPLOAD_APPLICATION_ATTACHMENT',
  summary: 'Upload a file of the application, such as an image for an activity, and get its URL.',
  method: 'POST',
  path: '/applications/{application_id}/attachment',
  params: () => ({ application_id: Snowflake() }),
  body: () => ({ file: FileInput() }),
  upload: {
    argument: 'file',
    isList: false,
    contentType: 'application/octet-stream',
    fileLimit: 'attachmentBytes',
  },
  response: () => tolerant({ attachment: Attachment() }),
  auth: 'user-or-bot',
  requires: NO_SCOPE,
  idempotency: 'none',
  platformErrors: [20012, 40005, 50035],
  provenance: 'api-description',
})

export const getApplicationActivityInstance = defineEndpoint({
  name: 'GET_APPLICATION_ACTIVITY_INSTANCE',
  summary: 'Get a running activity: its place and its users.',
  method: 'GET',
  path: '/applications/{application_id}/activity-instances/{instance_id}',
  params: () => ({ application_id: Snowflake(), instance_id: text(1, LIMITS.activityInstance.value) }),
  response: () =>
    tolerant({
      application_id: Snowflake(),
      instance_id: z.string(),
      launch_id: Snowflake(),
      location: tolerant({ id: z.string(), kind: z.string(), channel_id: Snowflake(), guild_id: Snowflake().nullish() }),
      users: z.array(Snowflake()),
    }),
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [0, 20012],
  provenance: 'documented',
})
