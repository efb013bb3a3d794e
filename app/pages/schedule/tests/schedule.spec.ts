import { test } from '@japa/runner'
import { DAY } from '#foundation/core/durations'
import { makeApp } from '#tests/support/app_fixture'
import { attributes, hiddenIn, pageWorld, textOf } from '../../tests/support.js'

const day = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)

/** The fields of a cadence in its form. */
const CADENCE = {
  enabled: 'true',
  skipFrozenDates: 'true',
  intervalWeeks: '2',
  timezone: 'UTC',
  draftWeeksAhead: '1',
  kickoffDay: '0',
  kickoffTime: '10:00',
  submitDay: '3',
  submitTime: '09:30',
}

async function given() {
  const { world, person } = await pageWorld()
  const appId = await makeApp(world)
  const base = `/dashboard/app/${appId}`
  const path = `${base}/releaseSchedule`
  const { text } = await person.get(path)
  const api = async (name: string) => (await world.admin.get(`/app/${appId}/${name}`)).body
  return { world, person, appId, base, path, page: text, api }
}

const tagIn = (page: string) => hiddenIn(page, '_tag')

/** Returns the kickoffs in the list. */
const kickoffsIn = (page: string) =>
  [...page.matchAll(/Kickoff\s*<time datetime="([^"]+)"/g)].map(([, at]) => at)

test.group('The schedule of an app', () => {
  test('200 says that there is no cadence; 303 sets one, and trains appear', async ({ assert }) => {
    const { person, base, path, page, api } = await given()
    assert.include(textOf(page), 'No cadence is set')
    const fields = { ...CADENCE, startDate: day(14), _tag: tagIn(page) }
    const set = await person.post(`${base}/scheduleCadence`, fields)
    assert.deepEqual([set.status, set.location], [303, path], textOf(set.text))
    const { text } = await person.get(path)
    assert.include(textOf(text), 'The cadence was set.')
    assert.containsSubset(await api('scheduleCadence'), {
      ...{ enabled: true, paused: false, intervalWeeks: 2, startDate: day(14) },
      ...{ skipFrozenDates: true, draftWeeksAhead: 1 },
      targets: [
        {
          kickoff: { dayOffset: 0, time: '10:00' },
          submit: { dayOffset: 3, time: '09:30' },
          release: null,
        },
      ],
    })
    const kickoffs = kickoffsIn(text)
    assert.equal(kickoffs[0], `${day(14)}T10:00:00.000Z`)
    assert.isAtLeast(kickoffs.length, 4)
    assert.include(text, `kickoff`)
    assert.match(text, /<title id="schedule-chart">Twelve weeks: 1\.0\.0 kickoff /)
  })

  test('200 previews the effect on drafts, and sets nothing', async ({ assert }) => {
    const { person, base, page, path, api } = await given()
    const fields = { ...CADENCE, startDate: day(3), draftWeeksAhead: '8' }
    await person.post(`${base}/scheduleCadence`, { ...fields, _tag: tagIn(page) })
    const before = await api('scheduleCadence')
    const { text } = await person.get(path)
    const preview = await person.post(`${base}/scheduleCadence/preview`, {
      ...{ ...fields, startDate: day(5), _tag: tagIn(text) },
    })
    assert.equal(preview.status, 200)
    assert.include(textOf(preview.text), 'What happens to drafts')
    assert.include(textOf(preview.text), 'Preview of the cadence below')
    assert.equal(kickoffsIn(preview.text)[0], `${day(5)}T10:00:00.000Z`)
    assert.include(textOf(preview.text), 'Nothing is set yet.')
    assert.include(preview.text, `value="${day(5)}"`)
    assert.deepEqual(await api('scheduleCadence'), before)
  })

  test('422 links to the field, 412 reports somebody else’s change; both keep the input', async ({
    assert,
  }) => {
    const { world, person, appId, base, page } = await given()
    const wrong = { ...CADENCE, startDate: day(7), submitTime: '', timezone: 'Moon' }
    const refused = await person.post(`${base}/scheduleCadence`, { ...wrong, _tag: tagIn(page) })
    assert.equal(refused.status, 422)
    assert.include(attributes(refused.text, 'href'), '#submitTime')
    assert.include(attributes(refused.text, 'href'), '#timezone')
    assert.include(refused.text, 'value="Moon"')
    const emptied = { startDate: '', timezone: '', intervalWeeks: '', draftWeeksAhead: '' }
    const empty = { ...CADENCE, ...emptied, _tag: tagIn(page) }
    const none = await person.post(`${base}/scheduleCadence`, empty)
    assert.equal(none.status, 422)
    assert.includeMembers(
      attributes(none.text, 'href'),
      Object.keys(emptied).map((name) => `#${name}`)
    )
    const targets = [{ kickoff: { dayOffset: 0, time: '10:00' } }]
    await world.admin.put(`/app/${appId}/scheduleCadence`, { startDate: day(7), targets })
    const mended = { ...CADENCE, startDate: day(9), _tag: tagIn(refused.text) }
    const late = await person.post(`${base}/scheduleCadence`, mended)
    assert.equal(late.status, 412)
    assert.include(
      textOf(late.text),
      'Somebody changed this in the meantime. Your text is kept below.'
    )
    assert.include(late.text, `value="${day(9)}"`)
    const again = await person.post(`${base}/scheduleCadence`, {
      ...{ ...mended, _tag: tagIn(late.text) },
    })
    assert.equal(again.status, 303)
  })

  test('303 adds a freeze, which removes a train, and ends it', async ({ assert }) => {
    const { world, person, appId, base, path, page, api } = await given()
    const cadence = { ...CADENCE, startDate: day(14), _tag: tagIn(page) }
    await person.post(`${base}/scheduleCadence`, cadence)
    const before = kickoffsIn((await person.get(path)).text)
    const freeze = {
      ...{ name: 'Holidays & more', phases: ['kickoff', 'submit'] },
      ...{ startAt: `${day(13)}T00:00`, endAt: `${day(20)}T00:00` },
    }
    const added = await person.post(`${base}/lifecycleFreezes`, freeze)
    assert.equal(added.status, 303, textOf(added.text))
    const [made] = await api('lifecycleFreezes')
    assert.containsSubset(made, { name: 'Holidays & more', phases: ['kickoff', 'submit'] })
    const { text } = await person.get(path)
    assert.include(textOf(text), 'Frozen: Holidays & more.')
    assert.deepEqual(kickoffsIn(text), before.slice(1))
    assert.match(text, /; frozen: Holidays &amp; more /)
    // A second freeze leaves the first as it is; a release with a date in both says so.
    await person.post(`${base}/lifecycleFreezes`, {
      ...freeze,
      name: 'Now',
      startAt: `${day(-1)}T00:00`,
    })
    await world.admin.post(`/app/${appId}/release`, {
      ...{ version: '9.0.0', targetKickoffAt: `${day(15)}T10:00:00.000Z` },
    })
    assert.match(
      textOf((await person.get(path)).text),
      /9\.0\.0 \w+ A date falls into Now and Holidays & more/
    )
    const all = await api('lifecycleFreezes')
    const [running] = all
    assert.equal(running.name, 'Now')
    assert.equal(all[1].id, made.id)
    const ended = await person.post(`${base}/lifecycleFreezes/${running.id}/end`)
    assert.equal(ended.status, 303)
    const removed = await person.post(`${base}/lifecycleFreezes/${made.id}/end`)
    assert.equal(removed.status, 303)
    const left = await api('lifecycleFreezes')
    assert.deepEqual(
      left.map(({ name, active }: { name: string; active: boolean }) => [name, active]),
      [['Now', false]]
    )
    assert.isBelow(Date.parse(left[0].endAt), Date.now() + DAY)
    // Ending it again changes nothing.
    await person.post(`${base}/lifecycleFreezes/${running.id}/end`)
    assert.deepEqual(await api('lifecycleFreezes'), left)
    const gone = await person.post(`${base}/lifecycleFreezes/${made.id}/end`)
    assert.equal(gone.status, 404)
    assert.lengthOf(textOf(gone.text).match(/Not found/g)!, 1)
  })

  test('422 for a freeze without a name, or that ends before it begins', async ({ assert }) => {
    const { person, base, api } = await given()
    const refused = await person.post(`${base}/lifecycleFreezes`, {
      ...{ name: '', phases: 'release' },
      ...{ startAt: `${day(9)}T00:00`, endAt: `${day(8)}T00:00` },
    })
    assert.equal(refused.status, 422)
    const links = attributes(refused.text, 'href')
    assert.includeMembers(links, ['#name', '#endAt'])
    const emptied = { name: 'x', phases: 'release', startAt: '', endAt: `${day(8)}T00:00` }
    const { text } = await person.post(`${base}/lifecycleFreezes`, emptied)
    // Once in the list at the top, and once beside the field.
    assert.lengthOf(textOf(text).match(/it must be a date and a time/gi)!, 2)
    assert.include(textOf(text), 'From: it must be a date and a time')
    assert.notInclude(textOf(text), 'startAt field')
    assert.include(refused.text, `value="${day(9)}T00:00"`)
    assert.deepEqual(await api('lifecycleFreezes'), [])
  })
})
