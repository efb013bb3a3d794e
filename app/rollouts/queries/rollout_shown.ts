import type { Instant } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import { refuse } from '#foundation/core/problems/problem'
import type { ReleaseRow } from '#releases/queries/read_release'
import { RUN } from '#releases/queries/run_rows'
import { stepRows } from '#releases/queries/step_rows'
import { flagChangesOf } from '#stores/extensions'
import { isPaused } from '#planning/plans/plan_state'
import { appPlan } from '#planning/plans/plans'
import { reportedDecision } from '#stores/decisions/decision_members'
import { phasedData } from '#stores/queries/phased_data'
import { storeRecordOf } from '#stores/queries/store_record'
import { storesOfRelease, type StoreOfRelease } from '#stores/queries/store_state'
import { targetsOfStep } from '#stores/queries/store_targets'
import { arrivesBy, canArrive, isProof } from '#stores/reconciler/calls'
import type { CallRecord, StoreRecord } from '#stores/reconciler/record'
import { stops } from '#stores/reconciler/states'
import { callText } from '#stores/decisions/rollout_names'
import type { Wanted, WantedRollout } from '#stores/tables'
import type { RolloutEntity, RolloutInStore } from '../rollout_entity.js'
import type { RolloutRow } from '../tables.js'
import { rolloutsOf } from '../watch_rollouts.js'
import { courseOf, type Course } from './course.js'
import { entriesOf, historyOf, reachedIn } from './history.js'
import { findingsOf } from './guard_findings.js'
import { policiesOf } from './policies.js'
import { movesOf } from './moves.js'
import { statistic } from './statistics.js'
import { whyNotStoppedIn } from '../stop_release.js'
import { stoppedBy } from './stopped_by.js'
import { pressedOf } from './pressed.js'

/**
 * Returns the rollout of a release, from the records of its stores, its policy and its timeline.
 * @param stepRunId only the stores of this run of a rollout step
 * @throws for a run not_found, step_type_mismatch
 */
export async function rolloutShown(
  scope: Scope,
  release: ReleaseRow,
  stepRunId?: string
): Promise<RolloutEntity> {
  const { id, publicId: releaseId, version, status } = release
  const all = await storesOfRelease(scope, release)
  const stores = stepRunId === undefined ? all : await ofRun(scope, id, stepRunId, all)
  const rows = await rolloutsOf(scope, id)
  const pressed = await pressedOf(scope, release, all)
  const [entries, findings, policies, plan] = await Promise.all([
    entriesOf(scope, id),
    findingsOf(scope, id),
    policiesOf(scope, release.appId),
    appPlan(scope, release.appId),
  ])
  const isHeld = release.automationsPaused || isPaused(plan.pause, scope.now)
  const shown = stores.map(async (store) => {
    const { destinationId } = store
    const { integrationId } = store.target
    const record = await storeRecordOf(scope, store.target)
    const row = rows.find((each) => each.integrationId === integrationId) ?? null
    return {
      ...inStore(version, store, record, scope.now),
      ...courseOf(
        {
          release,
          store,
          row,
          record,
          isHeld,
          freezes: plan.freezes,
          policy: policies.find((each) => each.destinationId === destinationId)?.policy ?? null,
          seen: reachedIn(entries, destinationId),
          findings: findings.filter((each) => each.integrationId === integrationId),
        },
        scope.now
      ),
      adoption: adoptionIn(row),
      stopped: stoppedBy(store, row, pressed),
      whyNotStoppable: (await whyNotStoppedIn(scope, release, [store]))?.message ?? null,
      health: (row?.judgements ?? []).map((each) => statistic(each, scope.now)),
      next: movesOf(version, store, row, scope.now),
    }
  })
  return {
    releaseId,
    version,
    status,
    stores: await Promise.all(shown),
    flagChanges: await flagChangesOf(scope, id),
    history: historyOf(entries),
  }
}

const adoptionIn = (row: RolloutRow | null) =>
  row?.adoption
    ? { percentage: Math.round(row.adoption.share * 1e4) / 100, at: row.adoption.at }
    : null

async function ofRun(
  scope: Scope,
  releaseId: string,
  stepRunId: string,
  stores: readonly StoreOfRelease[]
): Promise<StoreOfRelease[]> {
  const [run] = await scope.rows(RUN, { releaseId, stepRunId })
  if (!run) throw refuse('not_found')
  const steps = await stepRows(scope, releaseId)
  const step = steps.find(({ id }) => id === run.stepId)!
  if (step.type === 'rollout') return targetsOfStep(stores, step, steps)
  throw refuse('step_type_mismatch', {
    detail: `${step.name} is a step of type ${step.type}; only one of type rollout has a rollout.`,
  })
}

type Recorded = Omit<
  RolloutInStore,
  keyof Course | 'stopped' | 'whyNotStoppable' | 'health' | 'next' | 'adoption'
>

function inStore(
  version: string,
  store: StoreOfRelease,
  record: StoreRecord | null,
  now: Instant
): Recorded {
  const { target, destinationId, facts } = store
  const calls = (record?.calls ?? []).filter(({ call }) => call.version === version)
  const failure = record?.pollFailure ?? null
  return {
    destinationId,
    integrationInstallationId: target.integrationId,
    storeType: target.storeType,
    phased: phasedData(facts.rollout, store),
    decided: decidedIn(store, record),
    asked: calls.toReversed().map((each) => shownCall(record!, each, now)),
    observed: observedIn(version, store, record),
    polled: {
      at: record?.polledAt ?? null,
      failure: failure && { at: failure.at, times: failure.times, reason: failure.message },
    },
  }
}

function decidedIn({ plan }: StoreOfRelease, record: StoreRecord | null): Recorded['decided'] {
  const { wanted = null, rollout = null } = plan ?? {}
  return {
    generation: record?.generation ?? 0,
    stage: wanted && { what: wanted.what, ...decision(wanted) },
    rollout: rollout && {
      ...rollout.to,
      isUrgent: rollout.isUrgent === true,
      ...decision(rollout),
    },
    share: rollout ? shareOf(rollout) : firstShareOf(wanted?.how),
    isStopped: rollout !== null && stops(rollout.to),
  }
}

const decision = (each: Wanted | WantedRollout) => ({
  generation: each.generation,
  ...reportedDecision(each),
})

/** Returns the share that a change leads to; a stop or resume keeps the share. */
function shareOf({ to, saw }: WantedRollout): number | null {
  if (to.action === 'set') return to.percentage
  return to.action === 'complete' ? 100 : (saw?.percentage ?? null)
}

function firstShareOf(how: { phased: boolean; fraction?: number } | undefined): number | null {
  if (how === undefined) return null
  if (!how.phased) return 100
  return how.fraction === undefined ? null : Math.round(how.fraction * 1e4) / 100
}

function shownCall(record: StoreRecord, each: CallRecord, now: Instant) {
  const { call, generation, attempt, lane, beganAt, deadline, endedAt, outcome } = each
  // After the deadline, the process that made the call may have died.
  const isOpen = outcome === null && now <= deadline
  return {
    method: call.method,
    what: callText(call),
    generation,
    attempt,
    isUrgent: lane === 'stop',
    beganAt,
    deadline,
    endedAt,
    outcome: isOpen ? ('inFlight' as const) : (outcome?.kind ?? ('unknown' as const)),
    reason: outcome && 'message' in outcome ? outcome.message : null,
    retryAt: outcome?.kind === 'refused' ? outcome.retryAt : null,
    mayArriveUntil: canArrive(record, each, now) ? arrivesBy(record, each) : null,
  }
}

function observedIn(
  name: string,
  { version, plan }: StoreOfRelease,
  record: StoreRecord | null
): Recorded['observed'] {
  if (version === null) return null
  const { seen, known, past } = version
  const { state, raw, at: beganAt, lagSeconds, ofCall, rollout } = seen
  const { wanted = null, rollout: decided = null, question = null } = plan ?? {}
  const found = { version: name, wanted, rollout: decided, question, seen, known, past }
  return {
    state,
    raw,
    beganAt,
    lagSeconds,
    isAnswer: ofCall !== null,
    isCurrent: record !== null && isProof(record, found),
    rollout: rollout && {
      state: rollout.state,
      percentage: rollout.percentage,
      day: rollout.day,
      pausedDays: rollout.pausedDays,
    },
  }
}
