import type { FeatureAffiliation } from '#apps/settings'
import { findApp } from '#apps/queries/find_app'
import type { Scope } from '#foundation/core/scope'
import { integrationsOfKind } from '#integrations/queries/app_integrations'
import { readReleaseById } from '#releases/queries/read_release'
import { affiliationNames, type AffiliationName } from '../affiliation_names.js'

/** An issue tracker of an app, with the marks for tickets of a release. */
interface NamedTracker {
  integration: { id: string; connectionId: string }
  projects: string[]
  names: AffiliationName[]
}

/** Returns the trackers whose tickets name their release by a label or fix version. */
export async function namedTrackers(
  scope: Scope,
  { id: releaseId, appId }: { id: string; appId: string },
  isWanted: (affiliation: FeatureAffiliation) => boolean = () => true
): Promise<NamedTracker[]> {
  const { featureAffiliations } = await findApp(scope, appId)
  const affiliations = featureAffiliations.filter(isWanted)
  if (affiliations.length === 0) return []
  const found = await readReleaseById(scope, appId, releaseId)
  const trackers = await integrationsOfKind(scope, appId, 'issueTracking')
  return trackers.flatMap(({ id, key, connectionId, data: { projects = [] } }) => {
    const own = affiliations.filter(({ integration }) => integration === key)
    const names = affiliationNames(own, found)
    if (names.length === 0) return []
    return { integration: { id, connectionId }, projects: projects as string[], names }
  })
}
