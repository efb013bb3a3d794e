import type { Scope } from '#foundation/core/scope'
import { isReleasedByCompleting } from '../engine/phase.js'
import { loadFacts } from '../queries/load_facts.js'
import { recordReleased } from '../timeline/record_released.js'
import { requireNotLive, endOfTitle } from '../preconditions/require_not_live.js'
import type Release from '../models/release.js'
import { releaseExtensions } from '../extensions.js'
import type { InStore } from '../ports.js'
import { recordReleaseEvent } from '../timeline/record_release_event.js'
import { requireAllowed } from '../preconditions/require_allowed.js'

/**
 * Completes a release by hand, for releases without an automatic signal; the train moves on. A
 * release that work was done on counts as released. One that nobody began is only closed.
 */
export class CompleteRelease {
  constructor(private readonly scope: Scope) {}

  /**
   * @returns the stores where it has a rollout below 100 %
   * @throws release_not_kicked_off, release_skipped; release_live unless forced
   */
  async handle(release: Release, { force = false } = {}): Promise<InStore[]> {
    const { scope } = this
    const ruling = await requireAllowed(scope, release, 'complete')
    const inStores = await requireNotLive(scope, release, 'complete', force || !ruling.changes)
    if (ruling.changes) await this.#complete(release, inStores)
    return inStores
  }

  async #complete(release: Release, inStores: readonly InStore[]): Promise<void> {
    const { scope } = this
    const { facts } = await loadFacts(scope, release)
    const goesLive = release.releasedAt === null && isReleasedByCompleting(facts)
    release.merge({
      status: 'completed',
      completedAt: scope.now,
      updatedAt: scope.now,
      ...(goesLive && { releasedAt: scope.now }),
    })
    await release.useTransaction(scope.transaction).save()
    recordReleaseEvent(scope, release, {
      type: 'release.updated',
      title: `${release.version} was completed by hand${endOfTitle(inStores)}`,
      data: {
        status: { from: 'active', to: 'completed' },
        ...(inStores.length > 0 && { inStores }),
      },
      payload: null,
    })
    if (goesLive) await recordReleased(scope, release)
    const reason = 'It was completed by hand'
    for (const { lifecycle } of releaseExtensions.all)
      await lifecycle?.closed?.(scope, release, reason)
    scope.touch(release)
  }
}
