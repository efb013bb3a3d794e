import { test } from '@japa/runner'
import { refusalOf } from '../../reconciler/attempts.js'
import { endCall } from '../../reconciler/end_call.js'
import { versionIn } from '../../reconciler/record.js'
import { isMoving } from '../../reconciler/states.js'
import { at, begin, grows, halts, judged, newRecord, secondsOf, seen, shows } from './support.js'

/** Returns a record whose increase is under way when a stop overtakes it. */
function overtaken() {
  const record = newRecord()
  shows(record, 0, seen(0, 'rolledOutPartially', 20))
  grows(record, 1)
  shows(record, 2, seen(2, 'rolledOutPartially', 20))
  const growth = begin(record, 'usual', 3, 60)
  halts(record, 10)
  const stop = begin(record, 'stop', 11, 45)
  const before = seen(11, 'rolledOutPartially', 20)
  endCall(record, stop, { answer: { before, after: seen(11, 'halted', 20) } }, at(13))
  return { record, growth }
}

test.group('Calls that cross each other', () => {
  test('a stop is repeated after an increase that reached the store later', ({ assert }) => {
    const { record, growth } = overtaken()
    assert.equal(judged(record, 14).verdicts[0].status, 'underWay')
    const after = seen(3, 'rolledOutPartially', 50)
    const result = { before: seen(3, 'halted', 20), after }
    const ended = endCall(record, growth, { answer: result }, at(20))
    assert.isEmpty(ended.outsideChanges)
    const next = judged(record, 21)
    assert.deepEqual([next.verdicts[0].status, next.lanes.stop.do], ['underWay', 'poll'])
    const { outsideChanges } = shows(record, 40, seen(40, 'rolledOutPartially', 50))
    assert.isEmpty(outsideChanges)
    const again = judged(record, 41)
    assert.equal(again.verdicts[0].status, 'underWay')
    assert.containsSubset(again.lanes.stop, { do: 'call', call: { to: { action: 'halt' } } })
  })

  test('a stop is done once a read after the increase shows it', ({ assert }) => {
    const { record, growth } = overtaken()
    const message = 'The rollout was halted in the meantime'
    const error = { code: 'conflict', reason: 'stoppedMeanwhile', message } as const
    const begun = record.calls.find(({ lane }) => lane === 'usual')!
    endCall(record, growth, { outcome: refusalOf(record, begun, error, at(20)) }, at(20))
    shows(record, 40, seen(40, 'halted', 20))
    judged(record, 41)
    assert.equal(versionIn(record, '1.0.0').rollout!.status, 'done')
  })
})

test.group('A store that is unavailable for days', () => {
  test('leaves a record that does not grow', ({ assert }) => {
    const record = newRecord()
    shows(record, 0, seen(0, 'rolledOutPartially', 20))
    halts(record, 1)
    let [seconds, made] = [2, 0]
    while (seconds < 24 * 3600) {
      const next = judged(record, seconds).lanes.stop
      if (next.do !== 'call') {
        const until = next.do === 'wait' && next.until !== null ? secondsOf(next.until) : 0
        seconds = Math.max(seconds + 1, Math.ceil(until))
        continue
      }
      const call = begin(record, 'stop', seconds, 45)
      made += 1
      const error = { code: 'unavailable', message: 'The store is away' } as const
      const outcome =
        made % 2 === 0
          ? refusalOf(record, record.calls.at(-1)!, error, at(seconds + 1))
          : ({ kind: 'unknown', message: 'No answer' } as const)
      endCall(record, call, { outcome }, at(seconds + 1))
      seconds += 1
    }
    assert.isAbove(made, 500)
    assert.isBelow(record.calls.length, 10)
  })
})

test.group('A version that a store no longer lists', () => {
  const review = (seconds: number) =>
    seen(seconds, 'inReview', null, { version: 'beta 1.1.0', track: 'beta' })

  test('blocks no call, and is no longer watched', ({ assert }) => {
    const record = newRecord()
    shows(record, 0, seen(0, 'rolledOutPartially', 20), review(0))
    shows(record, 300, seen(300, 'rolledOutPartially', 20), review(300))
    grows(record, 301)
    shows(record, 310, seen(310, 'rolledOutPartially', 20))
    assert.match(judged(record, 311).verdicts[0].reason!, /is reviewing other changes/)
    shows(record, 1200, seen(1200, 'rolledOutPartially', 20))
    assert.equal(judged(record, 1201).lanes.usual.do, 'call')
    versionIn(record, '1.0.0').rollout = null
    assert.isTrue(isMoving(record))
    shows(record, 1300, seen(1300, 'live', null))
    assert.isFalse(isMoving(record))
  })
})
