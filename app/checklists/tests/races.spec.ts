import { test } from '@japa/runner'
import { approvers, makeApprovalWorld } from './helpers/approvals.js'
import { makeItemWorld } from './helpers/items.js'

const CLIENTS = 20

test.group('Items under concurrent writes', () => {
  test('20 clients on the items of one release lose nothing, and no edge fires twice', async ({
    assert,
  }) => {
    const { world, admin, app, releaseId, setStatus } = await makeItemWorld({ kickedOff: true })
    const { body } = await admin.post(`/app/${app}/regressionItems/batch`, {
      items: Array.from({ length: CLIENTS }, (_, index) => ({ title: `Case ${index}` })),
    })
    const before = (await world.events()).length
    const results = await Promise.all(
      body.created.map((item: any) => setStatus(item.id, 'passed', { comment: item.title }))
    )
    assert.deepEqual([...new Set(results.map((result) => result.status))], [200])

    const { body: items } = await admin.get(`/app/${app}/release/${releaseId}/checklistItems`)
    assert.isTrue(
      items.every(
        (item: any) => item.status.type === 'passed' && item.status.comment.text === item.title
      )
    )
    const events = (await world.events()).slice(before)
    const typed = (type: string) => events.filter((event) => event.type === type)
    assert.lengthOf(typed('checklistItem.statusChanged'), CLIENTS)
    assert.deepEqual(
      typed('releaseStep.statusChanged').map(({ payload }) => [
        payload.previousStatus,
        payload.releaseSteps[0].status,
      ]),
      [
        ['notStarted', 'inProgress'],
        ['inProgress', 'complete'],
      ]
    )
    assert.deepEqual(
      events.map(({ sequence }) => sequence! - events[0].sequence!),
      events.map((_, index) => index)
    )
  })

  test('20 clients on one item cause a gapless chain of status changes', async ({ assert }) => {
    const { world, admin, app, releaseId, item, setStatus } = await makeItemWorld()
    const made = await item('regressionItem')
    const statuses = ['passed', 'failed', 'blocked', 'inProgress']
    const results = await Promise.all(
      Array.from({ length: CLIENTS }, (_, index) => setStatus(made.id, statuses[index % 4]))
    )
    assert.deepEqual([...new Set(results.map((result) => result.status))], [200])
    const changes = (await world.events())
      .filter(({ type }) => type === 'checklistItem.statusChanged')
      .map(({ payload }) => [payload.previousStatus, payload.checklistItem.status.type])
    let current = 'notStarted'
    for (const [from, to] of changes) {
      assert.equal(from, current)
      assert.notEqual(from, to)
      current = to
    }
    const shown = await admin.get(`/app/${app}/checklistItem/${made.id}?releaseId=${releaseId}`)
    assert.equal(shown.body.status.type, current)
  })

  test('templates created at the same time get different positions', async ({ assert }) => {
    const { admin, app, titles } = await makeItemWorld()
    const responses = await Promise.all(
      Array.from({ length: CLIENTS }, (_, index) =>
        admin.post(`/app/${app}/approval`, { title: `Approval ${index}` })
      )
    )
    assert.deepEqual([...new Set(responses.map((response) => response.status))], [201])
    assert.sameMembers(
      responses.map(({ body }) => body.placement.position),
      Array.from({ length: CLIENTS }, (_, index) => index)
    )
    assert.lengthOf(await titles(), CLIENTS)
  })

  test('of people approving one item at the same time every vote counts, with one last edge', async ({
    assert,
  }) => {
    const { world, item, person, vote, releaseItem } = await makeApprovalWorld()
    const made = await item('approval', { requiredApprovals: CLIENTS })
    const emails = await Promise.all(
      Array.from({ length: CLIENTS }, (_, index) => person(`person${index}`))
    )
    const results = await Promise.all(emails.map((userEmail) => vote(made.id, { userEmail })))
    assert.deepEqual([...new Set(results.map(({ status }) => status))], [200])
    assert.sameMembers(
      approvers(await releaseItem(made.id)),
      emails.map((email) => email.split('@')[0])
    )
    const edges = (await world.events())
      .filter(({ type }) => type === 'checklistItem.statusChanged')
      .map(({ payload }) => [payload.previousStatus, payload.checklistItem.status.type])
    assert.deepEqual(edges, [
      ['notStarted', 'inProgress'],
      ['inProgress', 'approved'],
    ])
  })

  test('one person approving many times at once counts once', async ({ assert }) => {
    const { item, vote, releaseItem } = await makeApprovalWorld()
    const made = await item('approval', { requiredApprovals: 2 })
    const results = await Promise.all(Array.from({ length: CLIENTS }, () => vote(made.id)))
    const count = (code: number) => results.filter(({ status }) => status === code).length
    assert.equal(count(200), CLIENTS)
    assert.deepEqual(approvers(await releaseItem(made.id)), ['admin'])
  })

  test('an approval that races with a change of the texts only counts for the new texts', async ({
    assert,
  }) => {
    const { item, vote, changeTexts, releaseItem, timeline } = await makeApprovalWorld()
    const made = await item('approval')
    const [voted, changed] = await Promise.all([vote(made.id), changeTexts('Faster.')])
    assert.deepEqual([voted.status, changed.status], [200, 200])
    const types = (await timeline()).map(({ type }) => type)
    const isVoteLast =
      types.lastIndexOf('metadata.updated') < types.indexOf('checklistItem.statusChanged')
    assert.equal((await releaseItem(made.id)).status.type, isVoteLast ? 'approved' : 'notStarted')
  })

  test('exactly one of two concurrent writers with the same tag wins', async ({ assert }) => {
    const { world, admin, app, releaseId, item } = await makeItemWorld()
    const made = await item('approval')
    const { headers } = await admin.get(
      `/app/${app}/checklistItem/${made.id}?releaseId=${releaseId}`
    )
    const responses = await Promise.all(
      ['approved', 'rejected'].map((status) =>
        admin.put(
          `/app/${app}/release/${releaseId}/checklistItem/${made.id}/status`,
          { status },
          { headers: { 'if-match': headers.etag } }
        )
      )
    )
    assert.sameMembers(
      responses.map(({ status }) => status),
      [200, 412]
    )
    const events = await world.events()
    assert.lengthOf(
      events.filter(({ type }) => type === 'checklistItem.statusChanged'),
      1
    )
  })
})
