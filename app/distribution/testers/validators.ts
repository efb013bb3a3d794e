import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { emailAddress, describedAs, text } from '#foundation/api/operation/input'
import { pageInput } from '#foundation/api/pages'

const bundleId = text(255).use(
  describedAs('Bundle id, or Android package name: only its builds, among the newest 200.')
)
const version = text(64).use(describedAs('Installed version.'))
const buildNumber = text(64).use(describedAs('Installed build number or version code.'))

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
  buildDistroBuildId: text(64).use(describedAs('Only downloads of this build.')).optional(),
  email: emailAddress()
    .use(describedAs('Only downloads of the tester with this e-mail address.'))
    .optional(),
})
export type ListDownloadsQuery = Infer<typeof listDownloadsValidator>
