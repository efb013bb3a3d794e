import fc from 'fast-check'
import { test } from '@japa/runner'
import type { StoreVersionState } from '#plugin-kit/capabilities/stores'
import { adoptionOf } from '../derive/adoption.js'
import { later, seenVersion, type SeenVersion } from '../derive/seen.js'
import {
  addSighting,
  storeFacts,
  together,
  type Sightings,
  type Wish,
} from '../derive/store_facts.js'
import { matchOf, type Candidate } from '../match_builds.js'

const RUNS = { numRuns: 500 }
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

/** Looks of few instants, so that some are at once. */
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
          observedAt: at(minute),
        },
        rollout,
      },
      at(0)
    )
  )

const WISH: Wish = {
  hasBuild: true,
  isSubmitting: false,
  failure: null,
  takeoffFailure: null,
  question: null,
  nextStage: null,
}
const all = (looks: readonly SeenVersion[]) =>
  looks.reduce<Sightings | null>((before, look) => addSighting(before, look), null)

test.group('what follows from looks at a store', () => {
  test('is the same in whatever order looks are told, and however often', ({ assert }) => {
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
          assert.deepEqual(storeFacts(all(shuffled), WISH), storeFacts(all(looks), WISH))
        }
      ),
      RUNS
    )
  })

  test('does not change by words that nobody knows, which are shown', ({ assert }) => {
    fc.assert(
      fc.property(fc.array(arbitraryLook, { maxLength: 8 }), (looks) => {
        const unknown: SeenVersion = {
          ...seenVersion(
            {
              id: 'V1',
              version: '1.4.0',
              status: { state: 'unknown', raw: 'QUANTUM', observedAt: at(30) },
            },
            at(0)
          ),
        }
        const before = all(looks)
        const after = addSighting(before, unknown)
        assert.deepEqual(storeFacts(after, WISH), storeFacts(before, WISH))
        assert.equal(after.seen.raw, 'QUANTUM')
        const plan = { wanted: null, rollout: null }
        const known = before?.known ?? null
        assert.isEmpty(adoptionOf(plan, known, after.known).filter(({ rollout }) => rollout))
      }),
      RUNS
    )
  })

  test('a store that is no further lets no step be done in all stores', ({ assert }) => {
    fc.assert(
      fc.property(fc.array(arbitraryLook, { minLength: 1, maxLength: 4 }), (looks) => {
        const facts = looks.map((look) => storeFacts(addSighting(null, look), WISH))
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

  test('a rollout never stands above what the store shows', ({ assert }) => {
    fc.assert(
      fc.property(arbitraryLook, (look) => {
        const { state, percentage } = storeFacts(addSighting(null, look), WISH).rollout
        if (state !== 'active' && state !== 'paused' && state !== 'halted') return
        assert.isAtMost(percentage, look.rollout?.percentage ?? 0)
      }),
      RUNS
    )
  })

  test('what was rejected is on its way again once it is submitted from here', ({ assert }) => {
    const rejected = addSighting(null, { ...look('rejected'), at: at(1) })
    assert.equal(storeFacts(rejected, WISH).storeReview.state, 'rejected')
    const again = storeFacts(rejected, { ...WISH, isSubmitting: true })
    assert.deepEqual(
      [again.submission.submitted, again.submission.underWay, again.storeReview.state],
      [false, true, null]
    )
  })
})

const look = (state: StoreVersionState) =>
  seenVersion(
    { id: 'V1', version: '1.4.0', status: { state, raw: state, observedAt: at(0) } },
    at(0)
  )

test.group('what a person did in the console', () => {
  const none = { wanted: null, rollout: null }

  test('is wanted from then on', ({ assert }) => {
    const cases = [
      ['preparing', 'waitingForReview', { wanted: 'submitted' }],
      ['waitingForReview', 'developerRejected', { wanted: 'withdrawn' }],
      ['pendingRelease', 'live', { wanted: 'released' }],
    ] as const
    for (const [before, after, expected] of cases) {
      assert.deepEqual(adoptionOf(none, look(before), look(after)), [expected])
    }
  })

  test('is none where the store went on by itself, or our own call did it', ({ assert }) => {
    assert.isEmpty(adoptionOf(none, look('waitingForReview'), look('inReview')))
    assert.isEmpty(adoptionOf(none, look('inReview'), look('rejected')))
    assert.isEmpty(adoptionOf(none, look('inReview'), look('pendingRelease')))
    const live = { ...look('live'), release: { method: 'auto' as const, at: null } }
    assert.isEmpty(adoptionOf(none, look('inReview'), live))
    const submitting = { wanted: { what: 'submitted', is: 'underWay' } as const, rollout: null }
    assert.deepEqual(adoptionOf(submitting, look('preparing'), look('waitingForReview')), [
      { done: 'wanted' },
    ])
  })

  test('with a rollout is told from the days of a ladder', ({ assert }) => {
    const rolling = (
      state: 'active' | 'paused' | 'complete',
      day: number | null,
      percentage = 1
    ) => ({
      ...look('live'),
      rollout: { state, raw: state, percentage, day, startedAt: null, pausedDays: 0 },
    })
    assert.isEmpty(adoptionOf(none, rolling('active', 1), rolling('active', 2, 2)))
    assert.isEmpty(adoptionOf(none, rolling('active', 7), rolling('complete', 7, 100)))
    assert.deepEqual(adoptionOf(none, rolling('active', 1), rolling('paused', 1)), [
      { rollout: { action: 'pause' } },
    ])
    assert.deepEqual(adoptionOf(none, rolling('active', null, 5), rolling('active', null, 20)), [
      { rollout: { action: 'set', percentage: 20 } },
    ])
    const pausing = { wanted: null, rollout: { to: { action: 'pause' }, is: 'underWay' } as const }
    assert.deepEqual(adoptionOf(pausing, rolling('active', 1), rolling('paused', 1)), [
      { done: 'rollout' },
    ])
  })

  test('with a rollout is none where a release to all at once was our own, or came by itself', ({
    assert,
  }) => {
    const staged = (state: 'inactive' | 'complete', percentage: number) => ({
      ...look(state === 'inactive' ? 'pendingRelease' : 'live'),
      rollout: { state, raw: state, percentage, day: null, startedAt: null, pausedDays: 0 },
    })
    const released = (is: 'underWay' | 'done' | 'failed') => ({
      wanted: { what: 'released', is } as const,
      rollout: null,
    })
    const whole = staged('complete', 100)
    const completed = { rollout: { action: 'complete' } } as const
    const ended = { done: 'wanted' } as const
    assert.deepEqual(adoptionOf(released('underWay'), staged('inactive', 100), whole), [ended])
    assert.deepEqual(adoptionOf(released('failed'), staged('inactive', 100), whole), [ended])
    assert.isEmpty(adoptionOf(released('done'), staged('inactive', 100), whole))
    // A store that does not say what it begins with may begin with all.
    assert.isEmpty(adoptionOf(released('done'), staged('inactive', 0), whole))
    const byItself = { ...whole, release: { method: 'auto' as const, at: null } }
    const submitted = { wanted: { what: 'submitted', is: 'done' } as const, rollout: null }
    assert.isEmpty(adoptionOf(submitted, staged('inactive', 100), byItself))
    // Nobody here wanted it, or not all of it.
    const byHand = { ...whole, release: { method: 'manual' as const, at: null } }
    for (const plan of [none, submitted]) {
      const told = adoptionOf(plan, staged('inactive', 100), byHand)
      assert.deepEqual(told, [{ wanted: 'released' }, completed])
    }
    assert.deepEqual(adoptionOf(released('underWay'), staged('inactive', 5), whole), [
      ended,
      completed,
    ])
    assert.deepEqual(adoptionOf(released('done'), staged('inactive', 5), whole), [completed])
    assert.deepEqual(adoptionOf(submitted, staged('inactive', 5), byItself), [completed])
  })
})

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

  test('is the same in whatever order candidates are told', ({ assert }) => {
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

test.group('the later of two looks', () => {
  test('is the same whichever comes first', ({ assert }) => {
    fc.assert(
      fc.property(arbitraryLook, arbitraryLook, (one, other) => {
        assert.deepEqual(later(one, other), later(other, one))
      }),
      RUNS
    )
  })
})
