import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { operations } from '#foundation/api/operation/registry'
import { Fixtures } from '#tests/support/fixtures'
import { addresses, addressOf } from '../addresses.js'
import { shownAt } from '../frame/page.js'
import { forms, pages } from '../routes.js'
import { Browser } from '../session/tests/browser.js'
import { attributes, pageWorld, signedIn, textOf } from './support.js'

/*
 * Rules of every form, whatever its operation. New forms are included by themselves.
 */

/** Returns the parameters of an address in a path. */
const paramsIn = (address: string, path: string): Record<string, string> => {
  const parts = path.split('/').map(decodeURIComponent)
  const names = address.split('/').map((part) => /^\{(\w+)\}$/.exec(part)?.[1])
  return Object.fromEntries(names.flatMap((name, at) => (name ? [[name, parts[at]]] : [])))
}

async function given() {
  const { world, person } = await pageWorld()
  const fixtures = new Fixtures(world)
  const pathOf = async (address: string, replaced: Record<string, string> = {}) =>
    addressOf(address, await fixtures.params(address, replaced))
  const loaded = await Promise.all(
    forms.map(async ([address, load]) => ({ address, form: await load() }))
  )
  /** Counts the events of the organization. */
  const reported = async () => (await world.events()).length
  return { world, person, fixtures, pathOf, loaded, reported }
}

test.group('Every form', () => {
  test('is mounted at its declared address, and runs a known operation', async ({ assert }) => {
    for (const [address, load] of forms) {
      const form = await load()
      assert.equal(form.path, address)
      assert.isTrue(operations.has(form.operation), form.operation)
    }
  })

  test('is shown on an existing page', async ({ assert }) => {
    const there = new Set(pages.map(([address]) => address))
    for (const [, load] of forms) {
      const { shownOn, path } = await load()
      assert.isTrue(there.has(shownOn.page.path), `${path} is shown on ${shownOn.page.path}`)
    }
  })

  test('303 to the sign-in page for people who are not signed in', async ({ assert }) => {
    const { pathOf, loaded, reported } = await given()
    const paths = await Promise.all(loaded.map(({ address }) => pathOf(address)))
    const before = await reported()
    for (const [index, { form }] of loaded.entries()) {
      const browser = new Browser()
      await browser.get('/sign-in')
      const { status, location } = await browser.post(paths[index])
      const { isUrgent } = operations.get(form.operation)
      const { address } = shownAt(form, paramsIn(form.path, paths[index]))
      const query = new URLSearchParams({ next: `${address}${isUrgent ? '?to=stop' : ''}` })
      query.set('to', isUrgent ? 'stop' : 'repeat')
      assert.deepEqual([status, location], [303, `/sign-in?${query}`], paths[index])
    }
    assert.equal(await reported(), before)
  })

  test('403 without a token, with that of somebody else, and from another site', async ({
    assert,
  }) => {
    const { world, person, pathOf, loaded, reported } = await given()
    const other = await signedIn(world)
    await other.get('/dashboard/me')
    const paths = await Promise.all(loaded.map(({ address }) => pathOf(address)))
    const before = await reported()
    for (const path of paths) {
      for (const token of [null, 'x', other.browser.token]) {
        const shown = await person.post(path, {}, { token })
        assert.equal(shown.status, 403, path)
        assert.match(textOf(shown.text), /Nothing was done; send it again/, path)
      }
      const headers = { 'sec-fetch-site': 'cross-site' }
      const shown = await person.post(path, {}, { headers })
      assert.equal(shown.status, 403, path)
      assert.include(textOf(shown.text), 'This form came from another site.', path)
    }
    assert.equal(await reported(), before)
  })

  test('403 with a stale token shows the page again, with what was typed', async ({ assert }) => {
    const { person, pathOf } = await given()
    const path = await pathOf('/dashboard/org/{orgId}/user/{userId}')
    const { text } = await person.get(path)
    const [tag] = attributes(/<input[^>]*name="_tag"[^>]*>/.exec(text)![0], 'value')
    await person.post(path, { name: 'Grace', _tag: tag })
    const token = 'of another day'
    const stale = await person.post(path, { name: 'Eve <b>', _tag: tag }, { token })
    assert.equal(stale.status, 403)
    assert.equal(stale.headers.get('cache-control'), 'no-store')
    assert.include(textOf(stale.text), 'Not done. This page was open for too long.')
    assert.include(stale.text, 'value="Eve &lt;b&gt;"')
    // It can be sent with its old entity tag, and does not overwrite a later change.
    const sent = /<input[^>]*name="_tag"[^>]*>/.exec(stale.text)![0]
    assert.deepEqual(attributes(sent, 'value'), [tag])
    const again = await person.post(path, { name: 'Eve', _tag: tag })
    assert.equal(again.status, 412)
    const [now] = attributes(/<input[^>]*name="_tag"[^>]*>/.exec(again.text)![0], 'value')
    assert.equal((await person.post(path, { name: 'Eve', _tag: now })).status, 303)
  })

  test('leaves its sentence to one page, even if a poll is under way meanwhile', async ({
    assert,
    cleanup,
  }) => {
    const { person, pathOf } = await given()
    const [keys, path] = [await pathOf(addresses.keys), await pathOf(addresses.person)]
    const listKeys = operations.get('listApiKeys')
    const { handle } = listKeys
    cleanup(() => void (listKeys.handle = handle))
    await person.send(path, path, { name: 'Grace' })
    let taken = ''
    listKeys.handle = async (call) => {
      taken = (await person.get(path)).text
      return handle(call)
    }
    const poll = await person.get(keys, { 'x-poll': '1' })
    assert.equal(poll.status, 200)
    assert.notInclude(poll.text, 'Changed Grace.')
    assert.include(taken, 'Changed Grace.')
    assert.notInclude((await person.get(path)).text, 'Changed Grace.')
  })

  test('404 for entities of another organization, and for unknown ones', async ({ assert }) => {
    const [own, other] = [await given(), await given()]
    await own.person.get('/dashboard/me')
    const foreign = await Promise.all(own.loaded.map(({ address }) => other.pathOf(address)))
    const before = await other.reported()
    for (const [index, { address }] of own.loaded.entries()) {
      const names = [...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const refused = await own.person.post(foreign[index], { status: 'passed', action: 'halt' })
      assert.equal(refused.status, 404, address)
      for (const name of names) {
        const path = await own.pathOf(address, { [name]: 'nothing' })
        const fields = { status: 'passed', action: 'halt', version: '9.0.0' }
        const { status } = await own.person.post(path, fields)
        assert.equal(status, 404, path)
      }
    }
    assert.equal(await other.reported(), before)
  })

  test('403 says who may do it, and does nothing, for people who may not', async ({ assert }) => {
    const { world, pathOf, loaded, reported } = await given()
    const paths = await Promise.all(loaded.map(({ address }) => pathOf(address)))
    const { organizationId } = world
    await db
      .from('organizations')
      .where('id', organizationId)
      .update({ role_based_access_enabled: true })
    const guest = await signedIn(world, { admin: false })
    await guest.get('/dashboard/me')
    const before = await reported()
    for (const [index, { form }] of loaded.entries()) {
      const fields = { status: 'passed', action: 'halt', version: '9.0.0' }
      const shown = await guest.post(paths[index], fields)
      const what = `${form.operation} ${textOf(shown.text).slice(0, 300)}`
      assert.equal(shown.status, 403, what)
      assert.match(textOf(shown.text), / may do it\.|You may not see this|[Aa]n admin/, what)
    }
    assert.equal(await reported(), before)
  })
})
