import { as, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { instant, json, optional } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { releases } from '#releases/tables'
import type { SeenVersion } from '#stores/derive/seen'
import type { WantedRollout } from '#stores/tables'
import { lastDays, type PreviousVersion, type Window } from '../policy/spans.js'
import type { RolloutRow } from '../tables.js'

/** The most earlier releases to read; the first of them that was not stopped counts. */
const NEWEST = 20

/** Earlier releases in a store that nobody found unhealthy; in the app if there is no store. */
const RELEASED = select(
  {
    ...of(releases, 'r', ['id', 'version']),
    releasedAt: as(instant(), 'coalesce(v.released_at, r.released_at)'),
    known: as(optional(json<SeenVersion>()), 'v.known'),
    wanted: as(optional(json<WantedRollout>()), 'p.rollout'),
    stages: as(optional(json<RolloutRow['stages']>()), 'w.stages'),
  },
  `from releases r
  left join app_store_versions v on v.release_id = r.id and v.integration_id = :integrationId
  left join store_plans p on p.release_id = r.id and p.integration_id = :integrationId
  left join rollouts w on w.release_id = r.id and w.integration_id = :integrationId
  where r.organization_id = :org and r.app_id = :appId and r.id <> :releaseId
    and coalesce(v.released_at, r.released_at) < :startedAt
    and (v.released_at is not null
      or not exists (select 1 from app_store_versions a where a.release_id = r.id))
    and not exists (select 1 from red_buttons b where b.release_id = r.id)
    and not exists (
      select 1 from rollouts o where o.release_id = r.id and o.issue_id is not null)
  order by coalesce(v.released_at, r.released_at) desc limit ${NEWEST}`
)
/**
 * The spans of a version at its present stage, and of what it is compared with; null if there is
 * nothing.
 */
export interface Windows {
  current: Window
  before: PreviousVersion | null
  /**
   * The last seven days of the previous version, or the time since its release if that is shorter.
   */
  baseline: Window | null
}

export async function windowsOf(scope: Scope, row: RolloutRow, version: string): Promise<Windows> {
  const stage = row.stages.at(-1)!
  const current = { appId: row.appId, version, from: stage.at, to: scope.now }
  const before = await versionBefore(scope, row)
  return { current, before, baseline: before && lastDays(before) }
}

/**
 * Returns the version that users had when the rollout began. If that was stopped or found
 * unhealthy, the one before it counts. Null for a first version.
 */
async function versionBefore(
  scope: Scope,
  { appId, releaseId, integrationId, startedAt }: RolloutRow
): Promise<PreviousVersion | null> {
  const at = { appId, releaseId, integrationId, startedAt }
  const released = (await scope.rows(RELEASED, at)).find((each) => !wasStopped(each))
  if (!released) return null
  const { version, releasedAt: from, stages } = released
  return { appId, version, from, to: startedAt, reached: stages ?? [] }
}

/**
 * Returns whether a rollout was stopped before all users had the version, as the store shows or as
 * was last decided.
 */
function wasStopped({ known, wanted }: Pick<RowOfSelect<typeof RELEASED>, 'known' | 'wanted'>) {
  if (known?.state === 'halted' || known?.state === 'removed') return true
  const state = known?.rollout?.state
  if (state === 'complete') return false
  if (state === 'halted' || state === 'paused') return true
  return (
    wanted !== null && ['halt', 'pause'].includes(wanted.to.action) && wanted.status !== 'failed'
  )
}
