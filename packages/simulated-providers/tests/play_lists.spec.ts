import { test } from '@japa/runner'
import { asOf, highestCode, lifecycleOf, listedAt, releasesAsOf } from '../play_releases.js'
import { PRODUCTION, type SimulatedPlay } from '../play_state.js'
import {
  commitTrack,
  HOUR,
  LATER,
  ok,
  release,
  staged,
  states,
  STORE,
} from './support/play_deeds.js'

const { lagMs } = STORE.settings

/** Returns the content of the production list. */
const reported = (store: SimulatedPlay, now: number) => {
  const at = listedAt(store, now)
  return releasesAsOf(store, PRODUCTION, at).map((each) => lifecycleOf(each, at))
}

test.group('Lists of a simulated Google Play', () => {
  test('lists show a commit only after a while', ({ assert }) => {
    const first = ok(commitTrack(STORE, LATER, [release(1, { status: 'draft' })]))
    const second = ok(commitTrack(first, LATER + HOUR, [staged(1, 0.1)]))
    const [one] = second.releases
    const listed = (at: number) => asOf(one, at - lagMs)
    assert.isNull(listed(LATER))
    assert.equal(listed(LATER + lagMs)?.status, 'draft')
    const early = LATER + HOUR + lagMs - 1
    assert.equal(lifecycleOf(listed(early)!, early - lagMs), 'DRAFT')
    assert.equal(lifecycleOf(listed(early + 1)!, early + 1 - lagMs), 'IN_REVIEW')
  })

  test('lists show a cancelled or restarted review only after a while', ({ assert }) => {
    const sent = ok(commitTrack(STORE, LATER, [staged(1, 0.1)]))
    const at = LATER + HOUR
    const off = ok(
      commitTrack(sent, at, [release(1, { status: 'draft' })], {
        changesInReviewBehavior: 'CANCEL_IN_REVIEW_AND_SUBMIT',
      })
    )
    assert.deepEqual(states(off, at), ['1 DRAFT draft null'])
    assert.deepEqual(reported(off, at + lagMs - 1), ['IN_REVIEW'])
    assert.deepEqual(reported(off, at + lagMs), ['DRAFT'])

    const strict = { ...STORE, settings: { ...STORE.settings, verdicts: ['rejected' as const] } }
    const rejected = ok(commitTrack(strict, LATER, [staged(1, 0.1)]))
    const then = LATER + 6 * HOUR
    const again = ok(commitTrack(rejected, then, [{ ...staged(1, 0.1), name: 'Mended' }]))
    assert.deepEqual(states(again, then), ['1 IN_REVIEW inProgress 0.1'])
    assert.deepEqual(reported(again, then + lagMs - 1), ['NOT_APPROVED'])
    assert.deepEqual(reported(again, then + lagMs), ['IN_REVIEW'])
  })

  test('the state of a track at an instant ignores what came later', ({ assert }) => {
    const first = ok(commitTrack(STORE, LATER, [release(1)]))
    const second = ok(commitTrack(first, LATER + 6 * HOUR, [staged(2, 0.1)]))
    const at = LATER + 12 * HOUR
    const whole = ok(commitTrack(second, at, [release(2)]))
    const standing = (then: number) =>
      releasesAsOf(whole, PRODUCTION, then).map((each) => `${highestCode(each)} ${each.status}`)
    assert.deepEqual(standing(at - 1), ['1 completed', '2 inProgress'])
    assert.deepEqual(standing(at), ['2 completed'])
    const all = releasesAsOf(whole, PRODUCTION, at, 'all')
    assert.deepEqual(all.map(highestCode), [1, 2], 'Obsolete ones stay for who asks for them')
  })
})
