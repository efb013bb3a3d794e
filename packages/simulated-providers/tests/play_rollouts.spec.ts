import { test } from '@japa/runner'
import {
  brought,
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
  test('a rollout rises, is halted and goes on at any share', ({ assert }) => {
    const out = ok(brought(STORE, LATER, [staged(1, 0.01)]))
    const at = LATER + 6 * HOUR
    const half = ok(brought(out, at, [staged(1, 0.5)]))
    assert.deepEqual(states(half, at), ['1 PUBLISHED inProgress 0.5'], 'No review in between')
    const halted = ok(brought(half, at, [release(1, { status: 'halted', userFraction: 0.5 })]))
    assert.deepEqual(states(halted, at), ['1 PUBLISHED halted 0.5'])
    for (const share of [0.1, 0.5, 0.8]) {
      assert.deepEqual(states(ok(brought(halted, at, [staged(1, share)])), at), [
        `1 PUBLISHED inProgress ${share}`,
      ])
    }
    assert.deepEqual(states(ok(brought(halted, at, [release(1)])), at), [
      '1 PUBLISHED completed null',
    ])
  })

  test('what all have is halted: the one before is served again, and it goes on at any share', ({
    assert,
  }) => {
    const first = ok(brought(STORE, LATER, [release(1)]))
    const second = ok(brought(first, LATER + 6 * HOUR, [release(2)]))
    const at = LATER + 12 * HOUR
    assert.deepEqual(states(second, at), ['2 PUBLISHED completed null'])
    assert.equal(why(brought(second, at, [staged(2, 0.5)])), 'fullyReleased')
    const halted = ok(brought(second, at, [release(2, { status: 'halted' })]))
    assert.deepEqual(states(halted, at), ['1 PUBLISHED completed null', '2 PUBLISHED halted null'])
    const again = ok(brought(halted, at, [release(1), staged(2, 0.3)]))
    assert.deepEqual(states(again, at), [
      '1 PUBLISHED completed null',
      '2 PUBLISHED inProgress 0.3',
    ])
    assert.deepEqual(states(ok(brought(halted, at, [release(1), release(2)])), at), [
      '2 PUBLISHED completed null',
    ])
    const third = ok(
      brought(halted, at, [release(1), release(2, { status: 'halted' }), staged(3, 0.1)])
    )
    assert.deepEqual(states(third, at + 6 * HOUR), [
      '1 PUBLISHED completed null',
      '3 PUBLISHED inProgress 0.1',
    ])
  })

  test('the first release of a track is not halted once all have it, nor one for the house', ({
    assert,
  }) => {
    const never = { ...STORE, hasBeenOut: [] }
    const first = ok(brought(never, LATER, [release(1)]))
    const at = LATER + 6 * HOUR
    const halt = (code: number) => release(code, { status: 'halted' })
    assert.equal(why(brought(first, at, [halt(1)])), 'firstNotHalted')
    const second = ok(brought(first, at, [release(2)]))
    assert.equal(why(brought(second, at + 6 * HOUR, [halt(2)])), 'done')
    const house = ok(brought(STORE, LATER, [release(1)], { track: 'internal' }))
    assert.equal(why(brought(house, at, [halt(1)], { track: 'internal' })), 'statusNotAllowed')
  })

  test('a new release takes over one that is being rolled out', ({ assert }) => {
    const first = ok(brought(STORE, LATER, [release(1)]))
    const second = ok(brought(first, LATER + 6 * HOUR, [staged(2, 0.1)]))
    const third = ok(brought(second, LATER + 12 * HOUR, [staged(3, 0.2)]))
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

  test('what was to be whole and came out staged goes on by shares', ({ assert }) => {
    const kept = { changesNotSentForReview: true }
    const meant = ok(brought(byHand(STORE), LATER, [release(2)], kept))
    const sent = ok(brought({ ...meant, settings: STORE.settings }, LATER + HOUR, [staged(2, 0.1)]))
    const at = LATER + 12 * HOUR
    assert.deepEqual(states(sent, at), ['2 PUBLISHED inProgress 0.1'])
    const further = ok(brought(sent, at, [staged(2, 0.2)]))
    assert.deepEqual(states(further, at), ['2 PUBLISHED inProgress 0.2'])
    const whole = ok(brought(further, at + HOUR, [release(2)]))
    assert.equal(why(brought(whole, at + 2 * HOUR, [staged(2, 0.5)])), 'fullyReleased')
  })
})
