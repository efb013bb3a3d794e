import type { Scope } from '#foundation/core/scope'
import { SERVICE } from '#releases/engine/conditions'
import type { ReleaseExtension, Stalled } from '#releases/extensions'
import type { ReleaseRow } from '#releases/queries/read_release'
import { issuesKind } from './issues/find_issues.js'
import { checkKind, measureKind } from './work_kinds.js'
import { isEnded } from '#releases/lifecycle/open_releases'
import { storesOfRelease, type StoreOfRelease } from '#stores/queries/store_state'
import { standingStop } from '#stores/decisions/standing_stop'
import { otherShareOf } from '#stores/queries/submitted_share'
import type { RolloutInStore } from './rollout_entity.js'
import { stoppedBy } from './queries/stopped_by.js'
import { pressedOf, type Pressed } from './queries/pressed.js'
import { waitText } from './guard/late_words.js'
import { inWords } from './queries/submitted_before.js'
import { rolloutsOf, subjectOf, watchRollouts } from './watch_rollouts.js'

/** The part of rollouts in a release. */
export const releaseExtension: ReleaseExtension = {
  name: 'rollouts',
  lifecycle: {
    planAhead: (scope, release) => watchRollouts(scope, release),
    async remove(scope, { id }) {
      await scope.jobs.cancel(issuesKind, id)
      for (const row of await rolloutsOf(scope, id)) {
        await scope.jobs.cancel(checkKind, subjectOf(row))
        await scope.jobs.cancel(measureKind, subjectOf(row))
      }
    },
  },
  presentation: {
    async expected(scope, { id }) {
      return (await rolloutsOf(scope, id)).flatMap(({ next }) => next ?? [])
    },
    async stalled(scope, release) {
      const stores = await storesOfRelease(scope, release)
      const pressed = await pressedOf(scope, release, stores)
      return [
        ...(pressed ? stoppedByRedButton(release, stores, pressed) : []),
        ...(await stoppedOtherwise(scope, release, stores, pressed)),
        ...(await submittedBefore(scope, release, stores)),
        ...(await waitingForData(scope, release, stores)),
      ]
    },
  },
}

/** Returns the entry about a release that was stopped by the red button and waits for a person. */
function stoppedByRedButton(
  release: ReleaseRow,
  stores: readonly StoreOfRelease[],
  { pressedBy, pressedAt, reason, issueId }: Pressed
): Stalled[] {
  const wayOn = wayOnFor(release, stores)
  if (wayOn === null) return []
  const why = reason === null ? '' : `: ${reason}`
  const message = `${pressedBy.name} pressed the red button at ${pressedAt}${why}. ${wayOn}`
  const subject = { type: 'triageIssue', id: issueId, name: release.version }
  return [{ code: 'red_button', message, subject, who: [{ type: 'releasePilot' }] }]
}

/** Returns how people can let a stopped release go on; null if they cannot. */
function wayOnFor(release: ReleaseRow, stores: readonly StoreOfRelease[]): string | null {
  const isStanding = ({ plan, facts: { rollout } }: StoreOfRelease) =>
    rollout.state === 'completed'
      ? standingStop(plan)?.status === 'underWay'
      : rollout.state !== null && rollout.state !== 'replaced'
  if (stores.some(isStanding)) return 'Resume its rollout, or ship a fix.'
  const isComing = stores.length === 0 || stores.some(({ facts }) => facts.rollout.state === null)
  if (!isComing || isEnded(release)) return null
  return stores.some(({ facts }) => facts.takeoff.pending)
    ? 'It is not out to users: release it to continue, or ship a fix.'
    : 'It is not out to users: submit and release it to continue, or ship a fix.'
}

type How = NonNullable<RolloutInStore['stopped']>['how']

const DECIDED: Partial<Record<How, (name: string) => string>> = {
  person: (name) => `${name} decided to stop the rollout`,
  guard: () => 'The guard decided to stop the rollout',
  outside: () => 'The rollout was seen to be stopped outside of Tarmac',
}

/** Returns the entries about rollouts that a person, a guard, or somebody in a console stopped. */
async function stoppedOtherwise(
  scope: Scope,
  { id, publicId, version }: ReleaseRow,
  stores: readonly StoreOfRelease[],
  pressed: Pressed | null
): Promise<Stalled[]> {
  const rows = await rolloutsOf(scope, id)
  return stores.flatMap((store): Stalled[] => {
    const { state, percentage } = store.facts.rollout
    const isUnderWay = state === 'active' || state === 'paused' || state === 'halted'
    const row = rows.find(({ integrationId }) => integrationId === store.target.integrationId)
    const stopped = isUnderWay ? stoppedBy(store, row ?? null, pressed) : null
    const decided = stopped && DECIDED[stopped.how]
    if (!decided) return []
    const { by, at, reason, triageIssueId } = stopped
    const why = reason === null ? '' : `: ${reason.slice(0, 400)}`
    const stands =
      state === 'active'
        ? `The store still shows it at ${percentage} %.`
        : `It is ${state} at ${percentage} %.`
    const message = `${decided(by.name)} at ${at}${why}. ${stands} Resume it, or ship a fix.`
    const subject =
      triageIssueId === null
        ? ({ type: 'release', id: publicId, name: version } as const)
        : ({ type: 'triageIssue', id: triageIssueId, name: version } as const)
    return [{ code: 'rollout_stopped', message, subject, who: [{ type: 'releasePilot' }] }]
  })
}

/**
 * Returns the warnings that a version goes out as it was submitted, whatever its ladder says now.
 */
async function submittedBefore(
  scope: Scope,
  release: ReleaseRow,
  stores: readonly StoreOfRelease[]
): Promise<Stalled[]> {
  const { publicId: id, version: name } = release
  const all: Stalled[] = []
  for (const store of stores) {
    const other = await otherShareOf(scope, release, store)
    if (!other) continue
    const subject = { type: 'release', id, name } as const
    all.push({
      code: 'ladder_changed',
      message: inWords(other),
      subject,
      who: [{ type: 'releasePilot' }],
    })
  }
  return all
}

/** Returns the entries about late data by which rungs are judged. */
async function waitingForData(
  scope: Scope,
  { id, publicId, version: name }: ReleaseRow,
  stores: readonly StoreOfRelease[]
): Promise<Stalled[]> {
  const rows = await rolloutsOf(scope, id)
  return stores.flatMap(({ target, facts: { rollout } }): Stalled[] => {
    const row = rows.find(({ integrationId }) => integrationId === target.integrationId)
    if (!row || row.endedAt !== null || rollout.state !== 'active') return []
    const message = waitText(row.judgements, rollout.percentage, scope.now)
    if (message === null) return []
    const subject = { type: 'release', id: publicId, name } as const
    return [{ code: 'data_late', message, subject, who: [SERVICE] }]
  })
}
