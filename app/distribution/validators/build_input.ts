import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { anyText, dateTime, oneOf, text } from '#foundation/api/operation/input'
import { pageInput } from '#foundation/api/pages'
import { CI_BUILD_STATUSES } from '#builds/vocabulary'
import { CI_INTEGRATION_IDS } from '#integrations/vocabulary'
import { BUILD_STATUSES } from '../vocabulary.js'

const link = () => vine.string().maxLength(2000).url({ require_protocol: true })

/** The CI build that an uploaded file comes from. */
const ciBuildInfo = vine.object({
  buildIdentifier: text(255),
  /** A full ref is accepted. */
  branch: text(255),
  integrationId: oneOf(CI_INTEGRATION_IDS),
  commitHash: text(64),
  workflowData: vine.object({ workflowId: text(255), workflowName: text(255) }),
  startedAt: dateTime().optional(),
  status: oneOf(CI_BUILD_STATUSES).optional(),
  commitMessage: anyText(10_000).nullable().optional(),
  commitAuthor: anyText(255).nullable().optional(),
  commitUrl: link().nullable().optional(),
  url: link().nullable().optional(),
})
export type CIBuildInfo = Infer<typeof ciBuildInfo>

export const uploadBuildValidator = vine.create({
  testerNotes: anyText(10_000).nullable().optional(),
  ciBuildInfo: ciBuildInfo.clone().nullable().optional(),
})
export type UploadBuildInput = Infer<typeof uploadBuildValidator>

export const additionalFileValidator = vine.create({ fileName: text(255).optional() })
export type AdditionalFileInput = Infer<typeof additionalFileValidator>

export const updateBuildValidator = vine.create({
  testerNotes: anyText(10_000).nullable().optional(),
  status: oneOf(['expired']).optional(),
  expiresAt: dateTime().nullable().optional(),
})
export type UpdateBuildInput = Infer<typeof updateBuildValidator>

export const listBuildsValidator = vine.create({
  ...pageInput,
  status: oneOf(BUILD_STATUSES).optional(),
  branch: text(255).optional(),
  createdAfter: dateTime().optional(),
})
export type ListBuildsQuery = Infer<typeof listBuildsValidator>

export const downloadValidator = vine.create({ artifactFileName: text(255).optional() })
export type DownloadQuery = Infer<typeof downloadValidator>
