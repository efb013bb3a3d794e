import { test } from '@japa/runner'
import { parse } from 'yaml'
import { makeWorld } from '#tests/support/world'
import { makeApp } from './yaml.js'

test.group('GET /app/{appId}/app/config', () => {
  test('200 answers the file as an attachment with a strong tag', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const { status, headers, text } = await world.admin.get(`/app/${app.id}/app/config`)
    assert.equal(status, 200)
    assert.match(headers['content-type'], /^application\/yaml/)
    assert.equal(headers['content-disposition'], `attachment; filename="${app.id}.yml"`)
    assert.match(headers.etag, /^"[^"]+"$/)
    assert.containSubset(parse(text), { name: app.name, platform: 'ios' })
  })

  test('200 answers the same bytes each time', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world, 'appUsers: [b@acme.example, a@acme.example]')
    const first = await world.admin.get(`/app/${app.id}/app/config`)
    const second = await world.admin.get(`/app/${app.id}/app/config`)
    assert.equal(second.text, first.text)
    assert.equal(second.headers.etag, first.headers.etag)
  })

  test('200 by the short path, which names the canonical one', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    for (const prefix of ['', '/v1']) {
      const { status, headers } = await world.admin.get(`${prefix}/app/${app.id}/config`)
      assert.equal(status, 200)
      assert.equal(headers.link, `</app/${app.id}/app/config>; rel="canonical"`)
    }
  })

  test('304 for its tag, and HEAD without the bytes', async ({ assert }) => {
    const world = await makeWorld()
    const path = `/app/${(await makeApp(world)).id}/app/config`
    const { headers } = await world.admin.get(path)
    const again = await world.admin.get(path, { headers: { 'if-none-match': headers.etag } })
    assert.equal(again.status, 304)
    assert.equal((await world.admin.head(path)).headers.etag, headers.etag)
  })

  test('404 for an unknown app, one of others and one out of scope', async ({ assert }) => {
    const [world, theirs] = [await makeWorld(), await makeWorld()]
    const [app, other] = [await makeApp(world), await makeApp(world)]
    assert.equal((await world.admin.get('/app/none-ios/app/config')).status, 404)
    assert.equal((await theirs.admin.get(`/app/${app.id}/app/config`)).status, 404)
    const restricted = await world.keyed({ appIds: [other.id] })
    assert.equal((await restricted.get(`/app/${app.id}/app/config`)).status, 404)
    assert.equal((await restricted.get(`/app/${other.id}/app/config`)).status, 200)
  })
})
