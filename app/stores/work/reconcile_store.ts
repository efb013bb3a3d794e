import type { CallContext, Job, Outcome, CommandContext } from '#foundation/jobs/handlers'
import { onCommand } from '#foundation/jobs/handlers'
import type { PayloadOf } from '#foundation/core/jobs/kinds'
import { later, type Instant } from '#foundation/core/clock'
import { HOUR, MINUTE, SECOND } from '#foundation/core/durations'
import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import { isPersonal } from '#integrations/ask_provider'
import { pollFailed, refusalOf } from '../reconciler/attempts.js'
import { beginCall, endCall } from '../reconciler/end_call.js'
import { reconcile, type Next } from '../reconciler/reconcile.js'
import type { CallRecord, Lane } from '../reconciler/record.js'
import { revokeForbidden } from '../decisions/revoke_forbidden.js'
import { versionOfName } from '../derive/version_names.js'
import { observePoll, pollVersions, type Poll } from '../observations/observe_versions.js'
import { appsOfStore, openStore, saveRecord, type OpenStore } from '../queries/store_record.js'
import { targetsOfStore } from '../queries/store_holders.js'
import { textsOf } from '../queries/submission_of.js'
import { planLane } from '../decisions/plan_lanes.js'
import { ReconcileStore } from '../decisions/reconcile_store.js'
import { reconcileKind, stopKind } from '../work_kinds.js'
import { askStore, type StorePlace } from './ask_store.js'
import { failureOf, makeCall, type CallFailure, type CallResult } from './make_call.js'

type Payload = PayloadOf<typeof reconcileKind>

/** The longest time of a call, in milliseconds; shorter for stops, which are retried sooner. */
const LASTS: Record<Lane, number> = { usual: 180 * SECOND, stop: 45 * SECOND }

/**
 * The longest time of calls other than submissions, which upload files: a lost call delays the next
 * ones this long. In milliseconds.
 */
const SHORT = 60 * SECOND

/** Milliseconds until the next check whether an integration leads to the store again. */
const UNREACHABLE = 10 * MINUTE

const TOO_LATE: CallFailure = {
  isUnknown: false,
  code: 'timeout',
  message: 'The process was suspended for too long to make the call',
}

/** The result of a call, of a read, or of neither. */
type Answer =
  | { did: 'call'; call: Pick<CallRecord, 'idempotencyKey' | 'beganAt'>; result: CallResult }
  | { did: 'poll'; poll: Poll }
  | { did: 'pollInVain'; failure: CallFailure & { credentials: number } }
  | { did: 'nothing' }
  | { did: 'unreachable' }

/** The work that is due by the record of the store. */
type Due =
  | { kind: 'call'; begun: CallRecord; place: StorePlace; by: Actor | null; version: string }
  | { kind: 'poll'; place: StorePlace; names: string[]; beganAt: Instant; credentials: number }
  /** No integration leads to the store any more. */
  | { kind: 'unreachable' }

/**
 * Carries out the next move that `reconcile` returns for a store: one call or one read, outside of
 * any transaction. Before a call, the record stores that it begins, and after it, its outcome; the
 * next move follows from that. A crash at any point leaves a call that may still take effect.
 */
const inLane = (kind: typeof reconcileKind | typeof stopKind, lane: Lane) =>
  onCommand(kind, {
    actor: 'app store',
    lease: LASTS[lane] / 0.75,
    retry: { steps: [10 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR] },
    isRepeatable: true,
    async lock(scope, { payload }) {
      for (const appId of await appsOfStore(scope, payload.storeId)) await scope.lock('apps', appId)
    },
    async call(job, context): Promise<Outcome<Answer>> {
      const since = performance.now()
      const due = await begin(lane, job, context)
      if (due === null) return { outcome: 'applied', result: { did: 'nothing' } }
      if (due.kind === 'unreachable') return { outcome: 'applied', result: { did: 'unreachable' } }
      if (due.kind === 'poll') return poll(due, context)
      const { idempotencyKey, beganAt } = due.begun
      const result = await attempt(job, context, due, since)
      return {
        outcome: 'applied',
        result: { did: 'call', call: { idempotencyKey, beganAt }, result },
      }
    },
    async storeResult(scope, { payload }, result: Answer) {
      const store = await openStore(scope, payload.storeId)
      if (!store) return
      if (result.did === 'unreachable') {
        return planLane(scope, payload.storeId, lane, later(scope.now, UNREACHABLE))
      }
      const work = new ReconcileStore(scope, store, store.appIds)
      if (result.did === 'pollInVain') pollFailed(store.record, result.failure, scope.now)
      if (result.did === 'nothing' || result.did === 'pollInVain') return void (await work.handle())
      if (result.did === 'poll') {
        return void (await work.handle(await observePoll(scope, store, result.poll)))
      }
      await work.handle(
        endCall(store.record, result.call, outcomeOf(store, result, scope), scope.now)
      )
    },
    /** The record stays as it is: its next move is tried again later. */
    async afterLast(scope, { payload: { storeId } }) {
      await planLane(scope, storeId, lane, later(scope.now, UNREACHABLE))
    },
  })

export const reconcileUsual = inLane(reconcileKind, 'usual')
export const reconcileStops = inLane(stopKind, 'stop')

/** Determines the work that is due, and records that it begins, under the lock of the store. */
async function begin(
  lane: Lane,
  { payload: { storeId } }: Job<Payload>,
  { write }: CommandContext
): Promise<Due | null> {
  return write(async (writing) => {
    for (const appId of await appsOfStore(writing, storeId)) await writing.lock('apps', appId)
    const store = await openStore(writing, storeId)
    if (!store) return null
    const next = reconcile(store.record, writing.now).lanes[lane]
    if (next.do === 'wait') return null
    const place = await placeOf(writing, store, next.do === 'call' ? next.call.version : null)
    if (!place) return { kind: 'unreachable' }
    if (next.do === 'poll') {
      const names = watchedNames(store)
      const { credentials } = store.record
      return { kind: 'poll', place, names, beganAt: writing.now, credentials }
    }
    if (await revokeForbidden(writing, store, next)) return null
    return beginAt(writing, lane, store, next, place)
  })
}

async function beginAt(
  scope: Scope,
  lane: Lane,
  store: OpenStore,
  next: Extract<Next, { do: 'call' }>,
  place: StorePlace
): Promise<Due> {
  const lasts = next.call.method === 'submit' ? LASTS[lane] : Math.min(SHORT, LASTS[lane])
  const deadline = later(scope.now, lasts)
  const begun = beginCall(store.record, lane, next, { now: scope.now, deadline })
  await saveRecord(scope, store)
  const { version } = next.call
  const decided = store.record.versions.find((each) => each.version === version)
  return { kind: 'call', begun, place, by: decided?.[next.slot]?.by ?? null, version }
}

/**
 * Returns the versions of releases, which a read asks for by name, because lists omit versions that
 * are over.
 */
const watchedNames = ({ versions, plans }: OpenStore) => [
  ...new Set([...versions, ...plans].map(({ version }) => versionOfName(version))),
]

/**
 * Returns the integration for calls about a version; any other one of the store if that is gone.
 */
async function placeOf(
  scope: Scope,
  store: OpenStore,
  version: string | null
): Promise<StorePlace | null> {
  const targets = await targetsOfStore(scope, store)
  const own = store.plans.find((each) => each.version === version)
  return targets.find((each) => each.integrationId === own?.integrationId) ?? targets[0] ?? null
}

async function poll(
  { place, names, beganAt, credentials }: Extract<Due, { kind: 'poll' }>,
  context: CallContext
): Promise<Outcome<Answer>> {
  try {
    const found = await askStore({ payload: place }, context, 'appStore', (store) =>
      pollVersions(store, names, beganAt)
    )
    return { outcome: 'applied', result: { did: 'poll', poll: found } }
  } catch (error) {
    const failure = { ...failureOf(error), credentials }
    return { outcome: 'applied', result: { did: 'pollInVain', failure } }
  }
}

async function attempt(
  job: Job<Payload>,
  context: CallContext,
  { begun, place, by, version }: Extract<Due, { kind: 'call' }>,
  since: number
): Promise<CallResult> {
  const { call, beganAt, deadline, lane } = begun
  // Time since the job began is subtracted, since a paused process would reach the store late.
  const passed = Math.ceil(performance.now() - since)
  const lasts = Date.parse(deadline) - Date.parse(beganAt) - SECOND - passed
  if (lasts <= 0) return { failure: TOO_LATE }
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(lasts)])
  // A person's decision takes precedence over automatic calls, also when a worker makes it.
  const isForPerson = lane === 'stop' || (by !== null && isPersonal({ actor: by }))
  try {
    const texts =
      call.method === 'submit'
        ? await textsOf(context.scope, place, versionOfName(version))
        : { texts: [], files: [] }
    const idempotencyKey = `${job.payload.storeId} ${begun.idempotencyKey}`
    const options = { idempotencyKey, beganAt, texts }
    const result = await askStore(
      { payload: place },
      { ...context, signal },
      'appStore',
      (store) => makeCall(store, call, options),
      isForPerson
    )
    return { answer: result }
  } catch (error) {
    return { failure: failureOf(error) }
  }
}

function outcomeOf(
  { record }: OpenStore,
  { call, result }: Extract<Answer, { did: 'call' }>,
  { now }: Pick<Scope, 'now'>
): Parameters<typeof endCall>[2] {
  if ('answer' in result) return result
  const { failure } = result
  if (failure.isUnknown) return { outcome: { kind: 'unknown', message: failure.message } }
  const begun = record.calls.find(
    (each) => each.idempotencyKey === call.idempotencyKey && each.beganAt === call.beganAt
  )
  // A call that the record no longer has was repeated meanwhile, and is ignored.
  if (!begun) return { outcome: { kind: 'unknown', message: failure.message } }
  return { outcome: refusalOf(record, begun, failure, now) }
}
