import { apps } from '#apps/tables'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { stopWithKind } from './work_kinds.js'

const OTHERS = select(
  of(apps, 'a', ['id']),
  `from apps a join apps own on own.organization_id = a.organization_id and own.app_group = a.app_group
  where a.organization_id = :org and own.id = :appId and a.id <> :appId`
)

/**
 * Plans to stop the same version in the other apps of the group. Each app is stopped under its own
 * lock, so that two apps that stop each other cannot deadlock.
 */
export async function stopGroup(
  scope: Scope,
  { appId, version }: Pick<Release, 'appId' | 'version'>
): Promise<void> {
  // The reason names no app: its readers may not have access to this one.
  const because = 'it is unhealthy in another app of the group'
  for (const { id } of await scope.rows(OTHERS, { appId })) {
    const payload = { appId: id, version, because }
    await scope.jobs.plan(stopWithKind, { subject: `${id} ${version}`, payload })
  }
}
