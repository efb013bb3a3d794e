import db from '@adonisjs/lucid/services/db'
import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import { passMinutes } from '#stores/tests/support'
import { Fixtures } from '#tests/support/fixtures'
import type { World } from '#tests/support/world'
import { addresses } from '../addresses.js'
import { pages } from '../routes.js'
import { Browser, type Shown } from '../session/tests/browser.js'
import {
  attributes,
  outliveTags,
  pageWorld,
  pathFor,
  signedIn,
  textOf,
  WORDS,
  type Person,
} from './support.js'

/*
 * Rules that every page follows. New pages are tested without any change here; a path parameter
 * that names no entity of the API needs a value in `WORDS`.
 */

/** Without the page that completes an authorization, which redirects and works only once. */
const shownPages = pages.filter(([address]) => address !== addresses.authorized)

/** Parameters of an address whose values are ids of an organization's entities. */
const idsIn = (address: string) =>
  [...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).filter((name) => !(name in WORDS))

interface Given {
  world: World
  person: Person
  fixtures: Fixtures
  pathOf: (address: string, replaced?: Record<string, string>) => Promise<string>
}

async function given(name?: string): Promise<Given> {
  const { world, person } = await pageWorld(name)
  const fixtures = new Fixtures(world)
  return { world, person, fixtures, pathOf: (...of) => pathFor(fixtures, ...of) }
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Checks the headers that all pages have. */
function checkHeaders(assert: Assert, { headers }: Shown, what: string) {
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8', what)
  assert.equal(headers.get('content-security-policy'), POLICY, what)
  assert.equal(headers.get('referrer-policy'), 'same-origin', what)
  assert.equal(headers.get('x-content-type-options'), 'nosniff', what)
  assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin', what)
  assert.match(headers.get('permissions-policy')!, /^accelerometer=\(\), /, what)
}

/** Checks the rules for the markup of every page. */
function checkMarkup(assert: Assert, { text }: Shown, what: string) {
  const open = (tag: string) => [...text.matchAll(new RegExp(`<${tag}[\\s>]`, 'g'))].length
  assert.equal(open('h1'), 1, `${what}: headings`)
  assert.equal(open('main'), 1, what)
  assert.match(text, /<title>[^<]+ · Tarmac<\/title>/, what)
  assert.match(text, /<html lang="en"/, what)
  assert.match(text, /<a class="skip" href="#main">/, what)
  assert.notMatch(text, /\bundefined\b|\[object |\bNaN\b|Invalid Date/, what)
  // Nothing that the content security policy would block.
  assert.equal(open('style'), 0, what)
  assert.notMatch(text, /<script(?![^>]*\ssrc="\/assets\/)/, what)
  assert.notMatch(text, /<[^>]+\s(style|on\w+)=/, what)
  const ids = attributes(text, 'id')
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
    `${what}: ids`
  )
  for (const name of ['for', 'aria-labelledby', 'aria-describedby']) {
    const missing = attributes(text, name)
      .flatMap((each) => each.split(' ').filter(Boolean))
      .filter((id) => !ids.includes(id))
    assert.deepEqual(missing, [], `${what}: ${name}`)
  }
  const posts = [...text.matchAll(/<form\b[^>]*method="post"[\s\S]*?<\/form>/g)].map(([all]) => all)
  for (const each of posts) assert.include(each, 'name="_csrf"', what)
}

test.group('Every page', () => {
  test('has the address that it is declared for', async ({ assert }) => {
    for (const [address, load] of pages) assert.equal((await load()).path, address)
  })

  test('answers 200 with the headers of pages, valid markup and a rule for caches', async ({
    assert,
  }) => {
    const { person, pathOf } = await given()
    for (const [address] of shownPages) {
      const path = await pathOf(address)
      const shown = await person.get(path)
      assert.equal(shown.status, 200, `${address}: ${textOf(shown.text).slice(0, 200)}`)
      checkHeaders(assert, shown, address)
      checkMarkup(assert, shown, address)
      const caching = shown.headers.get('cache-control')
      const tag = shown.headers.get('etag')
      assert.oneOf(caching, ['private, no-cache', 'no-store'], address)
      // A form from a cached page would repeat its idempotency key, and so create nothing.
      if (shown.text.includes('name="_key"')) assert.equal(caching, 'no-store', address)
      assert.equal(tag !== null, caching === 'private, no-cache', address)
      assert.equal(shown.headers.get('content-encoding'), 'gzip', address)
      assert.include(shown.headers.get('vary')!, 'Cookie', address)

      const plain = await person.browser.get(path, { 'accept-encoding': 'identity' })
      assert.isNull(plain.headers.get('content-encoding'), address)
      assert.isAbove(plain.text.length, 1024, address)
    }
  })

  test('answers HEAD with the headers of GET and no body', async ({ assert }) => {
    const { person, pathOf } = await given()
    const cookie = [...person.browser.cookies].map((each) => each.join('=')).join('; ')
    for (const [address] of shownPages) {
      const path = await pathOf(address)
      // Stays below the limit of twenty pages a second, as neither request may be refused.
      passMinutes(1 / 30)
      const whole = await person.get(path)
      const url = `http://${process.env.HOST}:${process.env.PORT}${path}`
      const head = await fetch(url, { method: 'HEAD', headers: { cookie } })
      assert.deepEqual([head.status, await head.text()], [200, ''], address)
      for (const name of ['content-type', 'content-security-policy', 'cache-control', 'etag']) {
        assert.equal(head.headers.get(name), whole.headers.get(name), `${address} ${name}`)
      }
    }
  })

  test('redirects to the sign-in page and back if nobody is signed in', async ({ assert }) => {
    const { pathOf } = await given()
    for (const [address] of pages) {
      const path = await pathOf(address)
      const { status, location, text } = await new Browser().get(`${path}?show=all`)
      const next = new URLSearchParams({ next: `${path}?show=all` })
      assert.deepEqual([status, location, text], [303, `/sign-in?${next}`, ''], address)
      // A poll gets the status, so that typed input is not lost.
      const poll = await new Browser().get(path, { 'hx-request': 'true', 'x-poll': '1' })
      assert.deepEqual([poll.status, poll.text], [401, ''], address)
    }
  })

  test('answers a 404 page for ids of another organization and for unknown ids', async ({
    assert,
  }) => {
    const [own, other] = [await given('Acme'), await given('Zebra')]
    for (const [address] of pages) {
      for (const name of idsIn(address)) {
        const foreign = await other.fixtures.get(name)
        for (const id of [foreign, 'nothing', `a'b"<i>`, '\0', '%', 'x'.repeat(300)]) {
          const path = await own.pathOf(address, { [name]: id })
          const shown = await own.person.get(path)
          const what = `${address} ${name} ${id.slice(0, 20)}`
          assert.equal(shown.status, 404, what)
          checkHeaders(assert, shown, what)
          checkMarkup(assert, shown, what)
          assert.equal(shown.headers.get('cache-control'), 'no-store', what)
          assert.include(textOf(shown.text), 'There is nothing here', what)
          assert.notInclude(shown.text, 'Zebra', what)
        }
      }
      // Every id belongs to the other organization.
      const shown = await own.person.get(await other.pathOf(address))
      assert.equal(shown.status, 404, address)
    }
  })

  test('answers 403 with who may see it and a link to Home', async ({ assert }) => {
    const { world, pathOf } = await given()
    const { organizationId } = world
    const [keys, people] = [await pathOf(addresses.keys), await pathOf(addresses.people)]
    await db
      .from('organizations')
      .where('id', organizationId)
      .update({ role_based_access_enabled: true })
    const guest = await signedIn(world, { admin: false })
    for (const [path, words] of [
      [keys, /Only an admin may do it\./],
      [people, /needs the user action ManageUsersGroups\. [A-Z][\w ,]+ may do it\./],
    ] as const) {
      const shown = await guest.get(path)
      assert.equal(shown.status, 403)
      checkHeaders(assert, shown, path)
      checkMarkup(assert, shown, path)
      assert.include(textOf(shown.text), 'You may not see this')
      assert.match(textOf(shown.text), words)
      assert.include(attributes(shown.text, 'href'), `/dashboard/org/${organizationId}`)
      assert.include(shown.text, '<nav class="side"')
    }
  })

  test('answers a 404 page for unknown addresses once somebody is signed in', async ({
    assert,
  }) => {
    const { world, person } = await given()
    for (const path of [
      '/dashboard/x',
      '/dashboard/org/x/y/z',
      '/dashboard/app/',
      '/dashboard//',
      // A path that cannot be decoded is taken literally.
      '/dashboard/org/%E0%A4%A',
      '/dashboard/%',
    ]) {
      const stranger = await new Browser().get(path)
      const next = new URLSearchParams({ next: path.replaceAll('%', '%25') })
      assert.deepEqual([stranger.status, stranger.location], [303, `/sign-in?${next}`], path)
      const shown = await person.get(path)
      assert.equal(shown.status, 404, path)
      checkHeaders(assert, shown, path)
      checkMarkup(assert, shown, path)
      assert.include(textOf(shown.text), 'There is nothing here', path)
      assert.include(attributes(shown.text, 'href'), `/dashboard/org/${world.organizationId}`)
    }
    assert.equal((await person.get('/dashboard')).location, '/')
  })

  test('answers 304 while it is unchanged and 200 afterwards, and never caches a secret', async ({
    assert,
  }) => {
    const { world, person, pathOf } = await given()
    const tagged: [string, string][] = []
    for (const [address] of shownPages) {
      const path = await pathOf(address)
      const { headers } = await person.get(path)
      const tag = headers.get('etag')
      const again = await person.get(path, { 'if-none-match': tag ?? 'W/"x"' })
      if (tag === null) {
        assert.equal(again.status, 200, address)
        continue
      }
      tagged.push([path, tag])
      assert.deepEqual([again.status, again.text], [304, ''], address)
      assert.equal(again.headers.get('etag'), tag, address)
      const other = await person.get(path, { 'if-none-match': 'W/"x"' })
      assert.equal(other.status, 200, address)
    }
    assert.isAbove(tagged.length, 3)
    // Expired tags have the page rendered again, now with another name.
    outliveTags()
    await db
      .from('organizations')
      .where('id', world.organizationId)
      .update({ name: 'Acme renamed' })
    for (const [path, tag] of tagged) {
      const changed = await person.get(path, { 'if-none-match': tag })
      assert.equal(changed.status, 200, path)
      assert.notEqual(changed.headers.get('etag'), tag, path)
      assert.include(changed.text, 'Acme renamed', path)
    }
  })

  test('shows times to browsers of any language', async ({ assert }) => {
    const { person, pathOf } = await given()
    const languages = ['*', 'de-DE,de;q=0.9', 'x_y', `"><i>,en`, 'a'.repeat(300), 'ar-EG-u-nu-arab']
    for (const [address] of shownPages) {
      const path = await pathOf(address)
      for (const language of languages) {
        const { status, text } = await person.get(path, { 'accept-language': language })
        assert.equal(status, 200, `${address} ${language}`)
        assert.notInclude(text, '<i>,')
      }
    }
  })

  test('links only to pages that exist', async ({ assert }) => {
    const { person, pathOf } = await given()
    const links = new Map<string, string>()
    for (const [address] of pages) {
      const { text } = await person.get(await pathOf(address))
      for (const href of attributes(text, 'href')) links.set(href, address)
    }
    const own = [...links].filter(([href]) => href.startsWith('/'))
    assert.isAbove(own.length, 20)
    for (const [href, from] of own) {
      // The guide exists only once it is built: its own specs follow links into it.
      if (href.startsWith('/guide/')) continue
      const { status } = await person.get(href)
      assert.equal(status, 200, `${from} leads to ${href}`)
    }
    const others = [...links.keys()].filter((href) => !/^[/#?]|^$/.test(href))
    assert.deepEqual(others, [])
  })
})
