import fc from 'fast-check'
import { test } from '@japa/runner'
import { ProviderError } from '#plugin-kit/provider_error'
import { MAX_REFUSED, reportEach } from '../marks/report_each.js'
import { isMovedOut, projectOf, spelledKey } from '../ticket_keys.js'

const keysOf = (count: number) => Array.from({ length: count }, (_, index) => `SHOP-${index + 1}`)

/** Returns a tracker that takes all or nothing, and refuses some tickets. */
function tracker(refused: ReadonlySet<string>) {
  const taken: string[] = []
  let calls = 0
  const report = async (keys: string[]) => {
    calls += 1
    const broken = keys.find((key) => refused.has(key))
    if (broken) throw new ProviderError('invalid', `Not ${broken}`, { outcome: 'notApplied' })
    taken.push(...keys)
  }
  return { taken, report, calls: () => calls }
}

test.group('Reporting to many tickets', () => {
  test('marks all tickets except those that are refused, whichever they are', async ({
    assert,
  }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 100 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { maxLength: MAX_REFUSED }),
        async (count, broken) => {
          const keys = keysOf(count)
          const refused = new Set(broken.map((each) => `SHOP-${each}`))
          const { taken, report, calls } = tracker(refused)
          const reported = await reportEach(keys, report)
          const expected = keys.filter((key) => refused.has(key))
          assert.sameMembers([...reported.refused.keys()], expected)
          // Once too many are refused, it stops and leaves the rest for the next run.
          assert.sameMembers([...taken, ...expected, ...reported.left], keys)
          if (expected.length < MAX_REFUSED) assert.equal(reported.left.size, 0)
          for (const [key, why] of reported.refused) assert.equal(why, `Not ${key}`)
          // Each refused ticket is found in at most eight steps of two calls.
          assert.isAtMost(calls(), 1 + 16 * expected.length)
        }
      )
    )
  })

  test('stops if nearly all are refused', async ({ assert }) => {
    const keys = keysOf(100)
    const { taken, report, calls } = tracker(new Set(keys))
    const reported = await reportEach(keys, report)
    assert.deepEqual([...reported.refused.keys()], keys.slice(0, MAX_REFUSED))
    assert.deepEqual([...reported.left], keys.slice(MAX_REFUSED))
    assert.deepEqual(taken, [])
    assert.isBelow(calls(), 3 * MAX_REFUSED)
  })

  test('throws errors that do not refuse tickets', async ({ assert }) => {
    const others = [
      new ProviderError('unavailable', 'Away', { outcome: 'notApplied' }),
      new ProviderError('unauthorized', 'Who?', { outcome: 'notApplied' }),
      new ProviderError('invalid', 'Perhaps', { outcome: 'unknown' }),
      new Error('Broken'),
    ]
    for (const error of others) {
      const failing = reportEach(keysOf(2), () => Promise.reject(error))
      await assert.rejects(() => failing, error.message)
    }
  })

  test('throws if several tickets are all forbidden, since that is about the caller', async ({
    assert,
  }) => {
    const error = new ProviderError('forbidden', 'May not edit', { outcome: 'notApplied' })
    for (const count of [2, 3, 50]) {
      await assert.rejects(
        () => reportEach(keysOf(count), () => Promise.reject(error)),
        'May not edit'
      )
    }
    const { refused } = await reportEach(keysOf(1), () => Promise.reject(error))
    assert.deepEqual([...refused], [['SHOP-1', 'May not edit']])
    const one = await reportEach(keysOf(3), async ([key, ...rest]) => {
      if (rest.length > 0 || key !== 'SHOP-2') throw error
    })
    assert.deepEqual([...one.refused.keys()], ['SHOP-1', 'SHOP-3'])
  })
})

test.group('Keys of tickets', () => {
  test('belong to the project that the app names, in any case', ({ assert }) => {
    assert.equal(projectOf('shop-1', ['PAY', 'SHOP']), 'SHOP')
    assert.equal(projectOf('OTHER-1', ['SHOP']), 'OTHER')
    assert.equal(projectOf('#12', ['acme/app']), 'acme/app')
    assert.equal(projectOf('#12', []), '')
    assert.equal(projectOf('ACME/MY-APP#12', ['acme/app', 'acme/my-app']), 'acme/my-app')
    assert.equal(spelledKey('SHOP-1', ['shop']), 'shop-1')
    assert.equal(spelledKey('#12', ['acme/app']), '#12')
    assert.equal(spelledKey('ACME/MY-APP#12', ['acme/my-app']), 'acme/my-app#12')
    assert.equal(spelledKey('A-B-1', ['a-b']), 'a-b-1')
  })

  test('show that a ticket was moved out, unless its project only has another key', ({
    assert,
  }) => {
    assert.isTrue(isMovedOut('OTHER-9', ['SHOP-1'], ['shop']))
    assert.isTrue(isMovedOut('OTHER-9', ['SHOP-1', 'PAY-2'], ['SHOP', 'PAY']))
    assert.isTrue(isMovedOut('ACME/OTHER#9', ['#12', 'ACME/APP#12'], ['acme/app']))
    // From one project of the app to another.
    assert.isFalse(isMovedOut('PAY-9', ['SHOP-1'], ['SHOP', 'pay']))
    assert.isFalse(isMovedOut('STORE-1', ['SHOP-1'], ['SHOP']))
    assert.isFalse(isMovedOut('STORE-1', ['PAY-7', 'SHOP-1'], ['SHOP', 'PAY']))
    assert.isFalse(isMovedOut('ACME/APP#12', ['#12'], ['acme/app']))
    // Keys of such a tracker say nothing of projects.
    assert.isFalse(isMovedOut('OPS-9', ['MOB-1'], ['Mobile app']))
    assert.isFalse(isMovedOut('SHOP-1', [], ['SHOP']))
  })
})
