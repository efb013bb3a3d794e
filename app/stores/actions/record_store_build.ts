import { ciBuildsById } from '#builds/queries/ci_builds'
import { releaseOfVersion } from '#builds/queries/match_release'
import { instantOf } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import { newId } from '#foundation/core/ids'
import type { StoreBuild } from '#plugin-kit/capabilities/stores'
import { recordRunFacts } from '#releases/lifecycle/record_run_facts'
import type Release from '#releases/models/release'
import { isOpen } from '#releases/lifecycle/open_releases'
import { releaseById } from '#releases/queries/find_release'
import { stepRows } from '#releases/queries/step_rows'
import { normalVersion, parseVersion } from '#workflow/version'
import { storeStepFacts } from '../observations/store_step_facts.js'
import { chooseNewest } from '../builds/choose_build.js'
import { betaFacts } from '../derive/beta_facts.js'
import { later, seenBuild, type SeenBuild } from '../derive/seen.js'
import { findMatch } from '../builds/match_builds.js'
import type { StoreTarget } from '../queries/store_targets.js'
import {
  storeBuildOf,
  storeBuildsById,
  storeBuildsOfRelease,
  type StoreBuildRow,
} from '../queries/store_builds.js'
import { recordAssociated, recordNewBuild } from '../builds/record_store_build_event.js'
import { appStoreBuilds } from '../tables.js'
import type { BuildMatch } from '../vocabulary.js'

/** Records a build as a store, or a beta, shows it; a repeated record changes nothing. */
export class RecordStoreBuild {
  constructor(private readonly scope: Scope) {}

  /** @returns whether anything but the time of the observation changed */
  async handle(target: StoreTarget, reported: StoreBuild): Promise<boolean> {
    const { scope } = this
    await scope.lock('apps', target.appId)
    const { appId, destinationId } = target
    const parts = parseVersion(reported.version)
    const version = parts ? normalVersion(parts) : reported.version.slice(0, 64)
    const buildNumber = reported.number.slice(0, 64)
    const key = { appId, destinationId, version, buildNumber }
    const before = await storeBuildOf(scope, key)
    const releaseId =
      before?.releaseId ??
      (parts ? (await releaseOfVersion(scope, appId, version)).releaseId : null)
    const after = await this.#store(target, { ...key, releaseId }, before, reported)
    if (before && !differ(before, after)) return false
    if (!before?.seen && after.seen) {
      recordNewBuild(scope, 'appStoreBuild.newBuildAvailable', after)
    }
    const matched = after.ciBuildId === null ? await this.match(after) : after
    if (!before?.beta && after.beta) recordNewBuild(scope, 'betaBuild.newBuildAvailable', matched)
    if (matched.releaseId !== null) {
      const release = await releaseById(scope, appId, matched.releaseId)
      await storeBuildFacts(scope, release, target)
    }
    return true
  }

  /**
   * Links a build to its CI build, if one matches.
   * @returns the build after that
   */
  async match(build: StoreBuildRow): Promise<StoreBuildRow> {
    const found = await findMatch(this.scope, build.appId, build)
    return found ? this.link(build, found.ciBuildId, found.by) : build
  }

  /** Links a build to a CI build. */
  async link(
    build: StoreBuildRow,
    ciBuildId: string,
    matchedBy: BuildMatch
  ): Promise<StoreBuildRow> {
    const { scope } = this
    // If the store reports no versions, the release follows from the CI build.
    const releaseId =
      build.releaseId ?? (await ciBuildsById(scope, [ciBuildId]))[0]?.releaseId ?? null
    const values = { ciBuildId, matchedBy, releaseId, updatedAt: scope.now }
    await scope.update(appStoreBuilds, { id: build.id }, values)
    const linked = { ...build, ...values }
    recordAssociated(scope, linked)
    return linked
  }

  async #store(
    target: StoreTarget,
    key: Pick<StoreBuildRow, 'appId' | 'destinationId' | 'version' | 'buildNumber' | 'releaseId'>,
    before: StoreBuildRow | null,
    reported: StoreBuild
  ): Promise<StoreBuildRow> {
    const { scope } = this
    const observation = seenBuild(reported, scope.now)
    const isBeta = target.kind === 'betaTesting'
    const isKnown = observation.state !== 'unknown'
    const values = {
      releaseId: key.releaseId,
      commitHash: before?.commitHash ?? reported.commitHash?.slice(0, 64) ?? null,
      seen: isBeta ? (before?.seen ?? null) : later(before?.seen ?? null, observation),
      known:
        isBeta || !isKnown ? (before?.known ?? null) : later(before?.known ?? null, observation),
      beta:
        isBeta && isKnown ? laterBeta(before?.beta ?? null, observation) : (before?.beta ?? null),
      updatedAt: scope.now,
    }
    if (before) {
      await scope.update(appStoreBuilds, { id: before.id }, values)
      return { ...before, ...values }
    }
    const id = newId('build')
    await scope.insert(appStoreBuilds, [
      {
        id,
        ...key,
        integrationId: target.integrationId,
        storeType: target.storeType,
        distribution: null,
        ciBuildId: null,
        matchedBy: null,
        uploadedAt: instantOf(reported.uploadedAt) ?? scope.now,
        createdAt: scope.now,
        ...values,
      },
    ])
    const [build] = await storeBuildsById(scope, [id])
    return build
  }
}

/** Updates the facts of a release from its builds in a store, and touches it if they changed. */
export async function storeBuildFacts(
  scope: Scope,
  release: Release,
  target: StoreTarget
): Promise<void> {
  if (!isOpen(release)) return
  if (target.kind === 'appStore' && (await chooseNewest(scope, release, target))) {
    scope.touch(release)
    await storeStepFacts(scope, release)
  }
  await storeBetaFacts(scope, release)
}

async function storeBetaFacts(scope: Scope, release: Release): Promise<void> {
  const facts = betaFacts(await storeBuildsOfRelease(scope, release.id))
  if (facts === null) return
  for (const step of await stepRows(scope, release.id)) {
    if (step.type !== 'betaTesting') continue
    if (await recordRunFacts(scope, step, facts)) scope.touch(release)
  }
}

/** An unknown state of the beta review is shown, but the known state is kept. */
function laterBeta(before: SeenBuild | null, observation: SeenBuild): SeenBuild {
  const { testing } = observation
  if (testing?.state !== null) return later(before, observation)
  const state = before?.testing?.state ?? null
  return later(before, { ...observation, testing: { state, raw: testing.raw } })
}

function differ(before: StoreBuildRow, after: StoreBuildRow): boolean {
  const timeless = ({ seen, known, beta, releaseId, commitHash }: StoreBuildRow) =>
    JSON.stringify([
      ...[seen, known, beta].map((observation) => observation && { ...observation, at: '' }),
      releaseId,
      commitHash,
    ])
  return timeless(before) !== timeless(after)
}
