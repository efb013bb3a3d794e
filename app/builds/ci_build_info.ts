import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import {
  anyText,
  dateTime,
  oneOf,
  describedAs,
  text,
  webUrl,
} from '#foundation/api/operation/input'
import { CI_INTEGRATION_IDS } from '#integrations/vocabulary'
import { CI_BUILD_STATUSES } from './vocabulary.js'

/** The description of a CI build in an upload (`CIBuildRequestEntity`). */
export const ciBuildFields = {
  buildIdentifier: text(200).use(describedAs('Number or id of the build in the CI system.')),
  branch: text(256).use(describedAs('Branch that was built; a full ref is accepted.')),
  integrationId: oneOf(CI_INTEGRATION_IDS).use(describedAs('CI system that ran the build.')),
  commitHash: text(64).use(describedAs('Hash of the commit that was built.')),
  workflowData: vine
    .object({
      workflowId: text(200).use(describedAs('Id of the workflow in the CI system.')),
      workflowName: text(200).use(describedAs('Name of the workflow in the CI system.')),
    })
    .use(describedAs('Workflow that ran the build.')),
  startedAt: dateTime()
    .use(describedAs('When the build began; the time of the upload by default.'))
    .optional(),
  status: oneOf(CI_BUILD_STATUSES)
    .use(describedAs('Status of the build; `success` by default.'))
    .optional(),
  commitMessage: anyText(10_000)
    .use(describedAs('Message of the commit; null if CI does not report it.'))
    .nullable()
    .optional(),
  commitAuthor: anyText(320)
    .use(describedAs('Author of the commit; null if CI does not report it.'))
    .nullable()
    .optional(),
  commitUrl: webUrl(2000)
    .use(describedAs('URL of the commit; null if CI does not report it.'))
    .nullable()
    .optional(),
  url: webUrl(2000)
    .use(describedAs('URL of the build in the CI system; null if it has none.'))
    .nullable()
    .optional(),
}

const ciBuildInfo = vine.object(ciBuildFields)
export type CIBuildInfo = Infer<typeof ciBuildInfo>
