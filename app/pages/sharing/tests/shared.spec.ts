import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { earlier, later } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { clock } from '#foundation/core/services'
import { UpdateOrganization } from '#organizations/actions/update_organization'
import { guarded } from '#rollouts/tests/guarded'
import { tidy } from '#stores/tests/support'
import { makeWorld } from '#tests/support/world'
import { makeApp, makeUser } from '#tests/support/app_fixture'
import { exampleReader } from '../../tests/example_reader.js'
import { hiddenIn, pageWorld, signedIn, textOf } from '../../tests/support.js'
import { Browser } from '../../session/tests/browser.js'
import { linksView } from '../links.view.js'
import { sharedView } from '../shared.view.js'
import { exampleLink, exampleShared } from '#releases/links/link_entities'

const stranger = new Browser({ 'accept-language': 'en' })

/** Returns all texts in a value, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return value && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []
}

async function withRelease() {
  const { world, person } = await pageWorld()
  const app = await makeApp(world)
  await world.admin.post(`/app/${app}/release`, { version: '1.0.0' })
  const release = `/app/${app}/release/${app}:1.0.0`
  const links = `/dashboard/app/${app}/release/${app}:1.0.0/link`
  return { world, person, app, release, links }
}

const linkIn = (text: string) => /http[^"]*(\/shared\/[\w-]+)/.exec(text)?.[1]

test.group('The page of the links of a release', () => {
  test('says when each link ends or has ended', ({ assert }) => {
    const now = exampleReader.now
    const ends = [null, later(now, 3 * DAY), earlier(now, DAY)].map((expiresAt) => {
      const answers = { app: {}, release: {}, links: [{ ...exampleLink, expiresAt }] } as never
      const { rows } = linksView(answers, { reader: exampleReader, params: {} })
      return rows[0].ends
    })
    assert.equal(ends[0], 'It ends 30 days after the release is over.')
    assert.match(ends[1], /^It ends \S.+\d\d:\d\d\.$/)
    assert.match(ends[2], /^It ended \S.+\d\d:\d\d\.$/)
  })
})

test.group('The page of a release for everybody', (group) => {
  group.each.teardown(tidy)

  test('shows nothing but app, version, phase, rollout and the next date', async ({ assert }) => {
    const given = await guarded()
    const { admin, world, appId, path, crash, turns } = given
    const pilot = await makeUser(world, 'grace.hopper@acme.example')
    const marked = {
      releaseName: 'MARK of the title',
      releaseDescription: 'MARK of the description',
      releasePilotId: pilot,
      targetReleaseAt: later(clock.now(), 9 * DAY),
    }
    await admin.put(path, marked)
    await admin.put(`${path}/metadata`, {
      entries: [{ key: 'MARKkey', value: 'MARK of metadata' }],
    })
    await admin.post(`/app/${appId}/checklistItem`, {
      title: 'MARK of an item',
      stepType: 'submission',
    })
    await db
      .from('releases')
      .where({ app_id: appId, version: '1.4.0' })
      .update({
        release_branch: 'release/MARK',
        tag: JSON.stringify({
          ...{ name: 'vMARK', commitHash: '9c1f4b7e2a8d5063f7b2c9e1d4a6805b3c7f2e91' },
          ...{ version: '1.4.0', createdAt: clock.now(), url: 'https://code.example/MARK' },
        }),
      })
    crash()
    await turns(3)
    const { body: link } = await admin.post(`${path}/link`)
    const address = new URL(link.url).pathname
    const { status, text } = await stranger.get(address)
    assert.equal(status, 200)
    const { name } = (await admin.get(`/app/${appId}`)).body
    const shown = textOf(text)
    for (const each of [name, '1.4.0', '10 %', 'Next']) assert.include(shown, each)

    const known = await Promise.all(
      [
        `/v2/app/${appId}/releases/${appId}:1.4.0`,
        `${path}/timelineEvents?limit=200`,
        `${path}/evidence`,
        `${path}/rollout`,
        `${path}/whyNotMoving`,
        `${path}/metadata`,
        `/app/${appId}/triageIssue`,
        `/org/${world.organizationId}`,
      ].map((each) => admin.get(each))
    )
    const corpus = new Set(known.flatMap(({ body }) => textsIn(body)))
    assert.isAbove(corpus.size, 150)
    // The corpus has the marked texts, a person, and the reason of a guard.
    const all = [...corpus].join('\n')
    for (const each of ['MARK of the title', 'MARK of metadata', 'grace.hopper', 'crash']) {
      assert.include(all, each)
    }
    const texts = new Set([name, '1.4.0', 'Android', 'android'])
    const leaked = [...corpus].filter(
      (each) =>
        each.length > 3 &&
        !texts.has(each) &&
        !name.includes(each) &&
        (shown.includes(each) || text.includes(`"${each}"`))
    )
    assert.deepEqual(leaked, [])
    for (const each of ['MARK', 'grace', 'Hopper', world.organizationId, '9c1f4b7']) {
      assert.notInclude(text, each)
    }
  }).timeout(60_000)

  test('is not cached, runs no script, begins no session, and names no other host', async ({
    assert,
  }) => {
    const { world, release } = await withRelease()
    const { body } = await world.admin.post(`${release}/link`)
    const address = new URL(body.url).pathname
    const { headers, text } = await stranger.get(address, { 'if-none-match': '*' })
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('x-robots-tag'), 'noindex')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.isNull(headers.get('etag'))
    assert.isNull(headers.get('set-cookie'))
    assert.include(headers.get('content-security-policy')!, "default-src 'none'")
    assert.notInclude(headers.get('content-security-policy')!, 'script-src')
    assert.notInclude(text, '<script')
    assert.notInclude(text, ' style=')
    assert.include(text, '<meta name="robots" content="noindex" />')
    for (const [, href] of text.matchAll(/(?:href|src)="([^"]+)"/g))
      assert.match(href, /^\/assets\//)
    const head = await fetch(`http://${process.env.HOST}:${process.env.PORT}${address}`, {
      method: 'HEAD',
      headers: { 'accept-language': 'en' },
    })
    assert.equal(head.status, 200)
    assert.equal(await head.text(), '')
    assert.equal(head.headers.get('cache-control'), 'no-store')
  })

  test('404 is the same for revoked, ended and unknown links', async ({ assert }) => {
    const { world, release, app } = await withRelease()
    const { body: revoked } = await world.admin.post(`${release}/link`)
    await world.admin.delete(`${release}/link/${revoked.id}`)
    const { body: ended } = await world.admin.post(`${release}/link`)
    const over = { status: 'completed', completed_at: earlier(clock.now(), 30 * DAY) }
    await db.from('releases').where({ app_id: app }).update(over)
    const pages = await Promise.all(
      [revoked.url, ended.url, '/shared/x', `/shared/${'0'.repeat(42)}`].map((url) =>
        stranger.get(url.replace(/^http:\/\/[^/]+/, ''))
      )
    )
    for (const { status, text, headers } of pages) {
      assert.equal(status, 404)
      assert.equal(text, pages[0].text)
      assert.equal(headers.get('cache-control'), 'no-store')
    }
    assert.include(textOf(pages[0].text), 'There is nothing here')
  })

  test('shows phases and moves in words', ({ assert }) => {
    const reader = { zone: 'UTC', locale: 'en', now: '2026-11-26T09:00:00.000Z' }
    const of = (more: object) => sharedView({ ...exampleShared, ...more }, reader)
    assert.containsSubset(of({}), {
      title: '4.2.0 · Acme for iOS',
      phase: { word: 'Rolling out' },
      rollout: { text: '20\u00a0%' },
      next: { text: 'It goes to 50\u00a0% of users', time: { text: 'Tomorrow 09:00' } },
    })
    const halted = { rollout: { state: 'halted', percentage: 20 }, next: null }
    assert.containsSubset(of(halted), {
      phase: { word: 'Halted' },
      next: null,
      none: 'What comes next has no date.',
    })
    assert.equal(of({ phase: 'released', next: null }).none, 'Nothing more is planned.')
    const kickoff = { what: 'kickoff', at: '2026-12-26T09:00:00.000Z' }
    assert.equal(of({ next: kickoff }).next!.text, 'Work on it begins')
  })
})

test.group('The links of a release on its page', () => {
  test('are made and revoked by those who may edit the release', async ({ assert }) => {
    const { world, person, app, release, links } = await withRelease()
    const page = await person.get(links.replace(/\/link$/, ''))
    assert.include(page.text, `href="${links.replace(`${app}:`, `${app}%3A`)}"`)
    const empty = await person.get(links)
    assert.include(textOf(empty.text), 'There is no link.')
    assert.include(empty.headers.get('cache-control')!, 'no-store')
    const key = hiddenIn(empty.text, '_key')
    const made = await person.post(links, { _key: key })
    assert.equal(made.status, 303)
    // Sending the form twice makes one link.
    await person.post(links, { _key: key })
    const [link, ...others] = (await world.admin.get(`${release}/link`)).body
    assert.lengthOf(others, 0)
    assert.equal(link.createdBy.id, person.userId)
    const listed = await person.get(links)
    assert.include(textOf(listed.text), 'Created the link.')
    assert.equal(linkIn(listed.text), new URL(link.url).pathname)
    assert.equal((await stranger.get(linkIn(listed.text)!)).status, 200)
    const question = `${links}/${link.id}/revoke`
    assert.include(textOf((await person.get(question)).text), 'Ada Lovelace created it')
    const tag = hiddenIn((await person.get(question)).text, '_tag')
    const done = await person.post(question, { _tag: tag.replaceAll('&quot;', '"') })
    assert.equal(done.status, 303)
    assert.equal((await stranger.get(new URL(link.url).pathname)).status, 404)
    const { body } = await world.admin.get(`${release}/timelineEvents?type=release.linkRevoked`)
    assert.equal(body.data[0].actor.id, person.userId)
  })

  test('are not offered to others, who are refused', async ({ assert }) => {
    const { world, links } = await withRelease()
    await world.write((scope) =>
      new UpdateOrganization(scope).handle({ roleBasedAccessEnabled: true })
    )
    const reader = await signedIn(world, { admin: false })
    assert.notInclude((await reader.get(links.replace(/\/link$/, ''))).text, '/link"')
    const shown = await reader.get(links)
    assert.notInclude(shown.text, 'Create a link')
    assert.equal((await reader.post(links)).status, 403)
    const other = await signedIn(await makeWorld())
    assert.equal((await other.get(links)).status, 404)
  })
})
