import { test } from '@japa/runner'
import fc from 'fast-check'
import {
  commitEdit,
  deleteEdit,
  openEdit,
  publishApproved,
  putListings,
  putTrack,
  sentForReview,
  trackIn,
} from '../play_edits.js'
import {
  bundleState,
  highestCode,
  isWhole,
  lifecycleOf,
  publishedAt,
  releasesOf,
  uploadBundle,
} from '../play_releases.js'
import {
  PLAY_REFUSALS,
  PRODUCTION,
  type PlayRefused,
  type PlayResult,
  type SimulatedPlay,
} from '../play_state.js'
import {
  AT_ONCE,
  BEGIN,
  commitTrack,
  CODES,
  HOUR,
  LATER,
  ok,
  release,
  staged,
  states,
  STORE,
  why,
} from './support/play_deeds.js'
import { runs } from '../../../tests/support/effort.js'

/** Allowed transitions; unchanged states and removals are not listed. */
const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  DRAFT: ['NOT_SENT_FOR_REVIEW', 'IN_REVIEW', 'PUBLISHED'],
  NOT_SENT_FOR_REVIEW: ['DRAFT', 'IN_REVIEW'],
  IN_REVIEW: [
    'DRAFT',
    'NOT_SENT_FOR_REVIEW',
    'NOT_APPROVED',
    'APPROVED_NOT_PUBLISHED',
    'PUBLISHED',
  ],
  NOT_APPROVED: ['DRAFT', 'NOT_SENT_FOR_REVIEW', 'IN_REVIEW'],
  APPROVED_NOT_PUBLISHED: ['DRAFT', 'NOT_SENT_FOR_REVIEW', 'IN_REVIEW', 'PUBLISHED'],
  PUBLISHED: [],
}

const action = fc.oneof(
  fc.record({
    bring: fc.array(
      fc.record({
        code: fc.constantFrom(...CODES),
        status: fc.constantFrom(
          'draft' as const,
          'inProgress' as const,
          'halted' as const,
          'completed' as const
        ),
        userFraction: fc.constantFrom(null, 0.05, 0.5),
      }),
      { minLength: 1, maxLength: 2 }
    ),
    changesNotSentForReview: fc.boolean(),
    changesInReviewBehavior: fc.constantFrom(
      'ERROR_IF_IN_REVIEW' as const,
      'CANCEL_IN_REVIEW_AND_SUBMIT' as const
    ),
    isManaged: fc.constantFrom(true, false, null),
    track: fc.constantFrom(PRODUCTION, 'internal', 'beta'),
  }),
  fc.record({
    onward: fc.constantFrom(
      { status: 'inProgress' as const, userFraction: 0.2 },
      { status: 'halted' as const, userFraction: null },
      { status: 'completed' as const, userFraction: null }
    ),
  }),
  fc.record({ publish: fc.constant(true) }),
  fc.record({ send: fc.constant(true) })
)
type Deed = typeof action extends fc.Arbitrary<infer Each> ? Each : never
const plays = fc.record({
  seed: fc.string(),
  isSentByHand: fc.boolean(),
  deeds: fc.array(fc.tuple(fc.integer({ min: 0, max: 7 }), action), {
    minLength: 8,
    maxLength: 40,
  }),
})

function perform(store: SimulatedPlay, seed: string, now: number, one: Deed): PlayResult {
  if ('publish' in one) return publishApproved(store, now)
  if ('send' in one) return { store: sentForReview(store, seed, now) }
  if ('onward' in one) {
    const all = releasesOf(store, PRODUCTION, now)
    const changed = all.map((each, index) =>
      index === all.length - 1 ? { ...each, ...one.onward } : each
    )
    return commitTrack(store, now, changed, {
      changesNotSentForReview: store.settings.isSentByHand,
    })
  }
  const { bring, ...how } = one
  return commitTrack(
    store,
    now,
    bring.map(({ code, status, userFraction }) => release(code, { status, userFraction })),
    how
  )
}

/** Performs the deeds, and inspects the store often in between. */
function play(
  {
    seed,
    isSentByHand,
    deeds: actions,
  }: typeof plays extends fc.Arbitrary<infer Each> ? Each : never,
  look: (store: SimulatedPlay, now: number) => void
) {
  const settings = { ...STORE.settings, rejected: 0.3, isSentByHand }
  let store: SimulatedPlay = { ...STORE, settings }
  let now = LATER
  for (const [hours, one] of actions) {
    for (let looks = 0; looks < 2 * hours; looks++) look(store, (now += HOUR / 2))
    const result = perform(store, seed, now, one)
    store = result.store ?? store
    look(store, now)
  }
}

test.group('Simulated Google Play', () => {
  test('random actions cause only transitions that Google allows, and reach every state', ({
    assert,
  }) => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(plays, (given) => {
        const before = new Map<string, string>()
        play(given, (store, now) => {
          for (const each of store.releases) {
            const state = lifecycleOf(each, now)
            const was = before.get(each.id)
            // A discarded release may be created again.
            if (was && was !== state) assert.include(FOLLOWS[was], state, `${was} → ${state}`)
            before.set(each.id, state)
            seen.add(state)
          }
          for (const id of before.keys()) {
            if (!store.releases.some((each) => each.id === id)) before.delete(id)
          }
        })
      }),
      { numRuns: runs(200), seed: 7 }
    )
    assert.sameMembers([...seen], Object.keys(FOLLOWS))
  })

  test('users of a track have one whole release and at most a higher one that is staged', ({
    assert,
  }) => {
    fc.assert(
      fc.property(plays, (given) => {
        const before = new Map<string, number>()
        play(given, (store, now) => {
          for (const { id: track } of store.tracks) {
            const out = releasesOf(store, track, now).filter((each) => publishedAt(each, now))
            const whole = out.filter((each) => isWhole(each, now))
            assert.isAtMost(whole.length, 1)
            assert.isAtMost(out.length, 2)
            const code = Math.max(0, ...whole.map(highestCode))
            const last = store.releases.find(
              (each) => each.track === track && highestCode(each) === before.get(track)
            )
            const isGivenUp = last !== undefined && last.status !== 'completed'
            if (!isGivenUp) assert.isAtLeast(code, before.get(track) ?? 0, 'Nobody goes back')
            before.set(track, code)
            for (const each of out) assert.isAtLeast(highestCode(each), code)
          }
        })
      }),
      { numRuns: runs(100) }
    )
  })

  test('an edit has no effect before it is committed', ({ assert }) => {
    const live = ok(commitTrack(STORE, LATER, [release(1)]))
    const at = LATER + 6 * HOUR
    const { store, edit } = openEdit(live, at)
    const put = ok(
      putTrack(store, at, { editId: edit.id, track: PRODUCTION, releases: [release(2)] })
    )
    const listed = ok(putListings(put, at, edit.id, [{ locale: 'en-US', title: 'Shop' }]))
    assert.deepEqual(listed.releases, live.releases)
    assert.deepEqual(listed.listings, [])
    assert.deepEqual(trackIn(listed, listed.edits.at(-1)!, PRODUCTION, at), [release(2)])
    const afterCommit = ok(commitEdit(listed, 's', at, { editId: edit.id, ...AT_ONCE }))
    assert.deepEqual(states(afterCommit, at), [
      '1 PUBLISHED completed null',
      '2 IN_REVIEW completed null',
    ])
    assert.deepEqual(afterCommit.listings, [{ locale: 'en-US', title: 'Shop' }])
  })

  test('an edit ends when another is opened, when it is committed, and after its time', ({
    assert,
  }) => {
    const first = openEdit(STORE, LATER)
    const second = openEdit(first.store, LATER)
    const put = (store: SimulatedPlay, editId: string, now = LATER) =>
      why(putTrack(store, now, { editId, track: PRODUCTION, releases: [release(1)] }))
    assert.equal(put(second.store, first.edit.id), 'editDeleted')
    assert.equal(put(second.store, second.edit.id), 'done')
    assert.equal(put(second.store, '404'), 'editUnknown')
    const { editLifeMs } = STORE.settings
    assert.equal(put(second.store, second.edit.id, LATER + editLifeMs), 'editExpired')
    const dropped = ok(deleteEdit(second.store, second.edit.id, LATER))
    assert.equal(put(dropped, second.edit.id), 'editDeleted')
    const committed = ok(
      commitEdit(second.store, 's', LATER, { editId: second.edit.id, ...AT_ONCE })
    )
    assert.equal(
      why(commitEdit(committed, 's', LATER, { editId: second.edit.id, ...AT_ONCE })),
      'editDeleted'
    )
    assert.equal(why(deleteEdit(committed, second.edit.id, LATER)), 'editDeleted')
  })

  test('each refusal has its rule', ({ assert }) => {
    const after = LATER + 6 * HOUR
    const live = ok(commitTrack(STORE, LATER, [release(2)]))
    const upload = (versionCode: number, isStuck = false) =>
      uploadBundle(STORE, LATER, { versionCode, versionName: '2.0.0' }, isStuck)
    const invalid = {
      ...STORE,
      bundles: STORE.bundles.map((each) => ({ ...each, pinned: 'INVALID' })),
    }
    const never = { ...STORE, hasBeenOut: [] }
    const note = (count: number) => [{ language: 'en-US', text: 'x'.repeat(count) }]
    const listed = (texts: object) => {
      const { store, edit } = openEdit(STORE, LATER)
      return putListings(store, LATER, edit.id, [{ locale: 'en-US', ...texts }])
    }
    const tried: [PlayRefused, PlayResult][] = [
      ['trackUnknown', commitTrack(STORE, LATER, [release(1)], { track: 'nowhere' })],
      ['versionCodeTaken', upload(2)],
      ['versionCodeTwice', commitTrack(STORE, LATER, [release(1), release(1)])],
      ['buildUnknown', commitTrack(STORE, LATER, [release(9)])],
      ['buildUnknown', commitTrack(STORE, LATER, [release(1, { versionCodes: [] })])],
      ['buildNotReady', commitTrack(ok(upload(9)), LATER, [release(9)])],
      ['buildNotReady', commitTrack(ok(upload(9, true)), LATER + 90 * 24 * HOUR, [release(9)])],
      ['buildInvalid', commitTrack(invalid, LATER, [release(1)])],
      ['fractionInvalid', commitTrack(STORE, LATER, [staged(1, 0)])],
      ['fractionInvalid', commitTrack(STORE, LATER, [staged(1, 1)])],
      ['fractionInvalid', commitTrack(STORE, LATER, [release(1, { status: 'inProgress' })])],
      ['fractionNotAllowed', commitTrack(STORE, LATER, [release(1, { userFraction: 0.5 })])],
      [
        'fractionNotAllowed',
        commitTrack(STORE, LATER, [release(1, { status: 'draft', userFraction: 0.5 })]),
      ],
      ['statusNotAllowed', commitTrack(STORE, LATER, [release(1, { status: 'halted' })])],
      ['statusNotAllowed', commitTrack(live, after, [release(2, { status: 'draft' })])],
      ['textTooLong', commitTrack(STORE, LATER, [release(1, { notes: note(501) })])],
      ['textTooLong', listed({ shortDescription: 'x'.repeat(81) })],
      ['draftAppOnly', commitTrack({ ...STORE, isDraftApp: true }, LATER, [release(1)])],
      ['firstNotStaged', commitTrack(never, LATER, [staged(1, 0.5)])],
      ['fullyReleased', commitTrack(live, after, [staged(2, 0.5)])],
      [
        'firstNotHalted',
        commitTrack({ ...live, hasBeenOut: [] }, after, [release(2, { status: 'halted' })]),
      ],
      ['notUpgradable', commitTrack(live, after, [release(1)])],
    ]
    for (const [expected, result] of tried) assert.equal(why(result), expected)
    const good = [
      commitTrack(STORE, LATER, [release(1, { notes: note(500) })]),
      commitTrack({ ...STORE, isDraftApp: true }, LATER, [release(1, { status: 'draft' })]),
      commitTrack(never, LATER, [release(1)]),
      commitTrack(live, after, [release(1, { status: 'draft' })]),
    ]
    for (const result of good) assert.equal(why(result), 'done')
    const elsewhere = [
      'editUnknown',
      'editDeleted',
      'editExpired',
      'reviewInProgress',
      'notSentAutomatically',
      'sentAutomatically',
      'notApproved',
      'reviewUnknown',
    ]
    assert.sameMembers(
      [...new Set([...tried.map(([each]) => each), ...elsewhere])],
      [...PLAY_REFUSALS]
    )
    assert.equal(bundleState(STORE.bundles[0], BEGIN), 'PROCESSING')
  })
})
