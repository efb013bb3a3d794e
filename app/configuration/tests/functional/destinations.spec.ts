import { test } from '@japa/runner'
import { makeWorld, type World } from '#tests/support/world'
import { makeApp, sendYaml } from './yaml.js'

const exported = async (world: World, appId: string): Promise<string> =>
  (await world.admin.get(`/app/${appId}/config`)).text
const change = (world: World, appId: string, text: string, query = '') =>
  sendYaml(world.admin, 'PATCH', `/app/${appId}/config${query}`, text)
const add = (world: World, appId: string, text: string) =>
  sendYaml(world.admin, 'POST', `/app/${appId}/destination/config`, text)

const TYPES = 'releaseTypes: {standard: {required: true}}'
const step = (name: string, archetype: string, destination?: string) =>
  `{name: ${name}, archetype: ${archetype}, ${TYPES}${destination ? `, x-destination: ${destination}` : ''}}`

/** Returns the destinations of an app by name, and the destination of each step. */
function shape(app: any) {
  const names = new Map(app.destinations.map(({ id, name }: any) => [id, name]))
  return {
    destinations: app.destinations.map(({ name, storeType }: any) => [name, storeType]),
    steps: app.steps.map(({ name, destinationId }: any) => [
      name,
      destinationId === null ? null : names.get(destinationId),
    ]),
  }
}

/** Creates an app with two destinations in addition to the first. */
async function makeSpreadApp(world: World) {
  const app = await makeApp(world)
  await add(world, app.id, 'name: White label\nappStoreReleaseSettings: {releaseMethod: automatic}')
  const steps = [step('Ship', 'submission'), step('Sign off', 'approvals')].join(', ')
  await add(world, app.id, `name: Second\nstepGroups: [{steps: [${steps}]}]`)
  return (await world.admin.get(`/app/${app.id}`)).body
}

test.group('Destinations in the file', () => {
  test('an export makes an app with the same destinations and the same steps of each', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeSpreadApp(world)
    const text = await exported(world, app.id)
    const copy = await sendYaml(world.admin, 'POST', '/app/config', text)
    assert.equal(copy.status, 201, copy.text)
    assert.deepEqual(shape(copy.body), shape(app))
    assert.deepEqual(shape(app).destinations, [
      ['App Store', 'apple'],
      ['White label', 'apple'],
      ['Second', 'apple'],
    ])
    const of = new Map<string, string | null>(shape(copy.body).steps)
    assert.equal(of.get('App submission'), 'App Store')
    assert.equal(of.get('App submission (White label)'), 'White label')
    assert.equal(of.get('Ship'), 'Second')
    assert.isNull(of.get('Sign off'), 'a step that serves them all is of none')
    assert.equal(await exported(world, copy.body.id), text)
    assert.include(text, 'releaseMethod: automatic')
  })

  test('the plan of an unchanged export is empty', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeSpreadApp(world)
    const plan = await change(world, app.id, await exported(world, app.id), '?dryRun=true')
    assert.deepEqual(plan.body, [])
  })

  test('a file without the keys of destinations works as before', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    assert.notInclude(await exported(world, app.id), 'x-dest')
    const spread = await makeSpreadApp(world)
    const { status, body } = await change(world, spread.id, 'appGroup: Shop')
    assert.equal(status, 200)
    assert.deepEqual(shape(body), shape(spread))
  })

  test('a change adds, changes and removes destinations; remaining ones keep their ids', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(
      world,
      `x-destinations: {One: {}, Two: {}}\nstepGroups: [{steps: [${step('A', 'submission')}, ${step('B', 'submission', 'One')}, ${step('C', 'submission', 'Two')}]}]`
    )
    const text = `x-destinations: {TWO: {appStoreReleaseSettings: {releaseMethod: scheduled}}, Three: {}}\nstepGroups: [{steps: [${step('A', 'submission')}, ${step('B', 'submission', 'Three')}, ${step('C', 'submission', 'TWO')}]}]`
    const plan = await change(world, app.id, text, '?dryRun=true')
    assert.includeDeepMembers(
      plan.body.map(({ op, path }: any) => [op, path]),
      [
        ['remove', 'x-destinations.One'],
        ['add', 'x-destinations.Three'],
        ['change', 'stepGroups[0].steps[1].x-destination'],
      ]
    )
    const { status, body } = await change(world, app.id, text)
    assert.equal(status, 200)
    assert.deepEqual(shape(body), {
      destinations: [
        ['App Store', 'apple'],
        ['TWO', 'apple'],
        ['Three', 'apple'],
      ],
      steps: [
        ['A', 'App Store'],
        ['B', 'Three'],
        ['C', 'TWO'],
      ],
    })
    assert.deepEqual(
      body.steps.map(({ id }: any) => id),
      app.steps.map(({ id }: any) => id)
    )
    assert.equal(body.destinations[1].id, app.destinations[2].id)
    assert.include(await exported(world, app.id), 'scheduled')
  })

  test('the steps of open releases follow, and finished work stays', async ({ assert }) => {
    const world = await makeWorld()
    const steps = (destination?: string) =>
      `stepGroups: [{steps: [${step('K', 'kickoff')}]}, {steps: [${step('Texts', 'metadata', destination)}, ${step('Shots', 'screenshots', destination)}]}]`
    const app = await makeApp(world, `x-destinations: {One: {}}\n${steps()}`)
    await world.admin.post(`/app/${app.id}/release`, { version: '1.0.0' })
    const path = `/app/${app.id}/release/${app.id}:1.0.0`
    await world.admin.put(`${path}/approval/metadata`, { approved: true })
    const [first, one] = app.destinations.map(({ id }: any) => id)
    await change(world, app.id, steps('One'))
    const { body } = await world.admin.get(`${path}/steps`)
    assert.deepEqual(
      body.map(({ name, status, destinationId }: any) => [name, status, destinationId]),
      [
        ['K', 'notStarted', null],
        ['Texts', 'complete', first],
        ['Shots', 'notStarted', one],
      ]
    )
  })

  test('null clears: only the first destination remains', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world, 'x-destinations: {One: {}}')
    const { status, body } = await change(world, app.id, 'x-destinations: null')
    assert.equal(status, 200)
    assert.deepEqual(shape(body).destinations, [['App Store', 'apple']])
    assert.lengthOf(body.steps, app.steps.length)
  })

  test('422 names the wrong name and its place', async ({ assert }) => {
    const world = await makeWorld()
    const problems = async (rest: string) => {
      const text = `name: Acme\nplatform: ios\n${rest}`
      const { status, body } = await sendYaml(world.admin, 'POST', '/app/config', text)
      assert.equal(status, 422, rest)
      return body.errors.map(({ path, code, suggestion }: any) =>
        [path, code, suggestion].filter(Boolean).join(' ')
      )
    }
    const steps = (...each: string[]) => `stepGroups: [{steps: [${each.join(', ')}]}]`
    assert.deepEqual(
      await problems(`x-destinations: {Second: {}}\n${steps(step('A', 'submission', 'Secnd'))}`),
      ['stepGroups[0].steps[0].x-destination unknown_destination Second']
    )
    assert.deepEqual(await problems(steps(step('A', 'submission', 'Second'))), [
      'stepGroups[0].steps[0].x-destination unknown_destination',
    ])
    assert.deepEqual(
      await problems(`x-destinations: {Second: {}}\n${steps(step('A', 'approvals', 'Second'))}`),
      ['stepGroups[0].steps[0].x-destination not_allowed']
    )
    assert.deepEqual(await problems('x-destinations: {app store: {}, Second: {}, SECOND: {}}'), [
      'x-destinations["app store"] duplicate',
      'x-destinations.SECOND duplicate',
    ])
    assert.deepEqual(await problems('x-destinations: {Second: {storeType: apple}}'), [
      'x-destinations.Second.storeType unknown_key',
    ])
    const ota = await sendYaml(
      world.admin,
      'POST',
      '/app/config',
      'name: Acme\nplatform: flutter-ota\nx-destinations: {Second: {appStoreReleaseSettings: {phasedReleaseEnabled: true}}}'
    )
    assert.equal(ota.status, 422)
  })

  test('422 for taking away a destination whose steps stay', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeSpreadApp(world)
    const before = await exported(world, app.id)
    const { status, body } = await change(world, app.id, 'x-destinations: {White label: {}}')
    assert.equal(status, 422)
    assert.containsSubset(body.errors, [{ path: 'x-destinations', code: 'unknown_destination' }])
    assert.include(body.errors[0].message, 'Ship')
    assert.equal(await exported(world, app.id), before)
  })

  test('422 for the keys in a file that adds a destination', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const steps = `stepGroups: [{steps: [${step('Ship', 'submission', 'Second')}]}]`
    const { status, body } = await add(world, app.id, `name: Second\n${steps}\nx-destinations: {}`)
    assert.equal(status, 422)
    assert.sameMembers(
      body.errors.map(({ path }: any) => path),
      ['x-destinations', 'stepGroups[0].steps[0].x-destination']
    )
  })
})
