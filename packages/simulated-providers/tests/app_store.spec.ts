import { test } from '@japa/runner'
import fc from 'fast-check'
import {
  attachBuild,
  cancelReview,
  changeTexts,
  changeVersion,
  createVersion,
  isEditable,
  release,
  rollOut,
  setOnSale,
  submit,
} from '../app_store.js'
import {
  LADDER,
  PAUSE_BUDGET_MS,
  phasedRelease,
  timesOut,
  versionState,
  type VersionState,
} from '../version_states.js'
import { BUILD_LIFE_MS, buildState, fateOf, uploadBuild } from '../app_store_builds.js'
import {
  isRefused,
  USUAL_APP_STORE,
  type Result,
  type SimulatedAppStore,
} from '../app_store_state.js'
import {
  approved,
  BEGIN,
  DAY,
  FOLLOWS,
  HOUR,
  ok,
  play,
  plays,
  VERSIONS,
} from './support/app_store_plays.js'
import { runs } from '../../../tests/support/effort.js'

test.group('Simulated App Store', () => {
  test('random actions cause only transitions that Apple allows', ({ assert }) => {
    fc.assert(
      fc.property(plays, (given) => {
        const before = new Map<string, string>()
        play(given, (store, now) => {
          for (const each of store.versions) {
            const state = versionState(store, each, now)
            const was = before.get(each.id) ?? 'PREPARE_FOR_SUBMISSION'
            if (was !== state)
              assert.include(FOLLOWS[was as VersionState], state, `${was} → ${state}`)
            before.set(each.id, state)
          }
        })
      }),
      { numRuns: runs(100) }
    )
  })

  test('random actions reach every state', ({ assert }) => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(plays, (given) => {
        play(given, (store, now) => {
          for (const each of store.versions) seen.add(versionState(store, each, now))
        })
      }),
      { numRuns: 600, seed: 4 }
    )
    assert.sameMembers([...seen], Object.keys(FOLLOWS))
  })

  test('at most one version is under way and one is live, and numbers rise', ({ assert }) => {
    fc.assert(
      fc.property(plays, (given) => {
        play(given, (store, now) => {
          const states = store.versions.map((each) => versionState(store, each, now))
          const isOut = (state: string) => /DISTRIBUTION|REPLACED|REMOVED/.test(state)
          assert.isAtMost(states.filter((state) => !isOut(state)).length, 1)
          assert.isAtMost(states.filter((state) => /DISTRIBUTION/.test(state)).length, 1)
          const order = store.versions.map(({ id }) => VERSIONS.indexOf(id))
          assert.deepEqual(order, [...new Set(order)].sort())
        })
      }),
      { numRuns: runs(40) }
    )
  })

  test('a version in review cannot be edited, and a submitted one has a usable build', ({
    assert,
  }) => {
    fc.assert(
      fc.property(plays, (given) => {
        play(given, (store, now, result) => {
          for (const each of store.versions) {
            const state = versionState(store, each, now)
            if (state === 'IN_REVIEW' || state === 'WAITING_FOR_REVIEW') {
              assert.isFalse(isEditable(store, each, now))
              assert.isTrue(isRefused(attachBuild(store, now, each.id, each.buildId!)))
            }
            if (each.submissions.at(-1)?.at !== now || !result || isRefused(result)) continue
            const build = store.builds.find(({ id }) => id === each.buildId)
            assert.equal(build && buildState(build, now), 'VALID')
          }
        })
      }),
      { numRuns: runs(40) }
    )
  })

  test('a phased release climbs the ladder day by day, and never falls', ({ assert }) => {
    fc.assert(
      fc.property(plays, (given) => {
        const before = new Map<string, number>()
        play(given, (store, now) => {
          for (const each of store.versions) {
            const { percentage, state, pausedMs } = phasedRelease(store, each, now)
            assert.isAtLeast(percentage, before.get(each.id) ?? 0)
            assert.isAtMost(pausedMs, PAUSE_BUDGET_MS)
            assert.include([0, ...LADDER], percentage)
            const isReplaced = versionState(store, each, now) === 'REPLACED_WITH_NEW_VERSION'
            if (!isReplaced) assert.equal(state === 'COMPLETE', percentage === 100)
            before.set(each.id, percentage)
          }
        })
      }),
      { numRuns: runs(40) }
    )
  })

  test('a phased release reaches all after six days, stays while paused, and resumes after 30 days', ({
    assert,
  }) => {
    const { store, at } = approved()
    const out = ok(release(store, at, '1.0.0'))
    const on = (now: number, played = out) => phasedRelease(played, played.versions[0], now)
    assert.deepEqual(
      LADDER.map((_, day) => on(at + day * DAY).percentage),
      [...LADDER]
    )
    const held = ok(rollOut(out, at + 2 * DAY, '1.0.0', 'pause'))
    assert.containsSubset(on(at + 20 * DAY, held), { state: 'PAUSED', day: 3, percentage: 5 })
    const later = at + 2 * DAY + PAUSE_BUDGET_MS
    assert.containsSubset(on(later, held), { state: 'ACTIVE', day: 3 })
    const again = rollOut(held, later, '1.0.0', 'pause')
    assert.deepEqual(again, { refused: 'pauseBudgetSpent' })
    const all = ok(rollOut(out, at + DAY, '1.0.0', 'complete'))
    assert.containsSubset(on(at + DAY, all), { state: 'COMPLETE', percentage: 100 })
  })

  test('nothing can be edited until a cancellation takes effect', ({ assert }) => {
    const { store } = approved()
    const at = BEGIN + 2 * HOUR
    const canceled = ok(cancelReview(store, at, '1.0.0'))
    const state = (now: number) => versionState(canceled, canceled.versions[0], now)
    assert.equal(state(at + 1000), 'WAITING_FOR_REVIEW')
    assert.deepEqual(submit(canceled, 's', at + 1000, '1.0.0'), { refused: 'notEditable' })
    const { cancelingMs } = canceled.settings
    assert.equal(state(at + cancelingMs), 'DEVELOPER_REJECTED')
    assert.isFalse(isRefused(submit(canceled, 's', at + cancelingMs, '1.0.0')))
  })

  test('a new version ends the phased release of the one before', ({ assert }) => {
    const { store, at } = approved(true, 'AFTER_APPROVAL')
    const next = [
      (now: SimulatedAppStore) => uploadBuild(now, at, { number: '2', version: '1.1.0' }),
      (now: SimulatedAppStore) =>
        createVersion(now, at, {
          version: '1.1.0',
          release: { type: 'AFTER_APPROVAL' },
          phased: false,
        }),
      (now: SimulatedAppStore) => attachBuild(now, at + HOUR, '1.1.0', '1.1.0 2'),
      (now: SimulatedAppStore) => submit(now, 's', at + HOUR, '1.1.0'),
    ].reduce((now, step) => ok(step(now)), store)
    const then = at + 12 * HOUR
    const [old, current] = next.versions
    assert.equal(versionState(next, old, then), 'REPLACED_WITH_NEW_VERSION')
    assert.containsSubset(phasedRelease(next, old, then), { state: 'COMPLETE', percentage: 1 })
    assert.deepEqual(
      phasedRelease(next, old, then + 9 * DAY),
      phasedRelease(next, old, then),
      'It keeps the share that it had'
    )
    assert.equal(versionState(next, current, then), 'READY_FOR_DISTRIBUTION')
  })

  test('a released version can be removed from sale and put back, and blocks no new version', ({
    assert,
  }) => {
    const { store, at } = approved()
    const why = (result: Result) => (isRefused(result) ? result.refused : 'done')
    assert.equal(why(setOnSale(store, at, '1.0.0', false)), 'notLive')
    const out = ok(release(store, at, '1.0.0'))
    const off = ok(setOnSale(out, at + HOUR, '1.0.0', false))
    assert.deepEqual(ok(setOnSale(off, at + 2 * HOUR, '1.0.0', false)), off)
    const state = (played: SimulatedAppStore, now: number) =>
      versionState(played, played.versions[0], now)
    assert.equal(state(off, at + 2 * HOUR), 'DEVELOPER_REMOVED_FROM_SALE')
    assert.equal(why(rollOut(off, at + 2 * HOUR, '1.0.0', 'pause')), 'notLive')
    const back = ok(setOnSale(off, at + DAY, '1.0.0', true))
    assert.equal(state(back, at + DAY - 1), 'DEVELOPER_REMOVED_FROM_SALE')
    assert.equal(state(back, at + DAY), 'READY_FOR_DISTRIBUTION')
    const input = { version: '1.1.0', release: { type: 'MANUAL' as const }, phased: true }
    assert.equal(why(createVersion(off, at + 2 * HOUR, input)), 'done')
  })

  test('a new version is not found for a while, and blocks another one all the same', ({
    assert,
  }) => {
    const { store: before, at } = approved()
    const settings = { ...before.settings, appearingMs: HOUR / 60 }
    const store = ok(release({ ...before, settings }, at, '1.0.0'))
    const input = { version: '1.1.0', release: { type: 'MANUAL' as const }, phased: true }
    const made = ok(createVersion(store, at, input))
    const change = (now: number) => changeVersion(made, now, '1.1.0', { phased: false })
    assert.deepEqual(change(at + 1000), { refused: 'versionUnknown' })
    const create = (now: number, version: string) => createVersion(made, now, { ...input, version })
    assert.deepEqual(create(at + 1000, '1.1.0'), { refused: 'versionNotShown' })
    assert.deepEqual(create(at + 1000, '1.1.1'), { refused: 'versionInFlight' })
    assert.isFalse(isRefused(change(at + HOUR / 60)))
    assert.deepEqual(create(at + HOUR / 60, '1.1.0'), { refused: 'versionInFlight' })
  })

  test('a version that waits for its release can be canceled, and is not released then', ({
    assert,
  }) => {
    const { store, at } = approved()
    const canceled = ok(cancelReview(store, at, '1.0.0'))
    const state = (now: number) => versionState(canceled, canceled.versions[0], now)
    assert.equal(state(at), 'PENDING_DEVELOPER_RELEASE')
    assert.isTrue(isRefused(release(canceled, at, '1.0.0')))
    const later = at + canceled.settings.cancelingMs
    assert.equal(state(later), 'DEVELOPER_REJECTED')
    const again = ok(submit(canceled, 's', later, '1.0.0'))
    assert.equal(versionState(again, again.versions[0], later), 'WAITING_FOR_REVIEW')
  })

  test('each refusal has its reason', ({ assert }) => {
    const { store, at } = approved()
    const why = (result: Result) => (isRefused(result) ? result.refused : 'done')
    const input = { release: { type: 'MANUAL' as const }, phased: true }
    const refusals = [
      why(createVersion(store, at, { ...input, version: '1.1.0' })),
      why(createVersion(ok(release(store, at, '1.0.0')), at, { ...input, version: '0.9.9' })),
      why(uploadBuild(store, at, { number: '1', version: '1.0.0' })),
      why(attachBuild(store, BEGIN + 2 * HOUR, '1.0.0', '1.0.0 1')),
      why(submit(store, 's', at, '3.0.0')),
      why(cancelReview(ok(release(store, at, '1.0.0')), at, '1.0.0')),
      why(rollOut(store, at, '1.0.0', 'pause')),
      why(release(ok(release(store, at, '1.0.0')), at, '1.0.0')),
    ]
    assert.deepEqual(refusals, [
      'versionInFlight',
      'versionNotHigher',
      'buildTaken',
      'notEditable',
      'versionUnknown',
      'notInReview',
      'notLive',
      'notApproved',
    ])
  })

  test('texts and release choice can be changed until the submission, and texts have limits', ({
    assert,
  }) => {
    const { store, at } = approved(false)
    const made = ok(
      uploadBuild(ok(release(store, at, '1.0.0')), at, { number: '2', version: '1.1.0' })
    )
    const texts = [{ locale: 'en-US', title: 'Shop', whatsNew: 'New' }]
    const input = { version: '1.1.0', release: { type: 'MANUAL' as const }, phased: false }
    const next = ok(createVersion(made, at, input))
    const reported = ok(changeTexts(next, at, '1.1.0', texts))
    const more = ok(changeTexts(reported, at, '1.1.0', [{ locale: 'en-US', whatsNew: 'Newer' }]))
    assert.deepEqual(more.versions[1].texts, [
      { locale: 'en-US', title: 'Shop', whatsNew: 'Newer' },
    ])
    for (const [field, length] of Object.entries({ title: 30, keywords: 100, whatsNew: 4000 })) {
      const textsOf = (count: number) => [{ locale: 'en-US', [field]: 'x'.repeat(count) }]
      assert.isFalse(isRefused(changeTexts(next, at, '1.1.0', textsOf(length))))
      assert.deepEqual(changeTexts(next, at, '1.1.0', textsOf(length + 1)), {
        refused: 'textTooLong',
      })
    }
    const phased = ok(changeVersion(more, at, '1.1.0', { phased: true }))
    assert.isNotNull(phased.versions[1].phasing)
    const then = at + HOUR
    const sent = ok(submit(ok(attachBuild(phased, then, '1.1.0', '1.1.0 2')), 's', then, '1.1.0'))
    const late = changeVersion(sent, then, '1.1.0', { phased: false })
    assert.deepEqual(late, { refused: 'notEditable' })
    assert.deepEqual(changeTexts(sent, then, '1.1.0', texts), { refused: 'notEditable' })
    const out = ok(release(sent, then + 12 * HOUR, '1.1.0'))
    const third = ok(createVersion(out, then + 12 * HOUR, { ...input, version: '1.2.0' }))
    assert.deepEqual(third.versions[2].texts, [{ locale: 'en-US', title: 'Shop' }])
  })

  test('the periods in which versions were available follow each other', ({ assert }) => {
    fc.assert(
      fc.property(plays, (given) => {
        play(given, (store, now) => {
          const outs = timesOut(store, now)
          for (const [index, { from, until }] of outs.entries()) {
            assert.isAtMost(from, now)
            assert.equal(until, outs[index + 1]?.from ?? null)
          }
          const current = outs.filter(({ until }) => until === null)
          assert.isAtMost(current.length, 1)
        })
      }),
      { numRuns: runs(40) }
    )
  })

  test('the fates of builds follow from the seed, with the shares of the settings', ({
    assert,
  }) => {
    const settings = { ...USUAL_APP_STORE.settings, stuck: 0.2, invalid: 0.3 }
    const store = { ...USUAL_APP_STORE, settings }
    const fates = Array.from({ length: 1000 }, (_, index) =>
      fateOf(store, 's', { id: `ci-${index}`, place: index })
    )
    const share = (fate: string) => fates.filter((each) => each === fate).length / 1000
    assert.closeTo(share('stuck'), 0.2, 0.05)
    assert.closeTo(share('invalid'), 0.3, 0.05)
    assert.equal(fateOf(USUAL_APP_STORE, 's', { id: 'ci-1', place: 0 }), 'valid')
    const configured = { ...store, settings: { ...settings, fates: ['stuck' as const] } }
    assert.equal(fateOf(configured, 's', { id: 'ci-1', place: 0 }), 'stuck')
    const built = ok(uploadBuild(store, BEGIN, { number: '1', version: '1.0.0' }, 'stuck'))
    assert.equal(buildState(built.builds[0], BEGIN + 2 * BUILD_LIFE_MS), 'PROCESSING')
  })
})
