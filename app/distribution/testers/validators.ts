import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { emailAddress, says, text } from '#foundation/api/operation/input'
import { pageInput } from '#foundation/api/pages'

const bundleId = text(255).use(
  says('Bundle id, or package of Android: only builds of it, among the newest 200.')
)
const version = text(64).use(says('Version that is installed.'))
const buildNumber = text(64).use(says('Build number, or version code, that is installed.'))

export const latestValidator = vine.create({
  bundleId: bundleId.optional(),
  version: version.optional(),
  buildNumber: buildNumber.optional(),
})
export type LatestQuery = Infer<typeof latestValidator>

export const updateCheckValidator = vine.create({
  bundleId,
  version: version.optional(),
  buildNumber,
})
export type UpdateCheckQuery = Infer<typeof updateCheckValidator>

export const listDownloadsValidator = vine.create({
  ...pageInput,
  buildDistroBuildId: text(64).use(says('Only downloads of this build.')).optional(),
  email: emailAddress().use(says('Only downloads of the tester of this address.')).optional(),
})
export type ListDownloadsQuery = Infer<typeof listDownloadsValidator>
