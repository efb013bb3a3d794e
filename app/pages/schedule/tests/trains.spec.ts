import { test } from '@japa/runner'
import { DAY } from '#foundation/core/durations'
import { makeApp } from '#tests/support/app_fixture'
import { hiddenIn, pageWorld, textOf } from '../../tests/support.js'

const day = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)

/** Makes an app with a train every two weeks, the first one in two weeks. */
async function given() {
  const { world, person } = await pageWorld()
  const appId = await makeApp(world)
  const cadence = {
    ...{ startDate: day(14), intervalWeeks: 2, draftWeeksAhead: 1, timezone: 'UTC' },
    targets: [{ kickoff: { dayOffset: 1, time: '10:00' } }],
  }
  await world.admin.put(`/app/${appId}/scheduleCadence`, cadence)
  const base = `/dashboard/app/${appId}`
  const page = `${base}/releaseSchedule`
  const api = async (name: string) => (await world.admin.get(`/app/${appId}/${name}`)).body
  const change = (fields: Record<string, string>) =>
    person.send(page, `${base}/scheduleCadence/train`, fields)
  return { world, person, appId, base, page, api, change }
}

test.group('A single train', () => {
  test('that is not drafted can be moved or skipped, and both can be undone', async ({
    assert,
  }) => {
    const { person, page, api, change } = await given()
    const shown = await person.get(page)
    assert.include(shown.text, `name="date" value="${day(14)}"`)
    const wrong = await change({ date: day(14), change: 'move', movedTo: day(30) })
    assert.equal(wrong.status, 422)
    assert.include(textOf(wrong.text), 'between the trains before and after')
    assert.include(wrong.text, `value="${day(30)}"`)
    assert.match(wrong.text, /<details class="fold change" open>/)
    assert.include(wrong.text, `id="train-${day(14)}-error"`)
    assert.include(wrong.text, `href="#train-${day(14)}"`)
    const moved = await change({ date: day(14), change: 'move', movedTo: day(16) })
    assert.equal(moved.status, 303, textOf(moved.text))
    const exceptions = async () => (await api('scheduleCadence')).exceptions
    assert.containsSubset(await exceptions(), [{ date: day(14), movedTo: day(16) }])
    const after = await person.get(page)
    assert.include(textOf(after.text), `The train of ${day(14)} begins on ${day(16)}.`)
    // It is still identified by its day in the cadence.
    assert.match(after.text, new RegExp(`value="${day(14)}" />[\\s\\S]*?value="${day(16)}"`))
    await change({ date: day(28), change: 'skip' })
    assert.lengthOf(await exceptions(), 2)
    assert.include(textOf((await person.get(page)).text), `The train of ${day(28)} is skipped.`)
    for (const date of [day(14), day(28)]) await change({ date, change: 'restore' })
    assert.deepEqual(await exceptions(), [])
    assert.equal((await change({ date: day(15), change: 'skip' })).status, 422)
  })

  test('that is drafted can get other dates, be skipped, and be restored', async ({ assert }) => {
    const { world, person, appId, base, page } = await given()
    const dates = {
      targetKickoffAt: `${day(20)}T10:00:00.000Z`,
      targetSubmitAt: `${day(22)}T10:00:00.000Z`,
    }
    const { body } = await world.admin.post(`/app/${appId}/release`, { version: '9.0.0', ...dates })
    const release = `${base}/release/${encodeURIComponent(body.id)}`
    const before = await person.get(page)
    assert.include(before.text, `action="${release}/targetDates"`)
    const read = async () => (await world.admin.get(`/v2/app/${appId}/releases/${body.id}`)).body
    const set = await person.post(`${release}/targetDates`, {
      ...{ targetKickoffAt: `${day(21)}T09:00`, targetKickoffAtBefore: `${day(20)}T10:00` },
      ...{ targetSubmitAt: '', targetSubmitAtBefore: `${day(22)}T10:00` },
      ...{ targetReleaseAt: '', targetReleaseAtBefore: '' },
    })
    assert.deepEqual([set.status, set.location], [303, page], textOf(set.text))
    assert.containsSubset(await read(), {
      ...{ targetKickoffAt: `${day(21)}T09:00:00.000Z`, targetSubmitAt: null },
    })
    const skipped = await person.post(`${release}/skip`, { reason: 'Folded into the next' })
    assert.equal(skipped.status, 303, textOf(skipped.text))
    const shown = await person.get(page)
    assert.include(textOf(shown.text), '9.0.0 is skipped.')
    assert.include(shown.text, `action="${release}/unskip"`)
    assert.equal((await read()).status, 'skipped')
    assert.equal((await person.post(`${release}/unskip`)).status, 303)
    assert.notEqual((await read()).status, 'skipped')
  })

  test('that somebody else has changed is not overwritten, and typed input is kept', async ({
    assert,
  }) => {
    const { world, person, appId, base, page } = await given()
    const [kickoff, submit] = [20, 22].map((days) => `${day(days)}T10:00`)
    const { body } = await world.admin.post(`/app/${appId}/release`, {
      ...{
        version: '9.0.0',
        targetKickoffAt: `${kickoff}:00.000Z`,
        targetSubmitAt: `${submit}:00.000Z`,
      },
    })
    const release = `${base}/release/${encodeURIComponent(body.id)}`
    const path = `/app/${appId}/release/${body.id}`
    const _tag = hiddenIn((await person.get(page)).text, '_tag')
    const change = (more: object) => world.admin.put(path, more)
    await change({ targetSubmitAt: `${day(24)}T10:00:00.000Z` })
    const dates = {
      ...{ targetKickoffAt: `${day(21)}T09:00`, targetKickoffAtBefore: kickoff },
      ...{ targetSubmitAt: submit, targetSubmitAtBefore: submit },
    }
    const refused = await person.post(`${release}/targetDates`, { ...dates, _tag })
    assert.equal(refused.status, 412)
    assert.include(textOf(refused.text), 'Your text is kept below.')
    assert.match(refused.text, /<details class="fold change" open>/)
    const valueOf = (name: string) => hiddenIn(refused.text, name)
    assert.equal(valueOf('targetKickoffAt'), `${day(21)}T09:00`)
    assert.equal(valueOf('targetSubmitAt'), `${day(24)}T10:00`)
    const skipped = await person.post(`${release}/skip`, { reason: 'Too late', _tag })
    assert.equal(skipped.status, 412)
    assert.include(skipped.text, 'value="Too late"')
    const again = { reason: 'Too late', _tag: hiddenIn(skipped.text, '_tag') }
    assert.equal((await person.post(`${release}/skip`, again)).status, 303)
  })
})
