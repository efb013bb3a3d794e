import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { randomText } from '#foundation/core/ids'
import { RotateKey } from '#organizations/actions/rotate_key'
import { listKeys } from '#organizations/queries/list_keys'
import { Api } from '#tests/support/api'
import { makeWorld } from '#tests/support/world'
import { makeApp } from './yaml.js'

const TABLES = [
  'apps',
  'step_configs',
  'destinations',
  'buckets',
  'app_users',
  'api_key_apps',
  'releases',
]

async function rowsOf(organizationId: string): Promise<number[]> {
  return Promise.all(
    TABLES.map(async (table) => {
      const rows = await db.from(table).where('organization_id', organizationId)
      return rows.length
    })
  )
}

/** Inserts a release with the data that the removal of its app reads. */
async function insertRelease(organizationId: string, appId: string, status: string) {
  await db.table('releases').insert({
    id: `rel_${randomText(8)}`,
    organization_id: organizationId,
    app_id: appId,
    version: '1.0.0',
    version_major: 1,
    version_minor: 0,
    version_patch: 0,
    create_type: 'release',
    release_type: 'major',
    status,
    phase: 'upcoming',
    regression_status: 'notStarted',
    ready_to_submit: false,
    ready_to_release: false,
    settings: '{}',
    created_by: '{}',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  })
}

test.group('DELETE /app/{appId}/app/config', () => {
  test('204 removes the app with all it owns, and nothing else', async ({ assert }) => {
    const world = await makeWorld()
    const stays = await makeApp(world)
    const before = await rowsOf(world.organizationId)
    const app = await makeApp(world, 'appUsers: [a@acme.example]')
    await insertRelease(world.organizationId, app.id, 'completed')
    const { status, text } = await world.admin.delete(`/app/${app.id}/app/config`)
    assert.equal(status, 204)
    assert.equal(text, '')
    assert.equal((await world.admin.get(`/app/${app.id}`)).status, 404)
    assert.deepEqual(await rowsOf(world.organizationId), before)
    assert.equal((await world.admin.get(`/app/${stays.id}`)).status, 200)
    assert.equal((await world.admin.delete(`/app/${app.id}/config`)).status, 404)
  })

  test('409 while a release is active, 204 when forced', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    await insertRelease(world.organizationId, app.id, 'active')
    const { status, body } = await world.admin.delete(`/app/${app.id}/app/config`)
    assert.equal(status, 409)
    assert.containSubset(body, { code: 'release_active', currentStatus: 'active' })
    assert.equal((await world.admin.delete(`/app/${app.id}/config?dryRun=true`)).status, 409)
    assert.equal((await world.admin.delete(`/app/${app.id}/config?force=true`)).status, 204)
    assert.deepEqual(
      await rowsOf(world.organizationId),
      TABLES.map(() => 0)
    )
  })

  test('200 with dryRun answers the plan and removes nothing', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const { status, body } = await world.admin.delete(`/app/${app.id}/app/config?dryRun=true`)
    assert.equal(status, 200)
    assert.isTrue(
      body.every((each: { op: string; to: unknown }) => each.op === 'remove' && each.to === null)
    )
    assert.equal((await world.admin.get(`/app/${app.id}`)).status, 200)
  })

  test('200 with dryRun lists only deletions, and names every release', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(
      world,
      'appGroup: Shop\nappUsers: [a@acme.example]\ntagSettings: {release: {pattern: "v{version}"}}\nx-destinations: {Second: {}}'
    )
    const draft = (version: string) => world.admin.post(`/app/${app.id}/release`, { version })
    await draft('1.0.0')
    await world.admin.put(`/app/${app.id}/release/${app.id}:1.0.0/skip`)
    await draft('1.1.0')
    await draft('1.2.0')
    const plan = () => world.admin.delete(`/app/${app.id}/app/config?dryRun=true&force=true`)
    const { status, body } = await plan()
    assert.equal(status, 200)
    for (const { path, effect } of body) {
      assert.match(effect, /delete|stay/, path)
      assert.notMatch(effect, /reach|from now on|upcoming|invited|fetched/, path)
    }
    const releases = body.filter((each: { releaseId?: string }) => each.releaseId)
    assert.deepEqual(
      releases.map(({ releaseId, from, events }: any) => [releaseId, from.status, events]),
      [
        [`${app.id}:1.2.0`, 'upcoming', []],
        [`${app.id}:1.1.0`, 'active', []],
        [`${app.id}:1.0.0`, 'skipped', []],
      ]
    )
    const before = await world.events()
    await world.admin.delete(`/app/${app.id}/app/config?force=true`)
    assert.deepEqual(
      (await world.events()).filter(({ sequence }) => sequence !== null).length,
      before.filter(({ sequence }) => sequence !== null).length,
      'nothing is sent of a deletion'
    )
  })

  test('a key that loses its last app sees none, itself and rotated', async ({ assert }) => {
    const world = await makeWorld()
    const [app, other] = [await makeApp(world), await makeApp(world)]
    const only = await world.keyed({ groups: ['Ops'], appIds: [app.id], name: 'only' })
    const both = await world.keyed({ groups: ['Ops'], appIds: [app.id, other.id] })
    assert.equal((await only.delete(`/app/${app.id}/app/config`)).status, 204)
    assert.equal((await both.get(`/app/${other.id}`)).status, 200)

    const { id: keyId } = await db
      .from('api_keys')
      .where({ organization_id: world.organizationId, name: 'only' })
      .firstOrFail()
    const rotated = await world.write((scope) => new RotateKey(scope).handle({ keyId }))
    for (const key of [only, new Api(rotated.key)]) {
      assert.equal((await key.get(`/app/${other.id}`)).status, 404)
      assert.deepEqual((await key.get(`/org/${world.organizationId}/apps`)).body, [])
    }
    const listed = await world.write((scope) => listKeys(scope))
    assert.containsSubset(
      listed.find(({ id }) => id === rotated.id),
      { appRestricted: true, appIds: [] }
    )
  })

  test('a key whose apps are all deleted at the same time sees none', async ({ assert }) => {
    const world = await makeWorld()
    const [first, second, other] = [
      await makeApp(world),
      await makeApp(world),
      await makeApp(world),
    ]
    const key = await world.keyed({ groups: ['Ops'], appIds: [first.id, second.id] })
    const deleted = await Promise.all(
      [first, second].map(({ id }) => world.admin.delete(`/app/${id}/app/config`))
    )
    assert.deepEqual(
      deleted.map(({ status }) => status),
      [204, 204]
    )
    assert.equal((await key.get(`/app/${other.id}`)).status, 404)
  })

  test('412 for a stale tag, 401 without a key, 403 without the right, 404 in another organization', async ({
    assert,
  }) => {
    const [world, theirs] = [await makeWorld(), await makeWorld()]
    const app = await makeApp(world)
    const path = `/app/${app.id}/app/config`
    const stale = { headers: { 'if-match': '"stale"' } }
    assert.equal((await world.admin.delete(path, undefined, stale)).status, 412)
    assert.equal((await new Api(null).delete(path)).status, 401)
    assert.equal((await (await world.keyed({ groups: ['QA'] })).delete(path)).status, 403)
    assert.equal((await theirs.admin.delete(path)).status, 404)
    assert.equal((await world.admin.get(`/app/${app.id}`)).status, 200)
  })
})
