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
  shownAs,
  text,
  boolean,
} from '#foundation/api/operation/input'
import { eventCatalog } from '#foundation/core/events/catalog'
import { pageInput } from '#foundation/api/pages'
import { MAX_METADATA_VALUE } from '../custom_metadata.js'
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
    .optional()
    .nullable(),
})

export const metadataEntries = vine.object({
  entries: vine.array(metadataEntry.clone()).maxLength(100),
})

/** The body of createRelease. */
export const createReleaseValidator = vine.create({
  version: version(),
  releaseType: oneOf(CREATE_EDIT_RELEASE_TYPES).optional(),
  releaseName: text(200).nullable().optional(),
  releaseDescription: anyText(10_000).nullable().optional(),
  releasePilotId: text(320).nullable().optional(),
  targetKickoffAt: dateTime().nullable().optional(),
  targetSubmitAt: dateTime().nullable().optional(),
  targetReleaseAt: dateTime().nullable().optional(),
  baseTag: vine
    .object({ name: text(256), commitHash: commitHash().nullable().optional() })
    .use(shownAs({ $id: 'CreateReleaseBaseTag' }))
    .nullable()
    .optional(),
  createBranch: boolean().optional(),
  bumpVersion: boolean().optional(),
  cherryPickCommits: vine.array(commitHash()).maxLength(100).distinct().optional(),
  rollback: vine
    .object({ sourceVersion: version(), targetVersion: version() })
    .nullable()
    .optional(),
  customMetadata: metadataEntries.clone().nullable().optional(),
})
export type CreateReleaseInput = Infer<typeof createReleaseValidator>

/** BaseReleaseUpdateRequestBody: absent leaves alone, null clears. */
export const updateReleaseValidator = vine.create({
  version: version().optional(),
  releaseType: oneOf(CREATE_EDIT_RELEASE_TYPES).optional(),
  releaseName: text(200).nullable().optional(),
  releaseDescription: anyText(10_000).nullable().optional(),
  releasePilotId: text(320).nullable().optional(),
  targetKickoffAt: dateTime().nullable().optional(),
  targetSubmitAt: dateTime().nullable().optional(),
  targetReleaseAt: dateTime().nullable().optional(),
})
export type UpdateReleaseInput = Infer<typeof updateReleaseValidator>

export const updateMetadataValidator = vine.create(metadataEntries.clone().getProperties())
export type UpdateMetadataInput = Infer<typeof updateMetadataValidator>

export const skipValidator = vine.create({ reason: anyText(1000).nullable().optional() })
export type SkipInput = Infer<typeof skipValidator>

export const listReleasesValidator = vine.create({
  ...pageInput,
  status: oneOf(RELEASE_STATUSES).optional(),
  releaseType: oneOf(RELEASE_TYPES).optional(),
  version: version().optional(),
  createdAfter: dateTime().optional(),
  createdBefore: dateTime().optional(),
})
export type ListReleasesQuery = Infer<typeof listReleasesValidator>

export const listStepsValidator = vine.create({
  type: oneOf(RELEASE_STEP_TYPES).optional(),
  status: oneOf(RELEASE_STEP_STATUSES).optional(),
  required: queryBoolean().optional(),
})
export type ListStepsQuery = Infer<typeof listStepsValidator>

export const timelineValidator = vine.create({
  ...pageInput,
  type: oneOfRegistered(() => [
    ...eventCatalog.all().map(({ type }) => type),
    ...TIMELINE_ONLY_TYPES,
  ]).optional(),
  from: dateTime().optional(),
  to: dateTime().optional(),
})
export type TimelineQuery = Infer<typeof timelineValidator>

export const whatIfValidator = vine.create({
  ifItem: repeatable(120).optional(),
})
