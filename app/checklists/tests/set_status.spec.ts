import { test } from '@japa/runner'
import { CreateKey } from '#organizations/actions/create_key'
import { Api } from '#tests/support/api'
import { complete, makeItemWorld } from './helpers/items.js'

test.group('PUT /app/{appId}/release/{releaseId}/checklistItem/{checklistItemId}/status', () => {
  test('200 sets the status; events of item, step and readiness follow in causal order', async ({
    assert,
  }) => {
    const itemWorld = await makeItemWorld({
      kickedOff: true,
      steps: [{ type: 'kickoff' }, { type: 'approvals' }, { type: 'submission' }],
    })
    const { world, app, releaseId, item, setStatus } = itemWorld
    const [legal, brand] = [
      await item('approval', { title: 'Legal' }),
      await item('approval', { title: 'Brand' }),
    ]
    const before = (await world.events()).filter((event) => event.sequence).length
    const { status, body } = await setStatus(legal.id, 'approved', { comment: 'Fine by us.' })
    assert.equal(status, 200)
    assert.containsSubset(body, {
      id: legal.id,
      status: {
        type: 'approved',
        updatedBy: { type: 'apiKey', name: 'admin' },
        comment: { text: 'Fine by us.', author: { type: 'apiKey', name: 'admin' } },
      },
    })
    assert.equal(body.status.updatedAt, body.updatedAt)
    await setStatus(brand.id, 'approved')
    const events = (await world.events()).filter((event) => event.sequence).slice(before)
    assert.deepEqual(
      events.map(({ type }) => type),
      [
        'checklistItem.statusChanged',
        'releaseStep.statusChanged',
        'checklistItem.statusChanged',
        'releaseStep.statusChanged',
        'release.stepsReadyToSubmit',
      ]
    )
    assert.containsSubset(events[0].payload, {
      eventType: 'checklistItem.statusChanged',
      app: { id: app },
      release: { id: releaseId },
      checklistItem: { id: legal.id, title: 'Legal', status: { type: 'approved' } },
      previousStatus: 'notStarted',
    })
    assert.containsSubset(events[3].payload, {
      previousStatus: 'inProgress',
      releaseSteps: [{ status: 'complete', checklistItems: { total: 2, done: 2 } }],
      release: { readyToSubmit: true },
    })
    assert.deepEqual(
      events.map(({ sequence }) => sequence! - events[0].sequence!),
      [0, 1, 2, 3, 4]
    )
  })

  test('200 the same status again fires nothing, though a comment may change', async ({
    assert,
  }) => {
    const { eventTypes, item, setStatus } = await makeItemWorld()
    const made = await item('regressionItem')
    const first = await setStatus(made.id, 'passed', { comment: 'Once.' })
    const events = (await eventTypes()).length
    const again = await setStatus(made.id, 'passed')
    assert.equal(again.status, 200)
    assert.deepEqual(again.body, first.body)
    const commented = await setStatus(made.id, 'passed', { comment: 'Twice.' })
    assert.equal(commented.body.status.comment.text, 'Twice.')
    assert.equal(commented.body.status.updatedAt, first.body.status.updatedAt)
    const cleared = await setStatus(made.id, 'passed', { comment: null })
    assert.isNull(cleared.body.status.comment)
    assert.lengthOf(await eventTypes(), events)
  })

  test('200 any legal status of the kind may follow any other', async ({ assert }) => {
    const { item, setStatus } = await makeItemWorld()
    for (const [kind, statuses] of [
      ['checklistItem', ['complete', 'blocked', 'notApplicable', 'inProgress', 'notStarted']],
      ['approval', ['approved', 'rejected', 'blocked', 'inProgress', 'notStarted']],
      [
        'regressionItem',
        ['failed', 'passed', 'blocked', 'notApplicable', 'inProgress', 'notStarted'],
      ],
    ] as const) {
      const made = await item(kind)
      for (const status of statuses) {
        const result = await setStatus(made.id, status)
        assert.equal(result.status, 200, `${kind} ${status}`)
        assert.equal(result.body.status.type, status)
      }
    }
  })

  test('200 clears a progress mark that was set by hand, and keeps a verdict', async ({
    assert,
  }) => {
    const { world, admin, app, releaseId, item, setStatus } = await makeItemWorld()
    const made = await item('regressionItem')
    const handSet = (status: string) =>
      world.write(async (scope) => {
        const step = await scope.table('release_steps').where('type', 'regressionTesting').first()
        await scope
          .table('step_runs')
          .where('id', step.step_run_id)
          .update({
            facts: JSON.stringify({ handSet: status }),
            notes: JSON.stringify({ comment: 'kept' }),
          })
      })
    const facts = () =>
      world.write(async (scope) => {
        const step = await scope.table('release_steps').where('type', 'regressionTesting').first()
        const run = await scope.table('step_runs').where('id', step.step_run_id).first()
        return { ...JSON.parse(run.facts), ...JSON.parse(run.notes) }
      })
    await handSet('inProgress')
    await setStatus(made.id, 'failed')
    assert.deepEqual(await facts(), { handSet: null, comment: 'kept' })
    const release = async () =>
      (await admin.get(`/v2/app/${app}/releases/${releaseId}`)).body.regressionStatus
    assert.equal(await release(), 'failed')
    await handSet('passed')
    await setStatus(made.id, 'blocked')
    assert.equal((await facts()).handSet, 'passed')
    assert.equal(await release(), 'passed')
  })

  test('200 for the owner of an approval without the action, 403 for others', async ({
    assert,
  }) => {
    const { world, admin, app, releaseId, item } = await makeItemWorld()
    const group = await admin.post(`/org/${world.organizationId}/group`, {
      name: 'Counsel',
      userActions: [],
    })
    const owners = [{ type: 'group', id: group.body.id }]
    const keyed = async (groupIds: string[]) =>
      new Api(
        (await world.write((scope) => new CreateKey(scope).handle({ name: 'counsel', groupIds })))
          .key
      )
    const counsel = await keyed([group.body.id])
    const path = (id: string) => `/app/${app}/release/${releaseId}/checklistItem/${id}/status`
    const owned = await item('approval', { owners })
    assert.equal((await counsel.put(path(owned.id), { status: 'approved' })).status, 200)

    const other = await item('approval')
    const refused = await counsel.put(path(other.id), { status: 'approved' })
    assert.equal(refused.status, 403)
    assert.containsSubset(refused.body, {
      code: 'action_missing',
      missingActions: ['UpdateApprovalItemStatus'],
    })
    // Owning a checklist or regression item gives no right over it.
    const checklist = await item('checklistItem', { owners })
    const denied = await counsel.put(path(checklist.id), { status: 'complete' })
    assert.equal(denied.status, 403)
    assert.include(denied.body.detail, 'UpdateChecklistItemStatus')
  })

  test('403 without the action of the kind, and for a key that only reads', async ({ assert }) => {
    const { world, app, releaseId, item } = await makeItemWorld()
    const path = (id: string) => `/app/${app}/release/${releaseId}/checklistItem/${id}/status`
    const [approval, regression, checklist] = [
      await item('approval'),
      await item('regressionItem'),
      await item('checklistItem'),
    ]
    const design = await world.keyed({ groups: ['Design'] })
    assert.equal((await design.put(path(checklist.id), { status: 'complete' })).status, 200)
    assert.equal((await design.put(path(approval.id), { status: 'approved' })).status, 403)
    const { status, body } = await design.put(path(regression.id), { status: 'passed' })
    assert.equal(status, 403)
    assert.include(body.detail, 'UpdateRegressionTesting')
    const reader = await world.keyed()
    assert.equal((await reader.put(path(checklist.id), { status: 'blocked' })).status, 403)
  })

  test('404 for items that the release does not hold, and foreign releases', async ({ assert }) => {
    const [mine, theirs] = [await makeItemWorld(), await makeItemWorld()]
    const made = await mine.item('approval', { releaseTypes: ['hotfix'] })
    const shown = await mine.item('approval')
    const foreign = await theirs.item('approval')
    assert.equal((await mine.setStatus(made.id, 'approved')).status, 404)
    assert.equal((await mine.setStatus('item_none', 'approved')).status, 404)
    assert.equal((await mine.setStatus(foreign.id, 'approved')).status, 404)
    assert.equal((await mine.setStatus(shown.id, 'approved', {}, theirs.releaseId)).status, 404)
    assert.equal((await mine.setStatus(shown.id, 'approved', {}, `${mine.app}:8.0.0`)).status, 404)
  })

  test('409 on a completed and on a skipped release', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const { admin, app, releaseId, item, setStatus } = itemWorld
    const made = await item('approval')
    await admin.put(`/app/${app}/release/${releaseId}/skip`)
    const skipped = await setStatus(made.id, 'approved')
    assert.equal(skipped.status, 409)
    assert.containsSubset(skipped.body, { code: 'release_skipped', currentStatus: 'skipped' })
    assert.include(skipped.body.allowedActions, 'unskip')
    await admin.put(`/app/${app}/release/${releaseId}/unskip`)
    await complete(itemWorld, releaseId)
    const completed = await setStatus(made.id, 'approved')
    assert.equal(completed.status, 409)
    assert.containsSubset(completed.body, {
      code: 'release_completed',
      currentStatus: 'completed',
      allowedActions: [],
    })
  })

  test('200 returns the tag that reading the item returns afterwards', async ({ assert }) => {
    for (const [kind, status] of [
      ['approval', 'approved'],
      ['checklistItem', 'complete'],
      ['regressionItem', 'passed'],
    ] as const) {
      const { admin, app, releaseId, item } = await makeItemWorld()
      const made = await item(kind)
      const path = `/app/${app}/release/${releaseId}/checklistItem/${made.id}/status`
      const written = await admin.put(path, { status })
      assert.equal(written.status, 200)
      const read = await admin.get(`/app/${app}/checklistItem/${made.id}?releaseId=${releaseId}`)
      assert.equal(written.headers.etag, read.headers.etag)
    }
  })

  test('412 when the item has changed meanwhile', async ({ assert }) => {
    const { admin, app, releaseId, item } = await makeItemWorld()
    const made = await item('approval')
    const read = await admin.get(`/app/${app}/checklistItem/${made.id}?releaseId=${releaseId}`)
    const headers = { 'if-match': read.headers.etag }
    const path = `/app/${app}/release/${releaseId}/checklistItem/${made.id}/status`
    assert.equal((await admin.put(path, { status: 'approved' }, { headers })).status, 200)
    assert.equal((await admin.put(path, { status: 'rejected' }, { headers })).status, 412)
    const shown = await admin.get(`/app/${app}/checklistItem/${made.id}?releaseId=${releaseId}`)
    assert.equal(shown.body.status.type, 'approved')
  })

  test('422 for a status of another kind and for no status at all', async ({ assert }) => {
    const { world, item, setStatus } = await makeItemWorld()
    const made = await item('approval')
    const events = (await world.events()).length
    const illegal = await setStatus(made.id, 'passed')
    assert.equal(illegal.status, 422)
    assert.containsSubset(illegal.body.errors, [{ pointer: '/status', code: 'illegal_status' }])
    for (const status of ['done', 3, null]) {
      assert.equal((await setStatus(made.id, status as string)).status, 422)
    }
    assert.equal((await setStatus(made.id, 'approved', { comment: '' })).status, 422)
    assert.equal((await setStatus(made.id, 'approved', { comment: 'x'.repeat(5001) })).status, 422)
    assert.lengthOf(await world.events(), events)
  })

  test('308 from a former id of the release', async ({ assert }) => {
    const { admin, app, releaseId, item, setStatus } = await makeItemWorld()
    const made = await item('approval')
    await admin.put(`/app/${app}/release/${releaseId}`, { version: '1.0.9' })
    const { status, headers } = await setStatus(made.id, 'approved')
    assert.equal(status, 308)
    assert.equal(
      headers.location,
      `/app/${app}/release/${app}:1.0.9/checklistItem/${made.id}/status`
    )
  })
})
