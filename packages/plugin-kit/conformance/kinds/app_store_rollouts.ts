import assert from 'node:assert/strict'
import type { AppStore, StoreVersion } from '../../capabilities/stores.js'
import type { Observed } from '../../context.js'
import type { Bench } from '../bench.js'
import { failsWith } from '../expecting.js'
import { found, given, IN_REVIEW, inStore, ROLLING, scenarioOf } from './app_store_given.js'
import type { KindRule } from './suite.js'

/*
 * Rules about releasing a version to users, and what the store reports about it.
 */

const fail = (bench: Bench) => ({ ...bench.mutation(), onReviewInProgress: 'fail' }) as const
const replace = (bench: Bench) => ({ ...bench.mutation(), onReviewInProgress: 'replace' }) as const

function requireHeld(rollout: StoreVersion['rollout']): void {
  assert.ok(rollout?.state === 'paused' || rollout?.state === 'halted', `It is ${rollout?.state}`)
}

/** Returns the comparable state of a version's rollout. */
const rolloutOf = ({ id, status, rollout }: StoreVersion) => ({
  id,
  state: status.state,
  rollout: rollout?.state,
  fraction: rollout?.fraction,
})

/** Seeds a store in which 1.2.3 rolls out while 1.3.0 is in review. Returns 1.2.3. */
async function besideReview(bench: Bench, capability: AppStore): Promise<StoreVersion> {
  bench.seed(scenarioOf({ state: 'inReview' }, ROLLING))
  return found(capability, '1.2.3')
}

/** Widens a rollout: to a larger share, or to everybody if the store takes no shares. */
async function grow(bench: Bench, capability: AppStore, id: string) {
  try {
    return await capability.setRollout(id, { fraction: 0.5 }, fail(bench))
  } catch (error) {
    if ((error as { code?: string }).code !== 'unsupported') throw error
    return capability.setRollout(id, { action: 'complete' }, fail(bench))
  }
}

/** Returns all observations in an answer. */
function observationsIn(result: unknown): Observed<string>[] {
  if (typeof result !== 'object' || result === null) return []
  const own = 'observedAt' in result ? [result as Observed<string>] : []
  return [...own, ...Object.values(result).flatMap(observationsIn)]
}

/**
 * Checks that an answer states for every observation when the read began, and how old it may be.
 */
function requireDated(result: unknown, what: string): void {
  const observations = observationsIn(result)
  assert.ok(observations.length > 0, `${what} observes nothing`)
  for (const { beganAt, observedAt, lagSeconds } of observations) {
    const [began, ended] = [Date.parse(beganAt), Date.parse(observedAt)]
    assert.ok(began <= ended, `${what} began at ${beganAt} and was observed at ${observedAt}`)
    const isLag = Number.isFinite(lagSeconds) && lagSeconds >= 0
    assert.ok(isLag, `${what} has a lag of ${lagSeconds} seconds`)
  }
}

export const rolloutRules: KindRule<AppStore>[] = [
  {
    id: 'C12',
    title: 'a rollout that is held stays where it is, and goes on from there',
    async run(bench, capability) {
      const { id, rollout } = await given(bench, capability, ROLLING)
      assert.equal(rollout?.state, 'active')
      await capability.setRollout(id, { action: 'pause' }, replace(bench))
      const held = (await found(capability)).rollout
      requireHeld(held)
      assert.equal(held?.fraction, 0.05)
      await capability.setRollout(id, { action: 'resume' }, fail(bench))
      assert.equal((await found(capability)).rollout?.state, 'active')
      assert.equal(inStore(bench)?.rollout, 'active')
    },
  },
  {
    id: 'C13',
    title: 'nobody and more than all are no share of users',
    async run(bench, capability) {
      const { id } = await given(bench, capability, ROLLING)
      for (const fraction of [0, 1.5, -0.1, Number.NaN]) {
        const call = capability.setRollout(id, { fraction }, fail(bench))
        await failsWith(call, 'invalid', 'unsupported', 'preconditionFailed')
      }
      assert.equal(inStore(bench)?.fraction, 0.05)
    },
  },
  {
    id: 'C14',
    title: 'a rollout that is completed has reached all',
    async run(bench, capability) {
      const { id } = await given(bench, capability, ROLLING)
      await capability.setRollout(id, { action: 'complete' }, fail(bench))
      const { status, rollout } = await found(capability)
      assert.equal(status.state, 'live')
      assert.ok(rollout === undefined || rollout.state === 'complete', `It is ${rollout?.state}`)
      assert.equal(inStore(bench)?.rollout, 'complete')
    },
  },
  {
    id: 'C19',
    title: 'a change of a rollout reports the state before and after',
    async run(bench, capability) {
      let last = await given(bench, capability, ROLLING)
      for (const action of ['pause', 'resume', 'complete'] as const) {
        const { id } = last
        const how = action === 'pause' ? replace(bench) : fail(bench)
        const { before, after } = await capability.setRollout(id, { action }, how)
        assert.deepEqual(rolloutOf(before), rolloutOf(last), `Before ${action}`)
        last = await found(capability)
        assert.deepEqual(rolloutOf(after), rolloutOf(last), `After ${action}`)
      }
    },
  },
  {
    id: 'C20',
    title: 'growth leaves a review alone: it is refused and changes nothing, or both go on',
    async run(bench, capability) {
      const { id } = await besideReview(bench, capability)
      const sent = inStore(bench)?.submissions
      const growth = grow(bench, capability, id)
      const isRefused = await growth.then(
        () => false,
        () => true
      )
      assert.ok(IN_REVIEW.includes(inStore(bench)!.state), 'The review is over')
      assert.equal(inStore(bench)?.submissions, sent, 'The review has begun anew')
      if (!isRefused) return
      const { detail } = await failsWith(growth, 'conflict')
      assert.equal(detail.reason, 'reviewInProgress')
      assert.equal(detail.outcome, 'notApplied')
      const { fraction, rollout } = inStore(bench, '1.2.3')!
      assert.deepEqual({ fraction, rollout }, { fraction: 0.05, rollout: 'active' })
    },
  },
  {
    id: 'C21',
    title: 'a stop beside a review holds at once, and the review goes on, or waits for a person',
    async run(bench, capability) {
      const { id } = await besideReview(bench, capability)
      const { after } = await capability.setRollout(id, { action: 'pause' }, replace(bench))
      requireHeld(after.rollout)
      const { rollout } = inStore(bench, '1.2.3')!
      assert.ok(rollout === 'paused' || rollout === 'halted', `The store has it ${rollout}`)
      const { status, waitsForSending = false } = await found(capability)
      assert.ok(IN_REVIEW.includes(status.state) || waitsForSending, `1.3.0 is ${status.state}`)
    },
  },
  {
    id: 'C22',
    title: 'what is read says when the read began, and how old it may be',
    async run(bench, capability) {
      bench.seed(scenarioOf({ state: 'inReview' }, ROLLING))
      requireDated(await capability.listVersions({}), 'A list of versions')
      requireDated(await capability.listBuilds({ version: '1.3.0' }), 'A list of builds')
    },
  },
  {
    id: 'C23',
    title: 'so does what a change answers',
    async run(bench, capability) {
      const { id } = await given(bench, capability, { state: 'preparing' })
      requireDated(await capability.submit(id, fail(bench)), 'A submission')
      const reviewed = await given(bench, capability, { state: 'inReview' })
      const cancelled = capability.cancelReview(reviewed.id, bench.mutation())
      requireDated(await cancelled, 'A cancellation')
      if (capability.release) {
        const approved = await given(bench, capability, { state: 'pendingRelease' })
        requireDated(await capability.release(approved.id, bench.mutation()), 'A release')
      }
      const rolling = await given(bench, capability, ROLLING)
      const held = capability.setRollout(rolling.id, { action: 'pause' }, replace(bench))
      const { before, after } = await held
      requireDated(before, 'A rollout before its change')
      requireDated(after, 'A rollout after its change')
    },
  },
]
