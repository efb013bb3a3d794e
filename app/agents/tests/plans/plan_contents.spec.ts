import { test } from '@japa/runner'
import { cursors } from '#foundation/api/services'
import { later } from '#foundation/core/clock'
import { makeTrain, makeItem } from '#releases/tests/helpers/release_world'
import { form } from '#tests/support/form'
import { yaml } from '#tests/support/requests'
import { userActions as all } from '#organizations/vocabulary'
import { differences } from '../../differences.js'
import { Plans } from '../../plans.js'
import { bounded } from '../../reported_plan.js'
import { call, refusalOf } from '../support.js'
import { makePlannedWorld } from './planned_world.js'
import { placeOf, planned } from './planning.js'

test.group('The content of a plan', () => {
  test('lists what is deleted with an app, counted and named', async ({ assert }) => {
    const { admin, ids, app, bucket } = await makePlannedWorld()
    for (let each = 0; each < 5; each++) {
      const file = form({ file: `build ${each}`, fileName: 'Acme.ipa' })
      await admin.post(`${bucket}/build`, undefined, file)
    }
    const { plan } = await planned(admin, 'deleteAppByConfiguration', { ...ids.app, force: true })
    const gone = new Map<string, any>(plan.destroys.map((each: any) => [each.what, each]))
    assert.equal(plan.destroys[0].what, 'apps')
    assert.equal(gone.get('releases').count, 4)
    assert.sameMembers(gone.get('releases').names, ['1.0.0', '1.1.0', '1.2.0', '1.3.0'])
    assert.equal(gone.get('builds').count, 6)
    assert.deepEqual(gone.get('buckets').names, ['Beta'])
    assert.equal(gone.get('integrations').count, 1)
    const { body } = await admin.send<any>('DELETE', `${app}/app/config?dryRun=true&force=true`)
    assert.deepEqual(
      plan.changes.map(({ path }: any) => path),
      body.slice(0, 20).map(({ path }: any) => path)
    )
  })

  test('is limited in length, and states how much is left out', async ({ assert }) => {
    const { admin, app } = await makeTrain(['1.0.0'])
    const file = (count: number) => {
      const buckets = Array.from({ length: count }, (_, each) => `B${each}: {type: custom}`)
      return `buildDistro: {buckets: {${buckets.join(', ')}}}`
    }
    await admin.send('PATCH', `/app/${app}/app/config`, yaml(file(1)))
    const reported = { appId: app, body: file(31) }
    const { plan } = await planned(admin, 'changeAppFromConfiguration', reported)
    assert.lengthOf(plan.changes, 20)
    assert.isAtLeast(plan.leftOut, 10)
    assert.isBelow(JSON.stringify(plan).length, 20_000)
  })

  test('shows a new object as requested', async ({ assert }) => {
    const { admin, app } = await makeTrain()
    const { plan } = await planned(admin, 'createRelease', {
      appId: app,
      body: { version: '1.0.0', targetKickoffAt: '2999-01-01T00:00:00Z' },
    })
    assert.deepEqual(plan.changes, [
      { op: 'add', path: 'version', from: null, to: '1.0.0' },
      { op: 'add', path: 'targetKickoffAt', from: null, to: '2999-01-01T00:00:00Z' },
    ])
  })

  test('shows the same difference as the dry run of a file', async ({ assert }) => {
    const { admin, app } = await makeTrain(['1.0.0'])
    const file = 'name: Renamed\nappSettings: {versionFiles: [a.properties]}\n'
    const { plan } = await planned(admin, 'changeAppFromConfiguration', { appId: app, body: file })
    const path = `/app/${app}/app/config?dryRun=true`
    const { body } = await admin.send<any>('PATCH', path, yaml(file))
    assert.deepEqual(plan.changes, body)
    assert.isNotEmpty(body)
  })

  test('shows differences of rows if no operation shows the object', async ({ assert }) => {
    const { admin, group, email } = await makePlannedWorld()
    const { plan } = await planned(admin, 'updateUserGroups', {
      body: { users: [{ email, groupIds: [group] }] },
    })
    assert.containsSubset(plan.changes, [{ op: 'add', from: null, to: { group_id: group } }])
    assert.notInclude(JSON.stringify(plan.changes), 'organization_id')
  })

  test('lists the people and keys that get rights, and is bound to them', async ({ assert }) => {
    const world = await makePlannedWorld()
    const { admin, ids, group, email } = world
    const reported = {
      ...ids.group,
      body: { userActions: ['SubmitForReview'], userEmails: [email] },
    }
    await world.keyed({ name: 'nightly', groups: ['Crew'] })
    const { plan, confirm } = await planned(admin, 'updateGroup', reported)
    assert.deepEqual(plan.rights, [
      { group: 'Crew', actions: ['SubmitForReview'], people: [email], keys: ['nightly'] },
    ])
    await world.keyed({ name: 'later', groups: ['Crew'] })
    assert.equal(await confirm(), 'plan_stale')
    const users = [{ email, groupIds: [group] }]
    const again = await planned(admin, 'updateUserGroups', { body: { users } })
    assert.deepInclude(again.plan.rights[0], { people: [email], keys: ['later', 'nightly'] })
  })

  test('lists exactly what a file destroys', async ({ assert }) => {
    const { admin, ids, app, bucket, build } = await makePlannedWorld()
    const change = (body: string) =>
      planned(admin, 'changeAppFromConfiguration', { ...ids.app, body })
    const effects = (plan: any) => plan.changes.map(({ effect }: any) => effect)
    const set = (body: string) =>
      admin.send('PATCH', `/app/${ids.app.appId}/app/config`, yaml(body))
    const file = (name: string) =>
      `buildDistro: {buckets: {${name}: {type: rc}, Beta: {type: custom}}}`
    await set(file('Candidates'))
    const renamed = await change(file('Final'))
    assert.notInclude(
      renamed.plan.destroys.map(({ what }: any) => what),
      'buckets'
    )
    assert.include(effects(renamed.plan).join(), 'and keeps its builds')
    // The bucket has a build, and is archived with it.
    const without = await change('buildDistro: {buckets: {Candidates: {type: rc}}}')
    assert.notInclude(
      without.plan.destroys.map(({ what }: any) => what),
      'buckets'
    )
    assert.include(effects(without.plan).join(), 'archived with them')
    await set(file('Final'))
    const { body } = await admin.get<any>(`${app}/bucket`)
    assert.include(JSON.stringify(body), 'Final')
    assert.equal((await admin.get(`${bucket}/build/${build}`)).status, 200)
  })

  test('shows the object like the API if an operation has no precondition', async ({ assert }) => {
    const { admin, app } = await makeTrain(['1.0.0'])
    const automation = { appId: app, body: { type: 'kickoffOnTargetDate', enabled: true } }
    const { plan } = await planned(admin, 'setAutomation', automation)
    assert.includeDeepMembers(plan.changes, [
      { op: 'change', path: `[${app}:kickoffOnTargetDate].enabled`, from: false, to: true },
    ])
    const pause = { appId: app, body: { paused: true, resumeAt: '2999-01-01T00:00:00Z' } }
    const { plan: paused } = await planned(admin, 'setAutomationPause', pause)
    assert.includeDeepMembers(paused.changes, [
      { op: 'change', path: 'paused', from: false, to: true },
    ])
    const reported = { appId: app, body: { type: 'release.kickoffReminder', leadTimeMinutes: 60 } }
    const { plan: reminds } = await planned(admin, 'setNotification', reported)
    assert.deepEqual(reminds.changes, [
      {
        op: 'change',
        path: `[${app}:release.kickoffReminder].leadTimeMinutes`,
        from: 1440,
        to: 60,
      },
    ])
  })

  test('states that a secret is replaced or sent elsewhere', async ({ assert }) => {
    const { admin, org } = await makePlannedWorld()
    const headers = (value: string) => ({ Authorization: value })
    const url = 'https://hooks.example/in'
    const made = { url, headers: headers('first') }
    const { id } = (await admin.post(`${org}/webhookEndpoint`, made)).body
    const change = async (body: object) =>
      (await planned(admin, 'updateWebhookEndpoint', { endpointId: id, body })).plan.changes
    assert.deepEqual(await change({ headers: headers('second') }), [
      {
        op: 'change',
        path: 'webhook endpoints https://hooks.example: headers',
        from: 'a secret',
        to: 'another secret',
      },
    ])
    assert.deepInclude(await change({ url: 'https://other.example/in' }), {
      op: 'change',
      path: 'webhook endpoints https://other.example: stored headers',
      from: 'sent to https://hooks.example',
      to: 'sent to https://other.example',
    })
  })

  test('lists the added and removed entries of a list, however long it is', async ({ assert }) => {
    const { admin, org, ids, group } = await makePlannedWorld()
    const many = all.filter((each) => each !== 'SubmitForReview').slice(0, 24)
    await admin.put(`${org}/group/${group}`, { userActions: many })
    const userActions = [...many.slice(1), 'SubmitForReview']
    const { plan } = await planned(admin, 'updateGroup', { ...ids.group, body: { userActions } })
    assert.includeDeepMembers(plan.changes, [
      { op: 'add', path: 'userActions', from: null, to: ['SubmitForReview'] },
      { op: 'remove', path: 'userActions', from: [many[0]], to: null },
    ])
  })

  test('has names that people know, and no temporary ids', async ({ assert }) => {
    const { admin, ids, org, group, email } = await makePlannedWorld()
    await admin.put(`${org}/group/${group}`, { userEmails: [email] })
    const { plan } = await planned(admin, 'deleteGroup', ids.group)
    const gone = new Map<string, any>(plan.destroys.map((each: any) => [each.what, each.names]))
    assert.include(gone.get('group members'), email)
    const { plan: release } = await planned(admin, 'deleteRelease', ids.release('1.1.0'))
    assert.notInclude(JSON.stringify(release.destroys), 'run_')
    const { plan: hook } = await planned(admin, 'deleteWebhookEndpoint', ids.hook)
    assert.match(JSON.stringify(hook.destroys), /https:\/\/[^"/]+"/)
    assert.notInclude(JSON.stringify(hook.destroys), 'whe_')
    const { tool, action } = placeOf('createGroup')
    const body = { name: 'Another', userActions: [] }
    const made = await call(admin, tool, { action, body })
    assert.equal(made.structuredContent.outcome, 'planned')
    assert.notProperty(made.structuredContent, 'result')
  })

  test('shows the differing part of a long text', ({ assert }) => {
    const text = (end: string) => ({ notes: `${'a'.repeat(400)}${end}` })
    const plan = { destroys: [], rights: [], calls: [], arms: [], messages: [], events: [] }
    const { changes } = bounded({ ...plan, changes: differences(text('old'), text('new')) })
    const shown = `…${'a'.repeat(40)}`
    assert.deepEqual(changes, [
      { op: 'change', path: 'notes', from: `${shown}old`, to: `${shown}new` },
    ])
  })

  test('contains no secret', async ({ assert }) => {
    const { admin, world } = await makeTrain()
    const shown = await call(admin, 'organization_admin', {
      action: 'create_webhook',
      body: { url: 'https://hooks.example/in' },
    })
    assert.equal(shown.structuredContent.outcome, 'planned')
    assert.notMatch(JSON.stringify(shown), /whsec_|sealed/)
    assert.deepEqual((await admin.get(`/org/${world.organizationId}/webhookEndpoint`)).body, [])
  })

  test('contains no names of apps that the key does not see', async ({ assert }) => {
    const { world, app, admin } = await makeTrain(['1.0.0'])
    const { body: crew } = await admin.post(`/org/${world.organizationId}/group`, {
      name: 'Crew',
      userActions: [],
    })
    const owners = [{ type: 'group', id: crew.id }]
    await admin.post(`/app/${app}/regressionItem`, { title: 'Secret thing', owners })
    const groups = ['Release Pilots', 'Ops', 'Engineering Managers']
    const restricted = await world.keyed({ appRestricted: true, groups })
    const { tool, action } = placeOf('deleteGroup')
    const shown = await call(restricted, tool, { action, groupId: crew.id })
    assert.notInclude(JSON.stringify(shown), 'Secret thing')
  })
})

const A = { kind: 'regression', stepType: 'regressionTesting' } as const

test.group('No way round a plan', () => {
  test('leads over automations and dates', async ({ assert }) => {
    const { admin, app, detail } = await makeTrain(['1.0.0'])
    const before = await detail('1.0.0')
    const soon = new Date(Date.now() + 4000).toISOString()
    const ids = { appId: app, releaseId: `${app}:1.0.0` }
    const freeze = { name: 'Now', startAt: '2026-01-01T00:00:00Z', endAt: '2999-01-01T00:00:00Z' }
    await admin.put(`/app/${app}/lifecycleFreezes`, {
      freezes: [{ ...freeze, phases: ['submit'] }],
    })
    const steps = [
      ['setAutomation', { appId: app, body: { type: 'kickoffOnTargetDate', enabled: true } }],
      ['updateRelease', { ...ids, body: { targetKickoffAt: soon } }],
      ['createRelease', { appId: app, body: { version: '1.1.0', targetSubmitAt: soon } }],
      ['setAutomationPause', { appId: app, body: { paused: false } }],
      ['setAutomationPause', { appId: app, body: { paused: true, resumeAt: soon } }],
      ['updateLifecycleFreezes', { appId: app, body: { freezes: [] } }],
      ['setRolloutPolicy', { appId: app, body: { policy: null } }],
    ] as const
    for (const [operation, reported] of steps) await planned(admin, operation, reported)
    assert.deepEqual(await detail('1.0.0'), before)
    const { body: automations } = await admin.get(`/app/${app}/automations`)
    assert.isFalse(automations.some(({ enabled, type }: any) => enabled && /Target/.test(type)))
    assert.equal((await admin.get(`/v2/app/${app}/releases`)).body.data.length, 1)
  })

  test('is needed to stop, or to set what became of items', async ({ assert }) => {
    const { admin, app } = await makeTrain(['1.0.0'])
    const id = await makeItem({ admin, app }, A)
    const paused = await call(admin, 'change_plan', {
      action: 'pause_automations',
      appId: app,
      body: { paused: true },
    })
    assert.equal(paused.structuredContent.outcome, 'done')
    const items = [{ id, status: 'passed' }]
    const set = await call(admin, 'set_items', {
      action: 'set_many',
      appId: app,
      body: { releaseId: `${app}:1.0.0`, items },
    })
    assert.equal(set.structuredContent.outcome, 'done')
    const pressed = await call(admin, 'rollout', {
      action: 'red_button',
      appId: app,
      releaseId: `${app}:1.0.0`,
      body: {},
    })
    // There is no rollout, so no agreement was requested first.
    assert.notEqual(pressed.structuredContent?.outcome, 'planned')
  })

  test('is un-skipping a release', async ({ assert }) => {
    const { admin, app, path, statuses } = await makeTrain(['1.0.0', '1.1.0'])
    await admin.put(`${path('1.1.0')}/skip`, {})
    const ids = { appId: app, releaseId: `${app}:1.1.0` }
    const first = await planned(admin, 'unskipRelease', ids)
    await admin.put(path('1.1.0'), { releaseName: 'Winter' })
    assert.equal(await first.confirm(), 'plan_stale')
    assert.equal((await statuses())['1.1.0'], 'skipped')
    const second = await planned(admin, 'unskipRelease', ids)
    assert.equal(await second.confirm(), 'done')
    assert.equal((await statuses())['1.1.0'], 'upcoming')
  })
})

test.group('A token', () => {
  test('expires', async ({ assert }) => {
    const plans = new Plans(cursors)
    const of = { asker: 'org_1 key', operation: 'deleteRelease', request: { id: 1 } }
    const now = '2026-11-20T12:00:00.000Z'
    const { token, validUntil } = plans.write(of, 'print', now)
    assert.equal(validUntil, later(now, 15 * 60_000))
    assert.doesNotThrow(() => plans.expectation(of, token, validUntil)('print'))
    assert.throws(() => plans.expectation(of, token, now)('another print'), /plan/i)
    assert.throws(() => plans.expectation(of, token, later(validUntil, 1))('print'), /plan/i)
    for (const other of [
      { ...of, asker: 'org_1 other' },
      { ...of, operation: 'completeRelease' },
      { ...of, request: { id: 2 } },
    ])
      assert.throws(() => plans.expectation(other, token, now), /plan/i)
  })

  test('is carried out once when it is sent twice at the same time', async ({ assert }) => {
    const { admin, ids, bucket } = await makePlannedWorld()
    const { tool, action } = placeOf('createInstallLink')
    const reported = { action, ...ids.bucket, body: {} }
    const { structuredContent } = await call(admin, tool, reported)
    const before = (await admin.get(`${bucket}/installLink`)).body.data.length
    const send = () => call(admin, tool, { ...reported, plan: structuredContent.plan.token })
    const results = await Promise.all([send(), send(), send()])
    assert.lengthOf(
      results.filter(({ isError }) => !isError),
      1
    )
    for (const each of results.filter(({ isError }) => isError))
      assert.include(['plan_used', 'request_running'], refusalOf(each).code)
    assert.equal((await admin.get(`${bucket}/installLink`)).body.data.length, before + 1)
  })
})
