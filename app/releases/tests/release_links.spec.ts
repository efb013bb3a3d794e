import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import fc from 'fast-check'
import { earlier, later } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { clock } from '#foundation/core/services'
import { endOfLinks } from '../links/release_links.js'
import { SHARED_MOVES } from '../links/link_entities.js'
import { nextOf } from '../links/shared_release.js'
import { Api } from '#tests/support/api'
import { makeTrain } from './helpers/release_world.js'

const V = '1.0.0'
const anyone = new Api(null)
const ago = (days: number) => earlier(clock.now(), days * DAY)
const tokenOf = (url: string) => new URL(url).pathname.split('/').at(-1)!
const shared = (url: string) => anyone.get(`/sharedRelease/${tokenOf(url)}`)

async function linked() {
  const train = await makeTrain([V])
  const links = `${train.path(V)}/link`
  const made = await train.admin.post(links)
  if (made.status !== 201) throw new Error(made.text)
  return { ...train, links, made, link: made.body }
}

test.group('POST /app/{appId}/release/{releaseId}/link', () => {
  test('201 creates an address that everybody who can read the release may look up', async ({
    assert,
  }) => {
    const { admin, links, made, link, world, timeline } = await linked()
    assert.match(new URL(link.url).pathname, /^\/shared\/[\w-]{42}$/)
    assert.isNull(link.expiresAt)
    const shown = await (await world.keyed()).get(made.headers.location)
    assert.deepEqual(shown.body, link)
    assert.equal(made.headers.etag, shown.headers.etag)
    assert.deepEqual((await admin.get(links)).body, [link])
    const row = await db.from('release_links').where('id', link.id).firstOrFail()
    assert.notInclude(JSON.stringify(row), tokenOf(link.url).slice(20))
    const [entry] = await timeline(V, '?type=release.linkMade')
    assert.deepEqual(entry.actor, link.createdBy)
    assert.deepEqual(entry.data, { releaseLinkId: link.id })
    assert.notInclude(JSON.stringify(entry), tokenOf(link.url))
  })

  test('403 without EditRelease, 404 for a release of another organization', async ({ assert }) => {
    const { world, links } = await linked()
    assert.equal((await (await world.keyed()).post(links)).status, 403)
    const other = await makeTrain([V])
    assert.equal((await other.admin.post(links)).status, 404)
    assert.equal((await other.admin.get(links)).status, 404)
    assert.lengthOf((await world.admin.get(links)).body, 1)
  })

  test('409 if a link would have ended already, or if there are too many', async ({ assert }) => {
    const { admin, app, links, path } = await linked()
    for (let made = 1; made < 20; made++) await admin.post(links)
    assert.equal((await admin.post(links)).body.code, 'too_many_links')
    await admin.put(`${path(V)}/kickoff`)
    await admin.put(`${path(V)}/complete`)
    const release = db.from('releases').where({ app_id: app, version: V })
    await release.update({ completed_at: ago(31) })
    const { status, body } = await admin.post(links)
    assert.deepEqual([status, body.code], [409, 'release_completed'])
  })
})

test.group('DELETE /app/{appId}/release/{releaseId}/link/{releaseLinkId}', () => {
  test('204 revokes the address, and the timeline names the actor', async ({ assert }) => {
    const { admin, world, links, link, made, timeline } = await linked()
    const path = `${links}/${link.id}`
    assert.equal((await (await world.keyed()).delete(path)).status, 403)
    const stale = await admin.delete(path, undefined, { headers: { 'if-match': '"other"' } })
    assert.equal(stale.status, 412)
    assert.equal((await shared(link.url)).status, 200)
    const headers = { 'if-match': made.headers.etag }
    const { status } = await admin.delete(path, undefined, { headers })
    assert.equal(status, 204)
    assert.equal((await admin.delete(path)).status, 404)
    assert.equal((await shared(link.url)).status, 404)
    const [entry] = await timeline(V, '?type=release.linkRevoked')
    assert.deepEqual(entry.data, { releaseLinkId: link.id })
    assert.exists(entry.actor.name)
  })

  test('404 for a link of another release', async ({ assert }) => {
    const { admin, path, app, link } = await linked()
    await admin.post(`/app/${app}/release`, { version: '1.1.0' })
    assert.equal((await admin.delete(`${path('1.1.0')}/link/${link.id}`)).status, 404)
    assert.equal((await admin.get(`${path('1.1.0')}/link/${link.id}`)).status, 404)
    assert.equal((await shared(link.url)).status, 200)
  })
})

test.group('GET /sharedRelease/{sharedToken}', () => {
  test('200 shows app, version, phase, rollout and next date, and must not be cached', async ({
    assert,
  }) => {
    const { admin, app, path, link } = await linked()
    const targetReleaseAt = later(clock.now(), DAY)
    await admin.put(path(V), { targetReleaseAt })
    const { status, body, headers } = await shared(link.url)
    assert.equal(status, 200)
    assert.deepEqual(body, {
      appName: (await admin.get(`/app/${app}`)).body.name,
      platform: 'ios',
      version: V,
      phase: 'upcoming',
      rollout: null,
      next: { what: 'release', at: targetReleaseAt },
    })
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['x-robots-tag'], 'noindex')
    assert.notProperty(headers, 'etag')
  })

  test('a change of version keeps the address', async ({ assert }) => {
    const { admin, path, link } = await linked()
    await admin.put(path(V), { version: '1.0.1' })
    assert.equal((await shared(link.url)).body.version, '1.0.1')
  })

  test('404 with the same answer for unknown, revoked, ended and deleted links', async ({
    assert,
  }) => {
    const [revoked, ended, skipped, deleted] = await Promise.all([1, 2, 3, 4].map(linked))
    await revoked.admin.delete(`${revoked.links}/${revoked.link.id}`)
    for (const [given, over] of [
      [ended, { status: 'completed', completed_at: ago(30) }],
      [skipped, { status: 'skipped', skipped_at: ago(30) }],
    ] as const) {
      await db.from('releases').where({ app_id: given.app, version: V }).update(over)
    }
    await deleted.admin.delete(deleted.path(V))
    const [token] = [tokenOf((await linked()).link.url)]
    const forged = token.slice(0, 41) + (token.endsWith('A') ? 'B' : 'A')
    const urls = [revoked, ended, skipped, deleted].map(({ link }) => link.url)
    const responses = await Promise.all([
      ...urls.map(shared),
      ...[forged, 'x', '0'.repeat(42)].map((each) => anyone.get(`/sharedRelease/${each}`)),
    ])
    const [first, ...others] = responses.map(({ status, body, headers }) => {
      const { requestId, instance, ...rest } = body
      assert.include(instance, requestId)
      return { status, rest, cache: headers['cache-control'], type: headers['content-type'] }
    })
    assert.equal(first.status, 404)
    for (const each of others) assert.deepEqual(each, first)
  })
})

test.group('Links of releases', () => {
  const at = '2026-11-01T00:00:00.000Z'

  test('end 30 days after the end of the release', ({ assert }) => {
    const ends = { status: 'active', completedAt: null, skippedAt: null, createdAt: at } as const
    assert.isNull(endOfLinks(ends))
    const end = '2026-12-01T00:00:00.000Z'
    assert.equal(endOfLinks({ ...ends, status: 'completed', completedAt: at }), end)
    assert.equal(endOfLinks({ ...ends, status: 'completed' }), end)
    assert.equal(endOfLinks({ ...ends, status: 'skipped', skippedAt: at }), end)
  })

  test('show the next move that everybody may see, without its message', ({ assert }) => {
    const kinds = ['kickoff', 'targetSubmit', 'storeRelease', 'rolloutStage']
    const move = fc.record({
      at: fc.integer({ min: -9, max: 9 }).map((days) => later(at, days * DAY)),
      what: fc.constantFrom(...kinds, 'storeCall', 'releaseReminder', 'credentialsEnd', 'toString'),
      message: fc.constant('as Ada decided'),
      percentage: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
    })
    fc.assert(
      fc.property(fc.array(move), (moves) => {
        const next = moves.toSorted((one, other) => (one.at < other.at ? -1 : 1))
        const shown = nextOf(next, at)
        const [first] = next.filter((each) => each.at > at && kinds.includes(each.what))
        assert.equal(shown?.at, first?.at)
        assert.equal(shown?.percentage, first?.percentage)
        if (shown) assert.include(SHARED_MOVES, shown.what)
        assert.notInclude(JSON.stringify(shown), 'Ada')
      })
    )
  })
})
