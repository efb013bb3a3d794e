import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { planningPort } from '#releases/ports'
import { releaseStillThere } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { readReleaseById } from '#releases/queries/read_release'
import { storeStepFacts } from '../observations/store_step_facts.js'
import { changePlan } from './change_plan.js'
import { saveRecord, type OpenStore } from '../queries/store_record.js'
import { lockStandingTakeoff } from '../pairs/find_pair.js'
import { storeExtensions } from '../extensions.js'
import { removeDecision } from '../reconciler/decide.js'
import type { Next } from '../reconciler/reconcile.js'
import { versionIn, type Slot } from '../reconciler/record.js'
import { stops } from '../reconciler/states.js'
import { nameOf } from './rollout_names.js'
import type { RolloutChange, Wanted, WantedRollout } from '../tables.js'

/**
 * Takes back a decision just before its call if it must not be carried out now: one of an
 * automation that a freeze, a pause or a new policy forbids, or the takeoff of a pair that was
 * ended.
 * @returns whether it was taken back
 */
export async function revokeForbidden(
  scope: Scope,
  store: OpenStore,
  { call, slot }: Extract<Next, { do: 'call' }>
): Promise<boolean> {
  const { record } = store
  const { wanted, rollout } = versionIn(record, call.version)
  const decided = slot === 'wanted' ? wanted : rollout
  if (slot === 'wanted' && wanted?.isOfPair) return holdTakeoffOfPair(scope, store, call.version)
  if (decided?.by.type !== 'automation') return false
  if (wanted !== null && slot === 'wanted') return holdStage(scope, store, call.version, wanted)
  return rollout !== null && !stops(rollout.to)
    ? holdRollout(scope, store, call.version, rollout)
    : false
}

async function holdStage(
  scope: Scope,
  store: OpenStore,
  version: string,
  { what, by }: Wanted
): Promise<boolean> {
  if (what === 'withdrawn') return false
  const plans = store.plans.filter((each) => each.version === version)
  const reason = await whyHeld(scope, plans, by)
  if (reason === null) return false
  const action = what === 'submitted' ? 'submit' : 'release'
  for (const release of await drop(scope, store, version, 'wanted')) {
    await planningPort.provided.ended(scope, release, { action, result: 'held', reason })
  }
  return true
}

/**
 * Takes back a release whose pair has no standing takeoff any more. The person who ended it could
 * lock only one of the two apps, so this store learns of it here.
 */
async function holdTakeoffOfPair(
  scope: Scope,
  store: OpenStore,
  version: string
): Promise<boolean> {
  for (const { releaseId } of store.plans.filter((each) => each.version === version)) {
    if (await lockStandingTakeoff(scope, { id: releaseId })) return false
  }
  await drop(scope, store, version, 'wanted')
  return true
}

/** Takes back a rollout increase; the ladder decides about it again. */
async function holdRollout(
  scope: Scope,
  store: OpenStore,
  version: string,
  { to }: WantedRollout
): Promise<boolean> {
  const reason = await whyNotGrow(scope, store, version, to)
  if (reason === null) return false
  for (const release of await drop(scope, store, version, 'rollout')) {
    recordReleaseEvent(scope, release, {
      type: 'store.failed',
      title: `The rollout of ${release.version} is not ${nameOf(to)}: ${reason}`,
      data: { what: 'rollout', reason },
      payload: null,
    })
  }
  return true
}

/**
 * Returns why the rollout must not grow; null if at least one app that shares the version lets it.
 */
async function whyNotGrow(
  scope: Scope,
  { plans }: OpenStore,
  version: string,
  to: RolloutChange
): Promise<string | null> {
  const reasons: string[] = []
  for (const { appId, releaseId, integrationId } of plans.filter(
    (plan) => plan.version === version
  )) {
    const release = await releaseStillThere(scope, appId, releaseId)
    for (const extension of release ? storeExtensions.all : []) {
      if (!extension.growthBlocker) continue
      const reason = await extension.growthBlocker(scope, release!, integrationId, to)
      if (reason === null) return null
      reasons.push(reason)
    }
  }
  return reasons[0] ?? null
}

/**
 * Removes a decision from the record and from the plans of its releases.
 * @returns those releases
 */
async function drop(
  scope: Scope,
  store: OpenStore,
  version: string,
  slot: Slot
): Promise<Release[]> {
  removeDecision(store.record, version, slot)
  await saveRecord(scope, store)
  const held: Release[] = []
  for (const plan of store.plans.filter((each) => each.version === version)) {
    await changePlan(scope, plan.releaseId, plan, { [slot]: null })
    const release = await releaseStillThere(scope, plan.appId, plan.releaseId)
    if (!release) continue
    await storeStepFacts(scope, release)
    held.push(release)
  }
  return held
}

/** Returns why the automation may not act for one of the releases; null if it may for all. */
async function whyHeld(scope: Scope, plans: OpenStore['plans'], by: Actor) {
  for (const { appId, releaseId } of plans) {
    const { release } = await readReleaseById(scope, appId, releaseId)
    const reason = await planningPort.provided.whyHeld(scope, release, by)
    if (reason !== null) return reason
  }
  return null
}
