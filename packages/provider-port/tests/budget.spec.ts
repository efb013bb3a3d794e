import { test } from '@japa/runner'
import { callTimes, errorOf, stageOf } from './support/port_stage.js'
import { json } from './support/provider_server.js'

const read = { method: 'GET', path: '/thing' } as const
const RATE = { requests: 1000, perSeconds: 1, concurrency: 10, scope: 'credential' } as const

test.group('The budget of the port', () => {
  const rate = { requests: 10, perSeconds: 60, concurrency: 5, scope: 'credential' } as const

  test('leaves the reserve to people, and gives other calls a time to retry', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup)
    const polling = stage.use({ manifest: { rate } })
    const codes = await callTimes(stage, 8, polling)
    assert.deepEqual([codes.slice(0, 7), codes[7]], [Array(7).fill('ok'), 'rateLimited'])
    const error = await errorOf(polling.http.send(read))
    assert.deepEqual([error.code, error.detail.retryAfterMs], ['rateLimited', 66_000])
    const person = stage.use({ manifest: { rate }, isForPerson: true })
    assert.deepEqual(await callTimes(stage, 3, person), ['ok', 'ok', 'ok'])
    stage.clock.advance(66_000)
    assert.deepEqual(await callTimes(stage, 1, polling), ['ok'])
  })

  test('is waited for if the wait is short', async ({ assert, cleanup }) => {
    const stage = await stageOf(cleanup)
    const slow = { requests: 1, perSeconds: 1, concurrency: 1, scope: 'connection' } as const
    const use = stage.use({ manifest: { rate: slow } })
    assert.deepEqual(await callTimes(stage, 3, use), ['ok', 'ok', 'ok'])
    assert.isAtLeast(
      stage.waits.reduce((sum, each) => sum + each),
      2000
    )
  })

  test('is shared by equal credentials if the provider counts that way', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup)
    const codeOf = async (scope: 'credential' | 'connection' | 'host', fingerprint = 'print') => {
      const manifest = { rate: { ...rate, requests: 1, scope } }
      const one = stage.use({ manifest, connectionId: `a:${scope}`, fingerprint: `${scope} print` })
      await callTimes(stage, 1, one)
      const other = stage.use({
        manifest,
        connectionId: `b:${scope}`,
        fingerprint: `${scope} ${fingerprint}`,
      })
      return (await callTimes(stage, 1, other))[0]
    }
    assert.equal(await codeOf('credential'), 'rateLimited')
    assert.equal(await codeOf('connection'), 'ok')
    assert.equal(await codeOf('host', 'another'), 'rateLimited')
    assert.equal(await codeOf('credential', 'another'), 'ok')
  })

  test('a quota that is used up pauses polling until its reset, and does not open the breaker', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup)
    const reset = String(stage.clock.milliseconds() / 1000 + 900)
    const headers = {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-limit': '50',
      'x-ratelimit-reset': reset,
    }
    stage.server.answers(json({ message: 'rate limit' }, 403, headers), json({}))
    const first = await errorOf(stage.use().http.send(read))
    assert.deepEqual([first.code, first.detail.retryAfterMs], ['quotaExhausted', 900_000])
    const second = await errorOf(stage.use().http.send(read))
    assert.deepEqual([second.code, second.detail.retryAfterMs], ['quotaExhausted', 900_000])
    assert.lengthOf(stage.server.seen, 1)
    assert.equal((await stage.use({ isForPerson: true }).http.send(read)).status, 200)
    assert.notInclude(
      stage.reported.map(({ state }) => state),
      'open'
    )
    stage.clock.advance(900_000)
    assert.equal((await stage.use().http.send(read)).status, 200)
  })

  test('a limit that GitHub states only in words is not hit again within a minute', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup, { options: { maxAttempts: 1 } })
    const message = 'You have exceeded a secondary rate limit. Please wait a few minutes.'
    const pauses = [{ says: 'secondary rate limit', seconds: 60 }]
    const use = () => stage.use({ manifest: { rate: { ...RATE, pauses } } })
    stage.server.answers(json({ message }, 403, { 'x-ratelimit-remaining': '4000' }), json({}))
    const change = { method: 'POST', path: '/x', json: {} } as const
    const first = await errorOf(use().http.send(change))
    assert.deepEqual([first.code, first.detail.retryAfterMs], ['rateLimited', 60_000])
    assert.equal(first.detail.outcome, 'notApplied')
    // A call waits by itself for the last ten seconds.
    for (let second = 0; second < 50; second++) {
      const others = await errorOf(use().http.send(change))
      assert.equal(others.code, 'rateLimited')
      stage.clock.advance(1000)
    }
    assert.lengthOf(stage.server.seen, 1)
    assert.equal((await use().http.send(change)).status, 200)
    assert.deepEqual(stage.waits, [10_000])
  })

  test('a short wait that the provider asks for is respected', async ({ assert, cleanup }) => {
    const stage = await stageOf(cleanup)
    stage.server.answers(json({}, 429, { 'retry-after': '3' }), json({}))
    await stage.use().http.send(read)
    assert.deepEqual(stage.waits, [3000])
  })
})
