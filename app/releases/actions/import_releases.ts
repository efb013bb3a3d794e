import { findApp } from '#apps/queries/find_app'
import type { Instant } from '#foundation/core/clock'
import { hasChanged } from '#foundation/core/database/model_from'
import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import { compareVersions, normalVersion, type Version } from '#workflow/version'
import { deriveReleaseType } from '../engine/release_type.js'
import { updateReleaseTypes } from '../lifecycle/follow_versions.js'
import Release from '../models/release.js'
import { releaseAt } from '../queries/find_release.js'
import { siblingsBelow } from '../queries/siblings_below.js'
import { TakeOverId } from './take_over_id.js'

/** A version that was released before the service knew the app. */
export interface PastVersion {
  version: Version
  /** Null if a store reported the version. */
  tag: Release['tag']
  /** The time at which it reached users; null if only the time of its tag is known. */
  releasedAt: Instant | null
  /** This and the following members only come from people; absent or null if not stated. */
  releaseName?: string | null
  releaseType?: 'major' | 'minor' | 'point' | 'hotfix' | null
  kickedOffAt?: Instant | null
  submittedAt?: Instant | null
  approvedAt?: Instant | null
  targetSubmitAt?: Instant | null
  targetReleaseAt?: Instant | null
}

/** The possible results for a past version. */
export const IMPORT_OUTCOMES = ['made', 'merged', 'unchanged'] as const
type Outcome = (typeof IMPORT_OUTCOMES)[number]

/** Maximum number of versions of tags and stores that are imported at once. */
const MAX_IMPORTED = 100
/** Maximum number of imported versions whose commits are read, the highest first. */
const MAX_READ = 20

/**
 * Records past versions of an app as completed releases, and adds new facts to those that were
 * imported before. Other releases do not change. Imported releases have no events. Repeating an
 * import changes nothing.
 * @param most maximum number of versions to import; the highest ones are taken
 * @returns the outcome of each version, the highest first
 */
export class ImportReleases {
  constructor(private readonly scope: Scope) {}

  async handle(
    appId: string,
    past: readonly PastVersion[],
    most = MAX_IMPORTED
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
    await updateReleaseTypes(this.scope, appId, added)
    await this.#readCode(appId, newest)
    return outcomes
  }

  async #import(appId: string, past: PastVersion): Promise<Outcome> {
    const known = await releaseAt(this.scope, appId, past.version)
    if (!known) {
      await this.#add(appId, past)
      return 'made'
    }
    if (known.imported) known.merge(mergedFacts(known, past))
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
      nextEvaluationAt: null,
      createdAt: scope.now,
      updatedAt: scope.now,
      ...mergedFacts(null, past),
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

  /** Touches the highest versions with a tag, so that their commits are read. */
  async #readCode(appId: string, newest: readonly PastVersion[]): Promise<void> {
    const tagged = newest.filter(({ tag }) => tag !== null).slice(0, MAX_READ)
    for (const { version } of tagged) {
      const release = await releaseAt(this.scope, appId, version)
      if (release?.imported) this.scope.touch(release)
    }
  }
}

/** The known facts about a past version. */
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
 * Merges the known facts about a past version with a report. The time of a store or a person takes
 * precedence over that of a tag. Facts that the report lacks stay.
 */
export function mergedFacts(known: Known | null, past: PastVersion): Known & Partial<Types> {
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
