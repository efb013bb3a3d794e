import { extended, select } from '#foundation/core/database/reader'
import type { Scope } from '#foundation/core/scope'
import { parseVersion } from '#workflow/version'
import type Release from '../models/release.js'
import type { PilotRow } from '../transformers/release_entity.js'
import { findRelease } from './find_release.js'

/** What is shown of a release: the model's columns, without the model. */
export type ReleaseFields = Pick<
  Release,
  | 'id'
  | 'appId'
  | 'version'
  | 'versionMajor'
  | 'versionMinor'
  | 'versionPatch'
  | 'releaseType'
  | 'releaseName'
  | 'releaseDescription'
  | 'status'
  | 'phase'
  | 'pilotId'
  | 'targetKickoffAt'
  | 'targetSubmitAt'
  | 'targetReleaseAt'
  | 'kickedOffAt'
  | 'submittedAt'
  | 'approvedAt'
  | 'releasedAt'
  | 'completedAt'
  | 'skippedAt'
  | 'releaseBranch'
  | 'baseTag'
  | 'rollback'
  | 'regressionStatus'
  | 'readyToSubmit'
  | 'readyToRelease'
  | 'automationsPaused'
  | 'settings'
  | 'customMetadata'
  | 'createdBy'
  | 'createdAt'
  | 'updatedAt'
  | 'publicId'
>

/** A release to be shown, with its pilot. */
export interface ShownRelease {
  release: ReleaseFields
  pilot: PilotRow | null
}

type Row = Record<string, string | number | boolean | null>

/** Releases with their pilots; conditions and order come after. */
const SHOWN = select(
  [
    'r.id',
    'r.app_id',
    'r.version',
    'r.version_major',
    'r.version_minor',
    'r.version_patch',
    'r.release_type',
    'r.release_name',
    'r.release_description',
    'r.status',
    'r.phase',
    'r.pilot_id',
    'r.target_kickoff_at',
    'r.target_submit_at',
    'r.target_release_at',
    'r.kicked_off_at',
    'r.submitted_at',
    'r.approved_at',
    'r.released_at',
    'r.completed_at',
    'r.skipped_at',
    'r.release_branch',
    'r.base_tag',
    'r.rollback',
    'r.regression_status',
    'r.ready_to_submit',
    'r.ready_to_release',
    'r.automations_paused',
    'r.settings',
    'r.custom_metadata',
    'r.created_by',
    'r.created_at',
    'r.updated_at',
    'u.email as pilot_email',
    'u.name as pilot_name',
  ],
  `from releases r left join users u on u.id = r.pilot_id
  where r.organization_id = :org and r.app_id = :appId`
)
const AT_VERSION = extended(
  SHOWN,
  'and r.version_major = :major and r.version_minor = :minor and r.version_patch = :patch'
)

const parsed = (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : null)

function shown(row: Row): ShownRelease {
  const release = {
    id: row.id,
    appId: row.app_id,
    version: row.version,
    versionMajor: row.version_major,
    versionMinor: row.version_minor,
    versionPatch: row.version_patch,
    releaseType: row.release_type,
    releaseName: row.release_name,
    releaseDescription: row.release_description,
    status: row.status,
    phase: row.phase,
    pilotId: row.pilot_id,
    targetKickoffAt: row.target_kickoff_at,
    targetSubmitAt: row.target_submit_at,
    targetReleaseAt: row.target_release_at,
    kickedOffAt: row.kicked_off_at,
    submittedAt: row.submitted_at,
    approvedAt: row.approved_at,
    releasedAt: row.released_at,
    completedAt: row.completed_at,
    skippedAt: row.skipped_at,
    releaseBranch: row.release_branch,
    baseTag: parsed(row.base_tag),
    rollback: parsed(row.rollback),
    regressionStatus: row.regression_status,
    readyToSubmit: Boolean(row.ready_to_submit),
    readyToRelease: Boolean(row.ready_to_release),
    automationsPaused: Boolean(row.automations_paused),
    settings: parsed(row.settings),
    customMetadata: parsed(row.custom_metadata),
    createdBy: parsed(row.created_by),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    publicId: `${row.app_id}:${row.version}`,
  } as ReleaseFields
  const pilot =
    row.pilot_id === null
      ? null
      : ({ id: row.pilot_id, email: row.pilot_email, name: row.pilot_name } as PilotRow)
  return { release, pilot }
}

/**
 * The release of a public id, to be shown.
 * @throws as `findRelease`
 */
export async function readRelease(
  scope: Scope,
  appId: string,
  releaseId: string
): Promise<ShownRelease> {
  const version = releaseId.startsWith(`${appId}:`)
    ? parseVersion(releaseId.slice(appId.length + 1))
    : null
  if (version) {
    const [row] = await scope.read<Row>(AT_VERSION, { appId, ...version })
    if (row) return shown(row)
  }
  // Unknown or moved: the model's query says which.
  await findRelease(scope, appId, releaseId)
  return readRelease(scope, appId, releaseId)
}

/** Releases of an app by further conditions and an order, written out in SQL. */
export async function readReleases(
  scope: Scope,
  appId: string,
  rest: string,
  bindings: Record<string, string | number>
): Promise<ShownRelease[]> {
  const rows = await scope.read<Row>(extended(SHOWN, rest), { appId, ...bindings })
  return rows.map(shown)
}
