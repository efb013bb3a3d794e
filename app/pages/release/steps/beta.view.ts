import type { Reader } from '../../frame/page.js'
import { STORE_REQUEST_STATES, STORE_BUILD_STATES, statusLabel } from '../../words/statuses.js'
import { inSentence } from '../../words/times.js'
import type { Distribution, StoreBuild } from '../answers.js'

/** Returns the builds that testers have or will have, and the others in the store. */
export function betaOf(
  distributions: readonly Distribution[],
  storeBuilds: readonly StoreBuild[],
  reader: Reader
) {
  const given = new Set(distributions.map(({ appStoreBuildId }) => appStoreBuildId))
  return {
    given: distributions.map(({ buildNumber, groups, notes, ...asked }) => ({
      number: buildNumber,
      groups: groups.join(', '),
      status: statusLabel(STORE_REQUEST_STATES, asked.state),
      by: `${asked.askedBy.name}, ${inSentence(asked.askedAt, reader)}`,
      reason: asked.reason,
      action: asked.action,
      notes: notes.map(({ locale, text }) => ({ locale, text })),
    })),
    others: storeBuilds
      .filter(({ id }) => !given.has(id))
      .map(({ buildNumber, version, processingState }) => ({
        name: `${version} (${buildNumber})`,
        status: statusLabel(STORE_BUILD_STATES, processingState),
      })),
  }
}
