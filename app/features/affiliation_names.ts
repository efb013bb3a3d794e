import { compilePattern } from '#apps/patterns/pattern'
import type { FeatureAffiliation } from '#apps/settings'
import type { FoundRelease } from '#releases/queries/read_release'

/** The label or fix version that assigns a ticket to a release. */
export interface AffiliationName {
  type: FeatureAffiliation['type']
  text: string
}

/** Returns the labels and fix versions of a release's tickets, by the affiliations of the app. */
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
