import type { Scope } from '#foundation/core/scope'
import type { VersionControl } from '#plugin-kit/capabilities/source'
import { isProviderError } from '#plugin-kit/provider_error'
import type Release from '#releases/models/release'
import type { ReleaseRow } from '#releases/queries/read_release'
import { releaseFeaturesOf } from '../queries/release_features.js'
import { deriveFeatures } from '../readiness/derive_features.js'
import { takeCode } from '../readiness/take_code.js'
import { releaseFeatures } from '../tables.js'
import type { CodeObservation } from './code_look.js'
import { findBase, type baseCandidates } from './find_base.js'
import { rangeDelta } from './range_delta.js'

/** Returns whether the commits of a past version are still to be read: once, if it has a tag. */
export const isUnreadImport = (
  { imported, tag }: Pick<Release, 'imported' | 'tag'>,
  features: { codeSeenAt: string | null } | null
) => imported && tag !== null && (features?.codeSeenAt ?? null) === null

interface Wanted {
  /** Identity of the repository. */
  repository: string
  integrationId: string
  candidates: Awaited<ReturnType<typeof baseCandidates>>
  tag: NonNullable<ReleaseRow['tag']>
}

/**
 * Reads the commits from the release before a past version to its tag. Null if the repository has
 * no earlier release, or no longer one of the two commits.
 * @throws ProviderError
 */
export async function seeImported(
  versionControl: VersionControl,
  { repository, integrationId, candidates, tag }: Wanted
): Promise<CodeObservation | null> {
  try {
    const base = await findBase(versionControl, candidates)
    if (base === null) return null
    const names = { baseName: base.name, headName: tag.name }
    const range = { integrationId, base: base.sha, head: tag.commitHash, ...names }
    const delta = await rangeDelta(versionControl, null, range)
    return {
      repository,
      missingBranch: null,
      renamedTo: null,
      release: { range, was: null, delta },
      working: null,
      openPulls: [],
      pulls: [],
      patches: new Map(),
      patchesOwed: false,
      awaited: [],
    }
  } catch (error) {
    if (isProviderError(error) && error.code === 'notFound') return null
    throw error
  }
}

/** Stores the commits of a past version, which are not read again. */
export async function takeImported(
  scope: Scope,
  release: Release,
  look: CodeObservation | null
): Promise<void> {
  const features = await releaseFeaturesOf(scope, release.id)
  if (!features) return
  if (look !== null) await takeCode(scope, release, features, look)
  const done = { watchesCode: false, codeSeenAt: scope.now }
  await scope.update(releaseFeatures, { releaseId: release.id }, done)
  if (look !== null) await deriveFeatures(scope, release)
}
