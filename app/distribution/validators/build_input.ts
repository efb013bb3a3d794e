import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { anyText, dateTime, oneOf, says, text } from '#foundation/api/operation/input'
import { pageInput } from '#foundation/api/pages'
import { CI_BUILD_STATUSES } from '#builds/vocabulary'
import { CI_INTEGRATION_IDS } from '#integrations/vocabulary'
import { BUILD_STATUSES } from '../vocabulary.js'

const link = () => vine.string().maxLength(2000).url({ require_protocol: true })

/** The CI build that an uploaded file comes from. */
const ciBuildInfo = vine.object({
  buildIdentifier: text(200).use(says('Number or id of the build in the CI system.')),
  branch: text(256).use(says('Branch that was built; a full ref is accepted.')),
  integrationId: oneOf(CI_INTEGRATION_IDS).use(says('The CI system that built.')),
  commitHash: text(64).use(says('Hash of the commit that was built.')),
  workflowData: vine
    .object({
      workflowId: text(200).use(says('Id of the workflow in the CI system.')),
      workflowName: text(200).use(says('Name of the workflow in the CI system.')),
    })
    .use(says('The workflow that built.')),
  startedAt: dateTime()
    .use(says('When the build began; the time of the upload by default.'))
    .optional(),
  status: oneOf(CI_BUILD_STATUSES)
    .use(says('What the build has come to; `success` by default.'))
    .optional(),
  commitMessage: anyText(10_000)
    .use(says('Message of the commit; null where CI does not tell.'))
    .nullable()
    .optional(),
  commitAuthor: anyText(320)
    .use(says('Author of the commit; null where CI does not tell.'))
    .nullable()
    .optional(),
  commitUrl: link()
    .use(says('Address of the commit; null where CI does not tell.'))
    .nullable()
    .optional(),
  url: link()
    .use(says('Address of the build in the CI system; null where it has none.'))
    .nullable()
    .optional(),
})
export type CIBuildInfo = Infer<typeof ciBuildInfo>

export const uploadBuildValidator = vine.create({
  testerNotes: anyText(10_000)
    .use(says('What testers should look at; null for nothing.'))
    .nullable()
    .optional(),
  ciBuildInfo: ciBuildInfo
    .clone()
    .use(says('The CI build that the file comes from; null for none.'))
    .nullable()
    .optional(),
})
export type UploadBuildInput = Infer<typeof uploadBuildValidator>

export const additionalFileValidator = vine.create({
  fileName: text(255).use(says('Name to keep the file under; its own by default.')).optional(),
})
export type AdditionalFileInput = Infer<typeof additionalFileValidator>

export const updateBuildValidator = vine.create({
  testerNotes: anyText(10_000).nullable().optional(),
  status: oneOf(['expired']).use(says('Ends the time of the build now.')).optional(),
  expiresAt: dateTime().nullable().optional(),
})
export type UpdateBuildInput = Infer<typeof updateBuildValidator>

export const listBuildsValidator = vine.create({
  ...pageInput,
  status: oneOf(BUILD_STATUSES).use(says('Only builds of this status.')).optional(),
  branch: text(256).use(says('Only builds of this branch.')).optional(),
  createdAfter: dateTime().use(says('Only builds that came in after this time.')).optional(),
})
export type ListBuildsQuery = Infer<typeof listBuildsValidator>

export const downloadValidator = vine.create({
  artifactFileName: text(255)
    .use(says('Name of an additional file; the artifact without it.'))
    .optional(),
})
export type DownloadQuery = Infer<typeof downloadValidator>
