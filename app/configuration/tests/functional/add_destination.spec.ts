import { test } from '@japa/runner'
import { makeWorld, type World } from '#tests/support/world'
import { makeApp, sendYaml } from './yaml.js'

const add = (world: World, appId: string, text: string, query = '') =>
  sendYaml(world.admin, 'POST', `/app/${appId}/destination/config${query}`, text)

test.group('POST /app/{appId}/destination/config', () => {
  test('201 adds the destination with the standard steps of a further store', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const { status, body, headers } = await add(world, app.id, 'name: White label')
    assert.equal(status, 201)
    assert.equal(headers.location, `/app/${app.id}`)
    assert.deepEqual(
      body.destinations.map((each: { name: string }) => each.name),
      ['App Store', 'White label']
    )
    const added = body.steps.slice(app.steps.length)
    assert.include(
      added.map((each: { name: string }) => each.name),
      'App submission (White label)'
    )
    for (const step of added) {
      assert.equal(step.destinationId, body.destinations[1].id)
      assert.isAbove(step.groupIndex, app.steps.at(-1).groupIndex)
    }
    assert.deepEqual(body.steps.slice(0, app.steps.length), app.steps)
  })

  test('201 adds the steps of the file; the export of the app can be imported again', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const types = 'releaseTypes: {standard: {required: true}}'
    const { status } = await add(
      world,
      app.id,
      'name: Second\nappStoreReleaseSettings: {releaseMethod: automatic}\n' +
        `stepGroups: [{steps: [{name: Second submission, archetype: submission, ${types}}]}]`
    )
    assert.equal(status, 201)
    const { text } = await world.admin.get(`/app/${app.id}/config`)
    assert.include(text, 'Second submission')
    const copy = await sendYaml(world.admin, 'POST', '/app/config', text)
    assert.equal(copy.status, 201)
    assert.equal((await world.admin.get(`/app/${copy.body.id}/config`)).text, text)
  })

  test('200 with dryRun answers the plan and adds nothing', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const { status, body } = await add(world, app.id, 'name: Second', '?dryRun=true')
    assert.equal(status, 200)
    assert.containSubset(body[0], { op: 'add', path: 'name', to: 'Second' })
    assert.deepEqual((await world.admin.get(`/app/${app.id}`)).body, app)
  })

  test('422 if the names of its standard steps would be too long, or are taken', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const long = await add(world, app.id, `name: ${'x'.repeat(100)}`)
    assert.equal(long.status, 422)
    assert.containSubset(long.body.errors, [{ path: 'name', code: 'too_long', line: 1 }])
    assert.lengthOf(long.body.errors, 1)
    // The longest step name adds 19 characters to the destination's name.
    const named = (length: number) => add(world, app.id, `name: ${'y'.repeat(length)}`)
    assert.deepEqual([(await named(82)).status, (await named(81)).status], [422, 201])

    const types = 'releaseTypes: {standard: {required: true}}'
    const steps = `stepGroups: [{steps: [{name: Release (Second), archetype: approvals, ${types}}]}]`
    const appWithStep = await makeApp(world, steps)
    const taken = await add(world, appWithStep.id, 'name: Second')
    assert.equal(taken.status, 422)
    assert.containSubset(taken.body.errors, [{ path: 'name', code: 'duplicate' }])
    const withOwnSteps = await add(
      world,
      appWithStep.id,
      `name: Second\nstepGroups: [{steps: [{name: More, archetype: submission, ${types}}]}]`
    )
    assert.equal(withOwnSteps.status, 201)
    const { text } = await world.admin.get(`/app/${app.id}/config`)
    assert.equal((await sendYaml(world.admin, 'POST', '/app/config', text)).status, 201)
  })

  test('409 for a destination of that name', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const { status, body } = await add(world, app.id, 'name: app store')
    assert.equal(status, 409)
    assert.equal(body.code, 'destination_taken')
  })

  test('409 for the same file again, also with dryRun; other errors come first', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const types = 'releaseTypes: {standard: {required: true}}'
    const step = `{name: Second submission, archetype: submission, ${types}}`
    const files = ['name: White label', `name: Second\nstepGroups: [{steps: [${step}]}]`]
    for (const file of files) {
      assert.equal((await add(world, app.id, file)).status, 201)
      const before = (await world.admin.get(`/app/${app.id}`)).body
      for (const query of ['', '?dryRun=true']) {
        const { status, body } = await add(world, app.id, file, query)
        assert.deepEqual([status, body.code], [409, 'destination_taken'])
      }
      const broken = await add(world, app.id, `${file}\nplatform: ios`)
      assert.equal(broken.status, 422)
      assert.deepEqual((await world.admin.get(`/app/${app.id}`)).body, before)
    }
    // Another name with the same steps is not an existing destination.
    const other = await add(world, app.id, files[1].replace('name: Second\n', 'name: Third\n'))
    assert.equal(other.status, 422)
    assert.containSubset(other.body.errors, [{ path: 'stepGroups[0].steps[0].name' }])
  })

  test('400, 413 and 422 name what is wrong', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    assert.equal((await add(world, app.id, 'name: [')).status, 400)
    assert.equal((await add(world, app.id, '#'.repeat(128 * 1024 + 1))).status, 413)
    const { status, body } = await add(world, app.id, 'stepGroups: []\nplatform: ios')
    assert.equal(status, 422)
    assert.sameMembers(
      body.errors.map((each: { path: string; code: string }) => `${each.path} ${each.code}`),
      ['name required', 'platform unknown_key']
    )
  })

  test('403 without the right; 404 for an app of another organization', async ({ assert }) => {
    const [world, theirs] = [await makeWorld(), await makeWorld()]
    const path = `/app/${(await makeApp(world)).id}/destination/config`
    const reader = await world.keyed()
    assert.equal((await sendYaml(reader, 'POST', path, 'name: x')).status, 403)
    assert.equal((await sendYaml(theirs.admin, 'POST', path, 'name: x')).status, 404)
  })
})
