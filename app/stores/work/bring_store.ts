import { onWish, type CallContext, type Entry, type Outcome } from '#foundation/agenda/handlers'
import type { PayloadOf } from '#foundation/core/agenda/kinds'
import { later } from '#foundation/core/clock'
import { HOUR, MINUTE, SECOND } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { isPersonal } from '#integrations/ask_provider'
import { outcomeOfCall } from '#integrations/outcome_of_call'
import type { AppStore } from '#plugin-kit/capabilities/stores'
import { settle } from '#releases/lifecycle/settle'
import type Release from '#releases/models/release'
import { releaseStillThere } from '#releases/queries/find_release'
import { releaseParts } from '#releases/parts'
import { readReleaseById } from '#releases/queries/read_release'
import { recordReleaseEvent } from '#releases/record_release_event'
import { tellParts } from '#releases/tell_parts'
import { RecordStoreVersion } from '../actions/record_store_version.js'
import { carryStoreFacts } from '../carry_store_facts.js'
import { changePlan, planOf, type PlanChange } from '../change_plan.js'
import { submissionOf } from '../queries/submission_of.js'
import type { PlanRow } from '../queries/store_state.js'
import type { Question, Wanted, WantedRollout } from '../tables.js'
import { stopAgain, stops } from '../stop_again.js'
import { bringKind } from '../work_kinds.js'
import { askStore, targetOf } from './ask_store.js'
import {
  bringBack,
  bringRollout,
  bringToReview,
  bringToUsers,
  type Brought,
} from './bring_version.js'

/** How often what is urgent is tried, in milliseconds, until the store confirms it. */
const URGENT_EVERY = 20 * SECOND

type Payload = PayloadOf<typeof bringKind>
type Answer =
  | Exclude<Brought, { is: 'pending' }>
  | { is: 'unasked' }
  /** What an automation asked for is not to be done now. */
  | { is: 'held'; reason: string }

/** How long a store may take to let go of what it reviews. */
const MOST_PENDING = HOUR

/**
 * Brings a store to where a release wants it. It looks before every step, so whoever was cut off
 * anywhere goes on from what the store shows, and does nothing twice.
 */
export const bringStore = onWish(bringKind, {
  actor: 'app store',
  onBehalfOf: ({ payload }) => payload.askedBy,
  lease: 4 * MINUTE,
  retry: { steps: [10 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR] },
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async call(entry, context): Promise<Outcome<Answer>> {
    const plan = await wantedNow(context.scope, entry)
    if (!plan) return { outcome: 'applied', answer: { is: 'unasked' } }
    const held = await heldBy(context.scope, entry)
    if (held !== null) return { outcome: 'applied', answer: { is: 'held', reason: held } }
    const came = await outcomeOfCall(() => bring(entry, context, plan))
    if (came.outcome !== 'applied') {
      const { reason } = came
      // It looks before it calls, so whatever became of this call it may be made again.
      return entry.payload.isUrgent
        ? { outcome: 'notApplied', reason, isEarly: true, retryAfterMs: URGENT_EVERY }
        : came
    }
    const { answer } = came
    if (answer.is !== 'pending') return { outcome: 'applied', answer }
    const { reason } = answer
    const isLate = later(entry.payload.at, MOST_PENDING) < context.scope.now
    if (isLate) return { outcome: 'notApplied', reason, isFinal: true }
    return { outcome: 'notApplied', reason, isEarly: true, retryAfterMs: 15 * SECOND }
  },
  async answer(scope, entry, answer: Answer) {
    const { payload } = entry
    const release = await releaseStillThere(scope, payload.appId, entry.subject)
    const target = await targetOf(scope, payload)
    if (!release || !target) return
    if (answer.is === 'held') return letBe(scope, release, entry, answer.reason)
    // What an earlier attempt may have sent all the same is seen by the next look.
    if (answer.is === 'unasked') return
    const stop = await stopSince(scope, entry)
    // The call may have come to the store after the one that stopped it.
    if (stop) return stopAgain(scope, release, target, stop)
    await new RecordStoreVersion(scope).handle(target, answer.version, true)
    if (answer.is === 'diverged') return end(scope, release, entry, 'failed', answer.message, true)
    await end(scope, release, entry, 'done', null)
  },
  async afterLast(scope, entry, reason) {
    const { payload } = entry
    const release = await releaseStillThere(scope, payload.appId, entry.subject)
    if (!release) return
    if (payload.isUrgent && (await isWanted(scope, entry))) return tryOn(scope, entry)
    await end(scope, release, entry, 'failed', reason)
  },
})

/** What keeps an automation from what it asked for a while ago; null where nothing does. */
async function heldBy(scope: Scope, { subject, payload }: Entry<Payload>): Promise<string | null> {
  const { what, askedBy, appId } = payload
  if (askedBy.type !== 'automation' || (what !== 'submitted' && what !== 'released')) return null
  const { release } = await readReleaseById(scope, appId, subject)
  for (const part of releaseParts.parts) {
    const held = await part.holds?.(scope, release, askedBy)
    if (held) return held
  }
  return null
}

/** Takes back what an automation asked for, which may ask again. */
async function letBe(
  scope: Scope,
  release: Release,
  { payload }: Entry<Payload>,
  reason: string
): Promise<void> {
  const plan = await planOf(scope, release.id, payload.integrationId)
  if (plan?.wanted?.at === payload.at)
    await changePlan(scope, release.id, payload, { wanted: null })
  if (await carryStoreFacts(scope, release)) await settle(scope, release)
  const action = payload.what === 'submitted' ? 'submit' : 'release'
  await tellParts(scope, release, { action, result: 'held', reason })
}

/** The stop that overtook a call which lets a rollout grow; null for none. */
async function stopSince(scope: Scope, { subject, payload }: Entry<Payload>) {
  if (payload.what !== 'rollout' || payload.isUrgent) return null
  const wanted = (await planOf(scope, subject, payload.integrationId))?.rollout
  return wanted && wanted.at !== payload.at && stops(wanted) ? wanted : null
}

/** What is urgent is tried until the store confirms it, or somebody wants something else. */
async function tryOn(scope: Scope, { subject, payload }: Entry<Payload>): Promise<void> {
  const at = later(scope.now, 30 * SECOND)
  await scope.agenda.wish(bringKind, {
    ...{ subject, at, payload },
    isUrgent: true,
  })
}

/** The wish as it stands in the plan; null where something else is wanted by now. */
function standingWish(
  plan: PlanRow | null,
  { what, at, isUrgent }: Payload
): Wanted | WantedRollout | null {
  const wish = what === 'rollout' ? plan?.rollout : plan?.wanted
  if (!wish || wish.at !== at || wish.is !== 'underWay') return null
  if ('what' in wish) return wish.what === what ? wish : null
  // What was asked for at the same instant, and overtaken.
  return (wish.isUrgent ?? false) === isUrgent ? wish : null
}

async function isWanted(scope: Scope, { subject, payload }: Entry<Payload>): Promise<boolean> {
  return standingWish(await planOf(scope, subject, payload.integrationId), payload) !== null
}

/** The plan, while the wish is still wanted and its release is there and was not skipped. */
async function wantedNow(
  scope: Scope,
  { subject, payload }: Entry<Payload>
): Promise<PlanRow | null> {
  const there = await scope.table('releases').where('id', subject).select('status').first()
  const status = (there as { status: string } | null)?.status
  // What stops a rollout is done for a release that was given up, too.
  if (status === undefined || (status === 'skipped' && payload.what !== 'rollout')) return null
  const plan = await planOf(scope, subject, payload.integrationId)
  return standingWish(plan, payload) && plan
}

async function bring(entry: Entry<Payload>, context: CallContext, plan: PlanRow): Promise<Brought> {
  const { subject, payload, idempotencyKey } = entry
  const { scope } = context
  const { release } = await readReleaseById(scope, payload.appId, subject)
  const { version } = release
  const submission = payload.what === 'submitted' ? await submissionOf(scope, release, plan) : null
  const key = (step: string) => ({ idempotencyKey: `${idempotencyKey} ${step}` })
  const ask = (store: AppStore): Promise<Brought> => {
    switch (payload.what) {
      case 'submitted':
        return bringToReview(store, submission!, key)
      case 'withdrawn':
        return bringBack(store, version, key)
      case 'released':
        return bringToUsers(store, version, key)
      case 'rollout': {
        const { to, saw, overtook } = plan.rollout!
        return bringRollout(store, { version, to, saw, overtook }, key)
      }
    }
  }
  // What a person asked for goes before what runs by itself, also when a worker does it.
  const isPersons = payload.isUrgent || isPersonal({ actor: payload.askedBy })
  return askStore(entry, context, 'appStore', ask, isPersons)
}

const ABOUT: Record<Payload['what'], Question['about']> = {
  submitted: 'submission',
  withdrawn: 'submission',
  released: 'release',
  rollout: 'rollout',
}

/** Writes down what came of a wish, while it is still the one that is wanted. */
async function end(
  scope: Scope,
  release: Release,
  { payload }: Entry<Payload>,
  is: 'done' | 'failed',
  why: string | null,
  isQuestion = false
): Promise<void> {
  const { what, askedBy } = payload
  const plan = await planOf(scope, release.id, payload.integrationId)
  const wish = what === 'rollout' ? plan?.rollout : plan?.wanted
  // Something else is wanted by now.
  if (!wish || wish.at !== payload.at) return
  const reason = why?.slice(0, 500) ?? null
  const ended = { ...wish, is, reason, ...(is === 'done' && { doneAt: scope.now }) }
  const change: PlanChange =
    what === 'rollout' ? { rollout: ended as WantedRollout } : { wanted: ended as Wanted }
  if (isQuestion) change.question = { about: ABOUT[what], message: reason!, since: scope.now }
  await changePlan(scope, release.id, payload, change)
  if (is === 'failed') {
    recordReleaseEvent(scope, release, {
      type: isQuestion ? 'store.question' : 'store.failed',
      title: isQuestion ? reason! : `${release.version} could not be ${DONE[what]}: ${reason}`,
      data: { what, reason },
      payload: null,
    })
  }
  if (await carryStoreFacts(scope, release)) await settle(scope, release)
  const action = what === 'submitted' ? 'submit' : what === 'released' ? 'release' : null
  if (action === null) return
  const ends =
    is === 'done' ? ({ result: is } as const) : ({ result: is, reason: reason! } as const)
  // A release of several stores is done by the first of them that is.
  if (askedBy.type === 'automation') await tellParts(scope, release, { action, ...ends })
}

const DONE: Record<Payload['what'], string> = {
  submitted: 'submitted',
  withdrawn: 'withdrawn',
  released: 'released',
  rollout: 'rolled out as asked',
}
