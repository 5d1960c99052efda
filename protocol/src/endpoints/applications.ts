/** Endpoints for the application of a bot. */
import { LIMITS } from '../limits.ts'
import { APPLICATION_CHANGES, CurrentApplication } from '../records/application-settings.ts'
import { Attachment } from '../records/channel-message.ts'
import { FileInput } from '../records/file.ts'
import { imageData } from '../schema/data-uri.ts'
import { Snowflake, tolerant } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

export const getCurrentApplication = defineEndpoint({
  name: 'GET_CURRENT_APPLICATION',
  summary: 'Get the application of the bot.',
  method: 'GET',
  path: '/applications/@me',
  params: {},
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
  params: {},
  body: {
    ...APPLICATION_CHANGES,
    icon: imageData(LIMITS.imageBytes).nullish(),
    cover_image: imageData(LIMITS.imageBytes).nullish(),
  },
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
  params: { application_id: Snowflake },
  body: { file: FileInput },
  upload: {
    argument: 'file',
    isList: false,
    contentType: 'application/octet-stream',
    fileLimit: 'attachmentBytes',
  },
  response: tolerant({ attachment: Attachment }),
  auth: 'user-or-bot',
  requires: NO_SCOPE,
  idempotency: 'none',
  platformErrors: [20012, 40005, 50035],
  provenance: 'api-description',
})
