import encryption from '@adonisjs/core/services/encryption'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { clock } from '#foundation/core/services'
import { earlier } from '#foundation/core/clock'
import { DAY, MINUTE } from '#foundation/core/durations'
import { refuse } from '#foundation/core/problems/problem'
import { passMinutes } from '#stores/tests/support'
import type { Chore } from '#foundation/jobs/handlers'
import { Fixtures } from '#tests/support/fixtures'
import { makeWorld } from '#tests/support/world'
import { addresses, addressOf } from '../../addresses.js'
import { pages } from '../../module.js'
import { personPage } from '../../people/page.js'
import { hiddenIn, textOf } from '../../tests/support.js'
import { Browser, type Fields, forgetGuesses, joined, PASSWORD } from './browser.js'
import { comeBack, useProvider } from './oidc_provider.js'

const HOUR_MS = 3_600_000

/** Makes a person who has opened the page of a form, and whose session has ended since. */
async function opened(address: string = addresses.person) {
  await forgetGuesses()
  const world = await makeWorld()
  const { browser, email, userId } = await joined(world, true)
  const fixtures = new Fixtures(world)
  const params = await fixtures.params(address, { pluginId: 'memory', userId })
  const page = addressOf(address, params)
  const shown = await browser.get(page)
  const carried = { _by: hiddenIn(shown.text, '_by') }
  const { account_id: account } = await db.from('users').where('id', userId).firstOrFail()
  await db.from('sign_ins').where('account_id', account).delete()
  const kept = () => db.from('kept_forms').where('account_id', account)
  return { world, params, browser, email, userId, account, page, carried, kept }
}

test.group('A form that is sent after the session has ended', () => {
  test('is shown again to its person, with what was typed, once', async ({ assert }) => {
    const { browser, email, page, carried } = await opened()
    const sent = await browser.post(page, { ...carried, name: 'Grace <b>' })
    assert.deepEqual([sent.status, sent.location], [303, `/sign-in?${address(page)}`])
    const notice = await browser.get(sent.location!)
    assert.include(textOf(notice.text), 'What you typed is kept for an hour, except secrets')
    const fields = { email, next: hiddenIn(notice.text, 'next'), to: hiddenIn(notice.text, 'to') }
    const wrong = await browser.post('/sign-in', { ...fields, password: 'wrong' })
    assert.include(textOf(wrong.text), 'What you typed is kept')
    const led = await browser.post('/sign-in', { ...fields, password: PASSWORD })
    assert.equal(led.location, page)
    // Neither a poll nor another page takes it.
    await browser.get(page, { 'x-poll': '1' })
    await browser.get('/dashboard/me')
    const shown = await browser.get(page)
    assert.equal(shown.status, 200)
    assert.include(textOf(shown.text), 'You were signed out. What you typed is below')
    assert.include(shown.text, 'value="Grace &lt;b&gt;"')
    assert.notInclude((await browser.get(page)).text, 'Grace')
    assert.equal((await browser.post(page, { name: 'Grace' })).status, 303)
  })

  test('is shown to nobody else, in no other browser, and not for long', async ({ assert }) => {
    const { world, browser, email, page, carried, kept } = await opened()
    const other = await joined(world, true)
    await browser.post(page, { ...carried, name: 'Grace' })
    await browser.signIn(other.email, PASSWORD, page)
    assert.notInclude((await browser.get(page)).text, 'Grace')
    const elsewhere = new Browser()
    await elsewhere.signIn(email, PASSWORD, page)
    assert.notInclude((await elsewhere.get(page)).text, 'Grace')
    assert.lengthOf(await kept(), 1)

    const late = await opened()
    await late.browser.post(late.page, { ...late.carried, name: 'Grace' })
    await late.kept().update({ expires_at: earlier(clock.now(), HOUR_MS) })
    await late.browser.signIn(late.email, PASSWORD, late.page)
    assert.notInclude((await late.browser.get(late.page)).text, 'Grace')
  })

  test('is kept without secrets, encrypted', async ({ assert }) => {
    const secrets = { 'credentials.token': 'canary-1', 'headers': 'authorization: canary-2' }
    for (const [at, to] of [
      [addresses.connect, addresses.connect],
      [addresses.connect, addresses.authorize],
      [addresses.rotateConnection, addresses.rotateConnection],
      [addresses.rotateConnection, addresses.reauthorize],
      [addresses.newWebhook, addresses.webhooks],
      [addresses.editWebhook, addresses.editWebhook],
    ]) {
      const { params, browser, email, account, page, carried, kept } = await opened(at)
      const isWebhook = at.includes('webhook')
      const secret = isWebhook ? 'headers' : 'credentials.token'
      const fields = { alias: 'Mine', description: 'Mine', [secret]: secrets[secret] }
      await browser.post(addressOf(to, params), { ...carried, ...fields })
      const [{ typed }] = await kept()
      assert.notMatch(typed, /Mine|canary/)
      const opens = JSON.stringify(encryption.decrypt(typed, `kept form of ${account}`))
      assert.include(opens, 'Mine')
      assert.notInclude(opens, 'canary', to)
      await browser.signIn(email, PASSWORD, page)
      const { text } = await browser.get(page)
      assert.include(textOf(text), 'You were signed out', to)
      assert.notInclude(text, 'canary')
    }
  })

  test('drops the request to forget a secret if a new one was typed', async ({ assert }) => {
    for (const [headers, isTicked] of [
      ['x-team: ios', false],
      ['', true],
    ] as const) {
      const { params, browser, email, page, carried } = await opened(addresses.editWebhook)
      const named = { header_names: JSON.stringify(['x-team']) }
      await db.from('webhook_endpoints').where('id', params.endpointId).update(named)
      await browser.post(page, { ...carried, headers, forget: 'headers' })
      await browser.signIn(email, PASSWORD, page)
      const { text } = await browser.get(page)
      assert.equal(/name="forget"\s+value="headers"\s+checked/.test(text), isTicked)
    }
  })

  test('is shown again on the page of the step that it was sent from', async ({ assert }) => {
    const { params, browser, email, page, carried } = await opened(addresses.step)
    const form = addressOf(addresses.storeRollout, { ...params, stepRunId: 'run' })
    const fields = { action: 'set', percentage: '7', step: params.stepId }
    const sent = await browser.post(form, { ...carried, ...fields })
    assert.equal(sent.location, `/sign-in?${address(page)}`)
    await browser.signIn(email, PASSWORD, page)
    assert.include(textOf((await browser.get(page)).text), 'You were signed out')
  })

  test('waits while its page fails', async ({ assert }) => {
    const { browser, email, page, carried } = await opened()
    await browser.post(page, { ...carried, name: 'Grace' })
    await browser.signIn(email, PASSWORD, page)
    const { read } = personPage
    personPage.read = () => Promise.reject(refuse('file_unavailable'))
    const failed = await browser.get(page).finally(() => (personPage.read = read))
    assert.equal(failed.status, 503)
    assert.include((await browser.get(page)).text, 'value="Grace"')
  })

  test('is shown again after signing in with OpenID Connect', async ({ assert, cleanup }) => {
    const provider = await useProvider()
    cleanup(() => provider.close())
    const { browser, email, page, carried } = await opened()
    await browser.post(page, { ...carried, name: 'Grace' })
    provider.whoever = { sub: `sub-${email}`, email, email_verified: true }
    const begin = `/sign-in/oidc?${new URLSearchParams({ next: page })}`
    const led = await browser.get(await comeBack(browser, { begin }))
    assert.equal(led.location, page)
    assert.include((await browser.get(page)).text, 'value="Grace"')
  })

  test('is deleted after its hour', async ({ assert }) => {
    const { browser, page, carried, kept } = await opened()
    await browser.post(page, { ...carried, name: 'Grace' })
    await prune()
    assert.lengthOf(await kept(), 1)
    await kept().update({ expires_at: earlier(clock.now(), 1) })
    await prune()
    assert.lengthOf(await kept(), 0)
  })

  test('is not kept from an old page, or if there are too many', async ({ assert }) => {
    const { browser, page, carried } = await opened()
    const send = async () => (await browser.post(page, { ...carried, name: 'Grace' })).location!
    for (let each = 0; each < 20; each++) assert.match(await send(), /to=resend$/)
    assert.match(await send(), /to=repeat$/)
    await forgetGuesses()
    assert.match(await send(), /to=resend$/)
    passMinutes((14 * DAY) / MINUTE)
    assert.match(await send(), /to=repeat$/)
  })

  test('is not kept if it is too large, or carries no account', async ({ assert }) => {
    const { browser, page, carried, kept } = await opened()
    const refused: Fields[] = [
      { ...carried, name: 'x'.repeat(70_000) },
      { name: 'Grace' },
      { _by: 'x', name: 'Grace' },
      { _by: [carried._by, carried._by], name: 'Grace' },
    ]
    for (const fields of refused) {
      const { location } = await browser.post(page, fields)
      assert.match(location!, /to=repeat$/)
    }
    assert.lengthOf(await kept(), 0)
  })
})

const address = (next: string) => new URLSearchParams({ next, to: 'resend' }).toString()

const prune = () => {
  const { handler } = pages.work!.find(({ name }) => name === 'pages.keptForms')!
  return (handler as Chore).run(() => true)
}
