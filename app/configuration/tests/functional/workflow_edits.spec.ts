import { test } from '@japa/runner'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { typesOf, reported } from '#releases/tests/helpers/release_world'
import { makeWorld } from '#tests/support/world'
import { makeApp, sendYaml } from './yaml.js'

const named = (name: string, archetype: ReleaseStepType) =>
  `{name: ${name}, archetype: ${archetype}, releaseTypes: {standard: {required: true}}}`
const K = named('K', 'kickoff')
const A = named('A', 'betaTesting')
const B = named('B', 'screenshots')
const REG = named('Reg', 'regressionTesting')
const SUB = named('Sub', 'submission')

const groups = (...each: string[][]) =>
  `stepGroups: [${each.map((steps) => `{steps: [${steps.join(', ')}]}`).join(', ')}]`

/** Creates an app with a kicked-off release, whose regression item (if any) failed. */
async function makeFailing(workflow: string) {
  const world = await makeWorld()
  const app = await makeApp(world, workflow)
  const { admin } = world
  const path = `/app/${app.id}/release/${app.id}:1.0.0`
  await admin.post(`/app/${app.id}/release`, { version: '1.0.0' })
  await admin.put(`${path}/kickoff`)
  const item = await admin.post(`/app/${app.id}/regressionItem`, { title: 'Log in' })
  const status = () =>
    admin.put(`${path}/checklistItem/${item.body.id}/status`, { status: 'failed' })
  if (item.status === 201 && (await status()).status !== 200) throw new Error('It was not set')
  const detail = async () => (await admin.get(`/v2/app/${app.id}/releases/${app.id}:1.0.0`)).body
  const places = async () =>
    (await detail()).steps.map(
      (step: { name: string; groupIndex: number; position: number }) =>
        `${step.name}(${step.groupIndex},${step.position})`
    )
  const change = (text: string, query = '') =>
    sendYaml(admin, 'PATCH', `/app/${app.id}/app/config${query}`, text)
  return { world, app, path, admin, detail, places, change }
}

test.group('A release whose regression failed', () => {
  const edits: [name: string, from: string, to: string, places: string[], isReady: boolean][] = [
    [
      'one group',
      groups([K], [REG], [SUB]),
      groups([K, REG, SUB]),
      ['K(0,0)', 'Reg(0,1)', 'Sub(0,2)'],
      false,
    ],
    [
      'two untouched steps before it removed',
      groups([K], [A], [B], [REG], [SUB]),
      groups([K], [REG], [SUB]),
      ['K(0,0)', 'Reg(1,0)', 'Sub(2,0)'],
      false,
    ],
    [
      'the submission first, as the workflow says',
      groups([K], [REG], [SUB]),
      groups([K], [SUB], [REG]),
      ['K(0,0)', 'Sub(1,0)', 'Reg(2,0)'],
      true,
    ],
    [
      'split',
      groups([K, REG, SUB]),
      groups([K], [SUB, REG]),
      ['K(0,0)', 'Sub(1,0)', 'Reg(1,1)'],
      true,
    ],
    [
      'its step removed',
      groups([K], [REG], [SUB]),
      groups([K], [SUB]),
      ['K(0,0)', 'Reg(0,1)', 'Sub(1,0)'],
      false,
    ],
    [
      'its step removed, and its neighbour put behind the submission',
      groups([K], [A], [REG], [SUB]),
      groups([K], [SUB], [A]),
      ['K(0,0)', 'Reg(0,1)', 'Sub(1,0)', 'A(2,0)'],
      false,
    ],
  ]
  for (const [name, from, to, places, isReady] of edits) {
    test(`is ready only when its workflow asks for no more: ${name}`, async ({ assert }) => {
      const release = await makeFailing(from)
      const { length } = await reported(release.world)
      assert.equal((await release.change(to)).status, 200)
      assert.deepEqual(await release.places(), places)
      assert.equal((await release.detail()).readyToSubmit, isReady)
      const types = typesOf((await reported(release.world)).slice(length))
      assert.equal(types.includes('release.stepsReadyToSubmit'), isReady)
    })
  }

  test('goes on with a step that is removed and put back, with its runs and its items', async ({
    assert,
  }) => {
    const all = groups([K], [REG], [SUB])
    const { change, detail, places, admin, app } = await makeFailing(all)
    const before = (await detail()).steps[1]
    await change(groups([K], [SUB]))
    await change(all)
    const { steps } = await detail()
    assert.deepEqual(await places(), ['K(0,0)', 'Reg(1,0)', 'Sub(2,0)'])
    const { stepConfigId } = steps[1]
    const text = JSON.stringify(before).replaceAll(before.stepConfigId, stepConfigId)
    assert.deepEqual(steps[1], JSON.parse(text))
    const config = (await admin.get(`/app/${app.id}`)).body.steps[1]
    assert.equal(stepConfigId, config.id)
    const runs = `/app/${app.id}/stepConfig/${config.id}/release/${app.id}:1.0.0/stepRun`
    assert.containSubset((await admin.get(runs)).body, { id: before.stepRunId, attempt: 1 })
  })

  test('goes on with it although a step of its archetype took its place meanwhile', async ({
    assert,
  }) => {
    const all = groups([K], [B], [SUB])
    const { admin, path, change, detail, places } = await makeFailing(all)
    assert.equal((await admin.put(`${path}/approval/screenshots`, { approved: true })).status, 200)
    const before = (await detail()).steps[1]
    // The removed step is gone for good, so a new one of its archetype is a different step.
    await change(groups([K], [SUB]))
    await change(groups([K], [named('Other', 'screenshots')], [SUB]))
    assert.deepEqual(await places(), ['K(0,0)', 'B(0,1)', 'Other(1,0)', 'Sub(2,0)'])
    await change(all)
    assert.deepEqual(await places(), ['K(0,0)', 'B(1,0)', 'Sub(2,0)'])
    assert.equal((await detail()).steps[1].id, before.id)
  })

  test('another archetype under the name of a removed step is another step', async ({ assert }) => {
    const { change, places } = await makeFailing(groups([K], [REG], [SUB]))
    await change(groups([K], [SUB]))
    await change(groups([K], [named('Reg', 'betaTesting')], [SUB]))
    assert.deepEqual(await places(), ['K(0,0)', 'Reg(0,1)', 'Reg(1,0)', 'Sub(2,0)'])
  })

  test('a dry run names the release, what it becomes and the events it sends', async ({
    assert,
  }) => {
    const { change, detail, app, world } = await makeFailing(groups([K], [REG], [SUB]))
    const events = (await world.events()).length
    const { body } = await change(groups([K], [SUB], [REG]), '?dryRun=true')
    const releaseId = `${app.id}:1.0.0`
    assert.containSubset(body.at(-1), {
      op: 'change',
      path: `releases[${releaseId}]`,
      from: { readyToSubmit: false, steps: [['K'], ['Reg'], ['Sub']] },
      to: { readyToSubmit: true, steps: [['K'], ['Sub'], ['Reg']] },
      releaseId,
      events: ['release.stepsReadyToSubmit'],
    })
    assert.isFalse((await detail()).readyToSubmit)
    assert.lengthOf(await world.events(), events)
  })
})
