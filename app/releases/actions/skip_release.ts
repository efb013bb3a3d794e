import type { Scope } from '#foundation/core/scope'
import { requireNotLive, endOfTitle } from '../preconditions/require_not_live.js'
import type Release from '../models/release.js'
import { releaseExtensions } from '../extensions.js'
import type { InStore } from '../ports.js'
import { recordReleaseEvent } from '../timeline/record_release_event.js'
import { timelineRows } from '../queries/timeline.js'
import { requireAllowed } from '../preconditions/require_allowed.js'

/**
 * Skips a version that never shipped; the train moves on. Repeating it only records another reason,
 * if one is given.
 */
export class SkipRelease {
  constructor(private readonly scope: Scope) {}

  /**
   * @returns the stores that have the version nevertheless
   * @throws release_completed; release_live unless forced
   */
  async handle(
    release: Release,
    { reason = null, force = false }: { reason?: string | null; force?: boolean } = {}
  ): Promise<InStore[]> {
    const { scope } = this
    const ruling = await requireAllowed(scope, release, 'skip')
    const inStores = await requireNotLive(scope, release, 'skip', force || !ruling.changes)
    if (!ruling.changes) await this.#reportReason(release, reason)
    else await this.#skip(release, reason, inStores)
    return inStores
  }

  async #skip(
    release: Release,
    reason: string | null,
    inStores: readonly InStore[]
  ): Promise<void> {
    const { scope } = this
    const from = release.status
    release.merge({
      status: 'skipped',
      statusBeforeSkip: from,
      skippedAt: scope.now,
      updatedAt: scope.now,
    })
    await release.useTransaction(scope.transaction).save()
    recordReleaseEvent(scope, release, {
      type: 'release.skipped',
      title: `${release.version} was skipped${endOfTitle(inStores)}`,
      data: { status: { from, to: 'skipped' }, reason, ...(inStores.length > 0 && { inStores }) },
      payload: null,
    })
    for (const { lifecycle } of releaseExtensions.all) {
      await lifecycle?.closed?.(scope, release, 'It was skipped')
    }
    scope.touch(release)
  }

  async #reportReason(release: Release, reason: string | null): Promise<void> {
    if (reason === null) return
    const filter = { type: 'release.skipped', limit: 1 }
    const page = { limit: 1, after: null }
    const [reported] = await timelineRows(this.scope, release.id, filter, page)
    if (reported?.data.reason === reason) return
    recordReleaseEvent(this.scope, release, {
      type: 'release.skipped',
      title: `The reason for skipping ${release.version} changed`,
      data: { reason },
      payload: null,
    })
  }
}
