import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { Webhook } from 'standardwebhooks'
import { makeWorld, type World } from '#tests/support/world'
import { Receiver } from './support/receiver.js'
import { Stage } from './support/stage.js'

const url = 'https://hooks.example.com/tarmac'

const pathOf = (world: World, rest = '') => `/org/${world.organizationId}/webhookEndpoint${rest}`

async function made(world: World, body: Record<string, unknown> = {}) {
  const { body: endpoint } = await world.admin.post(pathOf(world), { url, ...body })
  return endpoint
}

test.group('POST /org/{orgId}/webhookEndpoint', () => {
  test('201 returns the endpoint with its secret, which no later answer contains', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const canary = 'canary-header-value'
    const response = await world.admin.post(pathOf(world), {
      url,
      description: 'Releases',
      events: ['release.created'],
      platforms: ['ios'],
      headers: { 'X-Team': canary },
      timeoutSeconds: 30,
      maxPerSecond: 5,
      asymmetric: true,
      id: 'whe_mine',
      status: 'disabled',
    })
    assert.equal(response.status, 201)
    const { secret, ...entity } = response.body
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal(response.headers.location, pathOf(world, `/${entity.id}`))
    assert.containsSubset(entity, {
      url,
      events: ['release.created'],
      appIds: null,
      headerNames: ['x-team'],
      status: 'active',
    })
    assert.match(entity.publicKeys[0], /^whpk_/)
    const shown = await world.admin.get(pathOf(world, `/${entity.id}`))
    assert.deepEqual(shown.body, entity)
    const [row] = await db.from('webhook_endpoints').where('id', entity.id)
    for (const hidden of [secret, canary]) assert.notInclude(JSON.stringify(row), hidden)
    const audit = await db.from('audit_entries').where('subject', entity.id)
    assert.notInclude(JSON.stringify(audit), secret)
  })

  test('by default it receives all events, with a timeout of 15 seconds', async ({ assert }) => {
    const endpoint = await made(await makeWorld())
    assert.containsSubset(endpoint, { events: ['*'], timeoutSeconds: 15, maxPerSecond: null })
  })

  test('a repeated Idempotency-Key gets the same secret, which is stored encrypted', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const headers = { 'idempotency-key': 'once' }
    const first = await world.admin.post(pathOf(world), { url }, { headers })
    const again = await world.admin.post(pathOf(world), { url }, { headers })
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.deepEqual(again.body, first.body)
    const kept = await db.from('idempotency_keys').where('organization_id', world.organizationId)
    assert.lengthOf(kept, 1)
    assert.notInclude(JSON.stringify(kept), first.body.secret)
  })

  test('422 names every broken field and writes nothing', async ({ assert }) => {
    const world = await makeWorld()
    const cases: [Record<string, unknown>, string][] = [
      [{ url: undefined }, '/url'],
      [{ url: 'ftp://example.com' }, '/url'],
      [{ url: 'http://example.com@127.0.0.1/' }, '/url'],
      [{ url: 'https://169.254.169.254/' }, '/url'],
      [{ url: 'https://1.1.1.1:25/' }, '/url'],
      [{ url: `https://example.com/${'a'.repeat(2050)}` }, '/url'],
      [{ events: [] }, '/events'],
      [{ events: ['release.nonsense'] }, '/events/0'],
      [{ events: ['*', 'release.created'] }, '/events'],
      [{ appIds: ['absent'] }, '/appIds/0'],
      [{ platforms: ['amiga'] }, '/platforms/0'],
      [{ headers: { 'Webhook-Id': 'x' } }, '/headers/Webhook-Id'],
      [{ headers: { host: 'x' } }, '/headers/host'],
      [{ headers: { 'a b': 'x' } }, '/headers/a b'],
      [{ headers: { a: 'line\nbreak' } }, '/headers/a'],
      [{ headers: { a: '1', A: '2' } }, '/headers/A'],
      [
        { headers: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`h${i}`, 'x'])) },
        '/headers',
      ],
      [{ timeoutSeconds: 4 }, '/timeoutSeconds'],
      [{ timeoutSeconds: 31 }, '/timeoutSeconds'],
      [{ maxPerSecond: 0 }, '/maxPerSecond'],
      [{ asymmetric: 'yes' }, '/asymmetric'],
    ]
    for (const [broken, pointer] of cases) {
      const { status, body } = await world.admin.post(pathOf(world), { url, ...broken })
      assert.equal(status, 422, JSON.stringify(broken))
      assert.include(
        body.errors.map((each: { pointer: string }) => each.pointer),
        pointer
      )
    }
    const { body } = await world.admin.get(pathOf(world))
    assert.deepEqual(body, [])
  })

  test('409 for more than fifty endpoints', async ({ assert }) => {
    const world = await makeWorld()
    for (let count = 0; count < 50; count++) await made(world)
    const { status, body } = await world.admin.post(pathOf(world), { url })
    assert.equal(status, 409)
    assert.match(body.detail, /50/)
  })

  test('403 without the admin flag, whatever the groups', async ({ assert }) => {
    const world = await makeWorld()
    const reader = await world.keyed()
    const { status, body } = await reader.post(pathOf(world), { url })
    assert.equal(status, 403)
    assert.equal(body.code, 'admin_required')
    const listed = await reader.get(pathOf(world))
    assert.equal(listed.status, 403)
  })
})

test.group('GET, PATCH and DELETE of a webhook endpoint', () => {
  test('lists only the organization’s own, oldest first', async ({ assert }) => {
    const [mine, theirs] = [await makeWorld(), await makeWorld()]
    const [first, second] = [await made(mine), await made(mine)]
    await made(theirs)
    const { status, body } = await mine.admin.get(pathOf(mine))
    assert.equal(status, 200)
    assert.sameMembers(
      body.map((each: { id: string }) => each.id),
      [first.id, second.id]
    )
  })

  test('404 for another organization’s endpoint, as for an unknown one', async ({ assert }) => {
    const [mine, theirs] = [await makeWorld(), await makeWorld()]
    const { id } = await made(theirs)
    const strip = ({ requestId: _, instance: __, ...rest }: Record<string, unknown>) => rest
    const paths = ['', '/statistics', '/delivery', '/delivery/whd_1', '/recovery/whr_1']
    for (const path of paths) {
      const foreign = await mine.admin.get(pathOf(mine, `/${id}${path}`))
      const absent = await mine.admin.get(pathOf(mine, `/whe_absent${path}`))
      assert.equal(foreign.status, 404, path)
      assert.deepEqual(strip(foreign.body), strip(absent.body))
    }
    const writes: [string, unknown][] = [
      ['/ping', {}],
      ['/rotateSecret', {}],
      ['/recover', { since: '2026-01-01T00:00:00Z' }],
      ['/delivery/whd_1/redeliver', undefined],
    ]
    for (const [path, json] of writes) {
      const { status } = await mine.admin.post(pathOf(mine, `/${id}${path}`), json)
      assert.equal(status, 404, path)
    }
    const patched = await mine.admin.patch(pathOf(mine, `/${id}`), { enabled: false })
    assert.equal(patched.status, 404)
    const deleted = await mine.admin.delete(pathOf(mine, `/${id}`))
    assert.equal(deleted.status, 404)
    const still = await theirs.admin.get(pathOf(theirs, `/${id}`))
    assert.equal(still.body.status, 'active')
  })

  test('PATCH changes the given settings, clears with null, and keeps the others', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const before = await made(world, { description: 'old', headers: { a: '1' }, maxPerSecond: 3 })
    const { status, body } = await world.admin.patch(pathOf(world, `/${before.id}`), {
      url: `${url}/new`,
      description: null,
      headers: null,
      events: ['release.created'],
      asymmetric: true,
    })
    assert.equal(status, 200)
    assert.containsSubset(body, {
      url: `${url}/new`,
      description: null,
      headerNames: [],
      events: ['release.created'],
      maxPerSecond: 3,
    })
    assert.lengthOf(body.publicKeys, 1)
    const broken = await world.admin.patch(pathOf(world, `/${before.id}`), { timeoutSeconds: 99 })
    assert.equal(broken.status, 422)
    const foreign = await world.admin.patch(pathOf(world, `/${before.id}`), {
      url: 'http://10.0.0.1/',
    })
    assert.equal(foreign.status, 422)
  })

  test('PATCH with a stale If-Match is 412', async ({ assert }) => {
    const world = await makeWorld()
    const { id } = await made(world)
    const { headers } = await world.admin.get(pathOf(world, `/${id}`))
    const condition = { headers: { 'if-match': headers.etag } }
    const fresh = await world.admin.patch(pathOf(world, `/${id}`), { description: 'a' }, condition)
    assert.equal(fresh.status, 200)
    const stale = await world.admin.patch(pathOf(world, `/${id}`), { description: 'b' }, condition)
    assert.equal(stale.status, 412)
  })

  test('DELETE removes the endpoint and its log', async ({ assert }) => {
    const world = await makeWorld()
    const { id } = await made(world)
    await world.admin.post(pathOf(world, `/${id}/ping`))
    const deleted = await world.admin.delete(pathOf(world, `/${id}`))
    assert.equal(deleted.status, 204)
    const shown = await world.admin.get(pathOf(world, `/${id}`))
    assert.equal(shown.status, 404)
    assert.lengthOf(await db.from('webhook_deliveries').where('endpoint_id', id), 0)
  })
})

test.group('POST .../rotateSecret', (group) => {
  const receivers: Receiver[] = []
  group.each.teardown(async () => {
    for (const receiver of receivers.splice(0)) await receiver.stop()
  })

  test('both secrets sign during the grace period, then only the new one', async ({ assert }) => {
    const stage = await Stage.set()
    const { world } = stage
    const receiver = await new Receiver().start()
    receivers.push(receiver)
    const old = await made(world, { url: receiver.url })
    const rotated = await world.admin.post(pathOf(world, `/${old.id}/rotateSecret`), {
      graceHours: 2,
    })
    assert.equal(rotated.status, 200)
    assert.lengthOf(rotated.body.keys, 2)
    const verifies = (secret: string) => {
      const { body, headers } = receiver.received.at(-1)!
      try {
        new Webhook(secret).verify(body, headers as Record<string, string>)
        return true
      } catch {
        return false
      }
    }
    await stage.record({})
    await stage.drain()
    assert.deepEqual([verifies(old.secret), verifies(rotated.body.secret)], [true, true])
    await world.admin.post(pathOf(world, `/${old.id}/rotateSecret`), { graceHours: 0 })
    await stage.record({})
    await stage.drain()
    assert.deepEqual([verifies(old.secret), verifies(rotated.body.secret)], [false, false])
  })

  test('at most five keys sign at a time; 422 for a grace period of more than a week', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { id } = await made(world)
    for (let count = 0; count < 6; count++) {
      const { body } = await world.admin.post(pathOf(world, `/${id}/rotateSecret`))
      assert.lengthOf(body.keys, Math.min(count + 2, 5))
    }
    const { status } = await world.admin.post(pathOf(world, `/${id}/rotateSecret`), {
      graceHours: 169,
    })
    assert.equal(status, 422)
  })
})

test.group('GET .../statistics and event types', () => {
  test('statistics of an endpoint without deliveries are zero', async ({ assert }) => {
    const world = await makeWorld()
    const { id } = await made(world)
    const { status, body } = await world.admin.get(pathOf(world, `/${id}/statistics`))
    assert.equal(status, 200)
    assert.containsSubset(body, { attempts: 0, failuresInARow: 0, disablesAt: null })
  })

  test('every key may read the event types with their examples', async ({ assert }) => {
    const world = await makeWorld()
    const reader = await world.keyed()
    const { status, body } = await reader.get(`/org/${world.organizationId}/webhookEventType`)
    assert.equal(status, 200)
    const kickedOff = body.find((each: { type: string }) => each.type === 'release.kickedOff')
    assert.equal(kickedOff.payload.eventType, 'release.kickedOff')
  })
})
