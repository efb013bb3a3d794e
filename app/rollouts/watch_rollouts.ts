import { of, select } from '#foundation/core/database/statement'
import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { storesOfRelease, type StoreOfRelease } from '#stores/queries/store_state'
import { policiesOf } from './queries/policies.js'
import { pressedOf } from './queries/pressed.js'
import { stopRollouts } from './stop_release.js'
import { lookKind, measureKind } from './kinds.js'
import { askedMetrics } from './measure.js'
import { rollouts, type RolloutRow, type Stage } from './tables.js'

const OF_RELEASE = select(
  of(rollouts, 'o'),
  'from rollouts o where o.organization_id = :org and o.release_id = :releaseId'
)

const UNDER_WAY = select(
  of(rollouts, 'o', ['appId', 'releaseId', 'integrationId']),
  `from rollouts o where o.organization_id = :org and o.app_id = :appId and o.ended_at is null`
)

/** The rollouts of a release that are watched, or were. */
export const rolloutsOf = (scope: Scope, releaseId: string): Promise<RolloutRow[]> =>
  scope.rows(OF_RELEASE, { releaseId })

export const subjectOf = (row: Pick<RolloutRow, 'releaseId' | 'integrationId'>) =>
  `${row.releaseId} ${row.integrationId}`

/** Has all rollouts of an app that are under way looked at now: what drives them is another. */
export async function lookAtRollouts(scope: Scope, appId: string): Promise<void> {
  for (const payload of await scope.rows(UNDER_WAY, { appId })) {
    await scope.agenda.plan(lookKind, { subject: subjectOf(payload), payload })
  }
}

/** Has the rollouts of a release looked at that a policy is for; what stands costs no write. */
export async function watchRollouts(scope: Scope, release: Release): Promise<void> {
  if (release.releasedAt === null) return
  await stopStopped(scope, release)
  const policies = await policiesOf(scope, release.appId)
  if (policies.length === 0) return
  const rows = await rolloutsOf(scope, release.id)
  for (const store of await storesOfRelease(scope, release)) {
    const own = policies.find(({ destinationId }) => destinationId === store.destinationId)
    if (!own) continue
    const row = rows.find(({ integrationId }) => integrationId === store.target.integrationId)
    await watch(scope, release, store, row ?? null)
    if (askedMetrics(own.policy).length > 0) await beginMeasuring(scope, release, store)
  }
}

/**
 * A takeoff may have been on its way to its store when the release was stopped: what it began is
 * stopped, once. Whatever was asked of the store since then stands.
 */
async function stopStopped(scope: Scope, release: Release): Promise<void> {
  const pressedAt = (await pressedOf(scope, release.id))?.pressedAt
  for (const { destinationId, facts, plan } of await storesOfRelease(scope, release)) {
    if (facts.rollout.state !== 'active') continue
    const { wanted = null, rollout = null } = plan ?? {}
    const isTakenOff = wanted?.what === 'released'
    const isSince = pressedAt !== undefined && isTakenOff && wanted.at > pressedAt
    const stoppedAt = wanted?.stoppedAt ?? (isSince ? undefined : pressedAt)
    if (stoppedAt === undefined || (rollout !== null && rollout.at >= stoppedAt)) continue
    await stopRollouts(scope, release, { destinationId })
  }
}

/** Has providers asked how the version does while it is rolled out. */
async function beginMeasuring(scope: Scope, release: Release, { target }: StoreOfRelease) {
  const { appId, integrationId } = target
  const rows = await rolloutsOf(scope, release.id)
  const row = rows.find((each) => each.integrationId === integrationId)
  if (!row || row.endedAt !== null) return
  const { askedSince, stages } = row
  const isAnew = stages.at(-1)!.at === scope.now
  // Of another stage they are asked at once.
  if (askedSince !== null && !isAnew) return
  if (askedSince === null) {
    await scope.update(rollouts, { id: row.id }, { askedSince: scope.now })
  }
  const payload = { appId, releaseId: release.id, integrationId }
  await scope.agenda.plan(measureKind, { subject: subjectOf(row), payload })
}

/** The stages where it was stopped just now, or goes on; null for neither. */
function stoppedOrGoingOn(
  scope: Scope,
  { stages }: RolloutRow,
  { target, facts, plan }: StoreOfRelease
): Stage[] | null {
  const { stoppedAt, ...last } = stages.at(-1)!
  const { state } = facts.rollout
  const isStopped = state === 'halted' || state === 'paused'
  if (isStopped && stoppedAt === undefined) {
    return [...stages.slice(0, -1), { ...last, stoppedAt: scope.now }]
  }
  if (state !== 'active' || stoppedAt === undefined) return null
  // Days of Apple are its own: what the service paused for a while goes on in the same stage.
  const isOurs = target.storeType === 'apple' && plan?.rollout?.by.type === 'automation'
  if (isOurs) return [...stages.slice(0, -1), last]
  return [...stages, { percentage: last.percentage, at: scope.now }]
}

async function watch(
  scope: Scope,
  release: Release,
  store: StoreOfRelease,
  row: RolloutRow | null
): Promise<void> {
  const { target, facts, version } = store
  const { state, percentage } = facts.rollout
  if (state === null || (row === null && state === 'completed')) return
  const { appId, integrationId } = target
  if (row === null) {
    const startedAt = version?.known?.rollout?.startedAt ?? facts.dates.releasedAt ?? scope.now
    await scope.insert(rollouts, [
      {
        id: newId('rollout'),
        appId,
        releaseId: release.id,
        integrationId,
        startedAt,
        endedAt: null,
        // When a rung was reached is when it was seen, which is never too early.
        stages: [{ percentage, at: scope.now }],
        judgements: [],
        samples: [],
        askedSince: null,
        next: null,
        pausedFor: null,
        calledFor: null,
        issueId: null,
        lookAt: scope.now,
      },
    ])
  } else {
    const isHigher = percentage > row.stages.at(-1)!.percentage
    const ends = state === 'completed' && row.endedAt === null
    const again = isHigher ? null : stoppedOrGoingOn(scope, row, store)
    if (!isHigher && !ends && !again && row.lookAt !== null) return
    if (!isHigher && !ends && state === 'completed') return
    await scope.update(
      rollouts,
      { id: row.id },
      {
        ...(isHigher && { stages: [...row.stages, { percentage, at: scope.now }] }),
        ...(again && { stages: again }),
        ...(ends && { endedAt: scope.now, next: null }),
        lookAt: ends ? null : scope.now,
      }
    )
    if (ends) return void (await scope.agenda.cancel(lookKind, `${release.id} ${integrationId}`))
  }
  await scope.agenda.plan(lookKind, {
    subject: `${release.id} ${integrationId}`,
    payload: { appId, releaseId: release.id, integrationId },
  })
}
