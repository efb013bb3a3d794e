import { earlier } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type { IsTaken } from '#plugin-kit/capabilities/source'
import { ciBuilds } from '../tables.js'
import type { CiBuildRow } from './ci_builds.js'

/** The longest time between the request of a build and its run: afterwards it is given up. */
const MAX_WAIT = DAY

// Apps may share a workflow through one connection.
const KNOWN = select(
  of(ciBuilds, 'b', ['installationId', 'buildIdentifier', 'url', 'createdBy']),
  `from ci_builds b
  join integrations i on i.organization_id = :org and i.id = b.installation_id
  where b.organization_id = :org and i.connection_id = :connectionId
    and b.workflow_id = :workflowId and b.is_requested = :no and b.id <> :id
    and b.created_at >= :since`
)

/**
 * Returns a function that tells whether a run is another build's than this one: a build of the same
 * integration, or one that was requested for another app. A build that another app merely found on
 * the branch may be this one's run.
 */
export async function takenRuns(
  scope: Scope,
  { id, workflowId, installationId, createdAt }: CiBuildRow,
  { connectionId }: { connectionId: string }
): Promise<IsTaken> {
  const since = earlier(createdAt, MAX_WAIT)
  const rows = await scope.rows(KNOWN, { id, workflowId, connectionId, since, no: false })
  const own = rows.filter((each) => each.installationId === installationId)
  const requested = rows.filter(({ createdBy }) => createdBy.type !== 'system')
  const identifiers = new Set(own.map(({ buildIdentifier }) => buildIdentifier))
  // Identifiers of two repositories may be equal.
  const urls = new Set(requested.map(({ url }) => url))
  return (run) =>
    identifiers.has(run.number ?? run.id) || (run.url !== undefined && urls.has(run.url))
}
