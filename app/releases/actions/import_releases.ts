import { findApp } from '#apps/queries/find_app'
import type { Instant } from '#foundation/core/clock'
import { hasChanged } from '#foundation/core/database/model_from'
import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import { compareVersions, normalVersion, type Version } from '#workflow/version'
import { deriveReleaseType } from '../engine/release_type.js'
import { followVersions } from '../lifecycle/follow_versions.js'
import Release from '../models/release.js'
import { releaseAt } from '../queries/find_release.js'
import { siblingsBelow } from '../queries/siblings_below.js'
import { TakeOverId } from './take_over_id.js'

/** A version that was released before the service knew the app. */
export interface PastVersion {
  version: Version
  /** Null from a store. */
  tag: Release['tag']
  /** The time it reached users; null if only its tag has a time. */
  releasedAt: Instant | null
  /** A member that only people state; absent or null if nobody does. */
  releaseName?: string | null
  releaseType?: 'major' | 'minor' | 'point' | 'hotfix' | null
  kickedOffAt?: Instant | null
  submittedAt?: Instant | null
  approvedAt?: Instant | null
  targetSubmitAt?: Instant | null
  targetReleaseAt?: Instant | null
}

/** The results for a past version; a release that was not imported stays as it is. */
export const IMPORT_OUTCOMES = ['made', 'merged', 'unchanged'] as const
type Outcome = (typeof IMPORT_OUTCOMES)[number]

/** Most versions that are imported at once of tags and stores. */
const MOST_IMPORTED = 100
/** The commits of so many of them are read, the highest first. */
const MOST_READ = 20

/**
 * Records past versions of an app as completed releases, and completes what is known of those that
 * were imported before. It leaves every other release as it is, records no event of an imported
 * one, and changes nothing when repeated.
 * @param most the most versions that are imported, the highest of those given
 * @returns what became of each, the highest version first
 */
export class ImportReleases {
  constructor(private readonly scope: Scope) {}

  async handle(
    appId: string,
    past: readonly PastVersion[],
    most = MOST_IMPORTED
  ): Promise<{ version: string; outcome: Outcome }[]> {
    const newest = past
      .toSorted((one, other) => compareVersions(other.version, one.version))
      .slice(0, most)
    const outcomes: { version: string; outcome: Outcome }[] = []
    const added: Version[] = []
    for (const each of newest.toReversed()) {
      const outcome = await this.#import(appId, each)
      if (outcome === 'made') added.push(each.version)
      outcomes.unshift({ version: normalVersion(each.version), outcome })
      await yieldToOthers()
    }
    await followVersions(this.scope, appId, added)
    await this.#readCode(appId, newest)
    return outcomes
  }

  async #import(appId: string, past: PastVersion): Promise<Outcome> {
    const known = await releaseAt(this.scope, appId, past.version)
    if (!known) {
      await this.#add(appId, past)
      return 'made'
    }
    if (known.imported) known.merge(completed(known, past))
    if (!hasChanged(known)) return 'unchanged'
    known.updatedAt = this.scope.now
    await known.useTransaction(this.scope.transaction).save()
    return 'merged'
  }

  async #add(appId: string, past: PastVersion): Promise<void> {
    const { scope } = this
    const { version } = past
    const { settings } = await scope.once(`settings of ${appId}`, () => findApp(scope, appId))
    const createType = createTypeOf(past)
    await scope.create(Release, {
      id: newId('rel'),
      appId,
      version: normalVersion(version),
      versionMajor: version.major,
      versionMinor: version.minor,
      versionPatch: version.patch,
      createType,
      releaseDescription: null,
      status: 'completed',
      statusBeforeSkip: null,
      phase: 'released',
      pilotId: null,
      targetKickoffAt: null,
      inAppUpdatePriority: null,
      haltedAt: null,
      skippedAt: null,
      releaseBranch: null,
      baseTag: null,
      rollback: null,
      hotfixOptions: null,
      regressionStatus: 'notStarted',
      readyToSubmit: false,
      readyToRelease: false,
      automationsPaused: false,
      imported: true,
      settings,
      customMetadata: null,
      createdBy: scope.actor,
      nextLookAt: null,
      createdAt: scope.now,
      updatedAt: scope.now,
      ...completed(null, past),
      releaseType:
        past.releaseType ??
        deriveReleaseType(
          createType,
          version,
          await siblingsBelow(scope, appId, version),
          settings.defaultReleaseType
        ),
    })
    await new TakeOverId(scope).handle(appId, version)
  }

  /** Has the commits of the highest versions read that have a tag. */
  async #readCode(appId: string, newest: readonly PastVersion[]): Promise<void> {
    const tagged = newest.filter(({ tag }) => tag !== null).slice(0, MOST_READ)
    for (const { version } of tagged) {
      const release = await releaseAt(this.scope, appId, version)
      if (release?.imported) this.scope.touch(release)
    }
  }
}

/** The known facts about a past version, which may be completed. */
type Known = Pick<
  Release,
  | 'tag'
  | 'releaseName'
  | 'releasedAt'
  | 'completedAt'
  | 'kickedOffAt'
  | 'submittedAt'
  | 'approvedAt'
  | 'targetSubmitAt'
  | 'targetReleaseAt'
>

type Types = Pick<Release, 'releaseType' | 'createType'>

/**
 * Returns what is known of a past version once more is reported of it. A store and a person know
 * better than a tag when a version reached users; what nobody reports stays.
 */
export function completed(known: Known | null, past: PastVersion): Known & Partial<Types> {
  const at = past.releasedAt ?? known?.releasedAt ?? past.tag?.createdAt ?? null
  const { releaseType } = past
  return {
    tag: known?.tag ?? past.tag,
    releaseName: past.releaseName ?? known?.releaseName ?? null,
    releasedAt: at,
    completedAt: at,
    kickedOffAt: past.kickedOffAt ?? known?.kickedOffAt ?? null,
    submittedAt: past.submittedAt ?? known?.submittedAt ?? null,
    approvedAt: past.approvedAt ?? known?.approvedAt ?? null,
    targetSubmitAt: past.targetSubmitAt ?? known?.targetSubmitAt ?? null,
    targetReleaseAt: past.targetReleaseAt ?? known?.targetReleaseAt ?? null,
    ...(releaseType && { releaseType, createType: createTypeOf(past) }),
  }
}

const createTypeOf = ({ releaseType }: PastVersion): Release['createType'] =>
  releaseType === 'hotfix' ? 'hotfix' : 'release'
