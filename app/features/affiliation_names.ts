import { compilePattern } from '#apps/patterns/pattern'
import type { FeatureAffiliation } from '#apps/settings'
import type { FoundRelease } from '#releases/queries/read_release'

/** How a tracker is told that a ticket belongs to a release. */
export interface AffiliationName {
  type: FeatureAffiliation['type']
  text: string
}

/** How tickets of a release are marked, by the affiliations of the app. */
export function affiliationNames(
  affiliations: readonly FeatureAffiliation[],
  { release, pilot }: FoundRelease
): AffiliationName[] {
  const { version, releaseName, releaseBranch } = release
  return affiliations.flatMap(({ type, pattern }) => {
    const text = compilePattern(pattern, 'featureAffiliation').render({
      version,
      ...(releaseName ? { releaseName } : {}),
      ...(releaseBranch ? { releaseBranchName: releaseBranch } : {}),
      ...(pilot ? { releasePilot: pilot.email } : {}),
    })
    return text === null ? [] : [{ type, text }]
  })
}
