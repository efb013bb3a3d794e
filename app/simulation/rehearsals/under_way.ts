import { releaseItems } from '#checklists/tables'
import { as, of, select } from '#foundation/core/database/statement'
import { optional, text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { users } from '#organizations/tables'
import { appPlan } from '#planning/plans/plans'
import { newestFirst, noRollback } from '#releases/queries/version_sql'
import { releases } from '#releases/tables'
import { normalVersion } from '#workflow/version'
import type { RehearsalPlan, ReleaseAhead } from '../rehearsal/plan.js'

/** Condition of a release that is still to come: it was neither submitted nor released. */
const AHEAD = `r.status in ('upcoming', 'active') and not r.imported
    and r.submitted_at is null and r.released_at is null`

const ALL_AHEAD = select(
  {
    ...of(releases, 'r', ['id', 'version', 'createType', 'releaseName', 'kickedOffAt']),
    ...of(releases, 'r', ['targetKickoffAt', 'targetSubmitAt', 'targetReleaseAt']),
    pilot: as(optional(text()), 'u.email'),
  },
  `from releases r left join users u on u.id = r.pilot_id and u.deactivated_at is null
  where r.organization_id = :org and r.app_id = :appId and ${noRollback('r')} and ${AHEAD}
  order by case when r.kicked_off_at is null then 1 else 0 end, r.kicked_off_at,
    r.version_major, r.version_minor, r.version_patch`
)
const SETTLED = select(
  of(releaseItems, 'i', ['releaseId', 'kind', 'title', 'status', 'votes']),
  `from release_items i where i.organization_id = :org and i.release_id in json(:ids)
    and i.demand is null and (i.status <> 'notStarted' or i.kind = 'approval')`
)
const EMAILS = select(
  of(users, 'u', ['id', 'email']),
  `from users u where u.organization_id = :org and u.deactivated_at is null`
)
const NEWEST = select(
  of(releases, 'r', ['version', 'versionMajor', 'versionMinor']),
  `from releases r where r.organization_id = :org and r.app_id = :appId and ${noRollback('r')}
  ${newestFirst('r')} limit 1`
)
const OUT = select(
  of(releases, 'r', ['version']),
  `from releases r where r.organization_id = :org and r.app_id = :appId and ${noRollback('r')}
    and r.status <> 'upcoming' and not (${AHEAD})
    and (r.status <> 'skipped' or r.released_at is not null)
  ${newestFirst('r')} limit 1`
)

/**
 * Returns the present releases of an app: those still to come are continued, and the newest of the
 * others is the one that users have. A submitted release counts as past, because the simulated
 * stores begin empty.
 */
export async function releasesOf(
  scope: Scope,
  appId: string
): Promise<Pick<RehearsalPlan, 'ahead' | 'after' | 'version' | 'undecidedFrom'>> {
  const [newest] = await scope.rows(NEWEST, { appId })
  const [out] = await scope.rows(OUT, { appId })
  const next = newest && { major: newest.versionMajor, minor: newest.versionMinor + 1, patch: 0 }
  return {
    ahead: await releasesAhead(scope, appId),
    after: out?.version ?? null,
    version: next ? normalVersion(next) : '1.0.0',
    undecidedFrom: (await appPlan(scope, appId)).undecidedFrom,
  }
}

async function releasesAhead(scope: Scope, appId: string): Promise<ReleaseAhead[]> {
  const rows = await scope.rows(ALL_AHEAD, { appId })
  const ids = JSON.stringify(rows.map(({ id }) => id))
  const items = Map.groupBy(await scope.rows(SETTLED, { ids }), ({ releaseId }) => releaseId)
  const emails = new Map((await scope.rows(EMAILS)).map(({ id, email }) => [id, email]))
  return rows.map(({ id, kickedOffAt, createType, ...release }) => ({
    ...release,
    isHotfix: createType === 'hotfix',
    isKickedOff: kickedOffAt !== null,
    items: (items.get(id) ?? []).map(({ kind, title, status, votes }) => ({
      ...{ kind, title, status },
      approvedBy: votes.flatMap(({ actor }) => emails.get(actor.id ?? '') ?? []),
    })),
  }))
}
