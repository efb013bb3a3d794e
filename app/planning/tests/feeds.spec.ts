import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import ICAL from 'ical.js'
import { later } from '#foundation/core/clock'
import { Api } from '#tests/support/api'
import { makeUser } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'
import { DAY, makePlanned, pass, setStage } from './support.js'

const anyone = new Api(null)
const pathOf = (url: string) => new URL(url).pathname

const CADENCE = {
  intervalWeeks: 2,
  timezone: 'Europe/Berlin',
  draftWeeksAhead: 1,
  targets: [{ kickoff: { dayOffset: 0, time: '10:00' } }],
}

async function makeFeed(
  train: Pick<Awaited<ReturnType<typeof makePlanned>>, 'world' | 'admin'>,
  body: object
) {
  const response = await train.admin.post(`/org/${train.world.organizationId}/calendarFeed`, body)
  if (response.status !== 201) throw new Error(response.text)
  return response
}

/** Summaries and states of the events of a calendar, by id. */
async function eventsAt(path: string) {
  const { text } = await anyone.get(path)
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[])
  return calendar.getAllSubcomponents('vevent').map((event) => ({
    uid: String(event.getFirstPropertyValue('uid')),
    summary: String(event.getFirstPropertyValue('summary')),
    status: String(event.getFirstPropertyValue('status')),
  }))
}

test.group('POST /org/{orgId}/calendarFeed', () => {
  test('201 shows the address once, and stores only its hash', async ({ assert }) => {
    const train = await makePlanned()
    const { headers, body } = await makeFeed(train, { appId: train.app })
    const { url, ...reported } = body
    assert.match(pathOf(url), /^\/calendars\/[0-9A-Za-z]{40}\.ics$/)
    const shown = await train.admin.get(headers.location)
    assert.deepEqual(shown.body, reported)
    assert.equal(headers.etag, shown.headers.etag)
    const list = await train.admin.get(`/org/${train.world.organizationId}/calendarFeed`)
    assert.deepEqual(list.body, [reported])
    const row = await db.from('calendar_feeds').where('id', reported.id).firstOrFail()
    const token = pathOf(url).slice(11, -4)
    assert.notInclude(JSON.stringify(row), token)
  })

  test('403 without the action, and to keys that do not see the apps', async ({ assert }) => {
    const { world, app } = await makePlanned()
    const other = await makePlanned()
    const path = `/org/${world.organizationId}/calendarFeed`
    const user = await makeUser(world, 'ada@acme.example')
    const reader = await world.keyed()
    assert.equal((await reader.post(path, { appId: app })).status, 403)
    const limited = await world.keyed({ groups: ['Release Pilots'], appIds: [app] })
    assert.equal((await limited.post(path, { userId: user })).body.code, 'app_scope_missing')
    assert.equal((await limited.post(path, { appId: app })).status, 201)
    assert.equal((await other.admin.post(path, { appId: app })).status, 404)
  })

  test('422 for an unknown app or user', async ({ assert }) => {
    const { world, admin, app } = await makePlanned()
    const other = await makePlanned()
    const path = `/org/${world.organizationId}/calendarFeed`
    for (const [body, pointer] of [
      [{ appId: other.app }, '/appId'],
      [{ appId: '' }, '/appId'],
      [{ appId: app, userId: 'nobody@acme.example' }, '/userId'],
    ] as const) {
      const response = await admin.post(path, body)
      assert.equal(response.status, 422)
      assert.equal(response.body.errors[0].pointer, pointer)
    }
    assert.deepEqual((await admin.get(path)).body, [])
  })
})

test.group('GET /calendars/{calendarToken}', () => {
  test('200 shows an app to whoever has the address; 304 while nothing changed', async ({
    assert,
  }) => {
    const stage = await setStage()
    const train = await makePlanned(['1.0.0'])
    const path = pathOf((await makeFeed(train, { appId: train.app })).body.url)
    const now = stage.clock.now()
    await train.target('1.0.0', { targetKickoffAt: later(now, DAY) })
    await train.freeze([
      { name: 'Fair, and more', startAt: now, endAt: later(now, DAY), phases: ['kickoff'] },
    ])
    const { status, headers } = await anyone.get(path)
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/calendar; charset=utf-8')
    const names = (await eventsAt(path)).map(({ summary }) => summary)
    assert.lengthOf(names, 2)
    assert.match(names[0], / 1\.0\.0: kickoff$/)
    assert.match(names[1], /: freeze Fair, and more \(kickoff\)$/)
    const ifNoneMatch = { headers: { 'if-none-match': headers.etag } }
    assert.equal((await anyone.get(path, ifNoneMatch)).status, 304)
    assert.equal((await anyone.get(path.replace('.ics', ''), ifNoneMatch)).status, 304)
    await train.target('1.0.0', { targetKickoffAt: later(now, 2 * DAY) })
    assert.equal((await anyone.get(path, ifNoneMatch)).status, 200)
  })

  test('a train keeps its event when it is drafted', async ({ assert }) => {
    const stage = await setStage()
    const train = await makePlanned()
    const startDate = later(stage.clock.now(), 10 * DAY).slice(0, 10)
    await train.admin.put(train.at('scheduleCadence'), { ...CADENCE, startDate })
    const path = pathOf((await makeFeed(train, { appId: train.app })).body.url)
    const [before] = await eventsAt(path)
    assert.equal(before.status, 'TENTATIVE')
    await pass(stage, 4 * DAY)
    const [after, next] = await eventsAt(path)
    assert.deepEqual([after.uid, after.status], [before.uid, 'CONFIRMED'])
    assert.equal(next.status, 'TENTATIVE')
  })

  test('a calendar of a pilot shows their releases in all apps', async ({ assert }) => {
    const stage = await setStage()
    const train = await makePlanned(['1.0.0', '1.1.0'])
    const { world, admin } = train
    await makeUser(world, 'ada@acme.example', ['Release Pilots'])
    const at = later(stage.clock.now(), DAY)
    await train.target('1.0.0', { targetKickoffAt: at, releasePilotId: 'ada@acme.example' })
    await train.target('1.1.0', { targetKickoffAt: at })
    const yaml = {
      raw: 'name: Second\nplatform: android',
      headers: { 'content-type': 'application/yaml' },
    }
    const second = (await admin.post('/app/config', undefined, yaml)).body.id
    const startDate = later(stage.clock.now(), 10 * DAY).slice(0, 10)
    const cadence = { ...CADENCE, intervalWeeks: 26, startDate }
    await admin.put(`/app/${second}/scheduleCadence`, cadence)
    const path = pathOf((await makeFeed(train, { userId: 'ada@acme.example' })).body.url)
    const events = await eventsAt(path)
    const ofFirst = events.filter(({ summary }) => !summary.startsWith('Second'))
    assert.lengthOf(ofFirst, 1)
    assert.match(ofFirst[0].summary, / 1\.0\.0: kickoff$/)
    assert.isAbove(events.length, 1)
    const all = await eventsAt(pathOf((await makeFeed(train, {})).body.url))
    assert.lengthOf(all, events.length + 1)
    const both = { appId: train.app, userId: 'ada@acme.example' }
    assert.deepEqual(await eventsAt(pathOf((await makeFeed(train, both)).body.url)), ofFirst)
  })

  test('404 while the pilot whose releases it shows is deactivated', async ({ assert }) => {
    const train = await makePlanned()
    const { organizationId } = train.world
    const pilot = await makeUser(train.world, 'ada@acme.example')
    const { body } = await makeFeed(train, { userId: pilot })
    const status = async () => (await anyone.get(pathOf(body.url))).status
    assert.equal(await status(), 200)
    await train.admin.put(`/org/${organizationId}/user/${pilot}/deactivate`)
    assert.equal(await status(), 404)
    const path = `/app/${train.app}/release`
    const made = await train.admin.post(path, { version: '9.0.0', releasePilotId: pilot })
    assert.equal(made.body.errors[0].pointer, '/releasePilotId')
    await train.admin.put(`/org/${organizationId}/user/${pilot}/activate`)
    assert.equal(await status(), 200)
  })

  test('404 once it is revoked or its app is deleted, and for an unknown address', async ({
    assert,
  }) => {
    const train = await makePlanned()
    const stranger = await makeWorld()
    const feed = await makeFeed(train, { appId: train.app })
    const path = pathOf(feed.body.url)
    const location = feed.headers.location
    assert.equal((await stranger.admin.delete(location)).status, 404)
    assert.equal((await anyone.get(path)).status, 200)
    const reader = await train.world.keyed()
    assert.equal((await reader.delete(location)).status, 403)
    assert.equal((await train.admin.delete(location)).status, 204)
    assert.equal((await train.admin.delete(location)).status, 404)
    const gone = await makeFeed(train, { appId: train.app })
    await train.admin.delete(`/app/${train.app}/app/config`)
    for (const each of [
      path,
      pathOf(gone.body.url),
      '/calendars/x.ics',
      `/calendars/${'a'.repeat(40)}`,
    ]) {
      const response = await anyone.get(each)
      assert.equal(response.status, 404, each)
    }
  })
})
