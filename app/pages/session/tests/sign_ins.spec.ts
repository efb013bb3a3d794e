import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { Api } from '#tests/support/api'
import { makeSignedIn } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'
import { addUser, Browser, joined, PASSWORD } from './browser.js'

async function office() {
  const world = await makeWorld()
  const admin = await makeSignedIn(world)
  const of = (userId: string) => `/org/${world.organizationId}/user/${userId}`
  return { world, admin, of, api: new Api(admin) }
}

test.group('createSignInLink', () => {
  test('200 shows a link once, that signs the person in', async ({ assert }) => {
    const { world, api, admin, of } = await office()
    const { userId } = await addUser(world)
    const { status, headers, body } = await api.post(`${of(userId)}/signInLink`)
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store'])
    const browser = new Browser()
    const path = new URL(body.url).pathname
    const used = await browser.fill(path, { name: 'Grace Hopper', password: PASSWORD })
    assert.equal(used.status, 303)
    const entry = await db.from('audit_entries').where({ subject: userId, action: 'link.created' })
    assert.containsSubset(JSON.parse(entry[0].actor), { type: 'user', id: admin })
    assert.notInclude(entry[0].data, path.split('/').at(-1)!)
  })

  test('409 for a deactivated person, and a link of before is gone', async ({ assert }) => {
    const { world, api, of } = await office()
    const { userId } = await addUser(world)
    const { body } = await api.post(`${of(userId)}/signInLink`)
    await api.put(`${of(userId)}/deactivate`)
    const refused = await api.post(`${of(userId)}/signInLink`)
    assert.deepEqual([refused.status, refused.body.currentStatus], [409, 'deactivated'])
    const { status } = await new Browser().get(new URL(body.url).pathname)
    assert.equal(status, 410)
  })
})

test.group('listSignIns and endSignIn', () => {
  test('200 shows where a person is, and signs them out there', async ({ assert }) => {
    const { world, api, admin, of } = await office()
    const { userId, browser, email } = await joined(world)
    const other = new Browser({ 'user-agent': 'A phone' })
    await other.signIn(email)
    const { body } = await api.get(`${of(userId)}/signIn`)
    assert.lengthOf(body, 2)
    const phone = body.find(({ client }: { client: string }) => client.includes('A phone'))
    const one = await api.post(`${of(userId)}/signIn/end`, { signInId: phone.id })
    assert.deepEqual([one.status, one.body], [200, { ended: 1 }])
    assert.equal((await other.get('/dashboard/me')).status, 303)
    assert.equal((await browser.get('/dashboard/me')).status, 200)
    const gone = await api.post(`${of(userId)}/signIn/end`, { signInId: phone.id })
    assert.equal(gone.status, 404)

    const all = await api.post(`${of(userId)}/signIn/end`)
    assert.deepEqual(all.body, { ended: 1 })
    assert.equal((await browser.get('/dashboard/me')).status, 303)
    assert.deepEqual((await api.get(`${of(userId)}/signIn`)).body, [])
    const entries = await db
      .from('audit_entries')
      .where({ subject: userId, action: 'user.signedOut' })
    assert.lengthOf(entries, 2)
    assert.containsSubset(JSON.parse(entries[0].actor), { type: 'user', id: admin })
  })

  test('a deactivated person is nobody at their next request', async ({ assert }) => {
    const { world, api, of } = await office()
    const { userId, browser } = await joined(world)
    const home = `/dashboard/org/${world.organizationId}`
    assert.notEqual((await browser.get(home)).status, 404)
    await api.put(`${of(userId)}/deactivate`)
    assert.equal((await browser.get(home)).status, 404)
  })
})
