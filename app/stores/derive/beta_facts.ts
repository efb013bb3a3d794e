import type { BetaTestingFacts } from '#releases/engine/facts'
import type { SeenBuild } from './seen.js'

/** A build as far as beta testing sees it. */
interface BetaBuild {
  uploadedAt: string
  buildNumber: string
  beta: SeenBuild | null
}

/**
 * How far beta testing is: done once testers have a build, else as far as the newest that is in
 * beta. Null where none is. Pure.
 */
export function betaFacts(builds: readonly BetaBuild[]): BetaTestingFacts | null {
  const inBeta = builds.flatMap(({ beta, uploadedAt, buildNumber }) =>
    beta ? [{ beta, uploadedAt, buildNumber }] : []
  )
  if (inBeta.length === 0) return null
  if (inBeta.some(({ beta }) => isThere(beta))) return { state: 'available' }
  const { beta, buildNumber } = inBeta.reduce((newest, each) =>
    each.uploadedAt > newest.uploadedAt ? each : newest
  )
  const state = beta.testing?.state
  if (state !== 'inReview' && state !== 'rejected') return { state: null }
  return { state, buildNumber, raw: beta.testing!.raw }
}

/** Whether testers have a build; where nobody tells of them, once the store has processed it. */
const isThere = ({ state, testing }: SeenBuild) =>
  state === 'ready' && (testing === undefined || testing.state === 'testing')
