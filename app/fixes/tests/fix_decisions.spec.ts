import { test } from '@japa/runner'
import { RotateKey } from '#organizations/actions/rotate_key'
import { Api } from '#tests/support/api'
import { makeFixes } from './support.js'

test.group('PUT …/fixRequest/{fixRequestId}/approve', () => {
  test('200 approves it once enough people did; a single approval is only in the timeline', async ({
    assert,
  }) => {
    const { request, approve, key, reported, timeline, person } = await makeFixes({
      requiredApprovals: 2,
    })
    const { body: made } = await request()
    const [ada, grace] = [await key('ada'), await key('grace')]
    const first = await approve(made.id, { comment: 'Fine.' }, ada)
    assert.containsSubset(first.body, {
      status: 'pending',
      approvals: [{ user: { name: 'ada', email: null } }],
      approvedAt: null,
    })
    assert.equal((await approve(made.id, { comment: 'Again.' }, ada)).text, first.text)
    assert.lengthOf(await reported(), 1)
    const userEmail = await person('eve')
    const second = await approve(made.id, { userEmail }, grace)
    assert.containsSubset(second.body, {
      status: 'approved',
      approvals: [{ user: { name: 'ada' } }, { user: { email: userEmail } }],
    })
    assert.isNotNull(second.body.approvedAt)
    const third = await approve(made.id, {}, grace)
    assert.deepEqual(
      [third.body.status, third.body.approvedAt, third.body.approvals.length],
      ['approved', second.body.approvedAt, 3]
    )
    const [, event, ...others] = await reported()
    assert.isEmpty(others)
    assert.equal(event.type, 'fixRequest.approved')
    assert.equal(event.payload.fixRequest.status, 'approved')
    const entries = (await timeline('1.0.0')).filter(({ data }) => data.fixRequestId === made.id)
    assert.sameDeepMembers(
      entries.map(({ type, data }) => [type, data.approvals, data.onBehalfOf?.name]),
      [
        ['fixRequest.created', undefined, undefined],
        ['approval.given', { given: 1, required: 2 }, undefined],
        ['fixRequest.approved', { given: 2, required: 2 }, 'eve'],
        ['approval.given', { given: 3, required: 2 }, undefined],
      ]
    )
  })

  test('403 for the requester, whoever is named as approver', async ({ assert }) => {
    const { request, approve, key, person } = await makeFixes()
    const [ada, eve] = [await person('ada'), await person('eve')]
    const bot = await key('bot')
    const { body: own } = await request()
    const { body: named } = await request({ requesterEmail: ada }, bot)
    const refusals: [string, object, Api?][] = [
      [own.id, {}],
      [own.id, { userEmail: eve }],
      [named.id, { userEmail: ada }],
      [named.id, { userEmail: ada }, bot],
      [named.id, {}, bot],
    ]
    for (const [id, body, by] of refusals) {
      const { status, body: problem } = await approve(id, body, by)
      assert.deepEqual([status, problem.code], [403, 'four_eyes'], JSON.stringify(body))
    }
    assert.equal((await approve(named.id, { userEmail: eve }, bot)).body.status, 'approved')
    assert.equal((await approve(own.id, {}, bot)).body.status, 'approved')
  })

  test('200 for the requester if the app allows it; requests keep the rules they were made with', async ({
    assert,
  }) => {
    const { request, approve, admin, app } = await makeFixes({ fourEyes: false })
    const { body: first } = await request()
    await admin.put(`/app/${app}/fixRequestFormFieldsSettings`, {
      fourEyes: true,
      requiredApprovals: 5,
    })
    const { body: second } = await request()
    assert.equal((await approve(first.id)).body.status, 'approved')
    assert.equal((await approve(second.id)).status, 403)
  })

  test('a rotated key counts as the same approver', async ({ assert }) => {
    const { request, approve, world } = await makeFixes({ requiredApprovals: 2 })
    const { body: made } = await request()
    const own = new Api(
      (
        await world.write(async (scope) => {
          const { id } = await scope.table('api_keys').where('name', 'admin').firstOrFail()
          return new RotateKey(scope).handle({ keyId: id })
        })
      ).key
    )
    const { status, body } = await approve(made.id, {}, own)
    assert.deepEqual([status, body.code], [403, 'four_eyes'])
  })

  test('409 for a rejected one, 403 without ApproveFixes, 422 for an unknown person, 412 for a stale tag', async ({
    assert,
  }) => {
    const { request, approve, reject, key, world, requests, show } = await makeFixes()
    const { body: made, headers } = await request()
    const grace = await key('grace')
    const unknown = await approve(made.id, { userEmail: 'nobody@acme.example' }, grace)
    assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [422, '/userEmail'])
    const powerless = await world.keyed({ groups: ['Marketing'] })
    assert.equal((await approve(made.id, {}, powerless)).status, 403)
    assert.equal((await reject(made.id, {}, powerless)).status, 403)
    assert.deepEqual(await show(made.id), made)
    await reject(made.id)
    const late = await approve(made.id, {}, grace)
    assert.deepEqual(
      [late.status, late.body.code, late.body.currentStatus, late.body.allowedActions],
      [409, 'fix_request_closed', 'rejected', []]
    )
    const options = { headers: { 'if-match': headers.etag } }
    assert.equal((await grace.put(`${requests}/${made.id}/approve`, {}, options)).status, 412)
  })
})

test.group('PUT …/fixRequest/{fixRequestId}/reject', () => {
  test('200 ends it with the reason; repeated, it changes nothing', async ({ assert }) => {
    const { request, approve, reject, key, reported } = await makeFixes()
    const { body: made } = await request()
    await approve(made.id, {}, await key('grace'))
    const { status, body } = await reject(made.id, { comment: 'It can wait.' })
    assert.equal(status, 200)
    assert.containsSubset(body, {
      status: 'rejected',
      rejections: [{ user: { name: 'admin' } }],
      rejectionReason: 'It can wait.',
    })
    const again = await reject(made.id, { comment: 'No.' }, await key('ada'))
    assert.equal(again.text, JSON.stringify(body))
    assert.deepEqual(
      (await reported()).map(({ type }) => type),
      ['fixRequest.created', 'fixRequest.approved', 'fixRequest.rejected']
    )
  })
})

test.group('POST /app/{appId}/triageIssue/{issueId}/requestFix', () => {
  async function makeIssue() {
    const fixes = await makeFixes({ fourEyes: false })
    const { admin, app } = fixes
    const issue = { title: 'Crash', description: 'At start.', severity: 'high' }
    const { body } = await admin.post(`/app/${app}/triageIssue`, issue)
    const path = `/app/${app}/triageIssue/${body.id}`
    return {
      ...fixes,
      issue: body,
      shown: async () => (await admin.get(path)).body,
      fix: (more: object = {}) =>
        admin.post(`${path}/requestFix`, { releaseId: `${app}:1.0.0`, ...more }),
      decide: (status: string) => admin.put(path, { status }),
    }
  }

  test('201 makes a request with the words of the issue, which names it', async ({ assert }) => {
    const { fix, shown, issue, requests, reported } = await makeIssue()
    const { status, body, headers } = await fix()
    assert.equal(status, 201)
    assert.equal(headers.location, `${requests}/${body.id}`)
    assert.containsSubset(body, {
      title: 'Crash',
      description: 'At start.',
      triageIssueId: issue.id,
      status: 'pending',
    })
    assert.containsSubset(await shown(), { status: 'fixRequested', fixRequestId: body.id })
    assert.lengthOf(await reported(), 1)
  })

  test('409 for a second one while the first is open; rejecting it reopens the issue', async ({
    assert,
  }) => {
    const { fix, shown, reject, decide, appTimeline } = await makeIssue()
    const { body: first } = await fix()
    for (const response of [await fix(), await decide('ignored')]) {
      assert.deepEqual(
        [response.status, response.body.code, response.body.currentStatus],
        [409, 'fix_requested', 'fixRequested']
      )
    }
    await reject(first.id)
    assert.containsSubset(await shown(), { status: 'open', fixRequestId: null })
    const { body: second } = await fix({ title: 'Another way', description: null })
    assert.containsSubset(second, { title: 'Another way', description: null })
    await reject(first.id)
    assert.containsSubset(await shown(), { status: 'fixRequested', fixRequestId: second.id })
    const entries = (await appTimeline()).filter(({ type }) => type === 'triageIssue.updated')
    assert.lengthOf(entries, 3)
  })

  test('the issue is resolved when users have the release, and open again when it is deleted', async ({
    assert,
  }) => {
    const { fix, shown, approve, admin, path } = await makeIssue()
    const { body } = await fix()
    await approve(body.id)
    await admin.put(`${path('1.0.0')}/complete`)
    assert.containsSubset(await shown(), { status: 'resolved', fixRequestId: body.id })

    const deleted = await makeIssue()
    await deleted.fix()
    assert.equal((await deleted.admin.delete(deleted.path('1.0.0'))).status, 204)
    assert.containsSubset(await deleted.shown(), { status: 'open', fixRequestId: null })
  })

  test('201 again if the release of the first is over and the issue is open again', async ({
    assert,
  }) => {
    const { fix, shown, admin, app, path } = await makeIssue()
    await fix()
    await admin.put(`${path('1.0.0')}/complete`)
    assert.equal((await shown()).status, 'open')
    await admin.put(`${path('1.1.0')}/kickoff`)
    const { status, body } = await fix({ releaseId: `${app}:1.1.0` })
    assert.equal(status, 201)
    assert.equal((await shown()).fixRequestId, body.id)
  })

  test('404 for an unknown issue or release, 409 before the kickoff, 422 for the form', async ({
    assert,
  }) => {
    const { fix, shown, issue, admin, app } = await makeIssue()
    const stranger = await makeIssue()
    const elsewhere = `/app/${stranger.app}/triageIssue/${issue.id}/requestFix`
    const releaseId = `${stranger.app}:1.0.0`
    assert.equal((await stranger.admin.post(elsewhere, { releaseId })).status, 404)
    assert.equal((await fix({ releaseId })).status, 404)
    assert.equal((await fix({ releaseId: `${app}:1.1.0` })).body.code, 'release_not_kicked_off')
    await admin.put(`/app/${app}/fixRequestFormFieldsSettings`, {
      fields: [{ id: 'why', label: 'Why', type: 'text', required: true }],
    })
    const refused = await fix()
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [422, '/formFields'])
    assert.equal((await shown()).status, 'open')
    assert.equal((await fix({ formFields: [{ fieldId: 'why', value: 'So' }] })).status, 201)
  })
})
