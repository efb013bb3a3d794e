import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { makeWorld } from '#tests/support/world'
import { Browser, forgetGuesses, joined, PASSWORD } from './browser.js'

const ids = (text: string) =>
  [...text.matchAll(/name="signIn" value="([^"]+)"/g)].map(([, id]) => id)

/** Returns the time zone that the form shows. */
const zoneIn = (text: string) => /<input[^>]*id="zone"[^>]*value="([^"]*)"/.exec(text)?.[1]

test.group('My account', (group) => {
  group.each.setup(forgetGuesses)

  test('shows the name and the sessions, which can be ended', async ({ assert }) => {
    const { email, browser } = await joined(await makeWorld())
    const phone = new Browser({ 'user-agent': 'A <b>phone</b>' })
    await phone.signIn(email)
    const shown = await browser.get('/dashboard/me')
    assert.equal(shown.headers.get('cache-control'), 'no-store')
    assert.include(shown.text, 'Ada Lovelace')
    assert.match(shown.text, /A &lt;b&gt;phone&lt;\/b&gt;[^]*?from\s+127\.0\.0\.1/)
    assert.match(shown.text, /Since\s+<time datetime="[^"]+Z">today \d\d:\d\d<\/time>/)
    assert.equal(shown.text.split('This browser.').length, 2)
    assert.lengthOf(ids(shown.text), 2)
    const own = ids((await phone.get('/dashboard/me')).text)
    const there = /A &lt;b&gt;phone[^]*?value="(sgn_\w+)"/.exec(shown.text)![1]
    assert.include(own, there)
    const ended = await browser.post('/dashboard/me/end', { signIn: there })
    assert.deepEqual([ended.status, ended.location], [303, '/dashboard/me'])
    assert.equal((await phone.get('/dashboard/me')).status, 303)
    assert.include((await browser.get('/dashboard/me')).text, 'Signed out there.')
    const again = await browser.post('/dashboard/me/end', { signIn: there })
    assert.equal(again.status, 303)
    assert.include((await browser.get('/dashboard/me')).text, 'had already ended')
    const [here] = ids((await browser.get('/dashboard/me')).text)
    assert.equal((await browser.post('/dashboard/me/end', { signIn: here })).location, '/')
    assert.equal((await browser.get('/dashboard/me')).status, 303)
  })

  test('ends all other sessions at once, and none of somebody else', async ({ assert }) => {
    const world = await makeWorld()
    const [ada, grace] = [await joined(world), await joined(world)]
    const others = [new Browser(), new Browser()]
    for (const each of others) await each.signIn(ada.email)
    const [hers] = ids((await grace.browser.get('/dashboard/me')).text)
    await ada.browser.get('/dashboard/me')
    await ada.browser.post('/dashboard/me/end', { signIn: hers })
    await ada.browser.post('/dashboard/me/end')
    assert.equal((await grace.browser.get('/dashboard/me')).status, 200)
    assert.equal((await ada.browser.get('/dashboard/me')).status, 200)
    for (const each of others) assert.equal((await each.get('/dashboard/me')).status, 303)
  })

  test('changes the name, in every organization', async ({ assert }) => {
    const { browser, userId } = await joined(await makeWorld())
    await browser.fill('/dashboard/me', { name: ' Ada King ' }, '/dashboard/me/name')
    assert.include((await browser.get('/dashboard/me')).text, 'Ada King')
    assert.equal((await db.from('users').where('id', userId).firstOrFail()).name, 'Ada King')
    const refused = await browser.post('/dashboard/me/name', { name: '' })
    assert.equal(refused.status, 422)
    assert.include(refused.text, 'Enter your name.')
  })

  test('takes over the time zone of the browser once; later, only a choice changes it', async ({
    assert,
  }) => {
    const { email, browser } = await joined(await makeWorld())
    const account = () => db.from('accounts').where('email', email).firstOrFail()
    // Before that, it is the zone in which the browser sees times.
    browser.cookies.set('tarmac-zone', 'Asia/Kolkata')
    assert.equal(zoneIn((await browser.get('/dashboard/me')).text), 'Asia/Kolkata')
    for (const [timeZone, taken] of [
      ['Nowhere/Else', null],
      ['Europe/Berlin', 'Europe/Berlin'],
      ['America/Lima', 'Europe/Berlin'],
    ] as const) {
      await browser.fill('/sign-in', { email, password: PASSWORD, timeZone })
      const other = new Browser()
      await other.fill('/sign-in', { email, password: PASSWORD, timeZone })
      assert.equal((await account()).time_zone, taken)
    }
    const change = (fields: Record<string, string>) =>
      browser.fill('/dashboard/me', fields, '/dashboard/me/preferences')
    const wrong = await change({ zone: 'x', theme: 'dark' })
    assert.equal(wrong.status, 422)
    assert.equal(zoneIn(wrong.text), 'x')
    assert.equal((await change({ zone: 'Asia/Tokyo', theme: 'dark' })).status, 303)
    assert.containsSubset(await account(), { time_zone: 'Asia/Tokyo', theme: 'dark' })
    assert.include((await browser.get('/dashboard/me')).text, 'data-theme="dark"')
  })

  test('changes the password if the present one is right, begins a new session and ends all others', async ({
    assert,
  }) => {
    const { email, browser } = await joined(await makeWorld())
    const other = new Browser()
    await other.signIn(email)
    await browser.get('/dashboard/me')
    const change = (present: string, password: string) =>
      browser.post('/dashboard/me/password', { present, password })
    for (const [present, password, words] of [
      ['not the present one', 'another password', 'This is not your current password.'],
      [PASSWORD, 'too short', 'Use at least 12 characters.'],
    ] as const) {
      const shown = await change(present, password)
      assert.equal(shown.status, 422)
      assert.include(shown.text, words)
    }
    assert.equal((await other.get('/dashboard/me')).status, 200)
    const [before, cookies, token] = [browser.session, new Map(browser.cookies), browser.token]
    assert.equal((await change(PASSWORD, 'another password')).status, 303)
    assert.notEqual(browser.session, before)
    assert.include((await browser.get('/dashboard/me')).text, 'Your password was changed.')
    // Forms of the former session are refused, those of the new one work.
    const fields = { name: 'Ada King' }
    assert.equal((await browser.post('/dashboard/me/name', fields, { token })).status, 403)
    assert.equal((await browser.post('/dashboard/me/name', fields)).status, 303)
    const old = new Browser()
    for (const [name, value] of cookies) old.cookies.set(name, value)
    for (const each of [other, old]) assert.equal((await each.get('/dashboard/me')).status, 303)
    assert.equal((await new Browser().signIn(email)).status, 422)
    assert.equal((await new Browser().signIn(email, 'another password')).status, 303)
  })

  test('429 for guessing the present password, as when signing in', async ({ assert }) => {
    const { browser } = await joined(await makeWorld())
    await browser.get('/dashboard/me')
    const statuses: number[] = []
    for (let guess = 0; guess < 6; guess++) {
      const fields = { present: 'a guess', password: 'another password' }
      statuses.push((await browser.post('/dashboard/me/password', fields)).status)
    }
    assert.deepEqual(statuses, [422, 422, 422, 422, 422, 429])
  })
})
