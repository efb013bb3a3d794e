import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { makeWorld, type World } from '#tests/support/world'
import { runCommand } from '#tests/support/console'
import { UserLink } from '../commands/user_link.js'
import { addUser, Browser, forgetGuesses, joined, linkTo, PASSWORD } from './browser.js'

const NAMED = { name: 'Grace Hopper', password: PASSWORD }

const userOf = (userId: string) => db.from('users').where('id', userId).firstOrFail()

/** Adds somebody who has an account elsewhere to an organization too. */
async function alsoIn(world: World, email: string) {
  return addUser(world, email)
}

test.group('A sign-in link', (group) => {
  group.each.setup(forgetGuesses)

  test('is not used up by opening it, works once, and signs in', async ({ assert }) => {
    const world = await makeWorld('Acme & Sons')
    const { userId, email } = await addUser(world)
    const path = await linkTo(world, { userId })
    const rows = await db.from('sign_in_links').where('user_id', userId)
    assert.lengthOf(rows, 1)
    assert.notInclude(JSON.stringify(rows), path.split('/').at(-1)!)
    for (let look = 0; look < 3; look++) {
      const shown = await new Browser().get(path)
      assert.equal(shown.status, 200)
      assert.include(shown.text, 'Join Acme &amp; Sons')
      assert.include(shown.text, email)
      assert.equal(shown.headers.get('cache-control'), 'no-store')
    }
    const browser = new Browser()
    const used = await browser.fill(path, NAMED)
    assert.deepEqual([used.status, used.location], [303, `/dashboard/org/${world.organizationId}`])
    const { account_id: account, ...user } = await userOf(userId)
    assert.containsSubset(user, { status: 'active', name: 'Grace Hopper' })
    assert.isFalse(Boolean(user.admin))
    const stored = await db.from('accounts').where('id', account).firstOrFail()
    assert.match(stored.password_hash, /^\$scrypt\$/)
    assert.equal((await browser.get('/dashboard/me')).status, 200)
    assert.equal((await new Browser().signIn(email)).status, 303)

    const late = new Browser()
    await late.get('/sign-in')
    for (const shown of [await late.get(path), await late.post(path, NAMED)]) {
      assert.equal(shown.status, 410)
      assert.include(shown.text, 'This link no longer works')
    }
    assert.equal((await late.get('/sign-in/link/x')).status, 410)
  })

  test('used by several at once signs one of them in', async ({ assert }) => {
    const world = await makeWorld()
    const path = await linkTo(world, { userId: (await addUser(world)).userId })
    const browsers = [new Browser(), new Browser(), new Browser()]
    await Promise.all(browsers.map((browser) => browser.get(path)))
    const shown = await Promise.all(browsers.map((browser) => browser.post(path, NAMED)))
    assert.lengthOf(
      shown.filter(({ status }) => status === 303),
      1
    )
  })

  test('410 after 24 hours', async ({ assert }) => {
    const world = await makeWorld()
    const { userId } = await addUser(world)
    const path = await linkTo(world, { userId })
    const row = await db.from('sign_in_links').where('user_id', userId).firstOrFail()
    assert.equal(Date.parse(row.expires_at) - Date.parse(row.created_at), 24 * 3_600_000)
    const browser = new Browser()
    await browser.get(path)
    await db.from('sign_in_links').where('id', row.id).update({ expires_at: row.created_at })
    assert.equal((await browser.post(path, NAMED)).status, 410)
    assert.isNull((await userOf(userId)).account_id)
  })

  test('422 for a password that is too short or too long, and the link stays good', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const path = await linkTo(world, { userId: (await addUser(world)).userId })
    const browser = new Browser()
    for (const [fields, words] of [
      [{ ...NAMED, password: 'a'.repeat(11) }, 'Use at least 12 characters.'],
      [{ ...NAMED, password: 'a'.repeat(201) }, 'Use at most 200 characters.'],
      [{ ...NAMED, name: ' ' }, 'Enter your name.'],
      [{ ...NAMED, name: 'a'.repeat(201) }, 'Use at most 200 characters.'],
    ] as const) {
      const shown = await browser.fill(path, fields)
      assert.equal(shown.status, 422)
      assert.include(shown.text, words)
    }
    const spaced = { ...NAMED, password: ' ' + 'ü'.repeat(198) + ' ' }
    assert.equal((await browser.fill(path, spaced)).status, 303)
  })

  test('of nobody in particular asks for an address, and makes an admin', async ({ assert }) => {
    const world = await makeWorld()
    const path = await linkTo(world, { userId: null, admin: true })
    const browser = new Browser()
    const shown = await browser.fill(path, { ...NAMED, email: 'first' })
    assert.equal(shown.status, 422)
    assert.include(shown.text, 'Enter an e-mail address')
    const email = `first-${world.organizationId.toLowerCase()}@acme.example`
    assert.equal((await browser.fill(path, { ...NAMED, email })).status, 303)
    const user = await db.from('users').where('email', email).firstOrFail()
    assert.isTrue(Boolean(user.admin))
    // The link does not bring back a deactivated person, either.
    const of = db.from('users').where('id', user.id)
    await of.clone().update({ deactivated_at: user.created_at, account_id: null })
    const late = new Browser()
    await late.signIn(email)
    const third = await linkTo(world, { userId: null, admin: true })
    await late.get(third)
    assert.equal((await late.post(third)).status, 409)
    await of.clone().update({ deactivated_at: null, account_id: user.account_id })
    // The link does not give access to somebody else's account by its address.
    const second = await linkTo(world, { userId: null, admin: true })
    const other = { ...NAMED, email, password: 'another password' }
    const refused = await new Browser().fill(second, other)
    assert.equal(refused.status, 422)
    assert.include(refused.text, 'The password is wrong.')
    assert.equal((await new Browser().signIn(email)).status, 303)
  })

  test('resets the password of an account of this organization alone, and ends its sessions', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { userId, email, browser } = await joined(world)
    const path = await linkTo(world, { userId })
    await new Browser().fill(path, { password: 'another password' })
    assert.equal((await browser.get('/dashboard/me')).status, 303)
    assert.equal((await new Browser().signIn(email)).status, 422)
    assert.equal((await new Browser().signIn(email, 'another password')).status, 303)
  })
})

test.group('A link of one organization', (group) => {
  group.each.setup(forgetGuesses)

  test('gives no access to an account that belongs to another organization', async ({ assert }) => {
    const [acme, other] = [await makeWorld(), await makeWorld()]
    const { email, browser } = await joined(acme)
    const { userId } = await alsoIn(other, email)
    const path = await linkTo(other, { userId })
    const admin = new Browser()
    const shown = await admin.get(path)
    assert.include(shown.text, 'Sign in as usual to join.')
    assert.notInclude(shown.text, 'new-password')
    const tried = await admin.post(path, { ...NAMED, password: 'chosen by another' })
    assert.equal(tried.status, 422)
    assert.isNull((await userOf(userId)).account_id)
    assert.equal((await new Browser().signIn(email, 'chosen by another')).status, 422)

    // The account that they name joins by its own password, or where it is signed in.
    const proven = await new Browser().fill(path, { password: PASSWORD })
    assert.deepEqual(
      [proven.status, proven.location],
      [303, `/dashboard/org/${other.organizationId}`]
    )
    assert.isNotNull((await userOf(userId)).account_id)
    const third = await makeWorld()
    const again = await linkTo(third, { userId: (await alsoIn(third, email)).userId })
    assert.include((await browser.get(again)).text, 'You are signed in as')
    assert.equal((await browser.post(again)).location, `/dashboard/org/${third.organizationId}`)
    // By now it belongs to three, and no admin of one sets its password.
    const late = await linkTo(other, { userId })
    assert.include((await new Browser().get(late)).text, 'Sign in as usual to join.')
  })

  test('that was shown before its account joined another sets no password', async ({ assert }) => {
    const [acme, other] = [await makeWorld(), await makeWorld()]
    const { userId, email } = await joined(acme)
    const path = await linkTo(acme, { userId })
    const admin = new Browser()
    await admin.get(path)
    const second = await linkTo(other, { userId: (await alsoIn(other, email)).userId })
    await new Browser().fill(second, { password: PASSWORD })
    assert.equal((await admin.post(path, { password: 'chosen by another' })).status, 422)
    assert.equal((await new Browser().signIn(email)).status, 303)
  })

  test('is not made for people of another organization', async ({ assert }) => {
    const [acme, other] = [await makeWorld(), await makeWorld()]
    const { userId } = await addUser(acme)
    await assert.rejects(() => linkTo(other, { userId }))
  })
})

test.group('user:link', (group) => {
  group.each.setup(forgetGuesses)

  test('makes a link that sets the password of any account', async ({ assert }) => {
    const [acme, other] = [await makeWorld(), await makeWorld()]
    const { email, userId } = await joined(acme)
    await alsoIn(other, email)
    const several = await runCommand(UserLink, [email])
    assert.equal(several.code, 1)
    assert.include(several.stderr, acme.organizationId)
    const { document, code } = await runCommand(UserLink, [email, `--org=${acme.organizationId}`])
    assert.equal(code, 0)
    assert.equal(document.organizationId, acme.organizationId)
    const { pathname } = new URL(document.url)
    const used = await new Browser().fill(pathname, { password: 'another password' })
    assert.equal(used.status, 303)
    assert.equal((await new Browser().signIn(email, 'another password')).status, 303)
    assert.isFalse(Boolean((await userOf(userId)).admin))
    const powerful = await runCommand(UserLink, [email, `--org=${acme.organizationId}`, '--admin'])
    const path = new URL(powerful.document.url).pathname
    await new Browser().fill(path, { password: PASSWORD })
    assert.isTrue(Boolean((await userOf(userId)).admin))
  })

  test('1 for an address that nobody has', async ({ assert }) => {
    const { code, stderr } = await runCommand(UserLink, ['nobody@nowhere.example'])
    assert.equal(code, 1)
    assert.include(stderr, 'There is no user with the address nobody@nowhere.example.')
  })
})
