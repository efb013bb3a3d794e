import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { RecordCiBuild } from '#builds/actions/record_ci_build'
import { takenRuns } from '#builds/queries/taken_runs'
import { findBuild } from '#builds/work/ask_ci'
import { planHint } from '#integrations/callbacks/hint_kind'
import type { Hint } from '#integrations/callbacks/observers'
import { replaceIntegrations } from '#integrations/store_integrations'
import { loadTestPlugins } from '#tests/support/plugins/index'
import type { CiRun } from '#plugin-kit/capabilities/source'
import { makeApp } from '#tests/support/app_fixture'
import { refusal } from './memory_ci.js'
import { withCi } from './with_ci.js'
import { withoutLeftWork } from '#tests/support/left_work'

test.group('POST …/stepRun/{stepRunId}/triggerCI', (group) => {
  withoutLeftWork(group)
  group.each.teardown(async () => void (await loadTestPlugins()))

  test('200 the build is pending at once, requested once, and followed to its end', async ({
    assert,
  }) => {
    const { ci, trigger, active, step, work, reportedOf, path, admin, provider } = await withCi()
    const { status, body } = await trigger({ arguments: { lane: 'beta' } })
    assert.equal(status, 200)
    assert.containsSubset(body, {
      buildIdentifier: null,
      status: 'pending',
      url: null,
      workflowData: { workflowId: 'release.yml', workflowName: 'release.yml' },
    })
    assert.deepEqual((await step()).status, 'inProgress')
    assert.isEmpty(ci.triggered)
    await work()
    assert.deepEqual(
      ci.triggered.map(({ inputs }) => inputs),
      [{ lane: 'beta' }]
    )
    const build = await active()
    assert.deepEqual(
      [build.id, build.buildIdentifier, build.commitHash, build.integrationId],
      [body.id, '901', 'a'.repeat(40), 'circleci']
    )
    ci.become('1', 'running')
    await work()
    assert.equal((await active()).buildStatus, 'running')
    ci.become('1', 'succeeded')
    await work()
    await work()
    const { buildStatus, artifacts } = await active()
    assert.deepEqual([buildStatus, (await step()).status], ['success', 'complete'])
    assert.deepEqual(
      artifacts.map(({ fileName }: { fileName: string }) => fileName),
      ['Acme.ipa', 'log.txt']
    )
    const { stepRunId } = await step()
    const latest = await admin.get(`${path}/stepRun/${stepRunId}/build/latest/download`)
    assert.deepEqual([latest.status, latest.text], [200, 'the app'])
    assert.deepEqual(await reportedOf('ciBuild.statusChanged'), [
      'ciBuild.statusChanged pending',
      'ciBuild.statusChanged running',
      'ciBuild.statusChanged success',
    ])
    const planned = db.from('jobs').where('kind', 'ciBuild.follow').where('subject', body.id)
    assert.isEmpty(await planned.whereNull('finished_at'))
    assert.include(provider, 'memory-ci')
  })

  test('a hint of a CI system polls its builds at once, and no others', async ({ assert }) => {
    const { ci, trigger, active, work, world, app: appId } = await withCi()
    await trigger()
    await work()
    const [{ id: integrationId }] = (await world.admin.get(`/app/${appId}/integrations?kind=ci`))
      .body
    const hint: Hint = { appId, integrationId, kind: 'ci', type: 'build', subject: '1' }
    const worker = await app.container.make('jobs.worker')
    const reported = async (change: Partial<Hint> = {}) => {
      await world.write((scope) => planHint(scope, { ...hint, ...change }))
      await worker.turn()
    }
    ci.become('1', 'running')
    await worker.turn()
    await reported({ integrationId: 'int_00000000000000000000' })
    await reported({ kind: 'chat' })
    assert.equal((await active()).buildStatus, 'pending')
    await reported()
    assert.equal((await active()).buildStatus, 'running')
    ci.begin({ state: 'queued' })
    await worker.turn()
    await reported({ subject: '2' })
    const builds = await db.from('ci_builds').where('app_id', appId).select('build_identifier')
    assert.sameMembers(
      builds.map((each: { build_identifier: string }) => each.build_identifier),
      ['901', '902']
    )
  })

  test('an unknown state does not change the build, and an endless list is cut', async ({
    assert,
  }) => {
    const { ci, trigger, active, work, app: appId } = await withCi()
    await trigger()
    await work()
    ci.become('1', 'running')
    await work()
    ci.become('1', 'unknown')
    ci.isEndless = true
    ci.begin({ state: 'unknown' })
    ci.lists = 0
    await work()
    assert.equal(ci.lists, 10)
    const states = async () =>
      Object.fromEntries(
        (await db.from('ci_builds').where('app_id', appId)).map(
          ({ build_identifier: id, status }: Record<string, string>) => [id, status]
        )
      )
    assert.containsSubset(await states(), { 901: 'running', 902: 'running' })
    ci.become('1', 'succeeded')
    ci.become('2', 'failed')
    await work()
    assert.containsSubset(await states(), { 901: 'success', 902: 'failed' })
    assert.equal((await active()).buildIdentifier, '902')
  })

  test('a request to an unavailable provider is retried with the same key', async ({ assert }) => {
    const { ci, trigger, active, work } = await withCi()
    ci.failures.push(refusal('unavailable', 'unknown'))
    await trigger()
    await work()
    assert.equal((await active()).buildStatus, 'pending')
    await work()
    assert.lengthOf(ci.triggered, 1)
    assert.equal((await active()).buildIdentifier, '901')
  })

  test('a build that the provider refuses has failed, and the timeline says why', async ({
    assert,
  }) => {
    const { ci, trigger, active, step, work, admin, path } = await withCi()
    ci.failures.push(refusal('invalid', 'notApplied'))
    await trigger()
    await work()
    assert.equal((await active()).buildStatus, 'failed')
    assert.equal((await step()).status, 'blocked')
    const { body } = await admin.get(`${path}/timelineEvents`)
    const failed = body.data.find(({ type }: { type: string }) => type === 'build.triggerFailed')
    assert.match(failed.title, /No such workflow/)
    const again = await trigger()
    assert.equal(again.status, 200)
    assert.equal((await step()).status, 'inProgress')
  })

  test('a run that is identified by a token is linked once the token resolves', async ({
    assert,
  }) => {
    const { ci, trigger, active, work } = await withCi()
    ci.hidesRuns = true
    await trigger()
    await work()
    await work()
    assert.isTrue((await active()).buildIdentifier.startsWith('trigger_'))
    ci.hidesRuns = false
    await work()
    assert.equal((await active()).buildIdentifier, '901')
    ci.become('1', 'failed')
    await work()
    assert.equal((await active()).buildStatus, 'failed')
  })

  test('two requests within two minutes have their own runs, beside a foreign one and a lost answer', async ({
    assert,
  }) => {
    const { ci, trigger, work, world } = await withCi()
    const beta = await trigger({ arguments: { lane: 'beta' } })
    await work()
    ci.begin()
    await work()
    ci.lostAnswers = 1
    const prod = await trigger({ arguments: { lane: 'prod' } })
    await work()
    // A refused repetition does not make the lost answer known.
    ci.failures.push(refusal('unavailable', 'notApplied'))
    await work()
    await work()
    const rows = await db.from('ci_builds').where('organization_id', world.organizationId)
    const known = Object.fromEntries(
      rows.map(({ id, build_identifier: number }: Record<string, string>) => [number, id])
    )
    assert.sameMembers(Object.keys(known), ['901', '902', '903'])
    assert.deepEqual([known[901], known[903]], [beta.body.id, prod.body.id])
    assert.deepEqual(
      ci.triggered.map(({ inputs }) => inputs.lane),
      ['beta', 'prod']
    )
  })

  test('a request that is answered with the run of another build fails, and says so', async ({
    assert,
  }) => {
    const { ci, trigger, work, world, admin, path } = await withCi()
    const first = await trigger()
    await work()
    ci.wrongRun = '1'
    const second = await trigger()
    for (let attempt = 0; attempt < 4; attempt++) await work()
    const rows = await db.from('ci_builds').where('organization_id', world.organizationId)
    const statuses = Object.fromEntries(
      rows.map(({ id, status }: Record<string, string>) => [id, status])
    )
    assert.deepEqual(statuses, { [first.body.id]: 'pending', [second.body.id]: 'failed' })
    const { body } = await admin.get(`${path}/timelineEvents`)
    const failed = body.data.find(({ type }: { type: string }) => type === 'build.triggerFailed')
    assert.match(failed.title, /answered with a run that is another build's: 901/)
  })

  test('a token that leads to the run of another build is not linked to it', async ({ assert }) => {
    const { ci, trigger, active, work } = await withCi()
    await trigger()
    await work()
    ci.hidesRuns = true
    const { body } = await trigger()
    await work()
    ci.hidesRuns = false
    ci.wrongRun = '1'
    await work()
    assert.isTrue(ci.sawTaken)
    const build = async () => db.from('ci_builds').where('id', body.id).first()
    assert.containsSubset(await build(), { status: 'pending' })
    ci.wrongRun = null
    await work()
    assert.equal((await build()).build_identifier, '902')
    assert.equal((await active()).buildIdentifier, '902')
  })

  test('a run is taken if another app of the connection requested it, not if it found it', async ({
    assert,
  }) => {
    const { trigger, work, world, provider } = await withCi()
    const { body } = await trigger()
    await work()
    const other = await makeApp(world)
    const integration = { key: 'ci', type: 'circleci', kind: 'ci', provider } as const
    const data = { workflowId: 'release.yml' }
    await world.write((scope) => replaceIntegrations(scope, other, [{ ...integration, data }]))
    const { id: installationId, connection_id: connectionId } = await db
      .from('integrations')
      .where('app_id', other)
      .first()
    const run = (id: string) => ({ id, url: `https://ci.example/${id}` }) as CiRun
    const record = (id: string) =>
      world.write((scope) => {
        const { url } = run(id)
        const report = { appId: other, installationId, integrationId: 'circleci', url }
        return new RecordCiBuild(scope).observe({
          ...{ ...report, buildIdentifier: id, branch: 'release/1.4.0', baseBranch: null },
          ...{ commitHash: 'a'.repeat(40), status: 'pending', files: [] },
          workflowData: { workflowId: 'release.yml', workflowName: 'release.yml' },
        })
      })
    for (const [id, type] of [
      ['77', 'user'],
      ['78', 'system'],
    ] as const) {
      const { id: buildId } = await record(id)
      const createdBy = JSON.stringify({ type, id: null, name: 'Somebody' })
      await db.from('ci_builds').where('id', buildId).update({ created_by: createdBy })
    }
    await world.write(async (scope) => {
      const build = (await findBuild(scope, body.id))!
      const isTaken = await takenRuns(scope, build, { connectionId })
      // The number of a run is not its own beyond its repository, and its own run is not taken.
      const elsewhere = { id: '77', url: 'https://ci.example/elsewhere/77' } as CiRun
      const own = { id: '1', number: '901' } as CiRun
      assert.deepEqual([run('77'), run('78'), elsewhere, own].map(isTaken), [
        ...[true, false, false, false],
      ])
    })
  })

  test('runs that were started elsewhere are found on the branch, without duplicates', async ({
    assert,
  }) => {
    const { ci, trigger, active, work, world, send, reportedOf } = await withCi()
    await trigger()
    await work()
    ci.begin({ state: 'succeeded', startedAt: '2099-01-01T00:00:00.000Z' })
    ci.begin({ branch: 'main' })
    assert.equal((await active()).buildIdentifier, '901')
    await work()
    assert.deepEqual(
      [(await active()).buildIdentifier, (await active()).buildStatus],
      ['902', 'success']
    )
    const builds = await db.from('ci_builds').where('organization_id', world.organizationId)
    assert.sameMembers(
      builds.map(({ build_identifier: id }) => id),
      ['901', '902']
    )
    assert.equal((await send()).status, 404)
    assert.include(await reportedOf('ciBuild.statusChanged'), 'ciBuild.statusChanged success')
  })

  test('409 for another step, a skipped release or no CI; 422 without a workflow', async ({
    assert,
  }) => {
    const { admin, path, step, trigger, world, app: appId } = await withCi({})
    const { stepRunId } = await step('regressionTesting')
    const other = await admin.post(`${path}/stepRun/${stepRunId}/triggerCI`, {})
    assert.deepEqual([other.status, other.body.code], [409, 'step_type_mismatch'])
    assert.equal((await admin.post(`${path}/stepRun/run_nowhere/triggerCI`, {})).status, 404)
    const { status, body } = await trigger()
    assert.deepEqual([status, body.errors[0].pointer], [422, '/workflowId'])
    const wrong = await trigger({ workflowId: 'x', arguments: { '': 'empty' } })
    assert.equal(wrong.status, 422)
    // An invalid member does not hide missing ones, and is not itself reported as missing.
    await db.from('releases').where('app_id', appId).update({ release_branch: null })
    const both = await trigger({})
    const and = await trigger({ arguments: { lane: {} } })
    const branch = await trigger({ branch: 5 })
    assert.deepEqual(
      [both, and, branch].map((response) => response.body.errors.map((each: any) => each.pointer)),
      [
        ['/branch', '/workflowId'],
        ['/arguments/lane', '/branch', '/workflowId'],
        ['/branch', '/workflowId'],
      ]
    )
    await world.write((scope) => replaceIntegrations(scope, appId, []))
    const none = await trigger({ workflowId: 'x' })
    assert.deepEqual([none.status, none.body.code], [409, 'integration_missing'])
    assert.isEmpty(await db.from('ci_builds').where('organization_id', world.organizationId))
    await admin.put(`${path}/skip`, { skip: true })
    assert.equal((await trigger({ workflowId: 'x' })).status, 409)
  })

  test('403 without TriggerCIWorkflow', async ({ assert }) => {
    const { world, path, step } = await withCi()
    const key = await world.keyed({ groups: ['Marketing'] })
    const { stepRunId } = await step()
    assert.equal((await key.post(`${path}/stepRun/${stepRunId}/triggerCI`, {})).status, 403)
  })
})
