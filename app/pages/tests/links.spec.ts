import config from '@adonisjs/core/services/config'
import { test } from '@japa/runner'
import ICAL from 'ical.js'
import { setTalk } from '#notifications/tests/support/chat'
import { later } from '#foundation/core/clock'
import { DAY, HOUR } from '#foundation/core/durations'
import { clock } from '#foundation/core/services'
import { pageAddresses } from '#releases/page_addresses'
import { Api } from '#tests/support/api'
import { makeApp } from '#tests/support/app_fixture'
import { Fixtures } from '#tests/support/fixtures'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { addresses, addressOf, oldAddresses } from '../addresses.js'
import { pages } from '../routes.js'
import { Browser } from '../session/tests/browser.js'
import { pageWorld, signedIn, textOf } from './support.js'

/*
 * Links to pages from elsewhere: from chats, calendars and older clients.
 */

const PUBLIC_URL = 'https://tarmac.acme.example'

/** Changes the public address of the service during some work. */
async function reachedAt<Result>(url: string, run: () => Promise<Result>): Promise<Result> {
  const before = config.get('app.publicUrl')
  config.set('app.publicUrl', url)
  try {
    return await run()
  } finally {
    config.set('app.publicUrl', before)
  }
}

/** Returns the path of a URL, which has to begin with the public address of the service. */
function pathIn(url: string): string {
  if (!url.startsWith(`${PUBLIC_URL}/`)) throw new Error(url)
  return url.slice(PUBLIC_URL.length)
}

test.group('Addresses that chats and calendars lead to', () => {
  test('are addresses of pages', ({ assert }) => {
    const known = pages.map(([address]) => address)
    const { shared, ...own } = pageAddresses
    for (const address of Object.values(own)) assert.include(known, address)
    // The page for everybody is mounted apart.
    assert.equal(shared, addresses.shared)
  })
})

test.group('A message in a chat', (group) => {
  group.each.teardown(async () => void (await loadTestPlugins()))

  test('leads to the release, or to the step that all of it is about', async ({ assert }) => {
    const { world, app: appId, step, talk, pass, happen } = await setTalk(['1.0.0'])
    const posted = async () => {
      talk.posts.length = 0
      await reachedAt(PUBLIC_URL, () => pass())
      const blocks = talk.posts.flatMap(({ message }) => message.blocks ?? [])
      const links = blocks.flatMap((block) => (block.kind === 'link' ? [block.value] : []))
      for (const { label, url } of links) assert.include(talk.texts()[0], `${label}: ${url}`)
      // The next message stands alone.
      await pass(2 * HOUR)
      return links.map(({ label, url }) => [label, pathIn(url)])
    }
    const shown = { appId, releaseId: `${appId}:1.0.0` }
    const release = addressOf(pageAddresses.release, shown)
    await happen('1.0.0', 'Regression testing: passed')
    assert.deepEqual(await posted(), [['Open the release', release]])

    const { id: stepId, stepConfigId } = await step('1.0.0', 'regressionTesting')
    await happen('1.0.0', 'Log in: failed', stepConfigId)
    const stepPage = addressOf(pageAddresses.step, { ...shown, stepId })
    assert.deepEqual(await posted(), [['Open the step', stepPage]])

    const { stepConfigId: other } = await step('1.0.0', 'approvals')
    await happen('1.0.0', 'Log in: failed', stepConfigId)
    await happen('1.0.0', 'Legal agrees: approved', other)
    assert.deepEqual(await posted(), [['Open the release', release]])

    // A step that the release does not have any more.
    await happen('1.0.0', 'Gone: failed', 'nothing')
    assert.deepEqual(await posted(), [['Open the release', release]])

    const person = await signedIn(world)
    for (const path of [release, stepPage]) assert.equal((await person.get(path)).status, 200)
  })
})

test.group('A calendar', () => {
  test('leads to the page of a release, where the service has a public address', async ({
    assert,
  }) => {
    const { world, person } = await pageWorld()
    const appId = await makeApp(world)
    const targetKickoffAt = later(clock.now(), 2 * DAY)
    const release = { version: '1.0.0', targetKickoffAt }
    assert.equal((await world.admin.post(`/app/${appId}/release`, release)).status, 201)
    const feed = await world.admin.post(`/org/${world.organizationId}/calendarFeed`, { appId })
    const { pathname } = new URL(feed.body.url)
    const urls = async () => {
      const { text } = await new Api(null).get(pathname)
      return new ICAL.Component(ICAL.parse(text) as unknown[])
        .getAllSubcomponents('vevent')
        .map((event) => event.getFirstPropertyValue('url'))
    }
    assert.deepEqual(await urls(), [null])
    const [url] = await reachedAt(PUBLIC_URL, urls)
    const path = addressOf(pageAddresses.release, { appId, releaseId: `${appId}:1.0.0` })
    assert.equal(pathIn(String(url)), path)
    assert.equal((await person.get(path)).status, 200)
  })
})

test.group('An address that older clients print', () => {
  const [old] = Object.keys(oldAddresses)
  const builds = (orgId: string, appId: string) =>
    `${addressOf(old, { orgId, appId })}?bucketId=bkt_1&buildId=bld_1`

  test('303 to the bucket or build that it names, by way of signing in', async ({ assert }) => {
    const { world, person } = await pageWorld()
    const fixtures = new Fixtures(world)
    const named = await fixtures.params('/{appId}/{bucketId}/{buildDistroBuildId}')
    const { appId, bucketId, buildDistroBuildId } = named
    const all = addressOf(old, { orgId: world.organizationId, appId })
    const path = `${all}?bucketId=${bucketId}&buildId=${buildDistroBuildId}`
    for (const [from, to] of [
      [all, addresses.buckets],
      [`${all}?bucketId=${bucketId}`, addresses.bucket],
      [path, addresses.testerBuild],
    ]) {
      const { status, location } = await person.get(from)
      assert.deepEqual([status, location], [303, addressOf(to, named)])
      assert.equal((await person.get(location!)).status, 200)
    }

    const visitor = await new Browser().get(path)
    const next = new URLSearchParams({ next: path })
    assert.deepEqual([visitor.status, visitor.location], [303, `/sign-in?${next}`])
    // Whoever has signed in is led on to where they wanted to go.
    const led = await person.get(visitor.location!)
    assert.deepEqual([led.status, led.location], [303, path])
  })

  test('404 for another organization, for its apps, and for unknown ones', async ({ assert }) => {
    const [own, other] = [await pageWorld('Acme'), await pageWorld('Zebra')]
    const appId = await makeApp(own.world)
    const foreign = await makeApp(other.world)
    for (const path of [
      builds(other.world.organizationId, foreign),
      builds(other.world.organizationId, appId),
      builds(own.world.organizationId, foreign),
      builds(own.world.organizationId, 'nothing'),
      builds('nothing', appId),
      builds(own.world.organizationId, '\0'),
    ]) {
      const { status, text, location } = await own.person.get(path)
      assert.deepEqual([status, location], [404, null], path)
      assert.include(textOf(text), 'There is nothing here', path)
      assert.notInclude(text, 'Zebra', path)
    }
  })
})
