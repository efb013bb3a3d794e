import { test } from '@japa/runner'
import { makeApp } from '#tests/support/app_fixture'
import { pageWorld, textOf } from '../../tests/support.js'

async function given() {
  const { world, person } = await pageWorld()
  const appId = await makeApp(world)
  const path = `/dashboard/app/${appId}/automations`
  const { text } = await person.get(path)
  const automation = async (type: string) => {
    const { body } = await world.admin.get(`/app/${appId}/automations`)
    return body.find((each: { type: string }) => each.type === type)
  }
  return { world, person, appId, path, page: text, automation }
}

test.group('The automations of an app', () => {
  test('200 describes each automation, with its next target date', async ({ assert }) => {
    const { world, person, appId, path, page } = await given()
    assert.include(textOf(page), 'Kick off on the target date Kicks off a release')
    assert.include(textOf(page), 'Has not run yet')
    const target = { targetKickoffAt: new Date(Date.now() + 86_400_000 * 9).toISOString() }
    await world.admin.post(`/app/${appId}/release`, { version: '1.4.0', ...target })
    const set = await person.post(path, { type: 'kickoffOnTargetDate', enabled: 'yes' })
    assert.equal(set.status, 303)
    const { text } = await person.get(path)
    assert.include(textOf(text), 'Switched on: Kick off on the target date.')
    assert.match(textOf(text), /On Has not run yet The next target date is [^.]+, of 1\.4\.0/)
  })

  test('303 sets whether an automation acts after a freeze, and switches it off', async ({
    assert,
  }) => {
    const { person, path, automation } = await given()
    const type = 'kickoffOnTargetDate'
    await person.post(path, { type, enabled: 'yes' })
    await person.post(path, { type, runAfterFreeze: 'no' })
    assert.containsSubset(await automation(type), {
      ...{ enabled: true, config: { runAfterFreeze: false } },
    })
    assert.include(textOf((await person.get(path)).text), 'it skips the date.')
    await person.post(path, { type, enabled: 'no' })
    assert.containsSubset(await automation(type), {
      ...{ enabled: false, config: { runAfterFreeze: false } },
    })
    // The form about freezes on a stale page does not switch the automation on again.
    const late = await person.post(path, { type, enabled: 'yes', runAfterFreeze: 'yes' })
    assert.equal(late.status, 303)
    assert.containsSubset(await automation(type), {
      ...{ enabled: false, config: { runAfterFreeze: true } },
    })
  })

  test('409 says what an automation needs, 422 for an unknown one', async ({ assert }) => {
    const { person, path, automation } = await given()
    const refused = await person.post(path, { type: 'tagOnRelease', enabled: 'yes' })
    assert.equal(refused.status, 409)
    assert.match(textOf(refused.text), /Tag on release needs [^.]+, which the app does not have\./)
    assert.equal((await automation('tagOnRelease')).enabled, false)
    assert.equal((await person.post(path, { type: 'nothing', enabled: 'yes' })).status, 422)
  })

  test('303 pauses all automations with a reason and an end, and resumes them', async ({
    assert,
  }) => {
    const { world, person, appId, path } = await given()
    const resumeAt = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T10:00`
    const paused = await person.post(`${path}/pause`, { reason: 'Incident', resumeAt })
    assert.equal(paused.status, 303)
    assert.match(
      textOf((await person.get(path)).text),
      /Paused since today .*: Incident\. They resume/
    )
    const pause = async () => (await world.admin.get(`/app/${appId}/automations/pause`)).body
    assert.containsSubset(await pause(), { paused: true, resumeAt: `${resumeAt}:00.000Z` })
    await person.post(`${path}/pause`, { paused: 'no' })
    assert.equal((await pause()).paused, false)
    const wrong = await person.post(`${path}/pause`, { reason: 'x', resumeAt: '2001-01-01T00:00' })
    assert.equal(wrong.status, 422)
    assert.include(wrong.text, 'href="#resumeAt"')
  })
})
