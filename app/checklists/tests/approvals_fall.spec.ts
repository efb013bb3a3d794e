import { test } from '@japa/runner'
import { approvers, makeApprovalWorld } from './helpers/approvals.js'

test.group('Approvals and what they approve', () => {
  test('a change of the texts withdraws all approvals, in causal order, with the reason', async ({
    assert,
  }) => {
    const { world, item, vote, changeTexts, releaseItem, timeline } = await makeApprovalWorld()
    const [one, two, rejected, untouched] = [
      await item('approval', { title: 'One' }),
      await item('approval', { title: 'Two', requiredApprovals: 2 }),
      await item('approval', { title: 'Rejected' }),
      await item('approval', { title: 'Untouched' }),
    ]
    await vote(one.id, { comment: 'Read it.' })
    await vote(two.id)
    await vote(rejected.id, { status: 'rejected' })
    const numbered = async () => (await world.events()).filter(({ sequence }) => sequence)
    const before = (await numbered()).length
    const entries = (await timeline()).length
    assert.equal((await changeTexts('Faster.')).status, 200)

    assert.containsSubset(await releaseItem(one.id), {
      status: { type: 'notStarted', comment: { text: 'Read it.' } },
      approvals: [],
    })
    assert.equal((await releaseItem(two.id)).status.type, 'notStarted')
    assert.equal((await releaseItem(rejected.id)).status.type, 'rejected')
    assert.equal((await releaseItem(untouched.id)).status.type, 'notStarted')

    const recorded = (await timeline()).slice(entries)
    assert.deepEqual(
      recorded.map(({ type, data }) => [type, data.title ?? data.from ?? null]),
      [
        ['metadata.updated', null],
        ['checklistItem.statusChanged', 'One'],
        ['checklistItem.statusChanged', 'Two'],
        ['releaseStep.statusChanged', 'notStarted'],
      ]
    )
    assert.containsSubset(recorded[1].data, {
      from: 'approved',
      to: 'notStarted',
      approvalFell: { reason: 'contentChanged' },
    })
    const events = (await numbered()).slice(before)
    assert.deepEqual(
      events.map(({ type, payload }) => [type, payload.previousStatus]),
      [
        ['checklistItem.statusChanged', 'approved'],
        ['checklistItem.statusChanged', 'inProgress'],
        ['releaseStep.statusChanged', 'notStarted'],
      ]
    )
    assert.deepEqual(events[0].payload.checklistItem.approvals, [])
  })

  test('unchanged texts withdraw nothing, and people may approve changed texts again', async ({
    assert,
  }) => {
    const { item, vote, changeTexts, releaseItem } = await makeApprovalWorld()
    const made = await item('approval')
    await changeTexts('Faster.')
    await vote(made.id)
    await changeTexts('Faster.')
    assert.deepEqual(approvers(await releaseItem(made.id)), ['admin'])
    await changeTexts('Safer.')
    const again = await vote(made.id)
    assert.equal(again.status, 200)
    // Going back to texts that were approved once is a change as well.
    await changeTexts('Faster.')
    assert.deepEqual(approvers(await releaseItem(made.id)), [])
  })

  test('completed, skipped and unskipped releases keep their approvals', async ({ assert }) => {
    const { admin, app, releaseId, item, vote, changeTexts, releaseItem } =
      await makeApprovalWorld()
    const made = await item('approval')
    await changeTexts('Faster.')
    await vote(made.id)
    const path = `/app/${app}/release/${releaseId}`
    await admin.put(`${path}/skip`)
    assert.equal((await releaseItem(made.id)).status.type, 'approved')
    // The unfinished metadata step starts over, with the texts that were approved.
    await admin.put(`${path}/unskip`)
    assert.equal((await releaseItem(made.id)).status.type, 'approved')
    await changeTexts('Safer.')
    assert.equal((await releaseItem(made.id)).status.type, 'notStarted')
    await vote(made.id)
    await admin.put(`${path}/complete`)
    assert.equal((await releaseItem(made.id)).status.type, 'approved')
  })

  test('unskipping a release recounts its approvals by rules that changed meanwhile', async ({
    assert,
  }) => {
    const { admin, app, item, release, setStatus, eventTypes } = await makeApprovalWorld()
    const made = await item('approval')
    const next = await release({ version: '1.1.0' })
    await setStatus(made.id, 'approved', {}, next)
    await admin.put(`/app/${app}/release/${next}/skip`)
    await admin.put(`/app/${app}/checklistItem/${made.id}`, { requiredApprovals: 2 })
    const { length } = await eventTypes()
    await admin.put(`/app/${app}/release/${next}/unskip`)
    assert.include((await eventTypes()).slice(length), 'checklistItem.statusChanged')
    const { body } = await admin.get(`/app/${app}/checklistItem/${made.id}?releaseId=${next}`)
    assert.equal(body.status.type, 'inProgress')
  })

  test('a reader sees how many approvals are missing and who can give them', async ({ assert }) => {
    const { admin, app, releaseId, item, vote, changeTexts } = await makeApprovalWorld()
    const made = await item('approval', { title: 'Legal', requiredApprovals: 3 })
    const why = async () => {
      const { body } = await admin.get(`/app/${app}/release/${releaseId}/whyNotMoving`)
      return body.steps.find(({ type }: any) => type === 'approvals').unmet
    }
    await vote(made.id)
    assert.containsSubset(await why(), [
      {
        code: 'item_not_done',
        message: '"Legal" is not done yet: 2 of 3 approvals missing.',
        approvalsMissing: 2,
        who: [{ type: 'userAction', name: 'UpdateApprovalItemStatus' }],
      },
    ])
    await changeTexts('Faster.')
    assert.containsSubset(await why(), [{ approvalsMissing: 3 }])
  })

  test('it waits for owners who have not approved, and for others if owners are too few', async ({
    assert,
  }) => {
    const { admin, app, releaseId, item, vote, person } = await makeApprovalWorld()
    const [ada, bob] = [await person('ada'), await person('bob')]
    const owners = [ada, bob].map((id) => ({ type: 'user', id }))
    const made = await item('approval', { requiredApprovals: 2, owners })
    const who = async () => {
      const { body } = await admin.get(`/app/${app}/release/${releaseId}/whyNotMoving`)
      const { unmet } = body.steps.find(({ type }: any) => type === 'approvals')
      return unmet[0].who.map(({ name }: any) => name)
    }
    assert.deepEqual(await who(), ['ada', 'bob'])
    await vote(made.id, { userEmail: ada })
    assert.deepEqual(await who(), ['bob'])
    await admin.put(`/app/${app}/checklistItem/${made.id}`, { requiredApprovals: 3 })
    await vote(made.id, { status: 'notStarted' })
    await admin.put(`/app/${app}/checklistItem/${made.id}`, { title: 'Brand' })
    assert.deepEqual(await who(), ['ada', 'bob', 'UpdateApprovalItemStatus'])
  })
})
