import { createHash } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { earlier, later } from '../core/clock.js'
import { clock } from '../core/services.js'
import { makeWorld } from '#tests/support/world'

async function groups() {
  const world = await makeWorld()
  const path = `/org/${world.organizationId}/group`
  const post = (name: string, key: string, at = path) =>
    world.admin.post(at, { name, userActions: [] }, { headers: { 'idempotency-key': key } })
  const names = async () =>
    (await world.admin.get(path)).body.flatMap(({ isDefault, name }: any) =>
      isDefault ? [] : [name]
    )
  const kept = () => db.from('idempotency_keys').where('organization_id', world.organizationId)
  return { world, path, post, names, kept }
}

test.group('Idempotency-Key', () => {
  test('repeats the first answer to the same request, without a second effect', async ({
    assert,
  }) => {
    const { post, names, path } = await groups()
    const first = await post('Crew', 'key-1')
    assert.equal(first.status, 201)
    assert.notProperty(first.headers, 'idempotent-replayed')
    for (const at of [path, `/v1${path}`]) {
      const again = await post('Crew', 'key-1', at)
      assert.deepEqual([again.status, again.text], [201, first.text])
      assert.equal(again.headers['idempotent-replayed'], 'true')
      assert.equal(again.headers.location, first.headers.location)
    }
    assert.deepEqual(await names(), ['Crew'])
  })

  test('stores a fingerprint from which the request cannot be guessed', async ({ assert }) => {
    const { post, kept, path } = await groups()
    assert.equal((await post('Crew', 'key-1')).status, 201)
    const [{ fingerprint }] = await kept()
    const body = JSON.stringify({ name: 'Crew', userActions: [] })
    const hash = createHash('sha256')
    for (const part of [path, body]) hash.update(`${Buffer.byteLength(part)}:`).update(part)
    for (const digest of ['hex', 'base64url'] as const) {
      assert.notEqual(fingerprint, hash.copy().digest(digest))
    }
  })

  test('is refused with 422 for another request, but may be used for another route', async ({
    assert,
  }) => {
    const { world, post, names, path } = await groups()
    const { body } = await post('Crew', 'key-1')
    const other = await post('Other', 'key-1')
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_mismatch'])
    const renamed = await world.admin.put(
      `${path}/${body.id}`,
      { name: 'Renamed' },
      { headers: { 'idempotency-key': 'key-1' } }
    )
    assert.equal(renamed.status, 200)
    assert.deepEqual(await names(), ['Renamed'])
  })

  test('may be used by another organization as well', async ({ assert }) => {
    const [one, two] = [await groups(), await groups()]
    assert.equal((await one.post('Crew', 'shared')).status, 201)
    const second = await two.post('Crew', 'shared')
    assert.equal(second.status, 201)
    assert.notProperty(second.headers, 'idempotent-replayed')
  })

  test('repeats an answer without a body, too', async ({ assert }) => {
    const { world, post, path } = await groups()
    const { body } = await post('Crew', 'make')
    const remove = () =>
      world.admin.delete(`${path}/${body.id}`, undefined, {
        headers: { 'idempotency-key': 'remove' },
      })
    assert.equal((await remove()).status, 204)
    const again = await remove()
    assert.deepEqual([again.status, again.text], [204, ''])
    assert.equal(again.headers['idempotent-replayed'], 'true')
  })

  test('stores nothing for a refused request, so that it can be sent again', async ({ assert }) => {
    const { world, post, kept, names, path } = await groups()
    await post('Taken', 'first')
    assert.equal((await post('Taken', 'second')).status, 409)
    assert.equal((await post('', 'second')).status, 422)
    const [first, ...others] = await kept()
    assert.equal(first.status, 201)
    assert.isEmpty(others)
    const [taken] = (await world.admin.get(path)).body.filter(({ name }: any) => name === 'Taken')
    await world.admin.delete(`${path}/${taken.id}`)
    assert.equal((await post('Taken', 'second')).status, 201)
    assert.deepEqual(await names(), ['Taken'])
  })

  test('lets one of racing requests take effect; the others get its answer or must wait', async ({
    assert,
  }) => {
    const { post, names } = await groups()
    const responses = await Promise.all(Array.from({ length: 8 }, () => post('Crew', 'race')))
    const fresh = responses.filter(
      ({ status, headers }) => status === 201 && !headers['idempotent-replayed']
    )
    assert.lengthOf(fresh, 1)
    for (const response of responses) {
      if (response.status === 409) {
        assert.equal(response.body.code, 'request_running')
        assert.equal(response.headers['retry-after'], '1')
      } else assert.equal(response.text, fresh[0].text)
    }
    assert.deepEqual(await names(), ['Crew'])
  })

  test('is forgotten after 48 hours', async ({ assert }) => {
    const { world, post, kept, path } = await groups()
    const { body } = await post('Crew', 'old')
    await world.admin.delete(`${path}/${body.id}`)
    const day = 24 * 3600 * 1000
    await kept().update({ created_at: later(clock.now(), -2 * day + 60_000) })
    assert.equal((await post('Crew', 'old')).headers['idempotent-replayed'], 'true')
    await kept().update({ created_at: earlier(clock.now(), 2 * day) })
    const fresh = await post('Crew', 'old')
    assert.equal(fresh.status, 201)
    assert.notEqual(fresh.body.id, body.id)
    assert.lengthOf(await kept(), 1)
  })

  test('is refused with 400 unless it has 1 to 255 visible characters', async ({ assert }) => {
    const { post, names } = await groups()
    assert.equal((await post('A', 'x'.repeat(255))).status, 201)
    for (const key of ['x'.repeat(256), 'two words', '']) {
      const { status, body } = await post('B', key)
      assert.deepEqual([status, body.code], [400, 'malformed_request'])
    }
    assert.deepEqual(await names(), ['A'])
  })
})
