import { of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { chunked } from '#foundation/core/chunked'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import { open } from '../lifecycle/open_releases.js'
import { publicReleaseId } from '../names/public_release_id.js'
import { releases, releaseSteps } from '../tables.js'
import { lowestFirst } from './version_sql.js'

/** Number of releases per statement, each of which may have hundreds of steps. */
const RELEASES_PER_STATEMENT = 10

const MEMBERS = ['status', 'phase', 'regressionStatus', 'readyToSubmit', 'readyToRelease'] as const

const FROM = 'from releases r where r.organization_id = :org and r.app_id = :appId'
const ORDER = lowestFirst('r')
const COLUMNS = of(releases, 'r', ['id', 'appId', 'version', ...MEMBERS])

const OPEN = select(COLUMNS, `${FROM} and ${open('r')} ${ORDER}`)
const NAMED = select(COLUMNS, `${FROM} and r.id in json(:ids) ${ORDER}`)
const STEPS = select(
  of(releaseSteps, 's', ['releaseId', 'name', 'groupIndex']),
  `from release_steps s where s.organization_id = :org and s.release_id in json(:ids)
  order by s.group_index, s.position, s.id`
)

/** A summary of the state of a release. */
type ReleaseStanding = Pick<RowOfSelect<typeof OPEN>, (typeof MEMBERS)[number]> & {
  /** Names of its steps, group by group. */
  steps: string[][]
}

/**
 * Returns summaries of an app's releases by internal id, lowest version first.
 * @param ids of the releases; by default the upcoming and active ones
 */
export async function releaseStandings(
  scope: Scope,
  appId: string,
  ids?: readonly string[]
): Promise<Map<string, { publicId: string; standing: ReleaseStanding }>> {
  const rows = ids
    ? await scope.rows(NAMED, { appId, ids: JSON.stringify(ids) })
    : await scope.rows(OPEN, { appId })
  const groups = new Map<string, Map<number, string[]>>()
  for (const some of chunked(rows, RELEASES_PER_STATEMENT)) {
    const steps = await scope.rows(STEPS, { ids: JSON.stringify(some.map(({ id }) => id)) })
    for (const { releaseId, name, groupIndex } of steps) {
      const ofRelease = groups.get(releaseId) ?? new Map<number, string[]>()
      ofRelease.set(groupIndex, [...(ofRelease.get(groupIndex) ?? []), name])
      groups.set(releaseId, ofRelease)
    }
    await yieldToOthers()
  }
  return new Map(
    rows.map(({ id, appId: app, version, ...standing }) => {
      const named = [...(groups.get(id)?.values() ?? [])]
      const publicId = publicReleaseId({ appId: app, version })
      return [id, { publicId, standing: { ...standing, steps: named } }]
    })
  )
}
