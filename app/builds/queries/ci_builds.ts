import { as, of, select, variants } from '#foundation/core/database/statement'
import { optional, text, type RowOf } from '#foundation/core/database/table'
import type { PageRequest } from '#foundation/api/pages'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { plainBranch } from '../plain_branch.js'
import type { CIBuildStatus } from '../vocabulary.js'
import { ciBuildFiles, ciBuilds } from '../tables.js'

const BUILDS = select(
  { ...of(ciBuilds, 'b'), releaseVersion: as(optional(text()), 'r.version') },
  `from ci_builds b left join releases r on r.id = b.release_id
  where b.organization_id = :org`
)
const buildsWith = variants(BUILDS, '')
const FILES = select(
  of(ciBuildFiles, 'f'),
  `from ci_build_files f
  where f.organization_id = :org and f.build_id in json(:ids) order by f.file_name, f.id`
)

/** A build, with the current version of its release. */
export type CiBuildRow = RowOf<typeof ciBuilds> & { releaseVersion: string | null }
export type CiFileRow = RowOf<typeof ciBuildFiles>

/** Returns whether a file was stored and later removed. */
export const wasLetGo = ({ fileId, sha256 }: CiFileRow) => fileId === null && sha256 !== null

/** The filters for builds of an installation. */
interface CiBuildFilters {
  /** Internal id. */
  releaseId?: string
  /** In normal form. */
  version?: string
  status?: CIBuildStatus
  branch?: string
  createdAfter?: string
  createdBefore?: string
}

const CONDITIONS: Record<keyof CiBuildFilters, string> = {
  releaseId: 'and b.release_id = :releaseId',
  version: 'and b.version = :version',
  status: 'and b.status = :status',
  branch: 'and b.branch = :branch',
  createdAfter: 'and b.created_at > :createdAfter',
  createdBefore: 'and b.created_at < :createdBefore',
}

export const ciBuildKeys = ({ createdAt, id }: CiBuildRow) => [createdAt, id]

/** Returns the builds of an installation, newest first. */
export function listCiBuilds(
  scope: Scope,
  installationId: string,
  filters: CiBuildFilters,
  { limit, after }: PageRequest
): Promise<CiBuildRow[]> {
  const { branch } = filters
  const plain = { ...filters, ...(branch !== undefined && { branch: plainBranch(branch) }) }
  const given = Object.entries(plain).filter(([, value]) => value !== undefined)
  const conditions = given.map(([name]) => CONDITIONS[name as keyof CiBuildFilters])
  const bindings: Record<string, string | number> = Object.fromEntries(given)
  if (after) {
    conditions.push('and (b.created_at, b.id) < (:lastCreatedAt, :lastId)')
    ;[bindings.lastCreatedAt, bindings.lastId] = after
  }
  const order = 'order by b.created_at desc, b.id desc limit :limit'
  return scope.rows(
    buildsWith(['and b.installation_id = :installationId', ...conditions, order].join(' ')),
    { ...bindings, installationId, limit }
  )
}

const ONE = buildsWith('and b.installation_id = :installationId and b.id = :id')
const KEYED = buildsWith(
  `and b.installation_id = :installationId and b.workflow_id = :workflowId
    and b.build_identifier = :buildIdentifier`
)
const SOME = buildsWith('and b.id in json(:ids)')

/** @throws not_found when the installation has no such build */
export async function findCiBuild(
  scope: Scope,
  installationId: string,
  id: string
): Promise<CiBuildRow> {
  const [build] = await scope.rows(ONE, { installationId, id })
  if (!build) throw refuse('not_found')
  return build
}

/** Returns the build with an identifier of its CI system; null if it was not reported yet. */
export async function ciBuildOf(
  scope: Scope,
  key: Record<'installationId' | 'workflowId' | 'buildIdentifier', string>
): Promise<CiBuildRow | null> {
  const [build] = await scope.rows(KEYED, key)
  return build ?? null
}

/** Returns the builds with these ids, in no particular order. */
export async function ciBuildsById(scope: Scope, ids: readonly string[]): Promise<CiBuildRow[]> {
  return ids.length === 0 ? [] : scope.rows(SOME, { ids: JSON.stringify(ids) })
}

/** Returns the files of builds, ordered by name. */
export async function ciFilesOf(scope: Scope, buildIds: readonly string[]): Promise<CiFileRow[]> {
  return buildIds.length === 0 ? [] : scope.rows(FILES, { ids: JSON.stringify(buildIds) })
}

const REQUESTED = select(
  of(ciBuilds, 'b', ['id']),
  `from ci_builds b where b.organization_id = :org and b.installation_id = :installationId
    and b.is_requested = :yes and b.status in ('pending', 'running') limit 1`
)

/**
 * Returns whether a build was requested from a CI system that has not reported its identifier yet.
 */
export async function hasRequested(scope: Scope, installationId: string): Promise<boolean> {
  return (await scope.rows(REQUESTED, { installationId, yes: true })).length > 0
}
