import { test } from '@japa/runner'
import { pollFailed } from '../../reconciler/attempts.js'
import { endCall } from '../../reconciler/end_call.js'
import { at, begin, halts, judged, newRecord, releases, seen, shows } from './support.js'

test.group('A call whose answer was lost', () => {
  test('is not repeated after a read that may be older than it', ({ assert }) => {
    const record = newRecord('apple')
    const approved = (seconds: number) => seen(seconds, 'pendingRelease', 1, { lag: 300 })
    shows(record, 0, approved(0))
    releases(record, 2)
    const call = begin(record, 'usual', 4, 60)
    endCall(record, call, { outcome: { kind: 'unknown', message: 'Lost' } }, at(10))
    shows(record, 12, approved(12))
    assert.notEqual(judged(record, 365).lanes.usual.do, 'call')
    shows(record, 366, approved(366))
    assert.equal(judged(record, 367).lanes.usual.do, 'call')
  })
})

test.group('A review beside a stop', () => {
  const beside = (seconds: number, state: 'inReview' | 'pendingRelease') =>
    seen(seconds, state, null, { version: '2.0.0' })
  const rolling = (seconds: number) => seen(seconds, 'rolledOutPartially', 20)

  /** Returns a record with an answered stop while another version was in review, as seen before. */
  function stopped(waitsForSending = false) {
    const record = newRecord()
    shows(record, 0, rolling(0), beside(0, 'inReview'))
    halts(record, 300)
    const call = begin(record, 'stop', 301, 45)
    const after = waitsForSending
      ? seen(301, 'rolledOutPartially', 20, { waitsForSending })
      : seen(301, 'halted', 20)
    const ended = endCall(record, call, { answer: { before: rolling(301), after } }, at(303))
    return { record, ended, halted: { ...after, at: at(310) } }
  }

  test('is recorded as restarted exactly once, when a read shows it after the stop', ({
    assert,
  }) => {
    const { record, ended, halted } = stopped()
    assert.isEmpty(ended.restarted)
    const { restarted } = shows(record, 310, halted, beside(310, 'inReview'))
    assert.containsSubset(restarted, [{ version: '2.0.0', cause: { version: '1.0.0' } }])
    assert.isEmpty(shows(record, 320, halted, beside(320, 'inReview')).restarted)
  })

  test('is recorded once if a stop with a lost answer is repeated', ({ assert }) => {
    const record = newRecord()
    shows(record, 0, rolling(0), beside(0, 'inReview'))
    halts(record, 300)
    const lost = begin(record, 'stop', 301, 45)
    endCall(record, lost, { outcome: { kind: 'unknown', message: 'Lost' } }, at(302))
    const again = begin(record, 'stop', 400, 45)
    const halted = (seconds: number) => seen(seconds, 'halted', 20)
    const { restarted } = shows(record, 401, halted(401), beside(401, 'inReview'))
    assert.lengthOf(restarted, 1)
    const result = { before: halted(402), after: halted(402) }
    endCall(record, again, { answer: result }, at(403))
    assert.isEmpty(shows(record, 500, halted(500), beside(500, 'inReview')).restarted)
  })

  test('is not recorded as restarted if it had ended unseen, or the stop waits to be sent', ({
    assert,
  }) => {
    const { record, halted } = stopped()
    assert.isEmpty(shows(record, 310, halted, beside(310, 'pendingRelease')).restarted)
    const waiting = stopped(true)
    const { restarted } = shows(waiting.record, 310, waiting.halted, beside(310, 'inReview'))
    assert.isEmpty(restarted)
  })
})

test.group('The lag of a store', () => {
  test('is that of its last read', ({ assert }) => {
    const record = newRecord()
    shows(record, 0, seen(0, 'live', 100, { lag: 7200 }))
    assert.equal(record.lagSeconds, 7200)
    shows(record, 10, seen(10, 'live', 100, { lag: 15 }))
    assert.equal(record.lagSeconds, 15)
  })
})

test.group('A read that failed', () => {
  test('is repeated at once with credentials that came during it', ({ assert }) => {
    const record = newRecord('apple')
    shows(record, 0, seen(0, 'inReview'))
    halts(record, 1)
    shows(record, 2, seen(2, 'preparing', null, { lag: 60 }))
    record.credentials = 2
    pollFailed(record, { code: 'unauthorized', message: 'Revoked', credentials: 1 }, at(70))
    assert.equal(judged(record, 71).lanes.stop.do, 'poll')
  })
})
