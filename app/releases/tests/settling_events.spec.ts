import { test } from '@japa/runner'
import type { ReleaseStepType } from '#workflow/vocabulary'
import type { FixtureStep } from '#tests/support/app_fixture'
import type { ApiAnswer } from '#tests/support/api'
import {
  makeItem,
  makeTrain,
  recordFacts,
  setItem,
  reported,
  typesOf,
  type Train,
} from './helpers/release_world.js'

/*
 * Tests the events that follow from each operation which completes the last open step of a release
 * that the store has approved. Every event that an operation declares occurs in some test.
 */

const steps = (...types: ReleaseStepType[]): FixtureStep[] => types.map((type) => ({ type }))
const READY = ['release.stepsReadyToSubmit', 'release.stepsReadyToRelease']
const STEP_DONE = ['releaseStep.statusChanged', ...READY]
const REGRESSION_DONE = ['release.regressionStatusUpdated', ...STEP_DONE]

/** Records the store's approval. */
const approveInStore = (train: Train, version: string) =>
  recordFacts(train, version, async (scope, release) => {
    release.approvedAt = scope.now
  })

/** Returns the types of the webhook events that a request causes. */
async function caused({ world }: Train, send: () => Promise<ApiAnswer<any>>): Promise<string[]> {
  const before = (await reported(world)).length
  const { status, text } = await send()
  if (status >= 300) throw new Error(text)
  return typesOf((await reported(world)).slice(before))
}

/** Creates a release that is kicked off and approved, with one more step and optionally an item. */
async function lastStep(type: ReleaseStepType, isHeldByItem = false) {
  const train = await makeTrain(['1.0.0'], { steps: steps('kickoff', type) })
  const itemId = isHeldByItem
    ? await makeItem(train, { kind: 'regression', stepType: 'regressionTesting' })
    : ''
  await train.admin.put(`${train.path('1.0.0')}/kickoff`)
  await approveInStore(train, '1.0.0')
  return { train, admin: train.admin, path: train.path('1.0.0'), itemId }
}

/** Returns steps of a configuration file that are required or optional for standard releases. */
const configured = (required: boolean, ...archetypes: [name: string, archetype: string][]) =>
  archetypes
    .map(
      ([name, archetype]) =>
        `{name: ${name}, archetype: ${archetype}, releaseTypes: {standard: {required: ${required}}}}`
    )
    .join(', ')

const yaml = (text: string) => ({ raw: text, headers: { 'content-type': 'application/yaml' } })

test.group('Events that follow from an operation', () => {
  test('kickoff of a release whose steps have nothing to do', async ({ assert }) => {
    const train = await makeTrain(['1.0.0'], { steps: steps('kickoff', 'regressionTesting') })
    await approveInStore(train, '1.0.0')
    const types = await caused(train, () => train.admin.put(`${train.path('1.0.0')}/kickoff`))
    assert.deepEqual(types, ['release.kickedOff', 'releaseStep.statusChanged', ...STEP_DONE])
  })

  test('unskipping a release that was ready', async ({ assert }) => {
    const { train, admin, path } = await lastStep('regressionTesting')
    await admin.put(`${path}/skip`)
    assert.deepEqual(await caused(train, () => admin.put(`${path}/unskip`)), READY)
  })

  test('the last regression status set by hand', async ({ assert }) => {
    for (const ofRun of [false, true]) {
      const { train, admin, path } = await lastStep('regressionTesting', true)
      const { stepRunId } = await train.step('1.0.0', 'regressionTesting')
      const at = ofRun ? `${path}/step/${stepRunId}` : path
      const set = () => admin.put(`${at}/regressionStatus`, { status: 'passed' })
      assert.deepEqual(await caused(train, set), [...REGRESSION_DONE])
    }
  })

  test('the last approval of store texts', async ({ assert }) => {
    for (const ofRun of [false, true]) {
      const { train, admin, path } = await lastStep('metadata')
      const { stepRunId } = await train.step('1.0.0', 'metadata')
      const at = ofRun ? `${path}/stepRun/${stepRunId}/approval` : `${path}/approval/metadata`
      const types = await caused(train, () => admin.put(at, { approved: true }))
      assert.deepEqual(types, ['releaseStep.statusChanged', ...READY])
    }
  })

  test('the last item passed, alone or in a batch', async ({ assert }) => {
    for (const inBatch of [false, true]) {
      const { train, admin, path, itemId } = await lastStep('regressionTesting', true)
      const batch = { releaseId: `${train.app}:1.0.0`, items: [{ id: itemId, status: 'passed' }] }
      const types = await caused(train, () =>
        inBatch
          ? admin.put(`/app/${train.app}/regressionItems/batch`, batch)
          : admin.put(`${path}/checklistItem/${itemId}/status`, { status: 'passed' })
      )
      assert.deepEqual(types, ['checklistItem.statusChanged', ...REGRESSION_DONE])
    }
  })

  test('the last item made optional or deleted', async ({ assert }) => {
    for (const isDeleted of [false, true]) {
      const { train, admin, itemId } = await lastStep('regressionTesting', true)
      const types = await caused(train, () =>
        isDeleted
          ? admin.delete(`/app/${train.app}/regressionItems/batch`, { ids: [itemId] })
          : admin.put(`/app/${train.app}/checklistItem/${itemId}`, { required: false })
      )
      assert.deepEqual(types, STEP_DONE)
    }
  })

  test('a checklist item for a step that was complete', async ({ assert }) => {
    const { train, admin } = await lastStep('regressionTesting')
    const item = { title: 'Ask', stepType: 'regressionTesting' }
    const types = await caused(train, () => admin.post(`/app/${train.app}/checklistItem`, item))
    assert.deepEqual(types, ['releaseStep.statusChanged'])
  })

  test('a hotfix that becomes a release and loses the steps and items of hotfixes', async ({
    assert,
  }) => {
    const train = await makeTrain(['0.9.0', '1.0.0', '1.1.0'], {
      steps: [
        ...steps('kickoff', 'regressionTesting', 'approvals'),
        { type: 'metadata', releaseTypes: { hotfix: { required: true } } },
      ],
    })
    const { admin, app, path } = train
    await admin.put(`${path('0.9.0')}/kickoff`)
    await admin.put(`${path('0.9.0')}/complete`)
    await admin.put(path('1.1.0'), { releaseType: 'hotfix' })
    const { stepRunId } = await train.step('1.1.0', 'metadata')
    const localizations = [{ locale: 'en-US', whatsNew: 'Mended.' }]
    await admin.put(`${path('1.1.0')}/stepRun/${stepRunId}/metadata`, { localizations })
    const approval = await makeItem(train, { kind: 'approval', stepType: 'approvals' })
    const passing = await makeItem(train, { kind: 'regression', stepType: 'regressionTesting' })
    const ofHotfixes = { title: 'Mended', releaseTypes: ['hotfix', 'point'] }
    await admin.post(`/app/${app}/regressionItem`, ofHotfixes)
    await setItem(train, '1.1.0', approval, 'approved')
    await setItem(train, '1.1.0', passing, 'passed')
    const types = await caused(train, () => admin.put(path('1.1.0'), { releaseType: 'release' }))
    assert.deepEqual(types, [
      'checklistItem.statusChanged',
      'release.regressionStatusUpdated',
      'releaseStep.statusChanged',
      'releaseStep.statusChanged',
    ])
  })

  test('a workflow changed by a file, in the active and in an upcoming release', async ({
    assert,
  }) => {
    const train = await makeTrain(['1.0.0', '2.0.0'], {
      steps: steps('kickoff', 'metadata', 'approvals'),
    })
    const { admin, app, path } = train
    await admin.put(`${path('1.0.0')}/kickoff`)
    await approveInStore(train, '1.0.0')
    const { stepRunId } = await train.step('2.0.0', 'metadata')
    const localizations = [{ locale: 'en-US', whatsNew: 'More.' }]
    await admin.put(`${path('2.0.0')}/stepRun/${stepRunId}/metadata`, { localizations })
    const input = { title: 'Legal', releaseId: `${app}:2.0.0` }
    const { body: approval } = await admin.post(`/app/${app}/approval`, input)
    await setItem(train, '2.0.0', approval.id, 'approved')

    const workflow = configured(
      true,
      ['kickoff 0', 'kickoff'],
      ['Test', 'regressionTesting'],
      ['approvals 2', 'approvals']
    )
    const change = yaml(`stepGroups: [{steps: [${workflow}]}]`)
    const send = () => admin.patch(`/app/${app}/app/config`, undefined, change)
    assert.deepEqual(await caused(train, send), [
      ...STEP_DONE,
      'checklistItem.statusChanged',
      'releaseStep.statusChanged',
    ])
  })

  test('a new destination with steps that are complete at once', async ({ assert }) => {
    const train = await makeTrain(['1.0.0'], { steps: steps('kickoff') })
    const { admin, app, path } = train
    const add = (name: string, ...lists: string[]) => {
      const text = `name: ${name}\nstepGroups: [{steps: [${lists.join(', ')}]}]`
      return admin.post(`/app/${app}/destination/config`, undefined, yaml(text))
    }
    await add('Second', configured(true, ['Texts', 'metadata']))
    await admin.put(`${path('1.0.0')}/kickoff`)
    await approveInStore(train, '1.0.0')
    const types = await caused(train, () =>
      add(
        'Third',
        configured(true, ['Test', 'regressionTesting']),
        configured(false, ['Submit', 'submission'], ['Go', 'takeoff'])
      )
    )
    assert.deepEqual(types, STEP_DONE)
  })
})

test.group('Regression status of a release with some tested items', () => {
  const regression = (required?: boolean) => ({
    ...({ kind: 'regression', stepType: 'regressionTesting', required } as const),
  })
  const OPTIONAL = { standard: { required: false } }
  const REGRESSION = 'release.regressionStatusUpdated'

  /** Creates release 1.0.0 with two items, of which the first has passed. */
  async function halfTested({ isKickedOff = true, required = true } = {}) {
    const train = await makeTrain(['1.0.0'], { steps: steps('kickoff', 'regressionTesting') })
    const items = [
      await makeItem(train, regression(required)),
      await makeItem(train, regression(required)),
    ]
    await setItem(train, '1.0.0', items[0], 'passed')
    if (isKickedOff) await train.admin.put(`${train.path('1.0.0')}/kickoff`)
    return { train, admin: train.admin, app: train.app, path: train.path('1.0.0'), items }
  }
  test('is passed at the kickoff if optional items had begun', async ({ assert }) => {
    const { train, admin, path } = await halfTested({ isKickedOff: false, required: false })
    assert.include(await caused(train, () => admin.put(`${path}/kickoff`)), REGRESSION)
    assert.equal((await train.detail('1.0.0')).regressionStatus, 'passed')
  })

  test('is passed once the last open item is deleted or made optional', async ({ assert }) => {
    for (const isDeleted of [false, true]) {
      const { train, admin, app, items } = await halfTested()
      const types = await caused(train, () =>
        isDeleted
          ? admin.delete(`/app/${app}/regressionItems/batch`, { ids: [items[1]] })
          : admin.put(`/app/${app}/checklistItem/${items[1]}`, { required: false })
      )
      assert.include(types, REGRESSION)
      assert.equal((await train.detail('1.0.0')).regressionStatus, 'passed')
    }
  })

  test('is in progress again after another item was added', async ({ assert }) => {
    for (const inBatch of [false, true]) {
      const { train, admin, app, items } = await halfTested()
      await setItem(train, '1.0.0', items[1], 'passed')
      const another = { title: 'Log out' }
      const types = await caused(train, () =>
        inBatch
          ? admin.post(`/app/${app}/regressionItems/batch`, { items: [another] })
          : admin.post(`/app/${app}/regressionItem`, another)
      )
      assert.include(types, REGRESSION)
      assert.equal((await train.detail('1.0.0')).regressionStatus, 'inProgress')
    }
  })

  test('does not count once there is a required run without items', async ({ assert }) => {
    for (const isDestination of [false, true]) {
      const train = await makeTrain(['1.0.0'], {
        steps: [...steps('kickoff'), { type: 'regressionTesting', releaseTypes: OPTIONAL }],
      })
      const { admin, app, path } = train
      await admin.put(`${path('1.0.0')}/kickoff`)
      await admin.put(`${path('1.0.0')}/regressionStatus`, { status: 'passed' })
      const needed = configured(true, ['Test', 'regressionTesting'])
      const kept = configured(false, ['regressionTesting 1', 'regressionTesting'])
      const kickoff = configured(true, ['kickoff 0', 'kickoff'])
      const types = await caused(train, () =>
        isDestination
          ? admin.post(
              `/app/${app}/destination/config`,
              undefined,
              yaml(`name: Other\nstepGroups: [{steps: [${needed}]}]`)
            )
          : admin.patch(
              `/app/${app}/app/config`,
              undefined,
              yaml(`stepGroups: [{steps: [${kickoff}, ${kept}, ${needed}]}]`)
            )
      )
      assert.include(types, REGRESSION)
      assert.equal((await train.detail('1.0.0')).regressionStatus, 'notStarted')
    }
  })
})
