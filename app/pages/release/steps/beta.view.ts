import type { Reader } from '../../frame/page.js'
import { STORE_REQUEST_STATES, STORE_BUILD_STATES, statusLabel } from '../../words/statuses.js'
import { inSentence } from '../../words/times.js'
import type { Distribution, StoreBuild } from '../answers.js'

/** Returns the builds that are distributed to testers, or will be, and the others in the store. */
export function betaOf(
  distributions: readonly Distribution[],
  storeBuilds: readonly StoreBuild[],
  reader: Reader
) {
  const distributedIds = new Set(distributions.map(({ appStoreBuildId }) => appStoreBuildId))
  return {
    distributed: distributions.map(({ buildNumber, groups, notes, ...distribution }) => ({
      number: buildNumber,
      groups: groups.join(', '),
      status: statusLabel(STORE_REQUEST_STATES, distribution.state),
      by: `${distribution.askedBy.name}, ${inSentence(distribution.askedAt, reader)}`,
      reason: distribution.reason,
      action: distribution.action,
      notes: notes.map(({ locale, text }) => ({ locale, text })),
    })),
    others: storeBuilds
      .filter(({ id }) => !distributedIds.has(id))
      .map(({ buildNumber, version, processingState }) => ({
        name: `${version} (${buildNumber})`,
        status: statusLabel(STORE_BUILD_STATES, processingState),
      })),
  }
}
