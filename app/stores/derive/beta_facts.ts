import type { BetaTestingFacts } from '#releases/engine/facts'
import type { SeenBuild } from './seen.js'

/** The members of a build that beta testing needs. */
interface BetaBuild {
  uploadedAt: string
  buildNumber: string
  beta: SeenBuild | null
}

/**
 * Returns the state of beta testing: available once testers have a build, else that of the newest
 * build in beta; null without one. Pure.
 */
export function betaFacts(builds: readonly BetaBuild[]): BetaTestingFacts | null {
  const inBeta = builds.flatMap(({ beta, uploadedAt, buildNumber }) =>
    beta ? [{ beta, uploadedAt, buildNumber }] : []
  )
  if (inBeta.length === 0) return null
  if (inBeta.some(({ beta }) => isWithTesters(beta))) return { state: 'available' }
  const { beta, buildNumber } = inBeta.reduce((newest, each) =>
    each.uploadedAt > newest.uploadedAt ? each : newest
  )
  const state = beta.testing?.state
  if (state !== 'inReview' && state !== 'rejected') return { state: null }
  return { state, buildNumber, raw: beta.testing!.raw }
}

/**
 * Returns whether testers have a build; if the store does not report testers, once the build is
 * processed.
 */
const isWithTesters = ({ state, testing }: SeenBuild) =>
  state === 'ready' && (testing === undefined || testing.state === 'testing')
