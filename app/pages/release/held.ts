import { isBeforeStores } from '#rollouts/red_button'
import type { PageCall } from '../frame/page.js'
import type { Release, Rollout, ShownStep, Step, WhyNotMoving } from './answers.js'

/** Reads the rollout of a release; null if no store has a version of it. */
export async function readRollout(
  { ask }: Pick<PageCall, 'ask'>,
  { appId, id: releaseId, phase }: Pick<Release, 'appId' | 'id' | 'phase'>
): Promise<Rollout | null> {
  if (isBeforeStores(phase)) return null
  return (await ask<Rollout>('getRollout', { params: { appId, releaseId } })).body
}

/** Reads a release with what holds it. */
export async function readHeld({ ask }: Pick<PageCall, 'ask'>, appId: string, releaseId: string) {
  const of = { params: { appId, releaseId } }
  const [{ body: release }, { body: why }] = await Promise.all([
    ask<Release>('getRelease', of),
    ask<WhyNotMoving>('whyNotMoving', of),
  ])
  return heldOf(release, why, await readRollout({ ask }, release))
}

/** Combines the answers about a release into the object from which the page makes sentences. */
export function heldOf(release: Release, why: WhyNotMoving, rollout: Rollout | null) {
  const unmet = new Map(why.steps.map((step) => [step.stepId, step.unmet]))
  const verdicts =
    rollout?.stores.flatMap(({ health }) => health.map(({ verdict }) => verdict)) ?? []
  const health =
    (['unhealthy', 'notEnoughData', 'healthy'] as const).find((each) => verdicts.includes(each)) ??
    null
  return {
    ...release,
    health,
    whyNotMoving: why,
    steps: release.steps.map((step): ShownStep => {
      const phased = storeOfStep(rollout, step)?.phased
      return {
        ...step,
        unmet: unmet.get(step.id) ?? [],
        rollout: phased ? { state: phased.status, percentage: phased.percentage } : null,
      }
    }),
  }
}

/** Returns the store of a rollout step: that of its destination, or else the one without any. */
export function storeOfStep(
  rollout: Rollout | null,
  { type, destinationId }: Pick<Step, 'type' | 'destinationId'>
) {
  if (type !== 'rollout' || rollout === null) return undefined
  const { stores } = rollout
  return (
    stores.find((each) => each.destinationId === destinationId) ??
    stores.find((each) => each.destinationId === null)
  )
}
