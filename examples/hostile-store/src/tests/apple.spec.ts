import assert from 'node:assert/strict'
import { test } from '@japa/runner'
import { Caller, DAY, HOUR, MINUTE, refuses, storeOf } from './support.js'

function phased(): Caller {
  const caller = new Caller(storeOf('apple'))
  caller.publish('1.1.0')
  return caller
}

const shareOf = (caller: Caller, version = '1.1.0') => caller.store.truth(version)?.share
const rolloutOf = (caller: Caller, version = '1.1.0') => caller.store.truth(version)?.rollout

test.group('The App Store', () => {
  test('one version is in flight', () => {
    const caller = new Caller(storeOf('apple'))
    caller.prepare('1.1.0')
    refuses(caller.store, 'conflict', 'versionInFlight', () => caller.prepare('1.2.0'))
    caller.submit('1.1.0')
    refuses(caller.store, 'conflict', 'versionInFlight', () => caller.prepare('1.2.0'))
    caller.wait(2 * HOUR)
    assert.equal(caller.stateOf('1.1.0'), 'rolledOutPartially')
    caller.prepare('1.2.0')
  })

  test('a version is higher than all before, whatever its build', () => {
    const caller = phased()
    refuses(caller.store, 'invalid', 'versionNotHigher', () => caller.prepare('1.0.5'))
    const prepare = { method: 'prepare', phased: true, release: 'auto' } as const
    caller.send({ ...prepare, version: '1.10.0', buildNumber: '100' })
  })

  test('a build is attached once it is processed', () => {
    const caller = new Caller(storeOf('apple'))
    const { now } = caller
    const store = storeOf('apple', { builds: { 110: now + HOUR } })
    const late = new Caller(store)
    refuses(store, 'preconditionFailed', 'buildProcessing', () => late.prepare('1.1.0'))
    refuses(store, 'invalid', 'unknownBuild', () => late.prepare('1.2.0'))
    late.wait(HOUR)
    late.prepare('1.1.0')
  })

  test('a manual release waits for a person, and is asked for then alone', () => {
    const caller = new Caller(storeOf('apple'))
    caller.prepare('1.1.0', { release: 'manual' })
    const release = () => caller.send({ method: 'release', version: '1.1.0' })
    refuses(caller.store, 'conflict', 'wrongState', release)
    caller.submit('1.1.0')
    refuses(caller.store, 'conflict', 'wrongState', release)
    caller.wait(2 * HOUR)
    assert.equal(caller.stateOf('1.1.0'), 'pendingRelease')
    assert.equal(release().after.status.state, 'processing')
    refuses(caller.store, 'conflict', 'wrongState', release)
    caller.wait(30 * MINUTE)
    assert.equal(caller.stateOf('1.1.0'), 'rolledOutPartially')
  })

  test('cancelling takes seconds, in which the version looks as before and cannot be edited', () => {
    const caller = new Caller(storeOf('apple'))
    caller.prepare('1.1.0')
    caller.submit('1.1.0')
    const { after } = caller.send({ method: 'cancelReview', version: '1.1.0' })
    assert.equal(after.status.state, 'waitingForReview')
    refuses(caller.store, 'conflict', 'wrongState', () => caller.prepare('1.1.0'))
    refuses(caller.store, 'conflict', 'wrongState', () => caller.submit('1.1.0'))
    caller.wait(MINUTE)
    assert.equal(caller.stateOf('1.1.0'), 'developerRejected')
    caller.prepare('1.1.0')
    caller.submit('1.1.0')
  })

  test('an approved version that waits for its developer is rejected by them, and not released', () => {
    const caller = new Caller(storeOf('apple'))
    caller.prepare('1.1.0', { release: 'manual' })
    caller.submit('1.1.0')
    caller.wait(2 * HOUR)
    const reject = () => caller.send({ method: 'cancelReview', version: '1.1.0' })
    assert.equal(reject().after.status.state, 'pendingRelease')
    const release = () => caller.send({ method: 'release', version: '1.1.0' })
    refuses(caller.store, 'conflict', 'wrongState', release)
    refuses(caller.store, 'conflict', 'wrongState', reject)
    caller.wait(MINUTE)
    assert.equal(caller.stateOf('1.1.0'), 'developerRejected')
    refuses(caller.store, 'conflict', 'wrongState', release)
    // Another build of it goes through another review.
    caller.prepare('1.1.0', { release: 'manual' })
    caller.submit('1.1.0')
    caller.wait(2 * HOUR)
    release()
    refuses(caller.store, 'conflict', 'notInReview', reject)
  })

  test('seven days lead to all users', () => {
    const caller = phased()
    const shares = [shareOf(caller)]
    for (let day = 2; day <= 7; day += 1) {
      caller.wait(DAY)
      shares.push(shareOf(caller))
    }
    assert.deepEqual(shares, [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1])
    assert.equal(caller.stateOf('1.1.0'), 'live')
    assert.equal(rolloutOf(caller)?.state, 'complete')
  })

  test('there are no shares, only pauses', () => {
    const caller = phased()
    refuses(caller.store, 'unsupported', 'unsupported', () =>
      caller.roll('1.1.0', { fraction: 0.5 })
    )
    caller.halt('1.1.0')
    assert.equal(rolloutOf(caller)?.state, 'paused')
    caller.wait(5 * DAY)
    assert.equal(shareOf(caller), 0.01)
    caller.roll('1.1.0', { action: 'resume' })
    assert.equal(rolloutOf(caller)?.pausedDays, 5)
    caller.wait(DAY)
    assert.equal(shareOf(caller), 0.02)
  })

  test('pauses are 30 days in total, after which it goes on by itself', () => {
    const caller = phased()
    caller.roll('1.1.0', { action: 'pause' })
    caller.wait(20 * DAY)
    caller.roll('1.1.0', { action: 'resume' })
    caller.roll('1.1.0', { action: 'pause' })
    caller.wait(10 * DAY - 1)
    assert.equal(rolloutOf(caller)?.state, 'paused')
    caller.wait(1)
    assert.equal(rolloutOf(caller)?.state, 'active')
    assert.equal(caller.store.history('1.1.0').at(-1)?.by.who, 'store')
    refuses(caller.store, 'preconditionFailed', 'pauseUsedUp', () => caller.halt('1.1.0'))
  })

  test('after 100 % nothing can be paused', () => {
    const caller = phased()
    caller.roll('1.1.0', { action: 'complete' })
    assert.equal(shareOf(caller), 1)
    refuses(caller.store, 'preconditionFailed', 'fullyReleased', () => caller.halt('1.1.0'))
  })

  test('a new version ends the phased release of the one before, which keeps its share', () => {
    const caller = phased()
    caller.wait(2 * DAY)
    caller.halt('1.1.0')
    caller.publish('1.2.0')
    const { state, share, rollout } = caller.store.truth('1.1.0')!
    // Apple calls it complete, though most users never got it.
    assert.deepEqual([state, share, rollout?.state], ['replaced', 0.05, 'complete'])
    assert.equal(shareOf(caller, '1.2.0'), 0.01)
  })

  test('what was just made is not found for a while, at most as long as lists lag', () => {
    const caller = new Caller(storeOf('apple', { flaky: 1 }))
    caller.prepare('1.1.0')
    refuses(caller.store, 'notFound', 'notFound', () => caller.submit('1.1.0'))
    caller.wait(MINUTE)
    caller.submit('1.1.0')
  })
})
