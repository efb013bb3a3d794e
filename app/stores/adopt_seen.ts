import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/record_release_event'
import { mayBeOvertaken, stopAgain } from './stop_again.js'
import { changePlan, planOf, type PlanChange } from './change_plan.js'
import { adoptionOf } from './derive/adoption.js'
import { isAs, isRecent } from './derive/lagging.js'
import { buildOfVersion } from './queries/store_builds.js'
import type { PlanRow, VersionRow } from './queries/store_state.js'
import type { StoreTarget } from './queries/store_targets.js'
import type { RolloutChange, Wanted } from './tables.js'

const CONSOLE = { apple: 'App Store Connect', google: 'Google Play Console' } as const

const DONE_THERE: Record<Wanted['what'], string> = {
  submitted: 'was submitted',
  withdrawn: 'was withdrawn from review',
  released: 'was released',
}

/** Takes over what a person did in the store's own console: it is what is wanted from now on. */
export async function adoptSeen(
  scope: Scope,
  release: Release,
  target: StoreTarget,
  { before, after }: { before: VersionRow | null; after: VersionRow }
): Promise<void> {
  const plan = await planOf(scope, release.id, target.integrationId)
  const isOn = after.known?.rollout?.state === 'active'
  if (isOn && plan?.rollout?.is === 'done' && mayBeOvertaken(plan, after.seen.at)) {
    return stopAgain(scope, release, target, plan.rollout)
  }
  const found = adoptionOf(
    { wanted: plan?.wanted ?? null, rollout: plan?.rollout ?? null },
    before?.known ?? null,
    after.known
  )
  // That it stands still as it did before we let it go on is believed, and is nobody's wish.
  const wish = plan?.rollout ?? null
  const seen = after.known?.rollout ?? null
  const isOld = isRecent(wish, after.seen.at) && seen !== null && isAs(wish.saw, seen)
  const adoptions = isOld ? found.filter(({ rollout }) => rollout === undefined) : found
  const change: PlanChange = {}
  const told: string[] = []
  const by: Actor = { type: 'system', id: null, name: CONSOLE[target.storeType] }
  for (const { done, wanted, rollout } of adoptions) {
    const ended = { is: 'done', doneAt: scope.now, reason: null } as const
    if (done === 'wanted') change.wanted = { ...plan!.wanted!, ...ended }
    if (done === 'rollout') change.rollout = { ...plan!.rollout!, ...ended }
    if (wanted) {
      change.wanted = { what: wanted, by, at: after.seen.at, is: 'done', reason: null }
      told.push(DONE_THERE[wanted])
    }
    if (rollout) {
      change.rollout = { to: rollout, by, at: after.seen.at, saw: null, is: 'done', reason: null }
      told.push(`had its rollout ${nameOf(rollout)}`)
    }
  }
  // The answer to what was asked may have been given there.
  if (adoptions.length > 0 && plan?.question) change.question = null
  Object.assign(change, await adoptedBuild(scope, target, plan, after))
  if (Object.keys(change).length === 0) return
  await changePlan(scope, release.id, target, change)
  for (const what of told) {
    recordReleaseEvent(scope, release, {
      type: 'store.adopted',
      title: `${release.version} ${what} in ${by.name}`,
      actor: by,
      data: { destinationId: target.destinationId, what },
      payload: null,
    })
  }
}

/** The build that was submitted, where it is another than the chosen one, or none was chosen. */
async function adoptedBuild(
  scope: Scope,
  target: StoreTarget,
  plan: PlanRow | null,
  { releaseId, known }: VersionRow
): Promise<PlanChange> {
  if (!known || plan?.wanted?.is === 'underWay') return {}
  const isOpen = ['preparing', 'readyForReview', 'developerRejected'].includes(known.state)
  if (isOpen || known.buildNumbers.length === 0) return {}
  const build = await buildOfVersion(scope, { releaseId, ...target }, known.buildNumbers)
  return build && build.id !== plan?.buildId ? { buildId: build.id, byHand: true } : {}
}

export function nameOf(change: RolloutChange): string {
  switch (change.action) {
    case 'pause':
      return 'paused'
    case 'resume':
      return 'resumed'
    case 'halt':
      return 'halted'
    case 'complete':
      return 'completed'
    case 'set':
      return `set to ${change.percentage} %`
  }
}
