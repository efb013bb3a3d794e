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
}

/** Most versions that are imported at once, the highest of those given. */
const MOST_IMPORTED = 100
/** The commits of so many of them are read, the highest first. */
const MOST_READ = 20

/**
 * Records past versions of an app as completed releases, and completes what is known of those that
 * were imported before. It leaves every other release as it is, records no event of an imported
 * one, and changes nothing when repeated.
 * @returns the number of releases that are new
 */
export class ImportReleases {
  constructor(private readonly scope: Scope) {}

  async handle(appId: string, past: readonly PastVersion[]): Promise<number> {
    const newest = past
      .toSorted((one, other) => compareVersions(other.version, one.version))
      .slice(0, MOST_IMPORTED)
    const added: Version[] = []
    for (const each of newest.toReversed()) {
      const known = await releaseAt(this.scope, appId, each.version)
      if (!known) {
        await this.#add(appId, each)
        added.push(each.version)
      } else if (known.imported) await this.#complete(known, each)
      await yieldToOthers()
    }
    await followVersions(this.scope, appId, added)
    await this.#readCode(appId, newest)
    return added.length
  }

  async #add(appId: string, { version, tag, releasedAt }: PastVersion): Promise<void> {
    const { scope } = this
    const { settings } = await findApp(scope, appId)
    const at = releasedAt ?? tag?.createdAt ?? null
    await scope.create(Release, {
      id: newId('rel'),
      appId,
      version: normalVersion(version),
      versionMajor: version.major,
      versionMinor: version.minor,
      versionPatch: version.patch,
      createType: 'release',
      releaseType: deriveReleaseType(
        'release',
        version,
        await siblingsBelow(scope, appId, version),
        settings.defaultReleaseType
      ),
      releaseName: null,
      releaseDescription: null,
      status: 'completed',
      statusBeforeSkip: null,
      phase: 'released',
      pilotId: null,
      targetKickoffAt: null,
      targetSubmitAt: null,
      targetReleaseAt: null,
      inAppUpdatePriority: null,
      kickedOffAt: null,
      submittedAt: null,
      approvedAt: null,
      releasedAt: at,
      haltedAt: null,
      completedAt: at,
      skippedAt: null,
      releaseBranch: null,
      tag,
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
    })
    await new TakeOverId(scope).handle(appId, version)
  }

  /** A store knows better than a tag when a version reached users. */
  async #complete(release: Release, { tag, releasedAt }: PastVersion): Promise<void> {
    const at = releasedAt ?? release.releasedAt ?? tag?.createdAt ?? null
    release.merge({ tag: release.tag ?? tag, releasedAt: at, completedAt: at })
    if (!hasChanged(release)) return
    release.updatedAt = this.scope.now
    await release.useTransaction(this.scope.transaction).save()
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
