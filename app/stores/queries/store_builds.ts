import type { Static } from '@sinclair/typebox'
import type { AppStoreBuildEntity } from '#builds/entities'
import { as, of, select, variants } from '#foundation/core/database/statement'
import { flag, type RowOf } from '#foundation/core/database/table'
import type { PageRequest } from '#foundation/api/pages'
import type { Scope } from '#foundation/core/scope'
import { appStoreBuilds } from '../tables.js'

const BUILDS = select(
  {
    ...of(appStoreBuilds, 'b'),
    selected: as(
      flag(),
      'case when exists (select 1 from store_plans p where p.build_id = b.id) then 1 else 0 end'
    ),
  },
  'from app_store_builds b where b.organization_id = :org'
)
const buildsWith = variants(BUILDS, '')

/** A build of a store, and whether a release ships it. */
export type StoreBuildRow = RowOf<typeof appStoreBuilds> & { selected: boolean }

const BY_ID = buildsWith('and b.id in json(:ids)')
const BY_CI = buildsWith('and b.ci_build_id in json(:ids) order by b.created_at, b.id')
const SELECT_BY_RELEASE = buildsWith('and b.release_id = :releaseId order by b.created_at, b.id')
const BY_KEY = buildsWith(
  `and b.app_id = :appId and coalesce(b.destination_id, '') = :destination
    and b.version = :version and b.build_number = :buildNumber`
)
const UNMATCHED = buildsWith(
  `and b.app_id = :appId and b.ci_build_id is null
    and (b.build_number = :number or b.commit_hash = :commit)
  order by b.created_at, b.id`
)

export async function storeBuildsById(
  scope: Scope,
  ids: readonly string[]
): Promise<StoreBuildRow[]> {
  return ids.length === 0 ? [] : scope.rows(BY_ID, { ids: JSON.stringify(ids) })
}

/** Returns the builds of a release in all stores, in the order they were first seen. */
export const storeBuildsOfRelease = (scope: Scope, releaseId: string): Promise<StoreBuildRow[]> =>
  scope.rows(SELECT_BY_RELEASE, { releaseId })

const LISTED = 'order by b.created_at desc, b.id desc limit :limit'
const FIRST = buildsWith(`and b.release_id = :releaseId ${LISTED}`)
const AFTER = buildsWith(
  `and b.release_id = :releaseId and (b.created_at, b.id) < (:lastCreatedAt, :lastId) ${LISTED}`
)

export const storeBuildKeys = ({ createdAt, id }: StoreBuildRow) => [createdAt, id]

/** Returns a page of the builds of a release in all stores, newest first. */
export function listStoreBuilds(
  scope: Scope,
  releaseId: string,
  { limit, after }: PageRequest
): Promise<StoreBuildRow[]> {
  if (!after) return scope.rows(FIRST, { releaseId, limit })
  const [lastCreatedAt, lastId] = after
  return scope.rows(AFTER, { releaseId, limit, lastCreatedAt, lastId })
}

/** Returns the build with a version and number in a store; null if it was never seen. */
export async function storeBuildOf(
  scope: Scope,
  key: { appId: string; destinationId: string | null; version: string; buildNumber: string }
): Promise<StoreBuildRow | null> {
  const { destinationId, ...rest } = key
  const [build] = await scope.rows(BY_KEY, { ...rest, destination: destinationId ?? '' })
  return build ?? null
}

/** Returns unmatched builds of stores that have the number or commit of a CI build. */
export const unmatchedBuilds = (
  scope: Scope,
  appId: string,
  { number, commit }: { number: string; commit: string }
): Promise<StoreBuildRow[]> => scope.rows(UNMATCHED, { appId, number, commit })

/** Returns the build of a version in a store; null if it was not seen. */
export async function buildOfVersion(
  scope: Scope,
  { releaseId, destinationId }: { releaseId: string; destinationId: string | null },
  numbers: readonly string[]
): Promise<StoreBuildRow | null> {
  const builds = await storeBuildsOfRelease(scope, releaseId)
  const own = builds.filter((build) => build.destinationId === destinationId)
  return own.find(({ buildNumber }) => numbers.includes(buildNumber)) ?? null
}

/** Returns the store builds of CI builds, by id of the CI build; if it has several, the first. */
export async function storeBuildsOfCi(
  scope: Scope,
  ciBuildIds: readonly string[]
): Promise<Map<string, Static<typeof AppStoreBuildEntity>>> {
  if (ciBuildIds.length === 0) return new Map()
  const rows = await scope.rows(BY_CI, { ids: JSON.stringify(ciBuildIds) })
  return new Map(rows.reverse().map((row) => [row.ciBuildId!, storeBuildEntity(row)]))
}

const WORDS = ['PROCESSING', 'VALID', 'INVALID', 'FAILED'] as const
const WORD_OF = {
  processing: 'PROCESSING',
  ready: 'VALID',
  invalid: 'INVALID',
  expired: 'VALID',
  unknown: 'PROCESSING',
} as const

/** Returns a build as the API shows it. */
export function storeBuildEntity(row: StoreBuildRow): Static<typeof AppStoreBuildEntity> {
  const { seen, known, beta } = row
  const state = known?.state ?? beta?.state ?? 'unknown'
  return {
    id: row.id,
    buildNumber: row.buildNumber,
    version: row.version,
    storeType: row.storeType,
    uploadedAt: row.uploadedAt,
    processingState: WORDS.find((word) => word === seen?.raw) ?? WORD_OF[state],
    expired: state === 'expired',
    ciBuildId: row.ciBuildId,
    selected: row.selected,
  }
}

/** Returns whether a build can be submitted. */
export const isUsable = ({ known, beta }: StoreBuildRow) => (known ?? beta)?.state === 'ready'
