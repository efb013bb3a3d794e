import { test } from '@japa/runner'
import type { StepReleaseTypes } from '#apps/settings'
import { makeItem, makeTrain, recordStepFacts, setItem } from './helpers/release_world.js'

const both: StepReleaseTypes = { standard: { required: true } }

test.group('GET /app/{appId}/release/{releaseId}/steps', () => {
  test('200 lists steps in the order of the workflow, even several of one archetype', async ({
    assert,
  }) => {
    const { admin, app, path } = await makeTrain(['1.0.0'], {
      steps: [
        { type: 'kickoff', name: 'Start', releaseTypes: both },
        { type: 'approvals', name: 'Legal', releaseTypes: both },
        { type: 'approvals', name: 'Board', releaseTypes: both },
        { type: 'rollbackBuild', name: 'Re-sign', releaseTypes: { rollback: { required: true } } },
      ],
    })
    const { status, body } = await admin.get(path('1.0.0') + '/steps')
    assert.equal(status, 200)
    assert.deepEqual(
      body.map((step: any) => [step.name, step.type, step.releaseId]),
      [
        ['Start', 'kickoff', `${app}:1.0.0`],
        ['Legal', 'approvals', `${app}:1.0.0`],
        ['Board', 'approvals', `${app}:1.0.0`],
      ]
    )
  })

  test('200 filters by type, status and required', async ({ assert }) => {
    const { admin, path } = await makeTrain(['1.0.0'])
    await admin.put(path('1.0.0') + '/kickoff')
    const list = async (query: string) =>
      (await admin.get(`${path('1.0.0')}/steps?${query}`)).body.map(
        (step: { type: string }) => step.type
      )
    assert.deepEqual(await list('type=approvals'), ['approvals'])
    assert.deepEqual(await list('type=rollout'), [])
    assert.deepEqual(await list('status=notStarted'), ['screenshots', 'submission'])
    assert.deepEqual(await list('required=false'), ['screenshots'])
    assert.deepEqual(await list('required=true&status=notStarted'), ['submission'])
    assert.deepEqual(await list('required=true&status=blocked'), [])
  })

  test('400 and 422 for invalid filters', async ({ assert }) => {
    const { admin, path } = await makeTrain(['1.0.0'])
    const respond = async (query: string) => {
      const { status, body } = await admin.get(`${path('1.0.0')}/steps?${query}`)
      return [status, body.errors[0].parameter]
    }
    assert.deepEqual(await respond('required=maybe'), [400, 'required'])
    assert.deepEqual(await respond('type=party'), [422, 'type'])
    assert.deepEqual(await respond('status=done'), [422, 'status'])
  })

  test('404 for another organization', async ({ assert }) => {
    const { admin } = await makeTrain(['1.0.0'])
    const stranger = await makeTrain(['1.0.0'])
    assert.equal((await admin.get(stranger.path('1.0.0') + '/steps')).status, 404)
  })
})

test.group('GET /app/{appId}/release/{releaseId}/step/{stepId}', () => {
  test('200 returns the data of the type', async ({ assert }) => {
    const train = await makeTrain(['1.0.0'])
    const { admin, path, step } = train
    const approval = await makeItem(train, { kind: 'approval', stepType: 'approvals' })
    const tests = await makeItem(train, { kind: 'regression', stepType: 'regressionTesting' })
    const tick = await makeItem(train, { kind: 'checklist', stepType: 'approvals' })
    await setItem(train, '1.0.0', approval, 'approved')
    await setItem(train, '1.0.0', tests, 'failed')
    const read = async (type: Parameters<typeof step>[1]) =>
      (await admin.get(`${path('1.0.0')}/step/${(await step('1.0.0', type)).id}`)).body
    assert.containsSubset(await read('approvals'), {
      status: 'inProgress',
      checklistItems: { total: 2, done: 1 },
      data: { approvedCount: 1, totalCount: 1, items: [{ id: approval }] },
    })
    const { data } = await read('regressionTesting')
    assert.containsSubset(data, {
      regressionStatus: 'failed',
      items: [{ id: tests }],
      testRuns: [],
    })
    assert.deepEqual((await read('kickoff')).data, { branch: null, bump: null })
    assert.deepEqual((await read('submission')).data, {
      appStoreVersion: null,
      selectedBuild: null,
    })
    assert.notEqual(approval, tick)
  })

  test('200 contains the time of the last change of its status', async ({ assert }) => {
    const { admin, path, step } = await makeTrain(['1.0.0'])
    assert.isNull((await step('1.0.0', 'kickoff')).statusChangedAt)
    const { body } = await admin.put(path('1.0.0') + '/kickoff')
    assert.equal((await step('1.0.0', 'kickoff')).statusChangedAt, body.kickedOffAt)
  })

  test('404 for an unknown step, and for one of another release or organization', async ({
    assert,
  }) => {
    const { admin, path, step } = await makeTrain(['1.0.0', '1.1.0'])
    const stranger = await makeTrain(['1.0.0'])
    const other = await step('1.1.0', 'kickoff')
    const theirs = await stranger.step('1.0.0', 'kickoff')
    for (const id of [other.id, theirs.id, other.stepConfigId, other.stepRunId, 'step_x']) {
      assert.equal((await admin.get(`${path('1.0.0')}/step/${id}`)).status, 404, id)
    }
    const url = `${stranger.path('1.0.0')}/step/${theirs.id}`
    assert.equal((await admin.get(url)).status, 404)
    assert.equal((await stranger.admin.get(url)).status, 200)
  })
})

test.group('GET /app/{appId}/release/{releaseId}/stepRun/{stepRunId}', () => {
  test('200 returns the attempt with its start and end', async ({ assert }) => {
    const train = await makeTrain(['1.0.0'])
    const { admin, path, step, detail } = train
    const { id, stepRunId, stepConfigId } = await step('1.0.0', 'kickoff')
    const url = `${path('1.0.0')}/stepRun/${stepRunId}`
    const first = await admin.get(url)
    assert.equal(first.status, 200)
    assert.containsSubset(first.body, {
      id: stepRunId,
      stepId: id,
      stepConfigId,
      type: 'kickoff',
      status: 'notStarted',
      attempt: 1,
      startedAt: (await detail('1.0.0')).createdAt,
      completedAt: null,
    })
    const { body } = await admin.put(path('1.0.0') + '/kickoff')
    const done = await admin.get(url)
    assert.containsSubset(done.body, { status: 'complete', completedAt: body.kickedOffAt })
  })

  test('200 an attempt that is no longer complete has no end', async ({ assert }) => {
    const train = await makeTrain(['1.0.0'])
    const { admin, path, step } = train
    await recordStepFacts(train, '1.0.0', 'screenshots', { edited: true, approved: true })
    await recordStepFacts(train, '1.0.0', 'screenshots', { edited: true, approved: false })
    const { stepRunId } = await step('1.0.0', 'screenshots')
    const { body } = await admin.get(`${path('1.0.0')}/stepRun/${stepRunId}`)
    assert.containsSubset(body, { status: 'inProgress', completedAt: null })
  })

  test('404 for an unknown run, and for one of another release or organization', async ({
    assert,
  }) => {
    const { admin, path, step } = await makeTrain(['1.0.0', '1.1.0'])
    const stranger = await makeTrain(['1.0.0'])
    const other = await step('1.1.0', 'kickoff')
    const theirs = await stranger.step('1.0.0', 'kickoff')
    for (const id of [other.stepRunId, theirs.stepRunId, other.id, 'run_x']) {
      assert.equal((await admin.get(`${path('1.0.0')}/stepRun/${id}`)).status, 404, id)
    }
  })
})

test.group('GET /app/{appId}/stepConfig/{stepConfigId}/release/{releaseId}/stepRun', () => {
  test('200 returns the current run, also after a restart', async ({ assert }) => {
    const train = await makeTrain(['1.0.0', '1.1.0'])
    const { admin, app, path, step } = train
    const { stepConfigId, stepRunId } = await step('1.0.0', 'screenshots')
    const url = `/app/${app}/stepConfig/${stepConfigId}/release/${app}:1.0.0/stepRun`
    assert.containsSubset((await admin.get(url)).body, { id: stepRunId, attempt: 1 })
    await recordStepFacts(train, '1.0.0', 'screenshots', { edited: true, approved: false })
    await admin.put(path('1.0.0') + '/skip')
    await admin.put(path('1.0.0') + '/unskip')
    const restarted = await admin.get(url)
    assert.containsSubset(restarted.body, { stepConfigId, attempt: 2 })
    assert.notEqual(restarted.body.id, stepRunId)
    const other = `/app/${app}/stepConfig/${stepConfigId}/release/${app}:1.1.0/stepRun`
    assert.containsSubset((await admin.get(other)).body, { stepConfigId, attempt: 1 })
  })

  test('404 for a config of another organization, or one without a step in the release', async ({
    assert,
  }) => {
    const { admin, app } = await makeTrain(['1.0.0'], {
      steps: [
        { type: 'kickoff' },
        { type: 'rollbackBuild', releaseTypes: { rollback: { required: true } } },
      ],
    })
    const stranger = await makeTrain(['1.0.0'])
    const theirs = await stranger.step('1.0.0', 'kickoff')
    const { body } = await admin.get(`/app/${app}`)
    const absent = body.steps.find((step: { type: string }) => step.type === 'rollbackBuild')
    for (const id of [theirs.stepConfigId, absent.id, 'sc_x']) {
      const url = `/app/${app}/stepConfig/${id}/release/${app}:1.0.0/stepRun`
      assert.equal((await admin.get(url)).status, 404, id)
    }
  })
})
