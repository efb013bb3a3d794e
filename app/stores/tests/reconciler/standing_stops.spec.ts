import { test } from '@japa/runner'
import { refusalOf } from '../../reconciler/attempts.js'
import { endCall } from '../../reconciler/end_call.js'
import { versionIn } from '../../reconciler/record.js'
import { at, begin, halts, judged, newRecord, seen, shows } from './support.js'

const rolling = (seconds: number, version = '1.0.0') =>
  seen(seconds, 'rolledOutPartially', 20, { version })
const stopOf = (record: ReturnType<typeof newRecord>) => versionIn(record, '1.0.0').rollout!

test.group('A stop', () => {
  test('of an approved version stands as long as the version can go out', ({ assert }) => {
    const record = newRecord()
    shows(record, 0, seen(0, 'pendingRelease', 5))
    halts(record, 1)
    shows(record, 10, seen(10, 'pendingRelease', 5))
    judged(record, 11)
    assert.equal(stopOf(record).status, 'underWay')
    // Somebody publishes it in the console.
    const { outsideChanges } = shows(record, 20, seen(20, 'rolledOutPartially', 5))
    assert.isEmpty(outsideChanges)
    assert.equal(judged(record, 21).lanes.stop.do, 'call')

    const withdrawn = newRecord()
    shows(withdrawn, 0, seen(0, 'pendingRelease', 5))
    halts(withdrawn, 1)
    shows(withdrawn, 10, seen(10, 'preparing'))
    judged(withdrawn, 11)
    assert.equal(stopOf(withdrawn).status, 'done')
  })

  test('of a replaced version is done once a read proves it, and not before', ({ assert }) => {
    const record = newRecord()
    const old = { lag: 60 }
    shows(record, 0, seen(0, 'live', 100, old))
    shows(record, 100, seen(100, 'replaced', 100, old))
    halts(record, 110)
    judged(record, 111)
    assert.equal(stopOf(record).status, 'underWay')
    shows(record, 180, seen(180, 'replaced', 100, old))
    judged(record, 181)
    assert.equal(stopOf(record).status, 'done')
    // Somebody halts the version that replaced it: Google Play serves this one again.
    shows(record, 400, seen(400, 'live', 100, old))
    const { lanes } = judged(record, 401)
    assert.containsSubset(lanes.stop, { do: 'call', call: { to: { action: 'halt' } } })
  })

  test('that was refused is sent again if the version is served anew in the same state', ({
    assert,
  }) => {
    const record = newRecord()
    shows(record, 0, seen(0, 'live', 100))
    halts(record, 1)
    const call = begin(record, 'stop', 2, 45)
    const error = {
      code: 'preconditionFailed',
      message: 'A higher version has replaced it',
    } as const
    endCall(record, call, { outcome: refusalOf(record, call, error, at(4)) }, at(4))
    // Nothing changed, so the store would refuse it again.
    shows(record, 8, seen(8, 'live', 100))
    assert.notEqual(judged(record, 9).lanes.stop.do, 'call')
    shows(record, 60, seen(60, 'replaced', 100))
    judged(record, 61)
    assert.equal(stopOf(record).status, 'done')
    shows(record, 120, seen(120, 'live', 100))
    const { lanes } = judged(record, 121)
    assert.containsSubset(lanes.stop, { do: 'call', call: { to: { action: 'halt' } } })
  })

  test('is sent if a later read does not show it, and then restarts no review', ({ assert }) => {
    const record = newRecord()
    const lag = { lag: 900 }
    const running = (seconds: number) => seen(seconds, 'rolledOutPartially', 20, lag)
    shows(record, 0, running(0))
    halts(record, 1)
    const call = begin(record, 'stop', 2, 45)
    const result = { before: rolling(2), after: seen(2, 'halted', 20) }
    endCall(record, call, { answer: result }, at(4))
    judged(record, 5)
    assert.equal(stopOf(record).status, 'done')
    // Somebody may have resumed it in the console, or the list may be older.
    shows(record, 70, running(70))
    halts(record, 80)
    assert.equal(judged(record, 81).lanes.stop.do, 'poll')
    shows(record, 81, running(81))
    const { lanes } = judged(record, 82)
    assert.containsSubset(lanes.stop, { do: 'call', call: { onReviewInProgress: 'fail' } })
  })

  test('does not wait for a read that another stop needs', ({ assert }) => {
    const record = newRecord()
    shows(record, 0, seen(0, 'halted', 20), rolling(0, '2.0.0'))
    halts(record, 10)
    halts(record, 11, '2.0.0')
    assert.containsSubset(judged(record, 12).lanes.stop, {
      do: 'call',
      call: { version: '2.0.0' },
    })
  })

  test('that was refused with old credentials is sent with new ones that came meanwhile', ({
    assert,
  }) => {
    const record = newRecord()
    shows(record, 0, rolling(0))
    halts(record, 1)
    const call = begin(record, 'stop', 2, 45)
    record.credentials = 2
    const outcome = refusalOf(record, call, { code: 'unauthorized', message: 'Revoked' }, at(5))
    endCall(record, call, { outcome }, at(5))
    assert.equal(judged(record, 6).lanes.stop.do, 'call')
  })

  test('that the credentials may not make is tried again every hour, because their rights may change', ({
    assert,
  }) => {
    const record = newRecord()
    shows(record, 0, rolling(0))
    halts(record, 1)
    const call = begin(record, 'stop', 2, 45)
    const error = { code: 'forbidden', message: 'The account may not do that' } as const
    endCall(record, call, { outcome: refusalOf(record, call, error, at(5)) }, at(5))
    assert.equal(judged(record, 6).lanes.stop.do, 'wait')
    assert.match(
      record.versions[0].question?.message ?? '',
      /could not be stopped: .*may not do that/
    )
    assert.equal(judged(record, 3_600).lanes.stop.do, 'wait')
    const again = begin(record, 'stop', 3_606, 45)
    endCall(record, again, { answer: { after: seen(3_607, 'halted', 20) } }, at(3_607))
    judged(record, 3_608)
    assert.equal(stopOf(record).status, 'done')
    assert.isNull(record.versions[0].question)
  })

  test('that a review blocks says so for its store: {type}')
    .with([
      { type: 'apple', says: /^App Store Connect has not finished a review/ },
      { type: 'google', says: /^Google Play is reviewing other changes/ },
    ] as const)
    .run(({ assert }, { type, says }) => {
      const record = newRecord(type)
      shows(record, 0, rolling(0))
      halts(record, 1)
      const call = begin(record, 'stop', 2, 45)
      const error = { code: 'conflict', reason: 'reviewInProgress', message: 'Not now' } as const
      endCall(record, call, { outcome: refusalOf(record, call, error, at(4)) }, at(4))
      judged(record, 5)
      assert.match(stopOf(record).reason ?? '', says)
    })
})
