import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { kickedOffRelease } from './support.js'

test.group('Release candidate steps', () => {
  test('a build of the release’s branch decides the step, each change recorded once', async ({
    assert,
  }) => {
    const { send, step, run, reportedOf, world } = await kickedOffRelease()
    const { stepRunId } = await step()
    const none = { activeBuild: null, lockedBuildId: null, builds: 0 }
    assert.deepEqual((await run(stepRunId)).data, none)
    await send({ status: 'pending' })
    assert.equal((await step()).status, 'inProgress')
    await send({ status: 'running' })
    const { body: build } = await send({ status: 'success' })
    const now = await step()
    assert.deepEqual([now.status, now.stepRunId], ['complete', stepRunId])
    const { data, completedAt } = await run(stepRunId)
    assert.equal(data.activeBuild.id, build.id)
    assert.equal(data.activeBuild.buildStatus, 'success')
    assert.deepEqual([data.lockedBuildId, data.builds], [null, 1])
    assert.isNotNull(completedAt)
    const reported = await reportedOf('ciBuild.statusChanged', 'releaseStep.statusChanged')
    assert.deepEqual(reported.slice(reported.indexOf('ciBuild.statusChanged pending')), [
      'ciBuild.statusChanged pending',
      'releaseStep.statusChanged inProgress',
      'ciBuild.statusChanged running',
      'ciBuild.statusChanged success',
      'releaseStep.statusChanged complete',
    ])
    const changes = (await world.events()).filter(({ type }) => type === 'ciBuild.statusChanged')
    assert.deepEqual(
      changes.map(({ payload }) => payload.previousStatus),
      [null, 'pending', 'running']
    )
  })

  test('a build that completes the last required step makes the release ready', async ({
    assert,
  }) => {
    const { send, app, world } = await kickedOffRelease({}, ['kickoff', 'releaseCandidate'])
    // The store has approved it meanwhile.
    const at = new Date().toISOString()
    await db.from('releases').where('app_id', app).update({ submitted_at: at, approved_at: at })
    const before = (await world.events()).length
    await send()
    assert.deepEqual(
      (await world.events()).slice(before).map(({ type }) => type),
      [
        'ciBuild.statusChanged',
        'releaseStep.statusChanged',
        'release.stepsReadyToSubmit',
        'release.stepsReadyToRelease',
      ]
    )
  })

  test('a build after one that failed begins a new run; the old one keeps its build', async ({
    assert,
  }) => {
    const { send, step, run } = await kickedOffRelease()
    const { body: failed } = await send({ buildIdentifier: '1', status: 'failed' })
    const before = await step()
    assert.equal(before.status, 'blocked')
    const { body: next } = await send({ buildIdentifier: '2', status: 'running' })
    const after = await step()
    assert.notEqual(after.stepRunId, before.stepRunId)
    assert.equal(after.status, 'inProgress')
    const [old, current] = [await run(before.stepRunId), await run(after.stepRunId)]
    assert.deepEqual([old.attempt, old.status, old.data.activeBuild.id], [1, 'blocked', failed.id])
    assert.deepEqual([current.attempt, current.data.activeBuild.id], [2, next.id])
  })

  test('the newest build counts: one that began earlier does not take its place', async ({
    assert,
  }) => {
    const { send, step, run } = await kickedOffRelease()
    const at = (minute: number) => `2026-11-20T12:0${minute}:00.000Z`
    const { body: second } = await send({ buildIdentifier: '2', startedAt: at(2) })
    await send({ buildIdentifier: '1', startedAt: at(1), status: 'failed' })
    const { status, stepRunId } = await step()
    assert.equal(status, 'complete')
    const { data } = await run(stepRunId)
    assert.deepEqual([data.activeBuild.id, data.builds], [second.id, 1])
    await send({ buildIdentifier: '3', startedAt: at(3), status: 'canceled' })
    const { status: then, stepRunId: same } = await step()
    assert.deepEqual([then, same], ['notStarted', stepRunId])
    assert.equal((await run(stepRunId)).data.builds, 2)
  })

  test('builds of a pull request, of another workflow or of another branch change nothing', async ({
    assert,
  }) => {
    const { send, step } = await kickedOffRelease({ workflowId: 'release.yml' })
    await send({ buildIdentifier: '1', baseBranch: 'main' })
    await send({ buildIdentifier: '2', workflowData: { workflowId: 'x', workflowName: 'x' } })
    await send({ buildIdentifier: '3', branch: 'feature/x', version: undefined })
    assert.equal((await step()).status, 'notStarted')
  })

  test('a release that is made later finds the build that came before it', async ({ assert }) => {
    const { send, admin, app, at } = await kickedOffRelease()
    await send({ buildIdentifier: '1', branch: 'feature/x', version: '1.5.0' })
    await admin.post(`/app/${app}/release`, { version: '1.5.0' })
    const { status, stepRunId } = await at('1.5.0').step()
    assert.equal(status, 'complete')
    assert.equal((await at('1.5.0').run(stepRunId)).data.builds, 1)
  })

  test('a build that came while the release was skipped counts once it is unskipped', async ({
    assert,
  }) => {
    const { send, step, run, path, admin } = await kickedOffRelease()
    await send({ status: 'running' })
    await admin.put(`${path}/skip`)
    const { body: build } = await send({ status: 'success' })
    await admin.put(`${path}/unskip`)
    const { status, stepRunId } = await step()
    assert.equal(status, 'complete')
    assert.equal((await run(stepRunId)).data.activeBuild.id, build.id)
  })

  test('a step that is added later gets the build that came before it', async ({ assert }) => {
    const { send, step, run, app, admin } = await kickedOffRelease({}, ['kickoff'])
    const { body: build } = await send()
    const steps = ['kickoff', 'releaseCandidate'].map(
      (archetype) => `{archetype: ${archetype}, releaseTypes: {standard: {required: true}}}`
    )
    const { status: changed } = await admin.patch(`/app/${app}/app/config`, undefined, {
      raw: `stepGroups: [{steps: [${steps.join(', ')}]}]`,
      headers: { 'content-type': 'application/yaml' },
    })
    assert.equal(changed, 200)
    const { status, stepRunId } = await step()
    assert.equal(status, 'complete')
    assert.equal((await run(stepRunId)).data.activeBuild.id, build.id)
  })

  test('the release waits for the CI system, which is named as a provider', async ({ assert }) => {
    const { send, path, admin } = await kickedOffRelease()
    for (const status of ['running', 'failed']) {
      await send({ status, buildIdentifier: status })
      const { body } = await admin.get(`${path}/whyNotMoving`)
      const who = body.steps.flatMap(({ unmet = [] }: any) =>
        unmet.flatMap((each: any) => each.who)
      )
      const providers = who.filter(({ type }: any) => type === 'provider')
      assert.deepEqual(providers, [{ type: 'provider', name: 'CI system' }], status)
    }
  })

  test('a release that is over stays as it was', async ({ assert }) => {
    const { send, step, admin, path } = await kickedOffRelease()
    await admin.put(`${path}/skip`, { skip: true })
    await send({ status: 'failed' })
    assert.equal((await step()).status, 'notStarted')
  })
})

test.group('GET …/stepRun/{stepRunId}/build/latest/download', () => {
  test('200 returns the file of the newest successful build', async ({ assert }) => {
    const { send, step, path, admin } = await kickedOffRelease()
    await send({ buildIdentifier: '1' }, { bytes: 'first' })
    await send({ buildIdentifier: '2' }, { bytes: 'second' })
    await send({ buildIdentifier: '3', status: 'running' }, { bytes: 'third' })
    const { stepRunId } = await step()
    const url = `${path}/stepRun/${stepRunId}/build/latest/download`
    const { status, text, headers } = await admin.get(url)
    assert.deepEqual([status, text], [200, 'second'])
    assert.match(headers['content-disposition'], /Acme\.ipa/)
    assert.equal((await admin.get(`${url}?fileName=Acme.ipa`)).text, 'second')
    const part = await admin.get(url, { headers: { range: 'bytes=0-2' } })
    assert.deepEqual([part.status, part.text], [206, 'sec'])
    assert.equal((await admin.get(`${url}?fileName=other.ipa`)).status, 404)
  })

  test('404 without a successful build; 409 for a run of another step', async ({ assert }) => {
    const { send, step, path, admin } = await kickedOffRelease()
    await send({ status: 'failed' })
    const latest = (id: string) => admin.get(`${path}/stepRun/${id}/build/latest/download`)
    assert.equal((await latest((await step()).stepRunId)).status, 404)
    assert.equal((await latest('run_nowhere')).status, 404)
    const { status, body } = await latest((await step('regressionTesting')).stepRunId)
    assert.deepEqual([status, body.code], [409, 'step_type_mismatch'])
  })
})
