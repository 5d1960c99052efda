/** Files that an application uploads outside messages. */
import { PlatformError } from '../platform-error.ts'
import { rememberApplication } from '../platform.ts'
import { checkOwnApplication } from './access.ts'
import { attachmentView, received } from './attachments.ts'
import type { Handler, Handlers } from './handlers.ts'

const uploadApplicationAttachment: Handler<'UPLOAD_APPLICATION_ATTACHMENT'> = ({ application_id }, operation) => {
  checkOwnApplication(operation, application_id)
  const { platform, files } = operation
  const { attachments, writes } = received(platform, files, [])
  const [attachment] = attachments
  if (attachment === undefined) throw new PlatformError('invalidForm')
  const stored = platform.store.applicationAttachments.put(attachment.id, { ...attachment, applicationId: application_id })
  platform.store.commit([...rememberApplication(platform, application_id), ...writes, stored])
  return { attachment: attachmentView(platform, application_id, attachment) }
}

export const applicationAttachmentHandlers = {
  UPLOAD_APPLICATION_ATTACHMENT: uploadApplicationAttachment,
} satisfies Partial<Handlers>
