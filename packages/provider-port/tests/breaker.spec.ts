import { test } from '@japa/runner'
import { callTimes, errorOf, stageOf } from './support/port_stage.js'
import { json } from './support/provider_server.js'

const read = { method: 'GET', path: '/thing' } as const

test.group('The breaker of the port', () => {
  test('opens after five outages in a row, and retries with growing delays', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup)
    stage.server.answers(json({}, 500))
    await callTimes(stage, 5)
    assert.lengthOf(stage.server.seen, 5)
    for (const coolDown of [30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000]) {
      const before = stage.server.seen.length
      const error = await errorOf(stage.use().http.send(read))
      assert.deepEqual([error.code, error.detail.reason], ['unavailable', 'breakerOpen'])
      assert.equal(error.detail.retryAfterMs, coolDown)
      stage.clock.advance(coolDown - 1)
      assert.deepEqual(await callTimes(stage, 1), ['breakerOpen'])
      assert.lengthOf(stage.server.seen, before)
      stage.clock.advance(1)
      await callTimes(stage, 1)
      assert.lengthOf(stage.server.seen, before + 1)
    }
    stage.clock.advance(600_000)
    stage.server.answers(json({}))
    assert.deepEqual(await callTimes(stage, 2), ['ok', 'ok'])
    assert.equal(stage.reported.at(-1)?.state, 'closed')
    assert.containsSubset(stage.reported, [{ state: 'open' }, { failure: 'unavailable' }])
  })

  test('opens when half of twenty calls fail, and never for mistakes of the client', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup)
    stage.server.answers(json({}, 404))
    await callTimes(stage, 40)
    assert.lengthOf(stage.server.seen, 40)
    const turn = [json({}, 500), json({}, 200)]
    stage.server.answers(...Array.from({ length: 21 }, (_, index) => turn[index % 2]))
    const codes = await callTimes(stage, 25)
    assert.equal(codes.at(-1), 'breakerOpen')
    assert.notInclude(codes.slice(0, 19), 'breakerOpen')
  })

  test('still lets a person try, and closes if that succeeds', async ({ assert, cleanup }) => {
    const stage = await stageOf(cleanup)
    stage.server.answers(json({}, 500))
    await callTimes(stage, 6)
    const person = stage.use({ isForPerson: true })
    await callTimes(stage, 1, person)
    assert.lengthOf(stage.server.seen, 6)
    assert.deepEqual(await callTimes(stage, 1), ['breakerOpen'])
    stage.server.answers(json({}))
    assert.deepEqual(await callTimes(stage, 1, person), ['ok'])
    assert.deepEqual(await callTimes(stage, 1), ['ok'])
  })

  test('is separate for each connection and host', async ({ assert, cleanup }) => {
    const stage = await stageOf(cleanup, { isNamed: true })
    stage.server.answers(json({}, 500))
    const hosts = { allow: ['api.acme.example', 'b.acme.example'], selfHosted: false }
    const one = stage.use({ manifest: { hosts } })
    assert.equal((await callTimes(stage, 6, one)).at(-1), 'breakerOpen')
    const other = stage.use({ manifest: { hosts }, connectionId: 'acme:2' })
    assert.deepEqual(await callTimes(stage, 1, other), ['unavailable'])
    assert.equal((await one.fetch('https://b.acme.example/', { method: 'POST' })).status, 500)
  })

  test('does not close after a probe that was given up', async ({ assert, cleanup }) => {
    const stage = await stageOf(cleanup)
    stage.server.answers(json({}, 500))
    await callTimes(stage, 5)
    stage.clock.advance(30_000)
    stage.server.answers(() => {})
    const patience = new AbortController()
    const probe = errorOf(stage.use({ signal: patience.signal }).http.send(read))
    while (stage.server.seen.length < 6) await new Promise((done) => setTimeout(done, 5))
    assert.deepEqual(await callTimes(stage, 1), ['breakerOpen'])
    patience.abort()
    await probe
    assert.deepEqual(await callTimes(stage, 1), ['breakerOpen'])
    assert.lengthOf(stage.server.seen, 6)
  })
})
