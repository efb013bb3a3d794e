import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, overhang } from '#distribution/install_pages/tests/browser'
import { makeApp } from '#tests/support/app_fixture'
import { Fixtures } from '#tests/support/fixtures'
import { makeWorld } from '#tests/support/world'
import { addresses, addressOf } from '../addresses.js'
import { pages } from '../routes.js'
import { addUser, forgetGuesses, PASSWORD } from '../session/tests/browser.js'
import { useProvider } from '../session/tests/oidc_provider.js'
import { lookAt } from './look_at.js'
import { Pilot } from './pilot.js'
import { pageWorld, pathFor, signedIn } from './support.js'

/*
 * Pages for everybody: people who zoom, force colours, use the keyboard alone, read another language
 * in another time zone, or sign in with OpenID Connect.
 */

/** Apps of a company, each for two platforms. */
const TEN = ['Acme Shop', 'Acme Pay', 'Driver', 'Loyalty', 'Courier Pro'].flatMap((name) => [
  name,
  name,
])

/** A screen of 1280 × 1024 at 400 %. */
const ZOOMED = { width: 320, height: 256 }

/**
 * Layout shifts, and bytes transferred: `cold` with all assets of the page, `warm` for the page alone.
 */
interface Weight {
  shifted: number
  /** Classes of what moved. */
  moved: string[]
  cold: number
  warm: number
}

const weigh = `new Promise((resolve) => {
  let shifted = 0
  const moved = []
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) {
      shifted += each.value
      for (const { node } of each.sources) moved.push(node?.className || node?.nodeName)
    }
  }).observe({ type: 'layout-shift', buffered: true })
  const sum = (type) =>
    performance.getEntriesByType(type).reduce((all, each) => all + each.encodedBodySize, 0)
  document.fonts.ready.then(() => setTimeout(() => {
    const warm = sum('navigation')
    resolve({ shifted, moved, warm, cold: warm + sum('resource') })
  }, 50))
})`

const weightOf = (page: Page) => page.evaluate(weigh) as Promise<Weight>

test.group('Pages', (group) => {
  let browser: Browser
  group.setup(async () => {
    browser = await openBrowser()
    return () => browser.close()
  })
  group.each.setup(forgetGuesses)

  test('are small, do not shift, and need no sideways scrolling at 400 %', async ({ assert }) => {
    const { world, person } = await pageWorld()
    const fixtures = new Fixtures(world)
    const paths = await Promise.all(pages.map(([address]) => pathFor(fixtures, address)))
    const pilot = await Pilot.begin(browser, { viewport: ZOOMED })
    const { page } = pilot
    const found: string[] = []
    const look = async (path: string) => {
      await pilot.open(path)
      const { shifted, moved, cold, warm } = await weightOf(page)
      const wider = await overhang(page)
      if (shifted !== 0) found.push(`${path} moves by ${shifted}: ${moved.join(', ')}`)
      if (wider > 0) found.push(`${path} is ${wider} px wider than its screen`)
      if (warm < 500 || warm > 15_000) found.push(`${path} weighs ${warm} bytes`)
      if (cold < 50_000 || cold > 100_000) found.push(`${path} weighs ${cold} bytes with all`)
    }
    await look('/sign-in')
    await pilot.be(person.browser)
    for (const path of [...paths, '/dashboard/me', '/dashboard/nothing']) await look(path)
    assert.deepEqual([...found, ...pilot.errors], [])
    await pilot.end()
  })

  test('show ten apps on one screen, below what waits for their reader', async ({ assert }) => {
    const { world, person } = await pageWorld('Acme')
    for (const [index, name] of TEN.entries()) {
      const appId = await makeApp(world, { platform: index % 2 ? 'android' : 'ios' })
      await db.from('apps').where('id', appId).update({ name })
      await world.admin.post(`/app/${appId}/regressionItem`, { title: 'Log in with a passkey' })
      const release = `/app/${appId}/release/${appId}:4.2.0`
      await world.admin.post(`/app/${appId}/release`, { version: '4.2.0', releaseName: 'Winter' })
      if (index % 3 > 0) await world.admin.put(`${release}/kickoff`)
      if (index % 3 < 2) continue
      const { body } = await world.admin.get(`${release}/checklistItems`)
      const item = `${release}/checklistItem/${body[0].id}/status`
      await world.admin.put(item, { status: 'failed' })
    }
    const pilot = await Pilot.begin(browser)
    await pilot.be(person.browser)
    await pilot.open(addressOf(addresses.home, { orgId: world.organizationId }))
    const rows = pilot.page.locator('.apps .row')
    assert.deepEqual([await rows.count(), await pilot.page.locator('.turn li').count()], [10, 3])
    const { y, height } = (await rows.last().boundingBox())!
    assert.isAtMost(y + height, pilot.page.viewportSize()!.height)
    assert.deepEqual([...(await lookAt(pilot, 'home-ten')), ...pilot.errors], [])
    await pilot.end()
  })

  test('show their rails with forced colours', async ({ assert }) => {
    const { world, person } = await pageWorld()
    const appId = await makeApp(world)
    await world.admin.post(`/app/${appId}/release`, { version: '1.4.0' })
    const pilot = await Pilot.begin(browser, { forcedColors: 'active' })
    await pilot.be(person.browser)
    await pilot.open(addressOf(addresses.home, { orgId: world.organizationId }))
    const bars = (await pilot.page.evaluate(`
      [...document.querySelectorAll('.legend .rail li')].map((bar) => {
        const style = getComputedStyle(bar)
        const drawn = bar.className === '' ? style.boxShadow
          : bar.className === 'on' ? style.backgroundImage
          : bar.className === 'off' ? style.borderTopColor : style.backgroundColor
        return [bar.className, drawn, getComputedStyle(document.body).backgroundColor]
      })`)) as [string, string, string][]
    assert.sameMembers(
      bars.map(([shape]) => shape),
      ['ok', 'on', 'no', '', 'off']
    )
    for (const [shape, drawn, ground] of bars) {
      assert.notInclude(['none', ground, 'rgba(0, 0, 0, 0)'], drawn, shape)
    }
    const looks = bars.map(([, drawn]) => drawn)
    assert.lengthOf(new Set(looks.slice(0, 3)), 3)
    await pilot.end()
  })

  test('can be used by keyboard alone, from signing in to ticking an item', async ({ assert }) => {
    const world = await makeWorld('Acme')
    const appId = await makeApp(world)
    await world.admin.post(`/app/${appId}/release`, { version: '1.4.0' })
    await world.admin.post(`/app/${appId}/regressionItem`, { title: 'Log in' })
    await world.admin.put(`/app/${appId}/release/${appId}:1.4.0/kickoff`)
    const { email } = await signedIn(world)
    const pilot = await Pilot.begin(browser)
    const { keyboard } = pilot.page
    await pilot.open('/')
    await pilot.walkTo('email')
    await keyboard.type(email)
    await pilot.walkTo('password')
    await keyboard.type(PASSWORD)
    await keyboard.press('Enter')
    await pilot.page.waitForURL(/\/dashboard\/org\//)
    await keyboard.press('j')
    await keyboard.press('Enter')
    await pilot.page.waitForURL(/\/release\//)
    const { body } = await world.admin.get(`/app/${appId}/release/${appId}:1.4.0/checklistItems`)
    await pilot.walkTo(`${body[0].id}-passed`)
    await keyboard.press('Enter')
    await pilot.page.locator('#said', { hasText: 'Passed: Log in.' }).waitFor()
    assert.deepEqual(pilot.errors, [])
    await pilot.end()
  })

  test('shows dates in the language and the place of their reader', async ({ assert }) => {
    const { world, person } = await pageWorld()
    const appId = await makeApp(world)
    const release = { version: '1.4.0', targetReleaseAt: '2031-05-06T06:00:00.000Z' }
    await world.admin.post(`/app/${appId}/release`, release)
    for (const [locale, timezoneId, reported] of [
      ['en-GB', 'Europe/Berlin', /^6 May 2031, 08:00$/],
      ['de-DE', 'Europe/Berlin', /^6\. Mai 2031,? 08:00$/],
      ['en-US', 'America/Los_Angeles', /^May 5, 2031, 11:00 PM$/],
      ['de-DE', 'America/Los_Angeles', /^5\. Mai 2031,? 23:00$/],
    ] as const) {
      const pilot = await Pilot.begin(browser, { locale, timezoneId })
      await pilot.be(person.browser)
      // The first page notes the zone of the browser, for the next.
      await pilot.open(addressOf(addresses.app, { appId }))
      await pilot.page.reload()
      const text = await pilot.page.locator('.releases time').innerText()
      assert.match(text.replace(/\s+/g, ' '), reported)
      assert.deepEqual(pilot.errors, [])
      await pilot.end()
    }
  })

  test('are reached by signing in with OpenID Connect', async ({ assert, cleanup }) => {
    const provider = await useProvider()
    cleanup(() => provider.close())
    const world = await makeWorld('Acme')
    const email = 'grace@oidc.example'
    await addUser(world, email)
    provider.whoever = { sub: 'grace', email, email_verified: true, name: 'Grace Hopper' }
    const pilot = await Pilot.begin(browser)
    const next = addressOf(addresses.turn, { orgId: world.organizationId })
    await pilot.open(next)
    await pilot.page.getByRole('link', { name: 'Sign in with Acme ID' }).click()
    await pilot.page.waitForURL((url) => url.pathname === next)
    await pilot.page.getByRole('heading', { name: 'Your turn' }).waitFor()
    const { issuer } = provider.settings
    assert.deepEqual(
      pilot.errors.filter((fault) => !fault.startsWith(`asks ${issuer}/`)),
      []
    )
    await pilot.end()
  })
})
