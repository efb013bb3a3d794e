import { randomUUID } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { clock } from '#foundation/core/services'
import { Api } from '#tests/support/api'
import { makeWorld } from '#tests/support/world'
import { addUser, Browser, forgetGuesses, joined, PASSWORD } from './browser.js'

const counted = async (table: string) =>
  Number((await db.from(table).count('* as count').firstOrFail()).count)

test.group('The start page', () => {
  test('is the sign-in page for visitors, and stores no row', async ({ assert }) => {
    const before = await counted('sign_ins')
    const browser = new Browser()
    const shown = await browser.get('/')
    assert.equal(shown.status, 200)
    assert.include(shown.text, '<h1>Sign in to Tarmac</h1>')
    assert.equal((await new Browser().get('/sign-in')).text.includes('Sign in to Tarmac'), true)
    // A second look sets no cookie: there is nothing new to remember.
    assert.deepEqual((await browser.get('/')).headers.getSetCookie(), [])
    assert.equal(await counted('sign_ins'), before)
  })

  test('has the headers of pages', async ({ assert }) => {
    const { headers } = await new Browser().get('/')
    assert.equal(
      headers.get('content-security-policy'),
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    assert.equal(headers.get('referrer-policy'), 'same-origin')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
    assert.include(headers.get('permissions-policy')!, 'camera=()')
    assert.equal(headers.get('cache-control'), 'private, no-cache')
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
  })

  test('redirects a signed-in person to the organization used last', async ({ assert }) => {
    const world = await makeWorld()
    const { browser, email } = await joined(world)
    const shown = await browser.get('/')
    assert.deepEqual(
      [shown.status, shown.location],
      [303, `/dashboard/org/${world.organizationId}`]
    )
    await db.from('users').where('email', email).update({ account_id: null })
    assert.include((await browser.get('/')).text, 'belongs to no organization')
  })
})

test.group('Signing in', (group) => {
  group.each.setup(forgetGuesses)

  test('303 with a new session, which another browser does not have', async ({ assert }) => {
    const { email, userId } = await joined(await makeWorld())
    const browser = new Browser({ 'user-agent': 'Lynx' })
    await browser.get('/sign-in')
    const before = browser.session
    const shown = await browser.signIn(` ${email.toUpperCase()} `)
    assert.deepEqual([shown.status, shown.location], [303, '/'])
    assert.exists(browser.session)
    assert.notEqual(browser.session, before)
    const [cookie] = shown.headers.getSetCookie().filter((each) => each.startsWith('tarmac='))
    assert.match(cookie, /; Path=\/; HttpOnly; SameSite=Lax/)
    assert.notMatch(cookie, /Secure|Domain/)
    assert.equal((await browser.get('/dashboard/me')).status, 200)
    assert.equal((await new Browser().get('/dashboard/me')).status, 303)
    const { account_id: account } = await db.from('users').where('id', userId).firstOrFail()
    const rows = await db.from('sign_ins').where('account_id', account).orderBy('created_at')
    assert.deepEqual(rows.at(-1).client, 'Lynx')
    // Nobody signs in by a value that is stored.
    const id = decodeURIComponent(browser.session!)
    assert.notInclude(JSON.stringify(rows), id)
  })

  test('by TLS has a cookie that no other host can plant', async ({ assert, cleanup }) => {
    const { publicUrl } = await servedAt('https://tarmac.example')
    cleanup(publicUrl)
    const { email } = await joined(await makeWorld())
    const shown = await new Browser().signIn(email)
    assert.equal(shown.status, 303)
    const cookies = shown.headers.getSetCookie()
    const cookie = cookies.find((each) => each.startsWith('__Host-tarmac='))
    assert.match(cookie ?? '', /; Path=\/; HttpOnly; Secure; SameSite=Lax/)
    for (const each of cookies) assert.match(each, /^__Host-/)
  })

  test('422 with the same words for a wrong password and an unknown address', async ({
    assert,
  }) => {
    const { email } = await joined(await makeWorld())
    const wrong = await new Browser().signIn(email, 'something else')
    const nobody = `nobody-${randomUUID()}@acme.example`
    const unknown = await new Browser().signIn(nobody)
    assert.deepEqual([wrong.status, unknown.status], [422, 422])
    const plain = ({ text }: { text: string }, address: string) =>
      text.replace(address, '').replace(/value="[^"]*"/g, '')
    assert.equal(plain(wrong, email), plain(unknown, nobody))
    assert.include(wrong.text, 'The e-mail address or the password is wrong.')
    assert.include(wrong.text, `value="${email}"`)
    assert.notInclude(wrong.text, 'something else')
    assert.equal(wrong.headers.get('cache-control'), 'no-store')
  })

  test('422 for fields that are missing, repeated or no text', async ({ assert }) => {
    const { email } = await joined(await makeWorld())
    for (const fields of [
      {},
      { email },
      { 'email[]': email, 'password': PASSWORD },
      { email, 'password[x]': PASSWORD },
      { email, password: PASSWORD.repeat(20) },
    ]) {
      assert.equal((await new Browser().fill('/sign-in', fields as never)).status, 422)
    }
  })

  test('413 for a form of more than 1 MB, 422 for a body that is no form', async ({ assert }) => {
    const browser = new Browser()
    await browser.get('/sign-in')
    const large = await browser.post('/sign-in', { email: 'a'.repeat(1_100_000) })
    assert.equal(large.status, 413)
    assert.include(large.headers.get('content-type'), 'text/html')
    assert.include(large.text, 'Go back, shorten it, and send it again.')
    const headers = { 'content-type': 'application/json' }
    // Its token cannot be read either.
    assert.equal((await browser.post('/sign-in', {}, { headers })).status, 403)
  })

  test('422 for an address that nobody has, whatever the password', async ({ assert }) => {
    const nobody = `nobody-${randomUUID()}@acme.example`
    // This is the password of the dummy hash.
    assert.equal((await new Browser().signIn(nobody, 'no password is this one')).status, 422)
    // No account stands for several, nor does an organization's person without one.
    const { email } = await addUser(await makeWorld())
    assert.equal((await new Browser().signIn(email)).status, 422)
  })

  test('429 after too many attempts for an address, whether an account has it or not', async ({
    assert,
  }) => {
    const { email } = await joined(await makeWorld())
    const nobody = `nobody-${randomUUID()}@acme.example`
    for (const address of [email, nobody]) {
      const browser = new Browser()
      const attempts: number[] = []
      await browser.get('/sign-in')
      const tried = await Promise.all(
        Array.from({ length: 6 }, () =>
          browser.post('/sign-in', { email: address, password: 'wrong' })
        )
      )
      attempts.push(...tried.map(({ status }) => status))
      assert.sameMembers(attempts, [422, 422, 422, 422, 422, 429])
      const right = await browser.post('/sign-in', { email: address, password: PASSWORD })
      assert.equal(right.status, 429)
      assert.isAbove(Number(right.headers.get('retry-after')), 0)
      assert.match(right.text, /Too many attempts\. Try again in \d+ (seconds|minute)/)
    }
  })
})

test.group('A session', (group) => {
  group.each.setup(forgetGuesses)

  test('works for pages only: the API answers 401 to its cookie', async ({ assert }) => {
    const world = await makeWorld()
    const { browser } = await joined(world, true)
    const cookie = [...browser.cookies].map((each) => each.join('=')).join('; ')
    const path = `/org/${world.organizationId}`
    const asked = await new Api(null).get(path, { headers: { cookie } })
    assert.equal(asked.status, 401)
    assert.equal(
      (await world.admin.get(path, { headers: { cookie } })).headers['set-cookie'],
      undefined
    )
  })

  test('is only read by requests, and written every ten minutes', async ({ assert }) => {
    const world = await makeWorld()
    const { browser, userId } = await joined(world)
    await browser.get('/dashboard/me')
    const row = async () => {
      const { account_id: account } = await db.from('users').where('id', userId).firstOrFail()
      return db.from('sign_ins').where('account_id', account).firstOrFail()
    }
    const changes = async () =>
      (await db.from('event_counters').where('organization_id', world.organizationId).firstOrFail())
        .changes
    const [before, number] = [await row(), await changes()]
    const polled = await browser.get('/dashboard/me')
    assert.deepEqual(polled.headers.getSetCookie(), [])
    assert.deepEqual(await row(), before)
    const earlier = new Date(Date.parse(before.seen_at) - 601_000).toISOString()
    await db.from('sign_ins').where('id', before.id).update({ seen_at: earlier })
    const noted = await browser.get('/dashboard/me')
    assert.isNotEmpty(noted.headers.getSetCookie())
    const after = await row()
    assert.isAbove(Date.parse(after.seen_at), Date.parse(earlier))
    assert.equal(after.token_hash, before.token_hash)
    assert.equal(await changes(), number)
  })

  test('ends 12 hours after its last use, and 14 days after its beginning', async ({ assert }) => {
    const { browser, userId } = await joined(await makeWorld())
    const { account_id: account } = await db.from('users').where('id', userId).firstOrFail()
    const of = () => db.from('sign_ins').where('account_id', account)
    const first = await of().firstOrFail()
    const hours = (row: { expires_at: string }, since: string) =>
      (Date.parse(row.expires_at) - Date.parse(since)) / 3_600_000
    assert.closeTo(hours(first, first.seen_at), 12, 0.01)
    const begun = new Date(Date.parse(first.created_at) - (14 * 24 - 1) * 3_600_000).toISOString()
    await of().update({ created_at: begun, seen_at: begun })
    await browser.get('/dashboard/me')
    assert.closeTo(hours(await of().firstOrFail(), begun), 14 * 24, 0.01)
    await of().update({ expires_at: begun })
    assert.equal((await browser.get('/dashboard/me')).status, 303)
  })

  test('429 for more than 20 pages a second', async ({ assert, cleanup }) => {
    const { browser } = await joined(await makeWorld())
    const { milliseconds } = clock
    const now = clock.milliseconds()
    cleanup(() => void (clock.milliseconds = milliseconds))
    clock.milliseconds = () => now
    const shown = await Promise.all(Array.from({ length: 25 }, () => browser.get('/dashboard/me')))
    const refused = shown.filter(({ status }) => status === 429)
    assert.lengthOf(refused, 5)
    assert.equal(refused[0].headers.get('retry-after'), '1')
  })

  test('that has ended is reported to script: a poll alone, and a part with its target', async ({
    assert,
  }) => {
    const poll = await new Browser().get('/dashboard/me', { 'x-poll': '1', 'hx-request': 'true' })
    assert.deepEqual([poll.status, poll.text], [401, ''])
    const part = await new Browser().get('/dashboard/me', { 'hx-request': 'true' })
    assert.equal(part.headers.get('hx-redirect'), '/sign-in?next=%2Fdashboard%2Fme')
    assert.deepEqual([part.status, part.text], [200, ''])
  })

  test('that was ended is refused at the next request, also while one is under way', async ({
    assert,
  }) => {
    const { browser, userId } = await joined(await makeWorld())
    const { account_id: account } = await db.from('users').where('id', userId).firstOrFail()
    await browser.get('/dashboard/me')
    await db.from('sign_ins').where('account_id', account).delete()
    const refused = await browser.post('/dashboard/me/name', { name: 'Grace' })
    assert.deepEqual(
      [refused.status, refused.location],
      [303, '/sign-in?next=%2Fdashboard%2Fme%2Fname&to=repeat']
    )
    const answer = await browser.get(refused.location!)
    assert.include(answer.text, 'the form was not sent, and what you typed is not kept')
    assert.equal(await sessionsOf(account), 0)
  })

  test('that is signed out is gone, for whoever kept its cookie too', async ({ assert }) => {
    const { browser } = await joined(await makeWorld())
    await browser.get('/dashboard/me')
    const [kept, before] = [new Map(browser.cookies), browser.session]
    const out = await browser.post('/sign-out')
    assert.deepEqual([out.status, out.location], [303, '/'])
    assert.notEqual(browser.session, before)
    assert.include((await browser.get('/')).text, 'Sign in to Tarmac')
    const thief = new Browser()
    for (const [name, value] of kept) thief.cookies.set(name, value)
    assert.equal((await thief.get('/dashboard/me')).status, 303)
  })

  test('that somebody planted is not the one that is signed in', async ({ assert }) => {
    const { email } = await joined(await makeWorld())
    const attacker = new Browser()
    await attacker.get('/sign-in')
    const victim = new Browser()
    for (const [name, value] of attacker.cookies) victim.cookies.set(name, value)
    await victim.signIn(email)
    assert.notEqual(victim.session, attacker.session)
    assert.equal((await attacker.get('/dashboard/me')).status, 303)
    // The form token of the planted session does not work, either.
    await victim.get('/dashboard/me')
    const planted = attacker.token!
    const shown = await victim.post('/dashboard/me/name', { name: 'Eve' }, { token: planted })
    assert.equal(shown.status, 403)
  })
})

const sessionsOf = async (account: string) =>
  (await db.from('sign_ins').where('account_id', account)).length

/** Changes the public address of the service. @returns a function that restores it */
async function servedAt(address: string) {
  const { default: config } = await import('@adonisjs/core/services/config')
  const before = config.get<string>('app.publicUrl')
  config.set('app.publicUrl', address)
  return { publicUrl: () => config.set('app.publicUrl', before) }
}
