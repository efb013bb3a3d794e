import { test } from '@japa/runner'
import { highestCode } from '../fake/play_store.js'
import { ROLLING, stage, withNext } from './support/stage.js'

const INPUT = {
  ...{ version: '1.3.0', buildNumber: '41', phased: true, fraction: 0.05 },
  release: 'manual',
} as const

test.group('Google Play whose changes a person sends', () => {
  test('the plugin learns it from the first refusal, and the version says what it waits for', async ({
    assert,
  }) => {
    const { bench, fake, store, fail, find, callsOf } = await stage()
    fake.store.isSentByHand = true
    const { id } = await store.prepare(INPUT, bench.mutation())
    const submitted = await store.submit(id, fail())
    assert.isTrue(submitted.waitsForSending)
    assert.equal(submitted.status.state, 'readyForReview')
    assert.isTrue((await find('1.3.0')).waitsForSending)
    fake.inConsole((own) => own.send())
    assert.equal((await find('1.3.0')).status.state, 'inReview')
    // The plugin knows it now, so no further commit is refused.
    fake.decide('approved')
    const calls = await callsOf(() => store.setRollout(id, { action: 'halt' }, fail()))
    assert.lengthOf(
      calls.filter((each) => each.endsWith(':commit')),
      1
    )
  })

  test('the plugin notices when Google sends changes automatically again', async ({ assert }) => {
    const { bench, fake, store, fail } = await stage()
    fake.store.isSentByHand = true
    const { id } = await store.prepare(INPUT, bench.mutation())
    fake.store.isSentByHand = false
    const submitted = await store.submit(id, fail())
    assert.isUndefined(submitted.waitsForSending)
    assert.equal(submitted.status.state, 'inReview')
  })

  test('a stop has no effect until it is sent, and its answer says so', async ({ assert }) => {
    const { fake, store, replace, find } = await stage(withNext(ROLLING))
    fake.store.isSentByHand = true
    const { before, after } = await store.setRollout('production/41', { action: 'halt' }, replace())
    assert.equal(before.rollout?.state, 'active')
    assert.equal(after.rollout?.state, 'active')
    assert.isTrue(after.waitsForSending)
    const waiting = await find('1.3.0')
    assert.isTrue(waiting.waitsForSending)
    // Google reports only the waiting share, so the one that users have is unknown.
    assert.equal(waiting.status.state, 'unknown')
    assert.isUndefined(waiting.rollout)
    fake.inConsole((own) => own.send())
    assert.equal((await find('1.3.0')).rollout?.state, 'halted')
  })

  test('a change that waits for a person is not sent with another change', async ({ assert }) => {
    const { bench, fake, store, fail, replace } = await stage(withNext(ROLLING))
    fake.store.isSentByHand = true
    fake.store.library.add(42)
    const next = { ...INPUT, version: '1.4.0', buildNumber: '42' }
    const { id } = await store.prepare(next, bench.mutation())
    await store.submit(id, fail())
    fake.store.isSentByHand = false
    await store.setRollout('production/41', { action: 'halt' }, replace())
    const unsent = fake.store.on('production').find((each) => highestCode(each) === 42)
    assert.include(unsent, { status: 'draft', submissions: 0 })
  })
})
