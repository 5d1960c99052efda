/** Endpoints for the application of a bot. */
import { LIMITS } from '../limits.ts'
import { APPLICATION_CHANGES, CurrentApplication } from '../records/application-settings.ts'
import { imageData } from '../schema/data-uri.ts'
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
