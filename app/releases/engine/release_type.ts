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

/** The newest release below a version that is no rollback, or null. */
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
 * The type of a release (docs/explanation/statuses.md): hotfix and rollback stay, the others follow from the
 * distance to the previous version.
 *
 * Without a previous version the app's `defaultReleaseType` decides where it is major, minor or
 * point; otherwise the distance to 0.0.0 does, so that 1.0.0 is major and 0.4.0 minor.
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

/** The type by which items are assigned (`appSettings.assumeHotfixesArePointReleases`). */
export function itemReleaseType(
  releaseType: ReleaseType,
  assumeHotfixesArePointReleases: boolean
): ReleaseType {
  return releaseType === 'hotfix' && assumeHotfixesArePointReleases ? 'point' : releaseType
}

/** The key of `releaseTypes` in a workflow's steps that speaks of this type. */
export function workflowReleaseType(releaseType: ReleaseType): WorkflowReleaseType {
  return WORKFLOW_TYPE_OF[releaseType]
}
