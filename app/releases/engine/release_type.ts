import { compareVersions, type Version } from '#workflow/version'
import type { CreateEditReleaseType } from '#releases/vocabulary'
import {
  WORKFLOW_TYPE_OF,
  type DefaultReleaseType,
  type ReleaseType,
  type WorkflowReleaseType,
} from '#workflow/vocabulary'

/** Another release of the app. */
export interface Sibling {
  version: Version
  releaseType: ReleaseType
}

/** Returns the highest release below a version that is not a rollback, or null. */
export function previousOf<T extends Sibling>(version: Version, others: readonly T[]): T | null {
  return others
    .filter(
      (other) => other.releaseType !== 'rollback' && compareVersions(other.version, version) < 0
    )
    .reduce<T | null>(
      (newest, other) =>
        newest && compareVersions(newest.version, other.version) >= 0 ? newest : other,
      null
    )
}

/**
 * Derives the type of a release (docs/explanation/statuses.md). Hotfixes and rollbacks keep their
 * type. The type of others follows from the difference to the previous version.
 *
 * Without a previous version, the app's `defaultReleaseType` is the type if it is major, minor or
 * point. Otherwise the difference to 0.0.0 decides, so 1.0.0 is major and 0.4.0 is minor.
 */
export function deriveReleaseType(
  createType: CreateEditReleaseType,
  version: Version,
  others: readonly Sibling[],
  defaultReleaseType: DefaultReleaseType
): ReleaseType {
  if (createType !== 'release') return createType
  const previous = previousOf(version, others)
  if (previous) return distance(previous.version, version)
  if (defaultReleaseType === 'standard' || defaultReleaseType === 'rollback') {
    return distance({ major: 0, minor: 0, patch: 0 }, version)
  }
  return defaultReleaseType
}

function distance(from: Version, to: Version): 'major' | 'minor' | 'point' {
  if (from.major !== to.major) return 'major'
  return from.minor !== to.minor ? 'minor' : 'point'
}

/** Returns the type by which items apply (see `appSettings.assumeHotfixesArePointReleases`). */
export function itemReleaseType(
  releaseType: ReleaseType,
  assumeHotfixesArePointReleases: boolean
): ReleaseType {
  return releaseType === 'hotfix' && assumeHotfixesArePointReleases ? 'point' : releaseType
}

/** Returns the key in `releaseTypes` of a workflow's steps that applies to a type. */
export function workflowReleaseType(releaseType: ReleaseType): WorkflowReleaseType {
  return WORKFLOW_TYPE_OF[releaseType]
}
