import { test } from '@japa/runner'
import { Api } from '#tests/support/api'
import { makeSignedIn } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'

test.group('startSimulatedWorld', () => {
  test('200 connects the simulated providers, which all work; 409 once all are connected', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const ada = new Api(await makeSignedIn(world))
    const path = `/org/${world.organizationId}/simulatedWorld/start`
    const { status, body } = await ada.post(path, { alias: 'Rehearsal' })
    assert.equal(status, 200)
    assert.deepEqual(
      body.map((each: any) => [each.plugin.id, each.alias, each.status]).toSorted(),
      [
        ['sim', 'Rehearsal', 'connected'],
        ['sim-apple', 'Rehearsal App Store', 'connected'],
        ['sim-google', 'Rehearsal Google Play', 'connected'],
      ]
    )
    assert.equal((await ada.post(path, {})).status, 409)
    const at = `/org/${world.organizationId}/integration`
    const apple = body.find((each: any) => each.plugin.id === 'sim-apple')
    assert.equal((await ada.delete(`${at}/${apple.id}`)).status, 200)
    const again = await ada.post(path, {})
    assert.deepEqual(
      again.body.map((each: any) => each.alias),
      ['Rehearsal App Store']
    )
  })
})
