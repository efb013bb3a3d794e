import type { Instant } from '#foundation/core/clock'
import { of, select } from '#foundation/core/database/statement'
import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { isEndedInStore } from '#releases/engine/store_step_rules'
import type Release from '#releases/models/release'
import { isOpen, open } from '#releases/lifecycle/open_releases'
import { releaseById } from '#releases/queries/find_release'
import { releases } from '#releases/tables'
import { storesOfRelease, type StoreOfRelease } from '#stores/queries/store_state'
import { policiesOf } from './queries/policies.js'
import { checkKind, measureKind } from './work_kinds.js'
import { askedMetrics } from './measure.js'
import { rollouts, type RolloutRow, type Stage } from './tables.js'

const SELECT_BY_RELEASE = select(
  of(rollouts, 'o'),
  'from rollouts o where o.organization_id = :org and o.release_id = :releaseId'
)

const UNDER_WAY = select(
  of(rollouts, 'o', ['appId', 'releaseId', 'integrationId']),
  `from rollouts o where o.organization_id = :org and o.app_id = :appId and o.ended_at is null`
)

const OVER = select(
  of(releases, 'r', ['id']),
  `from releases r where r.organization_id = :org and r.app_id = :appId and not (${open('r')})
    and exists (select 1 from app_store_versions v where v.organization_id = r.organization_id
      and v.release_id = r.id and v.released_at is not null and not v.is_over)`
)

/** Returns the rollouts of a release that are watched now or were before. */
export const rolloutsOf = (scope: Scope, releaseId: string): Promise<RolloutRow[]> =>
  scope.rows(SELECT_BY_RELEASE, { releaseId })

export const subjectOf = (row: Pick<RolloutRow, 'releaseId' | 'integrationId'>) =>
  `${row.releaseId} ${row.integrationId}`

/** Plans a check now of all rollouts of an app that are under way, after their policy changed. */
export async function checkRollouts(scope: Scope, appId: string): Promise<void> {
  for (const payload of await scope.rows(UNDER_WAY, { appId })) {
    await scope.jobs.plan(checkKind, { subject: subjectOf(payload), payload })
  }
}

/** Watches the rollouts of ended releases whose versions users still have. */
export async function watchOverReleases(scope: Scope, appId: string): Promise<void> {
  for (const { id } of await scope.rows(OVER, { appId })) {
    await watchRollouts(scope, await releaseById(scope, appId, id))
  }
}

/** Watches the rollouts of a release that have a policy; writes nothing if nothing changed. */
export async function watchRollouts(scope: Scope, release: Release): Promise<void> {
  // The dates of an ended release no longer change, so a missing release date says nothing about
  // its version.
  if (isOpen(release) && release.releasedAt === null) return
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

/** Begins to ask providers how the version does during its rollout. */
async function beginMeasuring(scope: Scope, release: Release, { target }: StoreOfRelease) {
  const { appId, integrationId } = target
  const rows = await rolloutsOf(scope, release.id)
  const row = rows.find((each) => each.integrationId === integrationId)
  if (!row || row.endedAt !== null) return
  const { askedSince, stages } = row
  const isNewStage = stages.at(-1)!.at === scope.now
  // At a new stage, the providers are asked at once.
  if (askedSince !== null && !isNewStage) return
  if (askedSince === null) {
    await scope.update(rollouts, { id: row.id }, { askedSince: scope.now })
  }
  const payload = { appId, releaseId: release.id, integrationId }
  await scope.jobs.plan(measureKind, { subject: subjectOf(row), payload })
}

/** Returns the stages if the rollout was just stopped or resumed; null otherwise. */
function stagesAfterStopOrResume(
  scope: Scope,
  { stages }: RolloutRow,
  { facts }: StoreOfRelease
): Stage[] | null {
  const { stoppedAt, ...last } = stages.at(-1)!
  const { state } = facts.rollout
  const isStopped = state === 'halted' || state === 'paused'
  if (isStopped && stoppedAt === undefined) {
    return [...stages.slice(0, -1), { ...last, stoppedAt: scope.now }]
  }
  if (state !== 'active' || stoppedAt === undefined) return null
  // An unhealthy version that a person resumed is judged anew in a new stage.
  if (last.unhealthyAt !== undefined) {
    return [...stages, { percentage: last.percentage, at: scope.now }]
  }
  return [...stages.slice(0, -1), { ...last, stoppedFor: stoppedIn(stages.slice(-1), scope.now) }]
}

/** Returns the milliseconds in which a rollout was stopped during consecutive stages. */
export function stoppedIn(stages: readonly Stage[], now: Instant): number {
  return stages.reduce((all, { stoppedAt, stoppedFor = 0 }, index) => {
    if (stoppedAt === undefined) return all + stoppedFor
    const until = stages.at(index + 1)?.at ?? now
    return all + stoppedFor + Math.max(0, Date.parse(until) - Date.parse(stoppedAt))
  }, 0)
}

/** Returns the row of a rollout that is seen for the first time, with its share in percent. */
export const newRollout = (
  begun: Pick<RolloutRow, 'appId' | 'releaseId' | 'integrationId' | 'startedAt'>,
  percentage: number,
  now: Instant
) => ({
  ...begun,
  id: newId('rollout'),
  endedAt: null,
  // A rung counts from its observation, so it never ends too early.
  stages: [{ percentage, at: now }],
  judgements: [],
  samples: [],
  askedSince: null,
  adoption: null,
  next: null,
  pausedFor: null,
  calledFor: null,
  issueId: null,
  lookAt: now,
})

async function watch(
  scope: Scope,
  release: Release,
  store: StoreOfRelease,
  row: RolloutRow | null
): Promise<void> {
  const { target, facts, version } = store
  const { state, percentage } = facts.rollout
  const isOver = isEndedInStore(facts.rollout)
  if (state === null || (row === null && isOver)) return
  const { appId, integrationId } = target
  if (row === null) {
    const startedAt = version?.known?.rollout?.startedAt ?? facts.dates.releasedAt ?? scope.now
    const begun = { appId, releaseId: release.id, integrationId, startedAt }
    await scope.insert(rollouts, [newRollout(begun, percentage, scope.now)])
  } else {
    // A version that was halted at 100 % may go on at a smaller share.
    const isResumed = row.endedAt !== null && state === 'active'
    if (row.endedAt !== null && !isResumed) return
    const isNewStage = isResumed || percentage > row.stages.at(-1)!.percentage
    const changedStages = isNewStage ? null : stagesAfterStopOrResume(scope, row, store)
    if (!isNewStage && !isOver && !changedStages && row.lookAt !== null) return
    await scope.update(
      rollouts,
      { id: row.id },
      {
        ...(isNewStage && { stages: [...row.stages, { percentage, at: scope.now }] }),
        ...(changedStages && { stages: changedStages }),
        ...(isOver && { next: null }),
        endedAt: isOver ? scope.now : null,
        lookAt: isOver ? null : scope.now,
      }
    )
    if (isOver) return void (await scope.jobs.cancel(checkKind, `${release.id} ${integrationId}`))
  }
  await scope.jobs.plan(checkKind, {
    subject: `${release.id} ${integrationId}`,
    payload: { appId, releaseId: release.id, integrationId },
  })
}
