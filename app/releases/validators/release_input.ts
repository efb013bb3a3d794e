import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import {
  anyText,
  queryBoolean,
  checkedByHand,
  dateTime,
  oneOf,
  oneOfRegistered,
  repeatable,
  repeatedOneOf,
  describedAs,
  jsonSchema,
  text,
  boolean,
} from '#foundation/api/operation/input'
import { eventCatalog } from '#foundation/core/events/catalog'
import { pageInput } from '#foundation/api/pages'
import { MAX_METADATA_VALUE } from '../texts/custom_metadata.js'
import {
  CREATE_EDIT_RELEASE_TYPES,
  RELEASE_STATUSES,
  RELEASE_STEP_STATUSES,
  TIMELINE_ONLY_TYPES,
} from '../vocabulary.js'
import { RELEASE_STEP_TYPES, RELEASE_TYPES } from '#workflow/vocabulary'

const version = () => text(32)
const commitHash = () =>
  vine
    .string()
    .maxLength(64)
    .regex(/^[0-9a-fA-F]{7,64}$/)

/** `value` is a string, a number, a boolean or null; checked by hand, as VineJS has no such union. */
const metadataEntry = vine.object({
  key: text(100),
  value: checkedByHand({
    type: ['string', 'number', 'boolean', 'null'],
    maxLength: MAX_METADATA_VALUE,
    minimum: -Number.MAX_VALUE,
    maximum: Number.MAX_VALUE,
  })
    .use(
      describedAs(
        'Text of at most 10,000 characters, a number, true or false; null deletes the key.'
      )
    )
    .optional()
    .nullable(),
})

const metadataEntries = vine.object({
  entries: vine.array(metadataEntry.clone()).maxLength(100),
})

const releaseType = (otherwise: string) =>
  oneOf(CREATE_EDIT_RELEASE_TYPES).use(describedAs(`Type of the release; ${otherwise}.`))
const pilot = (otherwise: string) =>
  text(320)
    .use(describedAs(`Id or e-mail address of the release pilot; ${otherwise}.`))
    .nullable()
    .optional()

const updatePriority = () =>
  vine
    .number({ strict: true })
    .withoutDecimals()
    .min(0)
    .max(5)
    .use(describedAs('In-app update priority for Google Play; null to use that of the app.'))
    .nullable()
    .optional()

/** The body of createRelease. */
export const createReleaseValidator = vine.create({
  version: version(),
  releaseType: releaseType('`release` by default').optional(),
  releaseName: text(200).nullable().optional(),
  releaseDescription: anyText(10_000).nullable().optional(),
  releasePilotId: pilot('null or absent for the next in the rotation'),
  targetKickoffAt: dateTime().nullable().optional(),
  targetSubmitAt: dateTime().nullable().optional(),
  targetReleaseAt: dateTime().nullable().optional(),
  inAppUpdatePriority: updatePriority(),
  baseTag: vine
    .object({ name: text(256), commitHash: commitHash().nullable().optional() })
    .use(jsonSchema({ $id: 'CreateReleaseBaseTag', description: 'Tag that a hotfix starts from.' }))
    .use(
      describedAs('Hotfixes only: tag to start from; absent or null for that of the live release.')
    )
    .nullable()
    .optional(),
  createBranch: boolean()
    .use(describedAs('Whether to create the release branch now; needs version control.'))
    .optional(),
  bumpVersion: boolean()
    .use(
      describedAs(
        'Whether to write the version into the `versionFiles` of the branch, for a hotfix after picking commits; needs version control.'
      )
    )
    .optional(),
  cherryPickCommits: vine
    .array(commitHash().use(describedAs('Hash of a commit, 7 to 64 hexadecimal digits.')))
    .maxLength(100)
    .distinct()
    .use(
      describedAs(
        'Hotfixes only: commits to cherry-pick onto the branch, in this order; one that conflicts is recorded in the timeline with its files, and the others are kept. Needs version control.'
      )
    )
    .optional(),
  rollback: vine
    .object({ sourceVersion: version(), targetVersion: version() })
    .use(
      describedAs('Rollbacks only: version to ship again and version to replace; null for others.')
    )
    .nullable()
    .optional(),
  customMetadata: metadataEntries.clone().nullable().optional(),
})
export type CreateReleaseInput = Infer<typeof createReleaseValidator>

/** `BaseReleaseUpdateRequestBody`: an absent member stays, null clears it. */
export const updateReleaseValidator = vine.create({
  version: version().optional(),
  releaseType: releaseType('unchanged if absent').optional(),
  releaseName: text(200).nullable().optional(),
  releaseDescription: anyText(10_000).nullable().optional(),
  releasePilotId: pilot('null for nobody'),
  targetKickoffAt: dateTime().nullable().optional(),
  targetSubmitAt: dateTime().nullable().optional(),
  targetReleaseAt: dateTime().nullable().optional(),
  inAppUpdatePriority: updatePriority(),
})
export type UpdateReleaseInput = Infer<typeof updateReleaseValidator>

export const updateMetadataValidator = vine.create(metadataEntries.clone().getProperties())
export type UpdateMetadataInput = Infer<typeof updateMetadataValidator>

export const skipValidator = vine.create({
  reason: anyText(1000)
    .use(
      describedAs(
        'Why the release never shipped, recorded in the timeline; null or absent for no reason.'
      )
    )
    .nullable()
    .optional(),
  force: boolean()
    .use(describedAs('Whether to skip the release even if in review or live; it stays in stores.'))
    .optional(),
})
export type SkipInput = Infer<typeof skipValidator>

export const completeValidator = vine.create({
  force: boolean()
    .use(describedAs('Whether to complete the release even if in review or not live to all users.'))
    .optional(),
})
export type CompleteInput = Infer<typeof completeValidator>

export const listReleasesValidator = vine.create({
  ...pageInput,
  status: oneOf(RELEASE_STATUSES).use(describedAs('Only releases of this status.')).optional(),
  releaseType: oneOf(RELEASE_TYPES).use(describedAs('Only releases of this type.')).optional(),
  version: version()
    .use(describedAs('Only the release of this version; `1.2` and `1.2.0` are the same.'))
    .optional(),
  createdAfter: dateTime().use(describedAs('Only releases drafted after this time.')).optional(),
  createdBefore: dateTime().use(describedAs('Only releases drafted before this time.')).optional(),
  include: repeatedOneOf(['customMetadata'] as const)
    .use(describedAs('Additional fields to return with each release.'))
    .optional(),
})
export type ListReleasesQuery = Infer<typeof listReleasesValidator>

export const listStepsValidator = vine.create({
  type: oneOf(RELEASE_STEP_TYPES).use(describedAs('Only steps of this type.')).optional(),
  status: oneOf(RELEASE_STEP_STATUSES).use(describedAs('Only steps of this status.')).optional(),
  required: queryBoolean()
    .use(describedAs('Only required steps, or only optional ones.'))
    .optional(),
})
export type ListStepsQuery = Infer<typeof listStepsValidator>

export const timelineValidator = vine.create({
  ...pageInput,
  type: oneOfRegistered(() => [
    ...eventCatalog.all().map(({ type }) => type),
    ...TIMELINE_ONLY_TYPES,
  ])
    .use(describedAs('Only entries of this type.'))
    .optional(),
  from: dateTime().use(describedAs('Only entries from this time on.')).optional(),
  to: dateTime().use(describedAs('Only entries up to this time.')).optional(),
})
export type TimelineQuery = Infer<typeof timelineValidator>

export const whatIfValidator = vine.create({
  ifItem: repeatable(120)
    .use(describedAs('Change to assume, `<id>:<status>` of an item of the release; repeatable.'))
    .optional(),
})
