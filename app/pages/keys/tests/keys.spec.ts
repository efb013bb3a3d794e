import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { earlier } from '#foundation/core/clock'
import { clock } from '#foundation/core/services'
import { CreateKey } from '#organizations/actions/create_key'
import { Api } from '#tests/support/api'
import { makeApp } from '#tests/support/app_fixture'
import { snapshot } from '#tests/support/snapshot'
import { makeWorld } from '#tests/support/world'
import { joined } from '../../session/tests/browser.js'

async function office(admin = true) {
  const world = await makeWorld()
  const { browser, userId } = await joined(world, admin)
  const path = `/dashboard/org/${world.organizationId}/apiKey`
  const status = async (key: string) =>
    (await new Api(key).get(`/org/${world.organizationId}`)).status
  return { world, browser, userId, path, status }
}

const keyIn = (text: string) => /tarmac_[0-9A-Za-z]{50}/.exec(text)?.[0]

test.group('Keys', () => {
  test('are listed with their rights, and unused ones are marked', async ({ assert }) => {
    const { world, browser, path } = await office()
    const app = await makeApp(world)
    const old = await world.write((scope) =>
      new CreateKey(scope).handle({ name: 'Old <script>', appIds: [app] })
    )
    const longAgo = earlier(clock.now(), 120 * 24 * 3600 * 1000)
    await db.from('api_keys').where('id', old.id).update({ created_at: longAgo })
    const { status, text, headers } = await browser.get(path)
    assert.equal(status, 200)
    assert.include(text, 'Not used for 120 days')
    assert.include(text, `tarmac_${old.id}…`)
    assert.include(text, 'Old &lt;script&gt;')
    assert.include(text, `App ${app} iOS`)
    assert.include(text, '1 of them not used for 90 days')
    assert.notInclude(text, old.key)
    assert.include(headers.get('cache-control')!, 'private')
  })

  test('are made by a form that shows them once, on a page that is not cached', async ({
    assert,
  }) => {
    const { world, browser, userId, path, status } = await office()
    const { body: groups } = await world.admin.get(`/org/${world.organizationId}/group`)
    const form = await browser.get(`${path}/new`)
    assert.include(form.headers.get('cache-control')!, 'no-store')
    const key = /name="_key" value="([^"]+)"/.exec(form.text)![1]
    const fields = { name: 'Release CI', groupIds: groups[0].id, expiresAt: 'never', _key: key }
    const made = await browser.post(path, fields)
    assert.equal(made.status, 200)
    assert.include(made.headers.get('cache-control')!, 'no-store')
    assert.include(made.text, 'This is the only time it is shown.')
    const shown = keyIn(made.text)!
    assert.equal(await status(shown), 200)
    // Sending the form twice makes one key.
    assert.equal(keyIn((await browser.post(path, fields)).text), shown)
    const rows = await db.from('api_keys').where({ name: 'Release CI' }).select('*')
    const [row] = rows.filter((each) => each.organization_id === world.organizationId)
    assert.isNull(row.expires_at)
    const entry = await db.from('audit_entries').where('subject', row.id).firstOrFail()
    assert.containsSubset(JSON.parse(entry.actor), { type: 'user', id: userId })
    assert.isUndefined(keyIn((await browser.get(path)).text))
  })

  test('are not made by an invalid form, which shows errors beside its fields and keeps its input', async ({
    assert,
  }) => {
    const { world, browser, path } = await office()
    const app = await makeApp(world)
    await browser.get(`${path}/new`)
    const before = await snapshot([world.organizationId])
    const { status, text } = await browser.post(path, { name: '', appIds: app, admin: 'true' })
    assert.equal(status, 422)
    assert.include(text, '<title>Error: Create a key')
    assert.include(text, 'href="#name"')
    assert.include(text, 'id="name-error"')
    assert.include(text, 'An admin key is for all apps')
    assert.match(text, new RegExp(`value="${app}"\\s+checked`))
    assert.deepEqual(await snapshot([world.organizationId]), before)
  })

  test('are rotated and revoked after a question that names their last use', async ({ assert }) => {
    const { world, browser, path, status } = await office()
    const old = await world.write((scope) => new CreateKey(scope).handle({ name: 'CI' }))
    await status(old.key)
    const question = await browser.get(`${path}/${old.id}/rotate`)
    assert.match(question.text, /last used (just now|\d+ s ago)/)
    const rotated = await browser.post(`${path}/${old.id}/rotate`, { overlapHours: '1' })
    assert.include(rotated.text, 'The former key works until')
    assert.equal(await status(keyIn(rotated.text)!), 200)

    const asked = await browser.get(`${path}/${old.id}/revoke`)
    assert.include(asked.text, 'Revoke CI?')
    const revoked = await browser.post(`${path}/${old.id}/revoke`)
    assert.deepEqual([revoked.status, revoked.location], [303, path])
    assert.include((await browser.get(path)).text, 'Revoked CI.')
    assert.equal(await status(old.key), 401)
  })

  test('are for admins; others see neither the page nor a link to it', async ({ assert }) => {
    const { world, browser, path } = await office(false)
    assert.equal((await browser.get(path)).status, 403)
    assert.equal((await browser.get(`${path}/new`)).status, 403)
    const groups = await browser.get(`/dashboard/org/${world.organizationId}/group`)
    assert.equal(groups.status, 200)
    assert.notInclude(groups.text, `href="${path}"`)
    const stranger = await joined(await makeWorld(), true)
    assert.equal((await stranger.browser.get(path)).status, 404)
  })
})
