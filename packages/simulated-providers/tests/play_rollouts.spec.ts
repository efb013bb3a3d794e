import { test } from '@japa/runner'
import {
  commitTrack,
  byHand,
  HOUR,
  LATER,
  ok,
  release,
  staged,
  states,
  STORE,
  why,
} from './support/play_deeds.js'

test.group('Rollouts of simulated Google Play', () => {
  test('a rollout rises, is halted and resumes at any share', ({ assert }) => {
    const out = ok(commitTrack(STORE, LATER, [staged(1, 0.01)]))
    const at = LATER + 6 * HOUR
    const half = ok(commitTrack(out, at, [staged(1, 0.5)]))
    assert.deepEqual(states(half, at), ['1 PUBLISHED inProgress 0.5'], 'No review in between')
    const halted = ok(commitTrack(half, at, [release(1, { status: 'halted', userFraction: 0.5 })]))
    assert.deepEqual(states(halted, at), ['1 PUBLISHED halted 0.5'])
    for (const share of [0.1, 0.5, 0.8]) {
      assert.deepEqual(states(ok(commitTrack(halted, at, [staged(1, share)])), at), [
        `1 PUBLISHED inProgress ${share}`,
      ])
    }
    assert.deepEqual(states(ok(commitTrack(halted, at, [release(1)])), at), [
      '1 PUBLISHED completed null',
    ])
  })

  test('halting a full release serves the one before again, and it resumes at any share', ({
    assert,
  }) => {
    const first = ok(commitTrack(STORE, LATER, [release(1)]))
    const second = ok(commitTrack(first, LATER + 6 * HOUR, [release(2)]))
    const at = LATER + 12 * HOUR
    assert.deepEqual(states(second, at), ['2 PUBLISHED completed null'])
    assert.equal(why(commitTrack(second, at, [staged(2, 0.5)])), 'fullyReleased')
    const halted = ok(commitTrack(second, at, [release(2, { status: 'halted' })]))
    assert.deepEqual(states(halted, at), ['1 PUBLISHED completed null', '2 PUBLISHED halted null'])
    const again = ok(commitTrack(halted, at, [release(1), staged(2, 0.3)]))
    assert.deepEqual(states(again, at), [
      '1 PUBLISHED completed null',
      '2 PUBLISHED inProgress 0.3',
    ])
    assert.deepEqual(states(ok(commitTrack(halted, at, [release(1), release(2)])), at), [
      '2 PUBLISHED completed null',
    ])
    const third = ok(
      commitTrack(halted, at, [release(1), release(2, { status: 'halted' }), staged(3, 0.1)])
    )
    assert.deepEqual(states(third, at + 6 * HOUR), [
      '1 PUBLISHED completed null',
      '3 PUBLISHED inProgress 0.1',
    ])
  })

  test('the first full release of a track cannot be halted, nor one on the internal track', ({
    assert,
  }) => {
    const never = { ...STORE, hasBeenOut: [] }
    const first = ok(commitTrack(never, LATER, [release(1)]))
    const at = LATER + 6 * HOUR
    const halt = (code: number) => release(code, { status: 'halted' })
    assert.equal(why(commitTrack(first, at, [halt(1)])), 'firstNotHalted')
    const second = ok(commitTrack(first, at, [release(2)]))
    assert.equal(why(commitTrack(second, at + 6 * HOUR, [halt(2)])), 'done')
    const internal = ok(commitTrack(STORE, LATER, [release(1)], { track: 'internal' }))
    assert.equal(
      why(commitTrack(internal, at, [halt(1)], { track: 'internal' })),
      'statusNotAllowed'
    )
  })

  test('a new release takes over one that is being rolled out', ({ assert }) => {
    const first = ok(commitTrack(STORE, LATER, [release(1)]))
    const second = ok(commitTrack(first, LATER + 6 * HOUR, [staged(2, 0.1)]))
    const third = ok(commitTrack(second, LATER + 12 * HOUR, [staged(3, 0.2)]))
    const at = LATER + 12 * HOUR
    assert.deepEqual(states(third, at), [
      '1 PUBLISHED completed null',
      '2 PUBLISHED inProgress 0.1',
      '3 IN_REVIEW inProgress 0.2',
    ])
    assert.deepEqual(states(third, at + 6 * HOUR), [
      '1 PUBLISHED completed null',
      '3 PUBLISHED inProgress 0.2',
    ])
  })

  test('a release that was committed in full and published staged goes on by shares', ({
    assert,
  }) => {
    const kept = { changesNotSentForReview: true }
    const meant = ok(commitTrack(byHand(STORE), LATER, [release(2)], kept))
    const sent = ok(
      commitTrack({ ...meant, settings: STORE.settings }, LATER + HOUR, [staged(2, 0.1)])
    )
    const at = LATER + 12 * HOUR
    assert.deepEqual(states(sent, at), ['2 PUBLISHED inProgress 0.1'])
    const further = ok(commitTrack(sent, at, [staged(2, 0.2)]))
    assert.deepEqual(states(further, at), ['2 PUBLISHED inProgress 0.2'])
    const whole = ok(commitTrack(further, at + HOUR, [release(2)]))
    assert.equal(why(commitTrack(whole, at + 2 * HOUR, [staged(2, 0.5)])), 'fullyReleased')
  })
})
