import fc from 'fast-check'
import { test } from '@japa/runner'
import type { StoreVersionState } from '#plugin-kit/capabilities/stores'
import { later, seenVersion, type SeenVersion } from '../derive/seen.js'
import {
  addSighting,
  storeFacts,
  together,
  type Sightings,
  type Desired,
} from '../derive/store_facts.js'
import { matchOf, type Candidate } from '../builds/match_builds.js'
import { runs } from '#tests/support/effort'

const RUNS = { numRuns: runs(500) }
const STATES: readonly StoreVersionState[] = [
  'preparing',
  'processing',
  'readyForReview',
  'waitingForReview',
  'inReview',
  'rejected',
  'metadataRejected',
  'developerRejected',
  'invalidBinary',
  'pendingRelease',
  'rolledOutPartially',
  'halted',
  'live',
  'replaced',
  'removed',
]
const ROLLOUTS = ['inactive', 'active', 'paused', 'halted', 'complete'] as const

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute)).toISOString()

/** Observations at few instants, so that some have equal times. */
const arbitraryLook: fc.Arbitrary<SeenVersion> = fc
  .record({
    minute: fc.integer({ min: 0, max: 8 }),
    state: fc.constantFrom(...STATES, 'unknown' as const),
    build: fc.constantFrom('41', '42'),
    rollout: fc.option(
      fc.record({
        mode: fc.constantFrom('phased' as const, 'staged' as const),
        state: fc.constantFrom(...ROLLOUTS),
        fraction: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
        day: fc.option(fc.integer({ min: -1, max: 9 }), { nil: undefined }),
      }),
      { nil: undefined }
    ),
  })
  .map(({ minute, state, build, rollout }) =>
    seenVersion(
      {
        id: 'V1',
        version: '1.4.0',
        buildNumbers: [build],
        status: {
          state,
          raw: state === 'unknown' ? 'NEW' : state.toUpperCase(),
          beganAt: at(minute),
          observedAt: at(minute),
          lagSeconds: 0,
        },
        rollout,
      },
      at(60)
    )
  )

/** The rollout that a store reports of a version that is no longer offered. */
const COMPLETE = {
  ...{ state: 'complete' as const, raw: 'COMPLETE', percentage: 100 },
  ...{ day: 7, startedAt: null, pausedDays: 0 },
}

const DESIRED: Desired = {
  hasBuild: true,
  isSubmitting: false,
  isReleasing: false,
  failure: null,
  isAway: false,
  takeoffFailure: null,
  question: null,
  nextStage: null,
}
const all = (looks: readonly SeenVersion[]) =>
  looks.reduce<Sightings | null>((before, look) => addSighting(before, look), null)

test.group('the facts derived from observations of a store', () => {
  test('are the same for polls in any order and number', ({ assert }) => {
    fc.assert(
      fc.property(
        fc
          .array(arbitraryLook, { minLength: 1, maxLength: 12 })
          .chain((looks) =>
            fc.tuple(
              fc.constant(looks),
              fc.shuffledSubarray([...looks, ...looks], { minLength: 2 * looks.length })
            )
          ),
        ([looks, shuffled]) => {
          assert.deepEqual(all(shuffled), all(looks))
          assert.deepEqual(storeFacts(all(shuffled), DESIRED), storeFacts(all(looks), DESIRED))
        }
      ),
      RUNS
    )
  })

  test('do not change with unknown states, which are shown', ({ assert }) => {
    fc.assert(
      fc.property(fc.array(arbitraryLook, { maxLength: 8 }), (looks) => {
        const unknown: SeenVersion = {
          ...seenVersion(
            {
              id: 'V1',
              version: '1.4.0',
              status: {
                state: 'unknown',
                raw: 'QUANTUM',
                beganAt: at(30),
                observedAt: at(30),
                lagSeconds: 0,
              },
            },
            at(60)
          ),
        }
        const before = all(looks)
        const after = addSighting(before, unknown)
        assert.deepEqual(storeFacts(after, DESIRED), storeFacts(before, DESIRED))
        assert.equal(after.seen.raw, 'QUANTUM')
      }),
      RUNS
    )
  })

  test('a step is done only if it is done in all stores', ({ assert }) => {
    fc.assert(
      fc.property(fc.array(arbitraryLook, { minLength: 1, maxLength: 4 }), (looks) => {
        const facts = looks.map((look) => storeFacts(addSighting(null, look), DESIRED))
        const whole = together(facts)!
        assert.equal(
          whole.takeoff.released,
          facts.every(({ takeoff }) => takeoff.released)
        )
        assert.equal(
          whole.storeReview.state === 'approved',
          facts.every(({ storeReview }) => storeReview.state === 'approved')
        )
        assert.equal(
          whole.rollout.state === 'completed',
          facts.every(({ rollout }) => rollout.state === 'completed')
        )
      }),
      RUNS
    )
  })

  test('a replaced version keeps the share at which it was last offered', ({ assert }) => {
    fc.assert(
      fc.property(fc.array(arbitraryLook, { minLength: 1, maxLength: 8 }), (looks) => {
        const offered = looks.filter(({ state }) =>
          ['rolledOutPartially', 'halted', 'live'].includes(state)
        )
        const last = all(offered)?.known ?? null
        const replaced = { ...look('replaced'), at: at(30), rollout: COMPLETE }
        const { rollout } = storeFacts(all([...looks, replaced]), DESIRED)
        const share = last?.rollout
        const isPartial = share && share.state !== 'complete' && share.state !== 'inactive'
        assert.equal(rollout.state, isPartial ? 'replaced' : 'completed')
        assert.equal(rollout.percentage, isPartial ? share.percentage : 100)
      }),
      RUNS
    )
  })

  test('a version that was first seen replaced keeps the share that the store tells', ({
    assert,
  }) => {
    const shareOf = (percentage: number) => {
      const rollout = { ...COMPLETE, percentage }
      const replaced = addSighting(null, { ...look('replaced'), rollout })
      const { state, percentage: share } = storeFacts(replaced, DESIRED).rollout
      return [state, share]
    }
    assert.deepEqual(shareOf(20), ['replaced', 20])
    assert.deepEqual(shareOf(100), ['completed', 100])
    // Apple's phased release that never began.
    assert.deepEqual(shareOf(0), ['completed', 100])
  })

  test('only an open rollout is replaced by a higher version with users', ({ assert }) => {
    const successor = { version: '1.4.1', isReleased: true }
    fc.assert(
      fc.property(arbitraryLook, (seen) => {
        const before = storeFacts(addSighting(null, seen), DESIRED).rollout
        const after = storeFacts(addSighting(null, seen), DESIRED, successor).rollout
        const isOpen = before.state !== null && before.state !== 'completed'
        if (!isOpen) return assert.deepEqual(after, before)
        assert.deepInclude(after, {
          state: 'replaced',
          percentage: before.percentage,
          replacedBy: '1.4.1',
        })
      }),
      RUNS
    )
  })

  test('a rollout is never above the share that the store shows', ({ assert }) => {
    fc.assert(
      fc.property(arbitraryLook, (look) => {
        const { state, percentage } = storeFacts(addSighting(null, look), DESIRED).rollout
        if (state !== 'active' && state !== 'paused' && state !== 'halted') return
        assert.isAtMost(percentage, look.rollout?.percentage ?? 0)
      }),
      RUNS
    )
  })

  test('a rejected version no longer counts as rejected once it is submitted again', ({
    assert,
  }) => {
    const rejected = addSighting(null, { ...look('rejected'), at: at(1) })
    assert.equal(storeFacts(rejected, DESIRED).storeReview.state, 'rejected')
    const again = storeFacts(rejected, { ...DESIRED, isSubmitting: true })
    assert.deepEqual(
      [again.submission.submitted, again.submission.underWay, again.storeReview.state],
      [false, true, null]
    )
  })
})

const look = (state: StoreVersionState) =>
  seenVersion(
    {
      id: 'V1',
      version: '1.4.0',
      status: { state, raw: state, beganAt: at(0), observedAt: at(0), lagSeconds: 0 },
    },
    at(0)
  )

test.group('matching builds', () => {
  const candidate = (change: Partial<Candidate>): Candidate => ({
    id: 'build_1',
    buildIdentifier: '88',
    commitHash: 'a'.repeat(40),
    status: 'success',
    version: '1.4.0',
    releaseId: 'rel_1',
    baseBranch: null,
    ...change,
  })
  const build = {
    buildNumber: '88',
    commitHash: 'a'.repeat(40),
    version: '1.4.0',
    releaseId: 'rel_1',
  }

  test('is the same for candidates in any order', ({ assert }) => {
    const arbitrary = fc.record({
      id: fc.constantFrom('build_1', 'build_2', 'build_3'),
      buildIdentifier: fc.constantFrom('88', '89'),
      commitHash: fc.constantFrom('a'.repeat(40), 'b'.repeat(40)),
      status: fc.constantFrom('success' as const, 'failed' as const, 'running' as const),
      version: fc.constantFrom('1.4.0', '1.5.0', null),
      releaseId: fc.constantFrom('rel_1', 'rel_2', null),
      baseBranch: fc.constantFrom(null, 'main'),
    })
    const distinct = fc.uniqueArray(arbitrary, { selector: ({ id }) => id, maxLength: 3 })
    fc.assert(
      fc.property(distinct, (candidates) => {
        const found = matchOf(build, candidates)
        assert.deepEqual(matchOf(build, [...candidates].reverse()), found)
        const matched = candidates.find(({ id }) => id === found?.ciBuildId)
        if (matched) assert.isTrue(matched.baseBranch === null && matched.releaseId !== 'rel_2')
      }),
      RUNS
    )
  })

  test('is by number, then by commit, and never a guess', ({ assert }) => {
    assert.deepEqual(matchOf(build, [candidate({})]), { ciBuildId: 'build_1', by: 'number' })
    const other = candidate({ id: 'build_2', buildIdentifier: 'x' })
    assert.deepEqual(matchOf(build, [other]), { ciBuildId: 'build_2', by: 'commit' })
    assert.isNull(matchOf(build, [candidate({}), candidate({ id: 'build_2' })]))
    assert.isNull(matchOf({ ...build, commitHash: null }, [other]))
    const failed = candidate({ id: 'build_2', status: 'failed' })
    assert.equal(matchOf(build, [candidate({}), failed])?.ciBuildId, 'build_1')
    assert.isNull(matchOf(build, [candidate({ version: '1.5.0', releaseId: 'rel_2' })]))
  })
})

test.group('the later of two observations', () => {
  test('is the same whichever comes first', ({ assert }) => {
    fc.assert(
      fc.property(arbitraryLook, arbitraryLook, (one, other) => {
        assert.deepEqual(later(one, other), later(other, one))
      }),
      RUNS
    )
  })
})
