import { test } from '@japa/runner'
import { RotateKey } from '#organizations/actions/rotate_key'
import { Api } from '#tests/support/api'
import { complete } from './helpers/items.js'
import { approvers, makeApprovalWorld } from './helpers/approvals.js'

test.group('Rules of an approval', () => {
  test('201 one approval by anybody is enough by default', async ({ assert }) => {
    const { item } = await makeApprovalWorld()
    assert.containsSubset(await item('approval'), { requiredApprovals: 1, fourEyes: false })
    const strict = await item('approval', { requiredApprovals: 3, fourEyes: true })
    assert.containsSubset(strict, { requiredApprovals: 3, fourEyes: true, status: null })
    assert.notProperty(strict, 'approvals')
    const other = await item('checklistItem')
    assert.notProperty(other, 'requiredApprovals')
    assert.notProperty(other, 'fourEyes')
  })

  test('200 an edit changes what is given and reaches untouched items', async ({ assert }) => {
    const { admin, app, item, releaseItem } = await makeApprovalWorld()
    const made = await item('approval', { requiredApprovals: 2 })
    const path = `/app/${app}/checklistItem/${made.id}`
    const { body } = await admin.put(path, { fourEyes: true })
    assert.containsSubset(body, { requiredApprovals: 2, fourEyes: true })
    assert.containsSubset(await releaseItem(made.id), {
      requiredApprovals: 2,
      fourEyes: true,
      approvals: [],
    })
    const same = await admin.put(path, { requiredApprovals: 2, fourEyes: true })
    assert.equal(same.body.updatedAt, body.updatedAt)
  })

  test('422 for a number outside of 1 to 20, and for items of other kinds', async ({ assert }) => {
    const { admin, app, item } = await makeApprovalWorld()
    for (const broken of [
      { requiredApprovals: 0 },
      { requiredApprovals: 21 },
      { requiredApprovals: 1.5 },
      { requiredApprovals: '2' },
      { fourEyes: 'yes' },
      { fourEyes: 1 },
    ]) {
      const { status } = await admin.post(`/app/${app}/approval`, { title: 'x', ...broken })
      assert.equal(status, 422, JSON.stringify(broken))
    }
    const body = { title: 'x', requiredApprovals: 2 }
    const regression = await admin.post(`/app/${app}/regressionItem`, body)
    assert.containsSubset(regression.body.errors, [{ code: 'approvals_only' }])
    const checklist = await item('checklistItem')
    const refused = await admin.put(`/app/${app}/checklistItem/${checklist.id}`, { fourEyes: true })
    assert.equal(refused.status, 422)
    assert.containsSubset(refused.body.errors, [{ pointer: '/fourEyes', code: 'approvals_only' }])
  })

  test('an edit of the rules recounts the votes of an upcoming release', async ({ assert }) => {
    const { admin, app, item, release, setStatus } = await makeApprovalWorld()
    const next = await release({ version: '1.1.0' })
    const made = await item('approval', { requiredApprovals: 2 })
    const shown = async () =>
      (await admin.get(`/app/${app}/checklistItem/${made.id}?releaseId=${next}`)).body.status.type
    await setStatus(made.id, 'approved', {}, next)
    assert.equal(await shown(), 'inProgress')
    const path = `/app/${app}/checklistItem/${made.id}`
    await admin.put(path, { requiredApprovals: 1 })
    assert.equal(await shown(), 'approved')
    await admin.put(path, { requiredApprovals: 3 })
    assert.equal(await shown(), 'inProgress')
    await admin.put(path, { requiredApprovals: 1, fourEyes: true })
    assert.equal(await shown(), 'notStarted')
  })
})

test.group('Votes on an approval', () => {
  test('200 in progress until enough people approved; one event per edge', async ({ assert }) => {
    const { world, item, key, vote, timeline } = await makeApprovalWorld()
    const made = await item('approval', { requiredApprovals: 3 })
    const before = (await world.events()).filter(({ sequence }) => sequence).length
    const first = await vote(made.id, { comment: 'Fine.' })
    assert.equal(first.status, 200)
    assert.equal(first.body.status.type, 'inProgress')
    const second = await vote(made.id, {}, await key('two'))
    assert.equal(second.body.status.type, 'inProgress')
    assert.equal(second.body.status.updatedAt, first.body.status.updatedAt)
    const third = await vote(made.id, {}, await key('three'))
    assert.containsSubset(third.body, {
      status: { type: 'approved', updatedBy: { type: 'apiKey', name: 'three' } },
      approvals: [
        { actor: { name: 'admin' }, at: first.body.status.updatedAt, comment: 'Fine.' },
        { actor: { name: 'two' } },
        { actor: { name: 'three' } },
      ],
    })
    assert.notProperty(third.body.approvals[0], 'hash')
    assert.notProperty(third.body.approvals[1], 'comment')
    const fourth = await vote(made.id, {}, await key('four'))
    assert.equal(fourth.body.status.type, 'approved')

    const events = (await world.events()).filter(({ sequence }) => sequence).slice(before)
    assert.deepEqual(
      events
        .filter(({ type }) => type === 'checklistItem.statusChanged')
        .map(({ payload }) => [payload.previousStatus, payload.checklistItem.status.type]),
      [
        ['notStarted', 'inProgress'],
        ['inProgress', 'approved'],
      ]
    )
    const given = (await timeline()).filter(({ type }) => type === 'approval.given')
    assert.deepEqual(
      given.map(({ actor, data }) => [actor.name, data.approvals]),
      [
        ['two', { given: 2, required: 3 }],
        ['four', { given: 4, required: 3 }],
      ]
    )
  })

  test('200 another status withdraws the votes', async ({ assert }) => {
    const { item, vote } = await makeApprovalWorld()
    const made = await item('approval', { requiredApprovals: 2 })
    for (const status of ['rejected', 'blocked', 'notStarted']) {
      assert.deepEqual(approvers((await vote(made.id)).body), ['admin'])
      const { body } = await vote(made.id, { status })
      assert.equal(body.status.type, status)
      assert.deepEqual(body.approvals, [])
    }
  })

  test('200 the same status withdraws no vote, with or without a comment', async ({ assert }) => {
    const { world, item, key, vote, timeline } = await makeApprovalWorld()
    const made = await item('approval', { requiredApprovals: 2 })
    const voted = (await vote(made.id)).body
    const webhooks = async () => (await world.events()).filter(({ sequence }) => sequence).length
    const [sent, reported] = [await webhooks(), (await timeline()).length]
    const same = await vote(made.id, { status: 'inProgress' })
    assert.deepEqual([same.status, same.body], [200, voted])
    assert.lengthOf(await timeline(), reported)

    const commented = await vote(made.id, { status: 'inProgress', comment: 'One to go.' })
    assert.deepEqual(commented.body.approvals, voted.approvals)
    assert.containsSubset(commented.body.status, {
      type: 'inProgress',
      updatedAt: voted.status.updatedAt,
      comment: { text: 'One to go.' },
    })
    const [entry, ...more] = (await timeline()).slice(reported)
    assert.isEmpty(more)
    assert.containsSubset(entry, {
      type: 'checklistItem.commented',
      actor: { type: 'apiKey', name: 'admin' },
      data: { checklistItemId: made.id, kind: 'approval', comment: 'One to go.' },
    })
    assert.equal(await webhooks(), sent)
    assert.equal((await vote(made.id, {}, await key('two'))).body.status.type, 'approved')
    const standing = await vote(made.id, { status: 'approved', comment: 'Done.' })
    assert.deepEqual(approvers(standing.body), ['admin', 'two'])
  })

  test('200 two votes of one person count once, also through a rotated key', async ({ assert }) => {
    const { world, item, vote, releaseItem, person, timeline } = await makeApprovalWorld()
    const made = await item('approval', { requiredApprovals: 5 })
    const { body: first } = await vote(made.id)
    const reported = (await timeline()).length
    const again = await vote(made.id)
    assert.deepEqual([again.status, again.body], [200, first])

    const keyId = first.approvals[0].actor.id
    const rotated = await world.write((scope) => new RotateKey(scope).handle({ keyId }))
    const renewed = await vote(made.id, {}, new Api(rotated.key))
    assert.deepEqual([renewed.status, renewed.body], [200, first])
    assert.lengthOf(await timeline(), reported)

    const userEmail = await person('ada')
    const { body: both } = await vote(made.id, { userEmail })
    const named = await vote(made.id, { userEmail: userEmail.toUpperCase(), comment: 'Still.' })
    assert.deepEqual(named.body.approvals, both.approvals)
    const ada = { type: 'user', name: 'ada' }
    assert.containsSubset(named.body.status.comment, { text: 'Still.', author: ada })
    assert.containsSubset((await timeline()).at(-1), {
      type: 'checklistItem.commented',
      data: { comment: 'Still.', onBehalfOf: ada },
    })
    assert.deepEqual(approvers(await releaseItem(made.id)), ['admin', 'ada'])
  })

  test('200 a vote on behalf of a person names that person and the key', async ({ assert }) => {
    const { item, vote, person, timeline } = await makeApprovalWorld()
    const made = await item('approval')
    const { body } = await vote(made.id, { userEmail: await person('ada'), comment: 'Go.' })
    const ada = { type: 'user', name: 'ada' }
    assert.containsSubset(body, {
      status: { type: 'approved', updatedBy: ada, comment: { text: 'Go.', author: ada } },
      approvals: [{ actor: ada, comment: 'Go.' }],
    })
    const [recorded] = (await timeline()).filter(
      ({ type }) => type === 'checklistItem.statusChanged'
    )
    assert.containsSubset(recorded, {
      actor: { type: 'apiKey', name: 'admin' },
      data: { onBehalfOf: ada, from: 'notStarted', to: 'approved' },
    })
    const rejected = await vote(made.id, { status: 'rejected', userEmail: await person('bob') })
    assert.containsSubset(rejected.body.status.updatedBy, { type: 'user', name: 'bob' })
  })

  test('422 for somebody outside of the organization, and for other kinds', async ({ assert }) => {
    const { item, vote } = await makeApprovalWorld()
    const stranger = await (await makeApprovalWorld()).person('eve')
    const made = await item('approval')
    for (const userEmail of [stranger, 'nobody@acme.example']) {
      const { status, body } = await vote(made.id, { userEmail })
      assert.equal(status, 422)
      assert.containsSubset(body.errors, [{ pointer: '/userEmail', code: 'unknown_user' }])
    }
    assert.equal((await vote(made.id, { userEmail: 'nobody' })).status, 422)
    const checklist = await item('checklistItem')
    const other = await vote(checklist.id, { status: 'complete', userEmail: stranger })
    assert.containsSubset(other.body.errors, [{ pointer: '/userEmail', code: 'approvals_only' }])
  })

  test('403 with role-based access for somebody who has no right and is no owner', async ({
    assert,
  }) => {
    const { admin, app, item, vote, person, groupId, roleBased, releaseId } =
      await makeApprovalWorld()
    const owners = [
      { type: 'group', id: await groupId('Design') },
      { type: 'releasePilot', id: null },
    ]
    const made = await item('approval', { requiredApprovals: 20, owners })
    const outsider = await person('out', ['Marketing'])
    const pilot = await person('pilot')
    await admin.put(`/app/${app}/release/${releaseId}`, { releasePilotId: pilot })
    assert.equal((await vote(made.id, { userEmail: await person('any') })).status, 200)
    await roleBased()
    const { status, body } = await vote(made.id, { userEmail: outsider })
    assert.equal(status, 403)
    assert.containsSubset(body, {
      code: 'action_missing',
      missingActions: ['UpdateApprovalItemStatus'],
    })
    assert.include(body.detail, outsider)
    assert.equal((await vote(made.id, { userEmail: await person('a', ['Approvers']) })).status, 200)
    assert.equal((await vote(made.id, { userEmail: await person('d', ['Design']) })).status, 200)
    assert.equal((await vote(made.id, { userEmail: pilot })).status, 200)
  })

  test('403 for a key without the right, whomever it names', async ({ assert }) => {
    const { item, vote, person, key } = await makeApprovalWorld()
    const made = await item('approval')
    const userEmail = await person('ada', ['Approvers'])
    const { status, body } = await vote(made.id, { userEmail }, await key('m', ['Marketing']))
    assert.deepEqual([status, body.code], [403, 'action_missing'])
  })

  test('403 for a key that owns the item and names somebody', async ({ assert }) => {
    const { item, vote, person, key, groupId } = await makeApprovalWorld()
    const owners = [{ type: 'group', id: await groupId('Design') }]
    const made = await item('approval', { requiredApprovals: 2, owners })
    const [owner, userEmail] = [await key('owner', ['Design']), await person('ada')]
    for (const status of ['approved', 'rejected']) {
      const named = await vote(made.id, { status, userEmail }, owner)
      assert.deepEqual([named.status, named.body.code], [403, 'action_missing'])
      assert.deepEqual(named.body.missingActions, ['UpdateApprovalItemStatus'])
    }
    assert.equal((await vote(made.id, {}, owner)).status, 200)
  })

  test('409 on a completed and on a skipped release', async ({ assert }) => {
    const approvalWorld = await makeApprovalWorld()
    const { admin, app, releaseId, item, vote } = approvalWorld
    const made = await item('approval', { requiredApprovals: 2 })
    await admin.put(`/app/${app}/release/${releaseId}/skip`)
    assert.equal((await vote(made.id)).body.code, 'release_skipped')
    await admin.put(`/app/${app}/release/${releaseId}/unskip`)
    await complete(approvalWorld, releaseId)
    const breakGlass = { reason: 'The store closes for the holidays.' }
    assert.equal((await vote(made.id, { breakGlass })).body.code, 'release_completed')
  })
})

test.group('Four eyes', () => {
  test('403 for the author of the release and the last author of the texts', async ({ assert }) => {
    const { item, vote, key, changeTexts, person } = await makeApprovalWorld()
    const made = await item('approval', { fourEyes: true, requiredApprovals: 3 })
    const created = await vote(made.id)
    assert.equal(created.status, 403)
    assert.equal(created.body.code, 'four_eyes')
    assert.include(created.body.detail, 'admin created the release 1.0.0')

    const writer = await key('writer', ['Approvers', 'Marketing'])
    assert.equal((await vote(made.id, {}, writer)).status, 200)
    assert.equal((await changeTexts('Faster.', writer)).status, 200)
    const edited = await vote(made.id, {}, writer)
    assert.equal(edited.body.code, 'four_eyes')
    assert.include(edited.body.detail, 'writer last changed the texts')
    const userEmail = await person('ada')
    assert.equal((await vote(made.id, { userEmail }, await key('bot'))).status, 200)

    const second = await key('second', ['Approvers', 'Marketing'])
    await changeTexts('Faster and safer.', second)
    assert.equal((await vote(made.id, {}, writer)).status, 200)
  })

  test('403 for a key that is an author, whomever it names', async ({ assert }) => {
    const { item, vote, key, changeTexts, person, releaseItem } = await makeApprovalWorld()
    const made = await item('approval', { fourEyes: true })
    const userEmail = await person('ada')
    const created = await vote(made.id, { userEmail })
    assert.deepEqual([created.status, created.body.code], [403, 'four_eyes'])
    const writer = await key('writer', ['Approvers', 'Marketing'])
    await changeTexts('Faster.', writer)
    const edited = await vote(made.id, { userEmail }, writer)
    assert.deepEqual([edited.status, edited.body.code], [403, 'four_eyes'])
    assert.include(edited.body.detail, 'writer last changed the texts')
    assert.isEmpty(approvers(await releaseItem(made.id)))
  })

  test('requiring four eyes later withdraws votes that an author gave for others', async ({
    assert,
  }) => {
    const { admin, app, item, release, person, setStatus, key } = await makeApprovalWorld()
    const next = await release({ version: '1.1.0' })
    const made = await item('approval', { requiredApprovals: 3 })
    await setStatus(made.id, 'approved', { userEmail: await person('ada') }, next)
    const path = `/app/${app}/release/${next}/checklistItem/${made.id}/status`
    const body = { status: 'approved', userEmail: await person('bob') }
    assert.equal((await (await key('bot')).put(path, body)).status, 200)
    await admin.put(`/app/${app}/checklistItem/${made.id}`, { fourEyes: true })
    const shown = await admin.get(`/app/${app}/checklistItem/${made.id}?releaseId=${next}`)
    assert.deepEqual(approvers(shown.body), ['bob'])
  })

  test('an author may reject, and may approve without four eyes', async ({ assert }) => {
    const { item, vote } = await makeApprovalWorld()
    const strict = await item('approval', { fourEyes: true })
    assert.equal((await vote(strict.id, { status: 'rejected' })).status, 200)
    assert.equal((await vote((await item('approval')).id)).status, 200)
  })
})
