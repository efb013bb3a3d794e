import { test } from '@japa/runner'
import { tidy } from '#stores/tests/support'
import { guarded } from './guarded.js'

const HOUR = 3_600_000

/** Returns a guarded rollout, and the adoption that it shows. */
async function measured() {
  const given = await guarded()
  const { admin, path } = given
  const shown = async () => (await admin.get(`${path}/rollout`)).body.stores[0].adoption
  return { ...given, shown }
}

test.group('adoption of GET /app/{appId}/release/{releaseId}/rollout', (group) => {
  group.each.teardown(tidy)

  test('is requested with the measurements of a guard, at most once an hour', async ({
    assert,
  }) => {
    const { monitor, turns, shown } = await measured()
    monitor.share = 0.0725
    await turns(2)
    const { percentage, at } = await shown()
    assert.equal(percentage, 7.25)
    const { version, from, to } = monitor.adoptionAsked.at(-1)!
    assert.deepEqual([version, to], ['1.4.0', at])
    assert.equal(Date.parse(to) - Date.parse(from), 24 * HOUR)
    // Each turn takes ten minutes.
    monitor.share = 0.6
    const before = monitor.adoptionAsked.length
    const measurements = monitor.asked.length
    await turns(4)
    assert.lengthOf(monitor.adoptionAsked, before)
    assert.isAbove(monitor.asked.length, measurements)
    assert.equal((await shown()).percentage, 7.25)
    await turns(4)
    assert.lengthOf(monitor.adoptionAsked, before + 1)
    assert.equal((await shown()).percentage, 60)
  })

  test('does not affect other metrics if it is unknown', async ({ assert }) => {
    const { monitor, turns, shown } = await measured()
    monitor.isAdoptionAway = true
    const before = monitor.asked.length
    await turns(3)
    assert.isNotEmpty(monitor.adoptionAsked)
    assert.isAbove(monitor.asked.length, before)
    assert.isNull(await shown())
  })
})
