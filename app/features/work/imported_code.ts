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

/**
 * Returns whether the commits of an imported version are unread; they are read once, by its tag.
 */
export const isUnreadImport = (
  { imported, tag }: Pick<Release, 'imported' | 'tag'>,
  features: { codeSeenAt: string | null } | null
) => imported && tag !== null && (features?.codeSeenAt ?? null) === null

interface ImportRequest {
  /** Identity of the repository. */
  repository: string
  integrationId: string
  candidates: Awaited<ReturnType<typeof baseCandidates>>
  tag: NonNullable<ReleaseRow['tag']>
}

/**
 * Reads the commits from the previous release to the tag of an imported version; null if the
 * repository has no previous release, or lacks one of the two commits.
 * @throws ProviderError
 */
export async function readImported(
  versionControl: VersionControl,
  { repository, integrationId, candidates, tag }: ImportRequest
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

/** Stores the commits of an imported version, and ends its polls. */
export async function storeImported(
  scope: Scope,
  release: Release,
  observation: CodeObservation | null
): Promise<void> {
  const features = await releaseFeaturesOf(scope, release.id)
  if (!features) return
  if (observation !== null) await takeCode(scope, release, features, observation)
  const done = { watchesCode: false, codeSeenAt: scope.now }
  await scope.update(releaseFeatures, { releaseId: release.id }, done)
  if (observation !== null) await deriveFeatures(scope, release)
}
