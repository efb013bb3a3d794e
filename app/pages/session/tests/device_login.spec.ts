import { setTimeout } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { clock } from '#foundation/core/services'
import User from '#organizations/models/user'
import { Api } from '#tests/support/api'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'
import { addUser, Browser, forgetGuesses, joined, linkTo, PASSWORD } from './browser.js'

const nobody = new Api(null)
const CLIENT = 'tarmac on build-7'
const PAGE = '/dashboard/device'

const begin = async () => (await nobody.post('/deviceLogin', { client: CLIENT })).body
const finish = (deviceCode: string) => nobody.post('/deviceLogin/key', { deviceCode })

/** Lets time pass for programs, by moving their expiry and last poll back. */
async function later(seconds: number) {
  const rows = await db.from('device_logins').where('client', CLIENT)
  const before = (instant: string | null) =>
    instant && new Date(Date.parse(instant) - seconds * 1000).toISOString()
  for (const { id, expires_at: end, polled_at: polled } of rows)
    await db
      .from('device_logins')
      .where('id', id)
      .update({ expires_at: before(end), polled_at: before(polled) })
}

/** Has a person confirm a program, or refuse it, by the page's form. */
async function decide(browser: Browser, userCode: string, organization: string, decision: string) {
  const shown = await browser.get(`${PAGE}?code=${userCode}`)
  const answer = await browser.post(PAGE, { code: userCode, organization, decision })
  return { shown, answer }
}

/** Returns a person who has confirmed a program, with its key. */
async function signedIn({ admin = false } = {}) {
  const world = await makeWorld()
  const person = await joined(world, admin)
  const { deviceCode, userCode } = await begin()
  await decide(person.browser, userCode, world.organizationId, 'confirm')
  const { body } = await finish(deviceCode)
  return { world, ...person, key: body.key as string, api: new Api(body.key), granted: body }
}

const keyRows = (userId: string) => db.from('api_keys').where('user_id', userId)

test.group('beginDeviceLogin and finishDeviceLogin', (group) => {
  group.each.setup(async () => {
    await forgetGuesses()
    await db.from('device_logins').delete()
  })

  test('200 a person confirms the code in the browser, and the program gets their key once', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { browser, userId, email } = await joined(world)
    const begun = await nobody.post('/deviceLogin', { client: CLIENT })
    assert.deepEqual([begun.status, begun.headers['cache-control']], [200, 'no-store'])
    const { deviceCode, userCode, verificationUri, verificationUriComplete, expiresIn } = begun.body
    assert.match(userCode, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    assert.equal(expiresIn, 600)
    assert.equal(new URL(verificationUri).pathname, PAGE)
    assert.notInclude(JSON.stringify(await db.from('device_logins')), deviceCode)

    const pending = await finish(deviceCode)
    assert.deepEqual([pending.status, pending.body.code], [400, 'authorization_pending'])

    const { pathname, search } = new URL(verificationUriComplete)
    const shown = await browser.get(pathname + search)
    for (const text of [CLIENT, userCode, email, '127.0.0.1', 'Confirm only if you have just'])
      assert.include(shown.text, text)
    assert.equal(shown.headers.get('cache-control'), 'no-store')
    // Looking confirms nothing.
    assert.equal((await finish(deviceCode)).status, 400)
    const organization = world.organizationId
    const done = await browser.post(PAGE, { code: userCode, organization, decision: 'confirm' })
    assert.deepEqual([done.status, done.location], [303, PAGE])
    assert.include((await browser.get(PAGE)).text, `${CLIENT} is signed in. Go back to it.`)

    const { status, body, headers } = await finish(deviceCode)
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store'])
    assert.deepEqual(body.person, { id: userId, email, name: 'Ada Lovelace' })
    assert.equal(body.organization.id, organization)
    const days = (Date.parse(body.expiresAt) - Date.now()) / 86_400_000
    assert.closeTo(days, 30, 0.01)
    const again = await finish(deviceCode)
    assert.deepEqual([again.status, again.body.code], [400, 'expired_token'])
    assert.lengthOf(await keyRows(userId), 1)

    const api = new Api(body.key)
    assert.equal((await api.get(`/org/${organization}`)).status, 200)
    const app = await makeApp(world)
    const { body: release } = await api.post(`/app/${app}/release`, { version: '1.0.0' })
    assert.deepEqual(release.createdBy, { type: 'user', id: userId, name: 'Ada Lovelace' })
  })

  test('400 access_denied once a person refused, for good', async ({ assert }) => {
    const world = await makeWorld()
    const { browser } = await joined(world)
    const { deviceCode, userCode } = await begin()
    const { answer } = await decide(browser, userCode, world.organizationId, 'refuse')
    assert.equal(answer.status, 303)
    assert.equal((await finish(deviceCode)).body.code, 'access_denied')
    const late = await decide(browser, userCode, world.organizationId, 'confirm')
    assert.equal(late.answer.status, 422)
    assert.equal((await finish(deviceCode)).body.code, 'access_denied')
  })

  test('400 slow_down for a poll too soon, and the interval grows', async ({ assert }) => {
    const { deviceCode } = await begin()
    const codes: string[] = []
    const poll = async () => codes.push((await finish(deviceCode)).body.code)
    await poll()
    await poll()
    await later(3)
    await poll()
    await later(13)
    await poll()
    assert.deepEqual(codes, [
      'authorization_pending',
      'slow_down',
      'slow_down',
      'authorization_pending',
    ])
  })

  test('400 expired_token after 10 minutes, and for an unknown code', async ({ assert }) => {
    const world = await makeWorld()
    const { browser } = await joined(world)
    const { deviceCode, userCode } = await begin()
    await later(601)
    const { shown } = await decide(browser, userCode, world.organizationId, 'confirm')
    assert.equal(shown.status, 422)
    assert.include(shown.text, 'No program is waiting with this code')
    for (const code of [deviceCode, 'Hb5tYw8RkD1sLf6JgUcVzoYeaPq4mT8cXw2Ld0Q7'])
      assert.equal((await finish(code)).body.code, 'expired_token')
  })

  test('429 for an address that begins too many', async ({ assert }) => {
    const statuses: number[] = []
    for (let count = 0; count < 21; count++)
      statuses.push((await nobody.post('/deviceLogin', { client: CLIENT })).status)
    assert.deepEqual([statuses.filter((each) => each === 200).length, statuses.at(-1)], [20, 429])
  })

  test('422 for a missing name, a long one, and one with terminal control characters', async ({
    assert,
  }) => {
    const steering = ['a\u001b[2J', 'a\nb', 'a\u202eb', 'a\u009b1m', 'a\u2066b']
    for (const client of [undefined, '', 'x'.repeat(101), ...steering])
      assert.equal((await nobody.post('/deviceLogin', { client })).status, 422)
    assert.equal((await nobody.post('/deviceLogin/key', {})).status, 422)
  })
})

test.group('The page of a program', (group) => {
  group.each.setup(async () => {
    await forgetGuesses()
    await db.from('device_logins').delete()
  })

  test('accepts the code however it is typed, after signing in', async ({ assert }) => {
    const world = await makeWorld()
    const { email } = await joined(world)
    const { userCode } = await begin()
    const browser = new Browser()
    const away = await browser.get(`${PAGE}?code=${userCode}`)
    assert.equal(away.status, 303)
    const next = new URL(away.location!, 'http://x').searchParams.get('next')!
    assert.equal((await browser.signIn(email, PASSWORD, next)).location, `${PAGE}?code=${userCode}`)
    const typed = ` ${userCode.toLowerCase().replace('-', ' ')} `
    const shown = await browser.get(`${PAGE}?code=${encodeURIComponent(typed)}`)
    assert.include(shown.text, CLIENT)
    assert.notInclude((await browser.get(PAGE)).text, CLIENT)
  })

  test('refuses forms of other sites or without a token, and other organizations', async ({
    assert,
  }) => {
    const [world, other] = [await makeWorld(), await makeWorld()]
    const { browser } = await joined(world)
    const { deviceCode, userCode } = await begin()
    const fields = { code: userCode, organization: world.organizationId, decision: 'confirm' }
    await browser.get(`${PAGE}?code=${userCode}`)
    const headers = { 'sec-fetch-site': 'cross-site' }
    assert.equal((await browser.post(PAGE, fields, { headers })).status, 403)
    assert.equal((await browser.post(PAGE, fields, { token: null })).status, 403)
    const elsewhere = { ...fields, organization: other.organizationId }
    assert.equal((await browser.post(PAGE, elsewhere)).status, 422)
    assert.equal((await finish(deviceCode)).body.code, 'authorization_pending')
  })

  test('lets nobody guess codes', async ({ assert }) => {
    const { browser } = await joined(await makeWorld())
    const { userCode } = await begin()
    const statuses: number[] = []
    for (let count = 0; count < 6; count++)
      statuses.push((await browser.get(`${PAGE}?code=BBBB-BBB${'BCDFGH'[count]}`)).status)
    assert.deepEqual(statuses, [422, 422, 422, 422, 422, 429])
    // The right one has to wait, too.
    assert.equal((await browser.get(`${PAGE}?code=${userCode}`)).status, 429)
  })

  test('shows what a program calls itself as text', async ({ assert }) => {
    const { browser } = await joined(await makeWorld())
    const { body } = await nobody.post('/deviceLogin', { client: '<b>x</b>' })
    const { text } = await browser.get(`${PAGE}?code=${body.userCode}`)
    assert.include(text, '&lt;b&gt;x&lt;/b&gt;')
  })
})

test.group('A personal key', (group) => {
  group.each.setup(async () => {
    await forgetGuesses()
    await db.from('device_logins').delete()
  })

  test('has the rights that its person has by now', async ({ assert }) => {
    const { world, api, email } = await signedIn()
    const [app, org] = [await makeApp(world), world.organizationId]
    const create = async (version: string) =>
      (await api.post(`/app/${app}/release`, { version })).status
    assert.equal(await create('1.0.0'), 201)
    await db.from('organizations').where('id', org).update({ role_based_access_enabled: true })
    assert.equal(await create('1.1.0'), 403)
    const { body: captains } = await world.admin.post(`/org/${org}/group`, {
      name: 'Captains',
      userActions: ['CreateDeleteRelease'],
    })
    await world.admin.put(`/org/${org}/users/groups`, {
      users: [{ email, groupIds: [captains.id] }],
    })
    assert.equal(await create('1.1.0'), 201)
  })

  test('ends with the access of its person, for good', async ({ assert }) => {
    const { world, api, userId } = await signedIn()
    const admin = await joined(world, true)
    const [org, of] = [world.organizationId, `/org/${world.organizationId}/user/${userId}`]
    assert.equal((await api.get(`/org/${org}`)).status, 200)
    const byPages = new Api(admin.userId)
    await byPages.put(`${of}/deactivate`)
    assert.equal((await api.get(`/org/${org}`)).body.code, 'key_revoked')
    await byPages.put(`${of}/activate`)
    assert.equal((await api.get(`/org/${org}`)).body.code, 'key_revoked')
  })

  test('ends with a changed password, with all other sessions, or when an admin ends the sessions', async ({
    assert,
  }) => {
    const present = { present: PASSWORD, password: 'another password' }
    for (const [path, fields] of [
      ['/dashboard/me/password', present],
      ['/dashboard/me/end', {}],
    ] as const) {
      const { world, api, browser, userId } = await signedIn()
      const { deviceCode, userCode } = await begin()
      await decide(browser, userCode, world.organizationId, 'confirm')
      assert.include((await browser.get('/dashboard/me')).text, 'Programs that act as you')
      assert.equal((await browser.post(path, fields)).status, 303)
      const { body } = await api.get(`/org/${world.organizationId}`)
      assert.equal(body.code, 'key_revoked', path)
      // A confirmed program that has not fetched its key gets none.
      assert.equal((await finish(deviceCode)).body.code, 'access_denied')
      const [{ id: subject }] = await keyRows(userId)
      const [entry] = await db.from('audit_entries').where({ subject, action: 'key.revoked' })
      assert.containsSubset(JSON.parse(entry.actor), { type: 'user', id: userId })
    }
    const { world, api, userId } = await signedIn()
    const admin = await joined(world, true)
    const person = `/org/${world.organizationId}/user/${userId}`
    await new Api(admin.userId).post(`${person}/signIn/end`)
    assert.equal((await api.get(`/org/${world.organizationId}`)).body.code, 'key_revoked')
    const [{ id: subject }] = await keyRows(userId)
    const [entry] = await db.from('audit_entries').where({ subject, action: 'key.revoked' })
    assert.containsSubset(JSON.parse(entry.actor), { id: admin.userId })
  })

  test('ends with one session for nobody else, and not with another session', async ({
    assert,
  }) => {
    const { world, api, browser, email } = await signedIn()
    const other = await joined(world)
    await other.browser.get('/dashboard/me')
    await other.browser.post('/dashboard/me/end')
    const phone = new Browser()
    await phone.signIn(email)
    await browser.get('/dashboard/me')
    await browser.post('/dashboard/me/end', { signIn: phone.session! })
    assert.equal((await api.get(`/org/${world.organizationId}`)).status, 200)
  })

  test('does not work while its person is deactivated, even if it was not revoked', async ({
    assert,
  }) => {
    const { world, api, userId } = await signedIn()
    const here = `/org/${world.organizationId}`
    assert.equal((await api.get(here)).status, 200)
    await db.from('users').where('id', userId).update({ deactivated_at: clock.now() })
    const { status, body } = await api.get(here)
    assert.deepEqual([status, body.code], [401, 'key_revoked'])
  })

  test('is not given while its person is being deactivated', async ({ assert }) => {
    const world = await makeWorld()
    const { browser, userId } = await joined(world)
    const { deviceCode, userCode } = await begin()
    await decide(browser, userCode, world.organizationId, 'confirm')
    let finished: ReturnType<typeof finish>
    await world.write(async (scope) => {
      const user = await scope.query(User).where('id', userId).firstOrFail()
      await user.merge({ deactivatedAt: scope.now }).save()
      finished = finish(deviceCode)
      // It has read the login by then, and waits to write.
      await setTimeout(300)
    })
    assert.equal((await finished!).body.code, 'access_denied')
    assert.lengthOf(await keyRows(userId), 0)
  })

  test('gives no key to a program whose person lost access meanwhile', async ({ assert }) => {
    const world = await makeWorld()
    const { browser, userId } = await joined(world)
    const admin = await joined(world, true)
    const { deviceCode, userCode } = await begin()
    await decide(browser, userCode, world.organizationId, 'confirm')
    await new Api(admin.userId).put(`/org/${world.organizationId}/user/${userId}/deactivate`)
    assert.equal((await finish(deviceCode)).body.code, 'access_denied')
    assert.lengthOf(await keyRows(userId), 0)
  })

  test('is listed for its person, who can end it, and under Keys, where it cannot be rotated', async ({
    assert,
  }) => {
    const { world, api, browser, userId } = await signedIn()
    const [{ id: key }] = await keyRows(userId)
    const org = world.organizationId
    const keys = `/org/${org}/apiKey`
    const admin = await joined(world, true)
    const byPages = new Api(admin.userId)
    const { body: listed } = await byPages.get(`${keys}/${key}`)
    assert.containsSubset(listed, { name: CLIENT, person: { id: userId }, admin: false })
    const rotated = await byPages.post(`${keys}/${key}/rotate`)
    assert.deepEqual([rotated.status, rotated.body.code], [409, 'conflict'])
    assert.include((await admin.browser.get(`/dashboard${keys}`)).text, 'Acts as Ada Lovelace')

    const stranger = await joined(world)
    await stranger.browser.fill('/dashboard/me', { key }, '/dashboard/me/end-key')
    assert.equal((await api.get(`/org/${org}`)).status, 200)
    assert.include((await browser.get('/dashboard/me')).text, CLIENT)
    await browser.post('/dashboard/me/end-key', { key })
    assert.notInclude((await browser.get('/dashboard/me')).text, CLIENT)
    assert.equal((await api.get(`/org/${org}`)).body.code, 'key_revoked')
    const entries = await db.from('audit_entries').where({ subject: key, action: 'key.revoked' })
    assert.containsSubset(JSON.parse(entries[0].actor), { type: 'user', id: userId })
  })

  test('is for the organization that was chosen', async ({ assert }) => {
    const [world, other] = [await makeWorld(), await makeWorld()]
    const { browser, email } = await joined(world)
    const { userId: there } = await addUser(other, email)
    await browser.fill(await linkTo(other, { userId: there }), { password: PASSWORD })
    const { deviceCode, userCode } = await begin()
    const { shown } = await decide(browser, userCode, other.organizationId, 'confirm')
    assert.include(shown.text, 'For which organization')
    const { body } = await finish(deviceCode)
    assert.equal(body.person.id, there)
    assert.equal((await new Api(body.key).get(`/org/${world.organizationId}`)).status, 404)
  })
})
