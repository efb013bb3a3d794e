import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { clock } from '#foundation/core/services'
import { later } from '#foundation/core/clock'
import { makeWorld } from '#tests/support/world'
import { hiddenIn, textOf } from '../../tests/support.js'
import { Browser, type Fields, forgetGuesses, joined, PASSWORD } from './browser.js'

const HOUR_MS = 3_600_000

/** A person on the page of a form, whose session ends there. */
async function opened(path?: string) {
  await forgetGuesses()
  const world = await makeWorld()
  const { browser, email, userId } = await joined(world, true)
  const org = `/dashboard/org/${world.organizationId}`
  const page = path === undefined ? `${org}/user/${userId}` : org + path
  const shown = await browser.get(page)
  const carried = { _by: hiddenIn(shown.text, '_by') }
  const { account_id: account } = await db.from('users').where('id', userId).firstOrFail()
  await db.from('sign_ins').where('account_id', account).delete()
  const kept = () => db.from('kept_forms').where('account_id', account)
  return { world, browser, email, page, carried, kept }
}

test.group('A form that is sent after the session has ended', () => {
  test('is notice to its person with what was typed, once', async ({ assert }) => {
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
    assert.include(textOf(shown.text), 'You were signed out. What you typed stands below')
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
    await late.kept().update({ expires_at: later(clock.now(), -HOUR_MS) })
    await late.browser.signIn(late.email, PASSWORD, late.page)
    assert.notInclude((await late.browser.get(late.page)).text, 'Grace')
  })

  test('is kept without secrets', async ({ assert }) => {
    const { browser, email, page, carried, kept } = await opened('/integration/connect/memory')
    const fields = { ...carried, 'alias': 'Chat', 'with': 'none', 'credentials.token': 'canary-1' }
    await browser.post(page, fields)
    const [row] = await kept()
    assert.include(row.typed, 'Chat')
    assert.notInclude(row.typed, 'canary')
    await browser.signIn(email, PASSWORD, page)
    const { text } = await browser.get(page)
    assert.include(text, 'value="Chat"')
    assert.notInclude(text, 'canary')
  })

  test('is not kept where it is too much, or says not whose it is', async ({ assert }) => {
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
