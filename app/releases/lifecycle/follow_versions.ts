import { findApp } from '#apps/queries/find_app'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import type { Version } from '#workflow/version'
import { deriveReleaseType } from '../engine/release_type.js'
import type Release from '../models/release.js'
import { isEnded } from './open_releases.js'
import { releaseById } from '../queries/find_release.js'
import { siblingsBelow } from '../queries/siblings_below.js'
import { BOUND_VERSION, lowestFirst, noRollback, versionOf } from '../queries/version_sql.js'
import { recordReleaseEvent } from '../timeline/record_release_event.js'
import { releases } from '../tables.js'
import { adoptWorkflow } from './adopt_workflow.js'

const NEXT_ABOVE = select(
  of(releases, 'r', ['id']),
  `from releases r where r.organization_id = :org and r.app_id = :appId
    and ${noRollback('r')} and ${versionOf('r')} > ${BOUND_VERSION}
  ${lowestFirst('r')} limit 1`
)

/** Derives the type of a release from the current versions of the app. */
export async function derivedType(scope: Scope, release: Release): Promise<Release['releaseType']> {
  const { appId, id, createType, parts } = release
  const app = await findApp(scope, appId)
  const below = await siblingsBelow(scope, appId, parts, id)
  return deriveReleaseType(createType, parts, below, app.settings.defaultReleaseType)
}

/**
 * Updates release types after versions were added or removed. Each version may change the type of
 * the next higher release, unless that release is kicked off or has ended. A release whose type
 * changes adopts the workflow for that type.
 */
export async function updateReleaseTypes(
  scope: Scope,
  appId: string,
  versions: readonly Version[]
): Promise<void> {
  for (const version of versions) {
    await yieldToOthers()
    const [next] = await scope.rows(NEXT_ABOVE, { appId, ...version })
    if (!next) continue
    const release = await releaseById(scope, appId, next.id)
    if (isEnded(release) || release.kickedOffAt !== null) continue
    const from = release.releaseType
    const to = await derivedType(scope, release)
    if (from === to) continue
    release.merge({ releaseType: to, updatedAt: scope.now })
    await release.useTransaction(scope.transaction).save()
    recordReleaseEvent(scope, release, {
      type: 'release.updated',
      title: `${release.version} is now a ${to} release`,
      data: { releaseType: { from, to }, isDerived: true },
      payload: null,
    })
    await adoptWorkflow(scope, release)
  }
}
