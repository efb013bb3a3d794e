import { test } from '@japa/runner'
import { refusalOf } from '../../reconciler/attempts.js'
import { decideRollout, decideStage, stopProgress } from '../../reconciler/decide.js'
import { endCall } from '../../reconciler/end_call.js'
import { versionIn, type Staging } from '../../reconciler/record.js'
import { at, begin, BY, grows, halts, judged, newRecord, releases, seen, shows } from './support.js'

/** Returns a record with a takeoff that the store refused. */
function refused(code: 'forbidden' | 'conflict', retryAfterMs?: number) {
  const record = newRecord('apple')
  shows(record, 0, seen(0, 'pendingRelease', 1))
  releases(record, 2)
  const call = begin(record, 'usual', 4, 60)
  const outcome = refusalOf(record, call, { code, message: 'No', retryAfterMs }, at(5))
  endCall(record, call, { outcome }, at(5))
  judged(record, 6)
  return record
}

test.group('A failed decision', () => {
  test('is tried again with other credentials', ({ assert }) => {
    const record = refused('forbidden')
    assert.equal(versionIn(record, '1.0.0').wanted!.status, 'failed')
    record.credentials = 2
    assert.equal(judged(record, 12).lanes.usual.do, 'call')
  })

  test('is tried again after a conflict that names when', ({ assert }) => {
    const lasting = refused('conflict')
    assert.equal(versionIn(lasting, '1.0.0').wanted!.status, 'failed')
    assert.deepEqual(judged(lasting, 40).lanes.usual, { do: 'wait', until: null })
    const record = refused('conflict', 30_000)
    assert.equal(versionIn(record, '1.0.0').wanted!.status, 'underWay')
    assert.deepEqual(judged(record, 34).lanes.usual, { do: 'wait', until: at(35) })
    assert.equal(judged(record, 36).lanes.usual.do, 'call')
  })

  test('is not tried again after a stop, a skip or a completion', ({ assert }) => {
    for (const end of [
      (record: ReturnType<typeof refused>) => halts(record, 10),
      (record: ReturnType<typeof refused>) => stopProgress(record, '1.0.0', at(10), 'Skipped'),
    ]) {
      const byCredentials = refused('forbidden')
      end(byCredentials)
      byCredentials.credentials = 2
      assert.notEqual(judged(byCredentials, 12).lanes.usual.do, 'call')
      const byState = refused('conflict')
      end(byState)
      shows(
        byState,
        20,
        seen(20, 'pendingRelease', 1),
        seen(20, 'preparing', null, { version: '2' })
      )
      assert.notEqual(judged(byState, 21).lanes.usual.do, 'call')
    }
  })

  test('to increase a rollout is not tried again after a skip', ({ assert }) => {
    const record = newRecord()
    shows(record, 0, seen(0, 'rolledOutPartially', 20))
    grows(record, 1)
    shows(record, 2, seen(2, 'rolledOutPartially', 20))
    const call = begin(record, 'usual', 3, 60)
    const error = { code: 'preconditionFailed', message: 'Not now' } as const
    endCall(record, call, { outcome: refusalOf(record, call, error, at(4)) }, at(4))
    judged(record, 5)
    stopProgress(record, '1.0.0', at(6), 'Skipped')
    shows(record, 20, { ...seen(20, 'rolledOutPartially', 20), raw: 'again' })
    shows(record, 30, { ...seen(30, 'rolledOutPartially', 20), raw: 'again' })
    assert.equal(judged(record, 31).lanes.usual.do, 'wait')
  })

  test('with a question waits for the next decision about the same subject', ({ assert }) => {
    const record = newRecord('apple')
    shows(record, 0, seen(0, 'inReview', null))
    releases(record, 1)
    assert.isTrue(judged(record, 2).verdicts[0].asks)
    const to = { action: 'resume' } as const
    decideRollout(record, '1.0.0', { to, by: BY, at: at(3), saw: null })
    shows(record, 10, seen(10, 'pendingRelease', 1))
    shows(record, 20, seen(20, 'pendingRelease', 1))
    assert.notEqual(judged(record, 21).lanes.usual.do, 'call')
    releases(record, 30)
    assert.equal(judged(record, 31).lanes.usual.do, 'call')
  })
})

test.group('An unknown state', () => {
  test('raises a question that says who decides, and suggests no action', ({ assert }) => {
    const record = newRecord('apple')
    shows(record, 0, seen(0, 'unknown'))
    const how = { buildNumber: '1' } as Staging
    decideStage(record, '1.0.0', { what: 'submitted', how, by: BY, at: at(1) })
    const [verdict] = judged(record, 2).verdicts
    assert.isTrue(verdict.asks)
    assert.match(verdict.reason!, /The release pilot decides/)
    assert.notMatch(verdict.reason!, /withdraw|submit it/i)
  })
})

test.group('A call of an ended decision', () => {
  test('is not taken for a change from outside if its answer is lost or lags', ({ assert }) => {
    const released = newRecord('apple')
    shows(released, 0, seen(0, 'pendingRelease', 1))
    shows(released, 1, seen(1, 'pendingRelease', 1))
    releases(released, 2)
    const takeoff = begin(released, 'usual', 4, 60)
    stopProgress(released, '1.0.0', at(6), 'Skipped')
    endCall(released, takeoff, { outcome: { kind: 'unknown', message: 'Lost' } }, at(10))
    // The first read comes long after the call may have reached the store.
    assert.isEmpty(shows(released, 300, seen(300, 'live', 1)).outsideChanges)

    const lagging = newRecord('apple')
    shows(lagging, 0, seen(0, 'pendingRelease', 1))
    releases(lagging, 2)
    const answered = begin(lagging, 'usual', 4, 60)
    stopProgress(lagging, '1.0.0', at(6), 'Skipped')
    const after = seen(4, 'live', 1, { lag: 60 })
    assert.isEmpty(endCall(lagging, answered, { answer: { after } }, at(10)).outsideChanges)

    const grown = newRecord()
    shows(grown, 0, seen(0, 'rolledOutPartially', 20))
    grows(grown, 1)
    shows(grown, 2, seen(2, 'rolledOutPartially', 20))
    const growth = begin(grown, 'usual', 3, 60)
    stopProgress(grown, '1.0.0', at(6), 'Completed')
    endCall(grown, growth, { outcome: { kind: 'unknown', message: 'Lost' } }, at(10))
    assert.isEmpty(shows(grown, 20, seen(20, 'rolledOutPartially', 50)).outsideChanges)
    // A change that the call did not request comes from outside.
    const { outsideChanges } = shows(grown, 100, seen(100, 'rolledOutPartially', 70))
    assert.containsSubset(outsideChanges, [{ rollout: { action: 'set', percentage: 70 } }])
  })
})

test.group('A submission in the console', () => {
  test('is reported with the state of the stop if the version was stopped', ({ assert }) => {
    for (const status of ['done', 'failed'] as const) {
      const record = newRecord()
      shows(record, 0, seen(0, 'rejected'))
      decideStage(record, '1.0.0', { what: 'withdrawn', by: BY, at: at(0) })
      halts(record, 1)
      Object.assign(versionIn(record, '1.0.0'), { wanted: null })
      Object.assign(versionIn(record, '1.0.0').rollout!, { status })
      const { outsideChanges } = shows(record, 20, seen(20, 'inReview'))
      assert.containsSubset(outsideChanges, [{ wanted: 'submitted', afterStop: status }])
    }
  })
})
