import assert from 'node:assert/strict'
import { test } from '@japa/runner'
import { Caller, HOUR, refuses, storeOf } from './support.js'

function rollingAt(fraction: number): Caller {
  const caller = new Caller(storeOf('google'))
  caller.publish('1.1.0', fraction)
  return caller
}

/** Version 1.1.0 rolls out at 20 %, and 1.2.0 is in review beside it. */
function besideReview(): Caller {
  const caller = rollingAt(0.2)
  caller.prepare('1.2.0', { fraction: 0.05 })
  caller.submit('1.2.0')
  return caller
}

test.group('Google Play', () => {
  test('publishes what is approved, at the share that it was submitted with', () => {
    const caller = rollingAt(0.2)
    const truth = caller.store.truth('1.1.0')
    assert.equal(truth?.state, 'rolledOutPartially')
    assert.equal(truth.rollout?.fraction, 0.2)
    assert.equal(caller.stateOf('1.0.0'), 'live')
  })

  test('refuses every commit beside a review, and changes nothing', () => {
    const caller = besideReview()
    const { store } = caller
    const conflict = ['conflict', 'reviewInProgress'] as const
    refuses(store, ...conflict, () => caller.halt('1.1.0'))
    refuses(store, ...conflict, () => caller.roll('1.1.0', { fraction: 0.5 }))
    refuses(store, ...conflict, () => caller.prepare('1.3.0'))
  })

  test('a review on any track is in the way', () => {
    const caller = rollingAt(0.2)
    const action = { what: 'submitOther', track: 'beta', version: 'beta', build: '50' } as const
    assert.ok(caller.store.console(action, caller.now))
    refuses(caller.store, 'conflict', 'reviewInProgress', () =>
      caller.roll('1.1.0', { fraction: 0.5 })
    )
    caller.wait(2 * HOUR)
    caller.roll('1.1.0', { fraction: 0.5 })
    assert.equal(caller.store.truth('1.1.0')?.share, 0.5)
  })

  test('a halt that replaces takes effect at once, and the review begins again', () => {
    const caller = besideReview()
    caller.wait(HOUR / 2)
    const { before, after } = caller.halt('1.1.0', 'replace')
    assert.equal(before?.status.state, 'rolledOutPartially')
    assert.equal(after.status.state, 'halted')
    assert.equal(after.status.lagSeconds, 0)
    assert.equal(caller.store.truth('1.2.0')?.submission, 2)
    caller.wait(HOUR / 2)
    assert.equal(caller.stateOf('1.2.0'), 'inReview')
    caller.wait(HOUR / 2)
    assert.equal(caller.stateOf('1.2.0'), 'rolledOutPartially')
  })

  test('a stop that is repeated with replace restarts the review again', () => {
    const caller = besideReview()
    caller.halt('1.1.0', 'replace')
    caller.halt('1.1.0', 'replace')
    assert.equal(caller.store.truth('1.2.0')?.submission, 3)
  })

  test('a halted version is resumed at any share, also by a growth that comes late', () => {
    const caller = rollingAt(0.2)
    caller.halt('1.1.0')
    assert.equal(caller.store.truth('1.1.0')?.stopped, true)
    caller.roll('1.1.0', { fraction: 0.02 })
    assert.equal(caller.store.truth('1.1.0')?.share, 0.02)
    assert.equal(caller.stateOf('1.1.0'), 'rolledOutPartially')
  })

  test('shares lie between 0 and 1', () => {
    const caller = rollingAt(0.2)
    for (const fraction of [0, 1, -0.1, 1.5, Number.NaN]) {
      refuses(caller.store, 'invalid', 'fraction', () => caller.roll('1.1.0', { fraction }))
    }
  })

  test('a version with all users is staged again only after a halt', () => {
    const caller = rollingAt(0.2)
    caller.roll('1.1.0', { action: 'complete' })
    assert.equal(caller.stateOf('1.0.0'), 'replaced')
    refuses(caller.store, 'preconditionFailed', 'fullyReleased', () =>
      caller.roll('1.1.0', { fraction: 0.5 })
    )
    const { after } = caller.halt('1.1.0')
    // No share between 0 and 1 describes it.
    assert.equal(after.rollout?.fraction, undefined)
    assert.equal(caller.stateOf('1.0.0'), 'live')
    caller.roll('1.1.0', { fraction: 0.1 })
    assert.equal(caller.store.truth('1.1.0')?.share, 0.1)
    assert.equal(caller.stateOf('1.0.0'), 'live')
  })

  test('a version that was halted at 100 % resumes with all users', () => {
    const caller = rollingAt(0.2)
    caller.roll('1.1.0', { action: 'complete' })
    caller.halt('1.1.0')
    caller.roll('1.1.0', { action: 'resume' })
    assert.equal(caller.stateOf('1.1.0'), 'live')
    assert.equal(caller.stateOf('1.0.0'), 'replaced')
  })

  test('the first release of a track is neither staged nor halted', () => {
    const caller = new Caller(storeOf('google', { live: null }))
    caller.prepare('1.1.0', { fraction: 0.1 })
    refuses(caller.store, 'preconditionFailed', 'firstReleaseCannotBeStaged', () =>
      caller.submit('1.1.0')
    )
    caller.publish('1.1.0')
    assert.equal(caller.stateOf('1.1.0'), 'live')
    refuses(caller.store, 'preconditionFailed', 'firstRelease', () => caller.halt('1.1.0'))
  })

  test('a higher version code takes over what is staged or halted, which keeps its share', () => {
    const caller = rollingAt(0.05)
    caller.halt('1.1.0')
    caller.publish('1.2.0', 0.1)
    const { state, share } = caller.store.truth('1.1.0')!
    assert.deepEqual([state, share], ['replaced', 0.05])
    assert.equal(caller.stateOf('1.0.0'), 'live')
    refuses(caller.store, 'preconditionFailed', 'notRollingOut', () =>
      caller.roll('1.1.0', { action: 'resume' })
    )
  })

  test('what is live below a staged version can be halted, and is not served anew', () => {
    const caller = rollingAt(0.2)
    caller.roll('1.1.0', { action: 'complete' })
    caller.publish('1.2.0', 0.05)
    caller.halt('1.1.0')
    assert.equal(caller.stateOf('1.0.0'), 'live')
    assert.equal(caller.stateOf('1.2.0'), 'rolledOutPartially')
    refuses(caller.store, 'invalid', 'notUpgradable', () =>
      caller.roll('1.1.0', { action: 'resume' })
    )
  })

  test('a version code is neither used twice nor lower than what users have', () => {
    const caller = rollingAt(0.05)
    const prepare = { method: 'prepare', phased: false, release: 'auto' } as const
    refuses(caller.store, 'invalid', 'versionCodeUsed', () =>
      caller.send({ ...prepare, version: '1.2.0', buildNumber: '110' })
    )
    caller.publish('1.3.0')
    refuses(caller.store, 'invalid', 'notUpgradable', () => caller.prepare('1.2.0'))
    refuses(caller.store, 'invalid', 'unknownBuild', () =>
      caller.send({ ...prepare, version: '1.4.0', buildNumber: '999' })
    )
  })

  test('taking one version out of its review sends the others again', () => {
    const caller = besideReview()
    const action = { what: 'submitOther', track: 'beta', version: 'beta', build: '50' } as const
    caller.store.console(action, caller.now)
    const { submission } = caller.store.truth('beta')!
    const { after } = caller.send({ method: 'cancelReview', version: '1.2.0' })
    assert.deepEqual([after.status.state, after.status.raw], ['preparing', 'draft'])
    assert.equal(caller.stateOf('beta'), 'inReview')
    assert.equal(caller.store.truth('beta')?.submission, submission + 1)
    refuses(caller.store, 'conflict', 'notInReview', () =>
      caller.send({ method: 'cancelReview', version: '1.2.0' })
    )
  })

  test('where changes are sent by hand, none has an effect until a person sends them', () => {
    const caller = rollingAt(0.2)
    caller.store.console({ what: 'sendByHand', on: true }, caller.now)
    const { after } = caller.halt('1.1.0', 'replace')
    assert.equal(after.waitsForSending, true)
    assert.equal(after.rollout?.state, 'active')
    caller.wait(24 * HOUR)
    assert.equal(caller.store.truth('1.1.0')?.stopped, false)
    assert.ok(caller.store.console({ what: 'send' }, caller.now))
    assert.equal(caller.store.truth('1.1.0')?.stopped, true)
    assert.equal(caller.store.truth('1.1.0')?.waitsForSending, false)
    assert.equal(caller.store.console({ what: 'send' }, caller.now), false)
  })

  test('what managed publishing holds is published in the console alone', () => {
    const caller = new Caller(storeOf('google', { managed: true }))
    caller.publish('1.1.0', 0.1)
    assert.equal(caller.stateOf('1.1.0'), 'pendingRelease')
    refuses(caller.store, 'unsupported', 'unsupported', () =>
      caller.send({ method: 'release', version: '1.1.0' })
    )
    assert.ok(caller.store.console({ what: 'release', version: '1.1.0' }, caller.now))
    assert.equal(caller.stateOf('1.1.0'), 'rolledOutPartially')
  })

  test('another share for what is approved needs another review', () => {
    const caller = new Caller(storeOf('google', { managed: true }))
    caller.publish('1.1.0', 0.2)
    caller.roll('1.1.0', { fraction: 0.02 })
    assert.equal(caller.stateOf('1.1.0'), 'inReview')
    caller.wait(2 * HOUR)
    caller.store.console({ what: 'release', version: '1.1.0' }, caller.now)
    assert.equal(caller.store.truth('1.1.0')?.share, 0.02)
  })

  test('what is approved is taken back by nobody', () => {
    const caller = new Caller(storeOf('google', { managed: true }))
    caller.publish('1.1.0', 0.2)
    refuses(caller.store, 'conflict', 'notInReview', () =>
      caller.send({ method: 'cancelReview', version: '1.1.0' })
    )
    assert.equal(caller.stateOf('1.1.0'), 'pendingRelease')
  })

  test("a rejection is nobody's release", () => {
    const caller = new Caller(storeOf('google', { rejected: 1 }))
    caller.publish('1.1.0', 0.2)
    assert.equal(caller.stateOf('1.1.0'), 'rejected')
    assert.equal(caller.store.truth('1.1.0')?.share, 0)
    caller.submit('1.1.0')
  })
})
