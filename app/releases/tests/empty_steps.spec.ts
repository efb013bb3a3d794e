import { test } from '@japa/runner'
import { makeItem, makeTrain, reported, typesOf } from './helpers/release_world.js'

const STEPS = [
  { type: 'kickoff' },
  { type: 'regressionTesting', name: 'Regression' },
  { type: 'approvals', name: 'Sign-off' },
] as const

async function makeEmpty() {
  const train = await makeTrain(['1.0.0'], { steps: [...STEPS] })
  const path = train.path('1.0.0')
  return {
    ...train,
    path,
    warned: async () => {
      const { body } = await train.admin.get(`${path}/whyNotMoving`)
      return body.steps.flatMap(({ type, warnings }: any) =>
        warnings.map(({ code }: any) => `${type} ${code}`)
      )
    },
  }
}

test.group('Required steps without items', () => {
  test('are complete from the kickoff on, with a warning and without passed tests', async ({
    assert,
  }) => {
    const { admin, world, path, step, detail, warned } = await makeEmpty()
    assert.deepEqual(await warned(), ['regressionTesting no_items', 'approvals no_items'])
    const kickedOff = await admin.put(`${path}/kickoff`)
    assert.deepEqual(
      kickedOff.body.warnings.map(({ code, message }: any) => [code, message.split('"')[1]]),
      [
        ['no_items', 'Regression'],
        ['no_items', 'Sign-off'],
      ]
    )
    assert.equal((await step('1.0.0', 'regressionTesting')).status, 'complete')
    assert.equal((await step('1.0.0', 'approvals')).status, 'complete')
    assert.equal((await detail('1.0.0')).regressionStatus, 'notStarted')
    assert.notInclude(typesOf(await reported(world)), 'release.regressionStatusUpdated')
    assert.deepEqual(await warned(), ['regressionTesting no_items', 'approvals no_items'])
  })

  test('cause a warning until they have items or a verdict', async ({ assert }) => {
    const train = await makeEmpty()
    const { admin, path, warned } = train
    await makeItem(train, { kind: 'approval', stepType: 'approvals', required: false })
    assert.deepEqual(await warned(), ['regressionTesting no_items'])
    await admin.put(`${path}/regressionStatus`, { status: 'passed' })
    assert.deepEqual(await warned(), [])
    assert.isUndefined((await admin.put(`${path}/kickoff`)).body.warnings)
  })

  test('are listed in the plan of a configuration that adds them', async ({ assert }) => {
    const { admin, app } = await makeTrain([], { steps: [{ type: 'kickoff' }] })
    const named = (name: string, archetype: string) =>
      `{name: ${name}, archetype: ${archetype}, releaseTypes: {standard: {required: true}}}`
    const all = [
      named('kickoff 0', 'kickoff'),
      named('Test', 'regressionTesting'),
      named('Texts', 'metadata'),
    ]
    const { status, body } = await admin.patch(`/app/${app}/app/config?dryRun=true`, undefined, {
      raw: `stepGroups: [{steps: [${all.join(', ')}]}]`,
      headers: { 'content-type': 'application/yaml' },
    })
    assert.equal(status, 200)
    const effect = (name: string) => body.find(({ to }: any) => to?.name === name).effect
    assert.include(effect('Test'), 'no items')
    assert.notInclude(effect('Texts'), 'no items')
  })
})
