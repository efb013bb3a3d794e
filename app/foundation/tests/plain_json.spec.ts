import { test } from '@japa/runner'
import { makePlain } from '../api/execution/plain_json.js'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'

const nested = (depth: number) => '{"x":'.repeat(depth) + '1' + '}'.repeat(depth)

test.group('JSON that is not plain', () => {
  test('is refused for nesting beyond 32 levels, even in unknown members', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const send = (path: string, raw: string) =>
      world.admin.post(path, undefined, { raw, headers: { 'content-type': 'application/json' } })
    const deep = await send(`/app/${app}/regressionItems/batch`, nested(100_000))
    assert.equal(deep.status, 422)
    assert.equal(deep.body.code, 'too_complex')
    const allowed = await send(`/app/${app}/release`, `{"version":"1.0.0","unknown":${nested(31)}}`)
    assert.equal(allowed.status, 201)
  })

  test('is refused for halves of surrogate pairs, with their pointer', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const { status, body } = await world.admin.post(`/app/${app}/release`, undefined, {
      raw: '{"version":"1.0.0","customMetadata":{"entries":[{"key":"a","value":"x\\ud800y"}]}}',
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(status, 422)
    assert.containsSubset(body.errors[0], {
      pointer: '/customMetadata/entries/0/value',
      code: 'ill_formed',
    })
    assert.lengthOf(await world.events(), 0)
  })

  test('loses members that would set a prototype', ({ assert }) => {
    const value = JSON.parse('{"items":[{"__proto__":{"title":"sneaky"},"constructor":1,"a":2}]}')
    makePlain(value)
    assert.equal(JSON.stringify(value), '{"items":[{"a":2}]}')
  })
})

test.group('Repeating a deletion', () => {
  test('gets the first answer again, although the app is gone', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const headers = { 'idempotency-key': 'delete-once' }
    const first = await world.admin.delete(`/app/${app}/app/config`, undefined, { headers })
    const second = await world.admin.delete(`/app/${app}/app/config`, undefined, { headers })
    assert.deepEqual([first.status, second.status], [204, 204])
    assert.equal(second.headers['idempotent-replayed'], 'true')
    assert.equal((await world.admin.delete(`/app/${app}/app/config`)).status, 404)
    const stranger = await makeWorld()
    const theirs = await stranger.admin.delete(`/app/${app}/app/config`, undefined, { headers })
    assert.equal(theirs.status, 404)
  })
})
