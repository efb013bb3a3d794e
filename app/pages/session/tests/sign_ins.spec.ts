import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { Api } from '#tests/support/api'
import { makeSignedIn } from '#tests/support/app_fixture'
import { makeWorld, type World } from '#tests/support/world'
import { addUser, Browser, joined, linkTo, PASSWORD } from './browser.js'

async function office() {
  const world = await makeWorld()
  const admin = await makeSignedIn(world)
  const of = (userId: string) => `/org/${world.organizationId}/user/${userId}`
  return { world, admin, of, api: new Api(admin) }
}

/** Has an account join another organization as well. */
async function alsoIn(world: World, email: string): Promise<string> {
  const { userId } = await addUser(world, email)
  await new Browser().fill(await linkTo(world, { userId }), { password: PASSWORD })
  return userId
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

  test('409 for a deactivated person, whose earlier link is gone', async ({ assert }) => {
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
    assert.isFalse(body.belongsElsewhere)
    assert.lengthOf(body.signIns, 2)
    const phone = body.signIns.find(({ client }: { client: string }) => client.includes('A phone'))
    const one = await api.post(`${of(userId)}/signIn/end`, { signInId: phone.id })
    assert.deepEqual([one.status, one.body], [200, { ended: 1 }])
    assert.equal((await other.get('/dashboard/me')).status, 303)
    assert.equal((await browser.get('/dashboard/me')).status, 200)
    const gone = await api.post(`${of(userId)}/signIn/end`, { signInId: phone.id })
    assert.equal(gone.status, 404)

    const all = await api.post(`${of(userId)}/signIn/end`)
    assert.deepEqual(all.body, { ended: 1 })
    assert.equal((await browser.get('/dashboard/me')).status, 303)
    assert.deepEqual((await api.get(`${of(userId)}/signIn`)).body.signIns, [])
    const entries = await db
      .from('audit_entries')
      .where({ subject: userId, action: 'user.signedOut' })
    assert.lengthOf(entries, 2)
    assert.containsSubset(JSON.parse(entries[0].actor), { type: 'user', id: admin })
  })

  test('404 for a person of another organization, and for an unknown session', async ({
    assert,
  }) => {
    const [{ world, api, of }, other] = [await office(), await office()]
    const { userId, browser } = await joined(world)
    assert.equal((await other.api.get(`${other.of(userId)}/signIn`)).status, 404)
    assert.equal((await other.api.post(`${other.of(userId)}/signIn/end`)).status, 404)
    const { status } = await api.post(`${of(userId)}/signIn/end`, { signInId: 'sgn_nothing' })
    assert.equal(status, 404)
    assert.equal((await browser.get('/dashboard/me')).status, 200)
  })

  test('an account of two organizations is listed in neither, and 409 to end its sessions', async ({
    assert,
  }) => {
    const [{ world, api, of }, other] = [await office(), await office()]
    const { userId, email, browser } = await joined(world)
    const there = await alsoIn(other.world, email)
    for (const [admin, path] of [
      [api, of(userId)],
      [other.api, other.of(there)],
    ] as const) {
      const { status, body } = await admin.get(`${path}/signIn`)
      assert.deepEqual([status, body], [200, { belongsElsewhere: true, signIns: [] }])
      const refused = await admin.post(`${path}/signIn/end`)
      assert.deepEqual([refused.status, refused.body.code], [409, 'conflict'])
    }
    assert.equal((await browser.get('/dashboard/me')).status, 200)
    // Once they are gone there, they are the first one's alone.
    await other.api.put(`${other.of(there)}/deactivate`)
    assert.lengthOf((await api.get(`${of(userId)}/signIn`)).body.signIns, 2)
  })
})

test.group('Deactivating a person', () => {
  test('ends the sessions of a person without another organization, who then sees nothing', async ({
    assert,
  }) => {
    const [{ world, api, of }, other] = [await office(), await office()]
    const { userId, email, browser } = await joined(world)
    const there = await alsoIn(other.world, email)
    const home = `/dashboard/org/${world.organizationId}`
    const home2 = `/dashboard/org/${other.world.organizationId}`
    assert.equal((await browser.get(home)).status, 200)
    await api.put(`${of(userId)}/deactivate`)
    assert.equal((await browser.get(home)).status, 404)
    assert.equal((await browser.get(home2)).status, 200)
    await other.api.put(`${other.of(there)}/deactivate`)
    assert.equal((await browser.get(home2)).status, 303)

    assert.equal((await browser.signIn(email)).location, '/')
    const nowhere = await browser.get('/')
    assert.include(nowhere.text, `${email} belongs to no organization.`)
    const lost = await browser.get(home)
    assert.equal(lost.status, 404)
    assert.include(lost.text, `${email} belongs to no organization.`)
    assert.equal((await browser.get('/dashboard/x')).status, 404)
    await api.put(`${of(userId)}/activate`)
    assert.equal((await browser.get('/')).location, home)
  })
})
