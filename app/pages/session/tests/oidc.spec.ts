import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { randomText } from '#foundation/core/ids'
import { OutboundClient } from '#outbound-client/client'
import { makeWorld } from '#tests/support/world'
import { addUser, Browser, forgetGuesses, joined, linkTo, PASSWORD } from './browser.js'
import { comeBack, useProvider, type TestProvider } from './oidc_provider.js'

let provider: TestProvider

/** Signs in as the person whom the provider identifies. */
async function signIn(browser: Browser, begin?: string) {
  return browser.get(await comeBack(browser, { begin }))
}

const accountOf = (email: string) => db.from('accounts').where('email', email).first()

const someone = () => {
  const name = randomText(10).toLowerCase()
  return { sub: `sub-${name}`, email: `${name}@acme.example`, email_verified: true, name: 'Ada' }
}

test.group('Signing in with OpenID Connect', (group) => {
  group.setup(async () => {
    provider = await useProvider()
    return () => provider.close()
  })
  group.each.setup(forgetGuesses)

  test('is on the sign-in page, keeps where to go, and uses PKCE, state and nonce', async ({
    assert,
  }) => {
    const browser = new Browser()
    const page = await browser.get('/sign-in?next=/dashboard/me')
    assert.include(page.text, 'Sign in with Acme ID')
    assert.include(page.text, 'href="/sign-in/oidc?next=%2Fdashboard%2Fme"')
    const { status, location, headers } = await browser.get('/sign-in/oidc')
    assert.equal(status, 303)
    assert.equal(headers.get('cache-control'), 'no-store')
    const { origin, searchParams } = new URL(location!)
    assert.equal(origin, provider.settings.issuer)
    assert.equal(searchParams.get('code_challenge_method'), 'S256')
    for (const name of ['code_challenge', 'state', 'nonce']) assert.exists(searchParams.get(name))
  })

  test('signs in a person whom an organization has added, and binds the account to the subject', async ({
    assert,
  }) => {
    const world = await makeWorld()
    provider.whoever = someone()
    const { email, sub } = provider.whoever
    const { userId } = await addUser(world, email)
    const browser = new Browser()
    await browser.get('/')
    const before = browser.session
    const shown = await signIn(browser, '/sign-in/oidc?next=/dashboard/me')
    assert.deepEqual([shown.status, shown.location], [303, '/dashboard/me'])
    assert.notEqual(browser.session, before)
    assert.include((await browser.get('/dashboard/me')).text, email!)
    const account = await accountOf(email!)
    assert.containsSubset(account, {
      oidc_issuer: provider.settings.issuer,
      oidc_subject: sub,
      name: 'Ada',
    })
    assert.isNull(account.password_hash)
    const user = await db.from('users').where('id', userId).firstOrFail()
    assert.deepEqual([user.account_id, user.status, user.name], [account.id, 'active', 'Ada'])

    // By now the subject counts: the address may be another, or not vouched for.
    provider.whoever = { sub, email: 'other@acme.example', email_verified: false }
    assert.equal((await signIn(new Browser())).status, 303)
    // Organizations that name the address later are joined at the next sign-in.
    const other = await makeWorld()
    await addUser(other, email)
    // One who is there already under another address stays who they are.
    const renamed = await addUser(world)
    provider.whoever = { sub, email: renamed.email, email_verified: true }
    assert.equal((await signIn(new Browser())).status, 303)
    assert.isNull((await db.from('users').where('id', renamed.userId).firstOrFail()).account_id)
    provider.whoever = { sub, email, email_verified: true }
    const again = new Browser()
    await signIn(again)
    assert.lengthOf(await db.from('users').where('account_id', account.id), 2)
  })

  test('makes one account for concurrent sign-ins of a person', async ({ assert }) => {
    const world = await makeWorld()
    provider.whoever = someone()
    const { email } = provider.whoever
    await addUser(world, email)
    const browsers = [new Browser(), new Browser(), new Browser()]
    const addresses: string[] = []
    for (const browser of browsers) addresses.push(await comeBack(browser))
    const shown = await Promise.all(browsers.map((each, index) => each.get(addresses[index])))
    assert.deepEqual(
      shown.map(({ status }) => status),
      [303, 303, 303]
    )
    assert.lengthOf(await db.from('users').where('email', email!).whereNotNull('account_id'), 1)
  })

  test('403 where the provider does not vouch for the address', async ({ assert }) => {
    const world = await makeWorld()
    for (const isVerified of [false, undefined]) {
      provider.whoever = { ...someone(), email_verified: isVerified }
      await addUser(world, provider.whoever.email)
      const shown = await signIn(new Browser())
      assert.equal(shown.status, 403)
      assert.include(shown.text, 'does not vouch for your e-mail address')
      assert.isNull(await accountOf(provider.whoever.email!))
    }
  })

  test('403 for an address that another subject of the provider has bound', async ({ assert }) => {
    const world = await makeWorld()
    provider.whoever = someone()
    await addUser(world, provider.whoever.email)
    assert.equal((await signIn(new Browser())).status, 303)
    const { sub } = provider.whoever
    provider.whoever = { ...provider.whoever, sub: `${sub}-changed` }
    const shown = await signIn(new Browser())
    assert.equal(shown.status, 403)
    assert.include(shown.text, 'belongs to somebody else at the provider')
    assert.equal((await accountOf(provider.whoever.email!)).oidc_subject, sub)
  })

  test('403 for a person whom no organization has added, or who was deactivated', async ({
    assert,
  }) => {
    for (const isNamed of [false, true]) {
      provider.whoever = someone()
      const { email } = provider.whoever
      if (isNamed) {
        const { userId } = await addUser(await makeWorld(), email)
        await db
          .from('users')
          .where('id', userId)
          .update({ deactivated_at: '2026-11-20T08:00:00.000Z' })
      }
      const shown = await signIn(new Browser())
      assert.equal(shown.status, 403)
      assert.include(shown.text, 'No organization knows your e-mail address.')
      assert.isNull(await accountOf(email!))
    }
  })

  test('removes the password of an account that it binds, and ends its sessions', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { email, userId, browser } = await joined(world)
    provider.whoever = { ...someone(), email: email.toUpperCase() }
    const owner = new Browser()
    assert.equal((await signIn(owner)).status, 303)
    assert.equal((await browser.get('/dashboard/me')).status, 303)
    assert.equal((await new Browser().signIn(email)).status, 422)
    // Nor does an admin of its organization choose another.
    const link = await linkTo(world, { userId })
    const page = await new Browser().get(link)
    assert.include(page.text, 'This account has no password.')
    // Its owner may, once they have just signed in.
    const of = db.from('sign_ins').where('account_id', (await accountOf(email)).id)
    const { created_at: now } = await of.clone().firstOrFail()
    const earlier = new Date(Date.parse(now) - 901_000).toISOString()
    await of.clone().update({ created_at: earlier })
    const old = await owner.fill('/dashboard/me', { password: PASSWORD }, '/dashboard/me/password')
    assert.equal(old.status, 422)
    await of.clone().update({ created_at: now })
    await owner.fill('/dashboard/me', { password: PASSWORD }, '/dashboard/me/password')
    assert.equal((await new Browser().signIn(email)).status, 303)
  })

  test('403 for an answer that was used, came to another browser, or was not asked for', async ({
    assert,
  }) => {
    const world = await makeWorld()
    provider.whoever = someone()
    await addUser(world, provider.whoever.email)
    const browser = new Browser()
    const address = await comeBack(browser)
    const other = new Browser()
    assert.equal((await other.get(address)).status, 403)
    // A thief who begins a sign-in of their own has another state.
    await other.get('/sign-in/oidc')
    assert.equal((await other.get(address)).status, 502)
    assert.equal((await browser.get(address)).status, 303)
    const replayed = await browser.get(address)
    assert.equal(replayed.status, 403)
    assert.include(replayed.text, 'was not started in this browser, or has already ended')
  })

  test('502 for another nonce, state, issuer or code, and where the provider says no', async ({
    assert,
  }) => {
    const world = await makeWorld()
    provider.whoever = someone()
    await addUser(world, provider.whoever.email)
    const another = (name: string) => (address: string) => {
      const url = new URL(address)
      url.searchParams.set(name, 'x'.repeat(43))
      return url.href
    }
    const nonced = new Browser()
    const foreign = await comeBack(nonced, { change: another('nonce') })
    assert.equal((await nonced.get(foreign)).status, 502)
    for (const name of ['state', 'iss', 'code']) {
      const browser = new Browser()
      const shown = await browser.get(another(name)(await comeBack(browser)))
      assert.equal(shown.status, 502, name)
      assert.include(shown.text, 'Acme ID did not sign you in.')
      assert.equal((await browser.get('/dashboard/me')).status, 303)
    }
    const browser = new Browser()
    const refused = new URL(await comeBack(browser))
    refused.searchParams.delete('code')
    refused.searchParams.set('error', 'access_denied')
    assert.equal((await browser.get(refused.href)).status, 502)
  })
})

test.group('OpenID Connect', () => {
  test('502 if the outbound client may not connect to the provider', async ({
    assert,
    cleanup,
  }) => {
    const hidden = await useProvider()
    const outbound = await app.container.make('outbound')
    cleanup(() => app.container.bindValue('outbound', outbound))
    cleanup(() => hidden.close())
    app.container.bindValue('outbound', new OutboundClient())
    const shown = await new Browser().get('/sign-in/oidc')
    assert.equal(shown.status, 502)
    app.container.bindValue('outbound', outbound)
    // The failure is not cached.
    assert.equal((await new Browser().get('/sign-in/oidc')).status, 303)
  })

  test('502 while the provider does not answer', async ({ assert }) => {
    const gone = await useProvider()
    const { settings } = gone
    await gone.close()
    const holder = await app.container.make('pages.oidc')
    holder.settings = settings
    const shown = await new Browser().get('/sign-in/oidc')
    holder.settings = null
    assert.equal(shown.status, 502)
  })

  test('404 if no provider is set up, and the sign-in page has no button', async ({ assert }) => {
    assert.equal((await new Browser().get('/sign-in/oidc')).status, 404)
    assert.notInclude((await new Browser().get('/sign-in')).text, '/sign-in/oidc')
    assert.equal((await new Browser().get('/sign-in/oidc/callback?code=x&state=y')).status, 403)
  })

  test('403 for new users if there are several organizations', async ({ assert, cleanup }) => {
    provider = await useProvider({ newUsers: true })
    cleanup(() => provider.close())
    provider.whoever = someone()
    await makeWorld()
    await makeWorld()
    const several = await signIn(new Browser())
    assert.equal(several.status, 403)
    assert.include(several.text, 'There are several organizations')
    assert.isNull(await accountOf(provider.whoever.email!))
  })
})
