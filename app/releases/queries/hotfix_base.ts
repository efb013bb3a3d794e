import type App from '#apps/models/app'
import { of, select } from '#foundation/core/database/statement'
import { refuseField } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { compareVersions, type Version } from '#workflow/version'
import type Release from '../models/release.js'
import { releases } from '../tables.js'
import { tagName, versionIn } from '../names/tag_names.js'
import { newestFirst } from './version_sql.js'

const LIVE = select(
  of(releases, 'r', ['version', 'tag']),
  `from releases r
  where r.organization_id = :org and r.app_id = :appId and r.released_at is not null
    and r.status in ('active', 'completed')
  ${newestFirst('r')} limit 1`
)

/**
 * Returns the tag of the live release, which is the highest version that users have. If no tag is
 * recorded, it follows from the app's pattern. Null while nothing is live.
 */
async function liveTag(scope: Scope, app: App): Promise<string | null> {
  const [live] = await scope.rows(LIVE, { appId: app.id })
  return live ? (live.tag?.name ?? tagName(app, live.version)) : null
}

/** A tag in a request. */
export interface NamedTag {
  name: string
  commitHash?: string | null
}

/**
 * Returns the base of a hotfix: the named tag, or else the tag of the live release.
 * @param version undefined if unknown, and then not compared
 * @throws invalid_input if there is no base, or the version is not above it
 */
export async function hotfixBase(
  scope: Scope,
  app: App,
  version: Version | undefined,
  named?: NamedTag | null
): Promise<NonNullable<Release['baseTag']>> {
  const name = named?.name ?? (await liveTag(scope, app))
  if (name === null) {
    throw refuseField('/baseTag', 'required', 'There is no live release whose tag could be used.')
  }
  if (version) requireAboveBase(app, version, name)
  return { name, commitHash: named?.commitHash ?? null }
}

/** @throws invalid_input unless the version of a hotfix is above that of its base tag */
export function requireAboveBase(app: App, version: Version, tag: string): void {
  const base = versionIn(app, tag)
  if (!base || compareVersions(version, base) > 0) return
  throw refuseField('/version', 'above_base', `A hotfix of ${tag} needs a version above it.`)
}

/** @throws invalid_input unless the version of a rollback is above the one it rolls back */
export function requireAboveTarget(version: Version, target: Version): void {
  if (compareVersions(version, target) > 0) return
  const message = 'A rollback needs a version above the one it rolls back.'
  throw refuseField('/version', 'above_base', message)
}
