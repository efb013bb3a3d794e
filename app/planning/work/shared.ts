import { RETRIES } from '#foundation/jobs/retry'
import { onTime, type Work } from '#foundation/jobs/handlers'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { releaseStillThere } from '#releases/queries/find_release'
import type { phaseKinds } from '../work_kinds.js'

/** A timer of planning whose subject is the internal id of a release. */
type ReleaseTimer = (typeof phaseKinds)['kickoff']

interface AboutRelease {
  actor: string
  isAutomation?: boolean
  isDateDriven?: boolean
  asks?: string
  act(scope: Scope, release: Release): Promise<unknown>
  afterLast?(scope: Scope, release: Release, reason: string): Promise<unknown>
}

/** Declares the work of a release's timer; the timer of a deleted release does nothing. */
export function aboutRelease(
  kind: ReleaseTimer,
  { act, afterLast, ...options }: AboutRelease
): Work {
  return onTime(kind, {
    ...options,
    lease: MINUTE,
    retry: RETRIES.hours,
    lock: (scope, { payload }) => scope.lock('apps', payload.appId),
    async act(scope, { subject, payload: { appId } }) {
      const release = await releaseStillThere(scope, appId, subject)
      if (release) await act(scope, release)
    },
    async afterLast(scope, { subject, payload: { appId } }, reason) {
      const release = afterLast && (await releaseStillThere(scope, appId, subject))
      if (release) await afterLast(scope, release, reason)
    },
  })
}
