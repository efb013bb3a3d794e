import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { sendFile } from '#distribution/tests/support'
import { CUSTOM_BUILD, installIntegration } from '#tests/support/custom_integrations'
import { makeFixes } from './support.js'

const errorsOf = ({ body }: { body: any }): string[] =>
  body.errors.map(({ pointer, code }: any) => `${pointer} ${code}`)

const HASH = '3e8d5a1c9b7f2046e1d8c5a3b9f07e42d6c1a85b'

test.group('POST /app/{appId}/release/{releaseId}/fixRequest', () => {
  test('201 pending, with its content; reads and lists show the same', async ({ assert }) => {
    const { request, requests, admin, app, person, detail, reported, step } = await makeFixes({
      requiredApprovals: 2,
    })
    const requesterEmail = await person('ada')
    const { status, body, headers } = await request({
      description: 'Every user has to log in again.',
      commitHashes: [HASH.toUpperCase(), HASH],
      pullRequestNumbers: [7],
      ticketId: 'SHOP-1',
      requesterEmail,
    })
    assert.equal(status, 201)
    assert.equal(headers.location, `${requests}/${body.id}`)
    assert.containsSubset(body, {
      releaseId: `${app}:1.0.0`,
      status: 'pending',
      title: 'It crashes',
      requester: { email: requesterEmail, name: 'ada' },
      approvals: [],
      rejections: [],
      requiredApprovals: 2,
      commits: [{ hash: HASH, message: null, inRelease: false }],
      pullRequests: [{ number: 7, title: null }],
      formFields: [],
      triageIssueId: null,
      approvedAt: null,
    })
    assert.lengthOf(body.commits, 1)
    assert.containsSubset(body.workItem, {
      ticket: { id: 'SHOP-1', key: 'SHOP-1', done: false },
      codeStatus: 'inProgress',
      codeType: 'pullRequest',
    })
    const { stepRunId } = await step('1.0.0', 'regressionTesting')
    assert.include([stepRunId, null], body.stepRunId)
    assert.deepEqual((await admin.get(headers.location)).body, body)
    assert.deepEqual((await admin.get(requests)).body, [body])
    assert.equal((await detail('1.0.0')).fixRequests, 1)
    assert.equal((await detail('1.1.0')).fixRequests, 0)
    const [event, ...others] = await reported()
    assert.isEmpty(others)
    assert.equal(event.type, 'fixRequest.created')
    assert.containsSubset(body, event.payload.fixRequest)
    assert.containsSubset(event.payload.release, { id: `${app}:1.0.0`, status: 'active' })
  })

  test('201 approved at once if the release requires no approvals, with both events in order', async ({
    assert,
  }) => {
    const { request, reported, timeline } = await makeFixes({ requiredApprovals: 3 }, {})
    const { body } = await request()
    assert.containsSubset(body, {
      status: 'approved',
      requiredApprovals: 0,
      approvedAt: body.createdAt,
      workItem: null,
      requester: { email: null, name: 'admin' },
    })
    assert.deepEqual(
      (await reported()).map(({ type, payload }) => [type, payload.fixRequest.id]),
      [
        ['fixRequest.created', body.id],
        ['fixRequest.approved', body.id],
      ]
    )
    const types = (await timeline('1.0.0')).map(({ type }) => type)
    assert.includeMembers(types, ['fixRequest.created', 'fixRequest.approved'])
  })

  test('201 without a title if CI has reported a commit; 422 if nobody has', async ({ assert }) => {
    const { request, world, app, admin } = await makeFixes()
    const ci = `/app/${app}/integration/${await installIntegration(world, app, 'generic-ci')}/build`
    const data = { ...CUSTOM_BUILD, commitHash: HASH, commitMessage: 'Keep the session\n\nMore.' }
    const sent = await sendFile(admin, ci, { data })
    assert.equal(sent.status, 200)
    const { body } = await request({ title: undefined, commitHashes: [HASH] })
    assert.equal(body.title, 'Keep the session')
    assert.equal(body.commits[0].message, data.commitMessage)
    for (const named of [{}, { commitHashes: ['abcdef1'] }, { ticketId: 'SHOP-1' }]) {
      const refused = await request({ title: undefined, ...named })
      assert.equal(refused.status, 422)
      assert.deepEqual(errorsOf(refused), ['/title required'])
    }
  })

  test('409 before the kickoff, and once the release is skipped or completed', async ({
    assert,
  }) => {
    const { admin, path, request, requests } = await makeFixes()
    const early = await admin.post(`${path('1.1.0')}/fixRequest`, { title: 'x' })
    assert.deepEqual(
      [early.status, early.body.code, early.body.currentStatus],
      [409, 'release_not_kicked_off', 'upcoming']
    )
    const { body } = await request()
    await admin.put(`${path('1.0.0')}/complete`)
    for (const response of [
      await request(),
      await admin.put(`${requests}/${body.id}/approve`),
      await admin.put(`${requests}/${body.id}/reject`),
    ]) {
      assert.deepEqual([response.status, response.body.code], [409, 'release_completed'])
    }
    await admin.put(`${path('1.1.0')}/kickoff`)
    await admin.put(`${path('1.1.0')}/skip`)
    const skipped = await admin.post(`${path('1.1.0')}/fixRequest`, { title: 'x' })
    assert.deepEqual([skipped.status, skipped.body.code], [409, 'release_skipped'])
    assert.lengthOf((await admin.get(requests)).body, 1)
  })

  test('422 with the place of every error; nothing is stored', async ({ assert }) => {
    const fields = [
      { id: 'risk', label: 'Risk', type: 'select', options: ['low', 'high'], required: true },
      { id: 'where', label: 'Where', type: 'multiselect', options: ['a', 'b'] },
      { id: 'tested', label: 'Tested', type: 'checkbox', required: true },
      { id: 'link', label: 'Link', type: 'url' },
      { id: 'who', label: 'Who', type: 'user' },
      { id: 'why', label: 'Why', type: 'text', required: true },
    ]
    const { request, requests, admin, world } = await makeFixes({ fields })
    const before = await world.events()
    const response = await request({
      commitHashes: ['main'],
      pullRequestNumbers: [0],
      requesterEmail: 'nobody@acme.example',
      formFields: [
        { fieldId: 'risk', value: 'some' },
        { fieldId: 'where', value: ['a', 'a'] },
        { fieldId: 'tested', value: false },
        { fieldId: 'link', value: 'javascript:alert(1)' },
        { fieldId: 'who', value: 'nobody@acme.example' },
        { fieldId: '__proto__', value: 'x' },
        { fieldId: 'link', value: 'https://acme.example' },
        { fieldId: 'where', value: null },
      ],
    })
    assert.equal(response.status, 422)
    assert.sameMembers(errorsOf(response), [
      '/commitHashes/0 regex',
      '/pullRequestNumbers/0 min',
      '/requesterEmail unknown_user',
      '/formFields/0/value enum',
      '/formFields/1/value unique',
      '/formFields/2/value required',
      '/formFields/3/value url',
      '/formFields/4/value unknown_user',
      '/formFields/5/fieldId unknown_field',
      '/formFields/6/fieldId unique',
      '/formFields/7/fieldId unique',
      '/formFields required',
    ])
    const types = await request({
      formFields: fields.map(({ id }) => ({ fieldId: id, value: { a: 1 } })),
    })
    assert.deepEqual(
      errorsOf(types),
      fields.map((_, index) => `/formFields/${index}/value wrong_type`)
    )
    assert.isEmpty((await admin.get(requests)).body)
    assert.deepEqual(await world.events(), before)
  })

  test('201 with the values of the form, in the order and with the labels of that time', async ({
    assert,
  }) => {
    const fields = [
      { id: 'risk', label: 'Risk', type: 'select', options: ['low', 'high'], required: true },
      { id: 'where', label: 'Where', type: 'multiselect', options: ['a', 'b'] },
      { id: 'tested', label: 'Tested', type: 'checkbox' },
      { id: 'who', label: 'Who', type: 'user' },
      { id: 'note', label: 'Note', type: 'textarea' },
    ]
    const { request, show, admin, app, person } = await makeFixes({ fields })
    const who = await person('ada')
    const { body } = await request({
      formFields: [
        { fieldId: 'who', value: who.toUpperCase() },
        { fieldId: 'note', value: '' },
        { fieldId: 'tested', value: false },
        { fieldId: 'where', value: ['b', 'a'] },
        { fieldId: 'risk', value: 'low' },
      ],
    })
    const expected = [
      { fieldId: 'risk', label: 'Risk', value: 'low' },
      { fieldId: 'where', label: 'Where', value: ['b', 'a'] },
      { fieldId: 'tested', label: 'Tested', value: false },
      { fieldId: 'who', label: 'Who', value: who },
    ]
    assert.deepEqual(body.formFields, expected)
    await admin.put(`/app/${app}/fixRequestFormFieldsSettings`, { fields: [] })
    assert.deepEqual((await show(body.id)).formFields, expected)
  })

  test('403 without RequestFixes, also for a named person', async ({ assert }) => {
    const { world, request, person } = await makeFixes()
    const key = await world.keyed({ groups: ['Marketing'] })
    const refused = await request({}, key)
    assert.deepEqual([refused.status, refused.body.missingActions], [403, ['RequestFixes']])
    const requesterEmail = await person('ada')
    await db
      .from('organizations')
      .where('id', world.organizationId)
      .update({ role_based_access_enabled: true })
    assert.equal((await request({ requesterEmail })).status, 403)
  })

  test('404 of another organization, of another release, of none', async ({ assert }) => {
    const { admin, request, requests, path } = await makeFixes()
    const { body } = await request()
    const stranger = await makeFixes()
    assert.equal((await stranger.admin.get(`${requests}/${body.id}`)).status, 404)
    assert.equal((await admin.get(`${path('1.1.0')}/fixRequest/${body.id}`)).status, 404)
    assert.equal((await admin.put(`${requests}/fix_none/approve`)).status, 404)
    assert.equal((await admin.get(`${path('9.9.9')}/fixRequest`)).status, 404)
  })
})

test.group('GET /app/{appId}/release/{releaseId}/fixRequest', () => {
  test('200 by status; requests go with their release, and with their app', async ({ assert }) => {
    const { request, reject, approve, requests, admin, key, app, path } = await makeFixes()
    const ids: string[] = []
    for (let index = 0; index < 3; index++) ids.push((await request()).body.id)
    await reject(ids[0])
    await approve(ids[1], {}, await key('grace'))
    const found = async (query: string) =>
      (await admin.get(requests + query)).body.map(({ id }: any) => id)
    assert.sameMembers(await found(''), ids)
    assert.deepEqual(await found('?status=rejected'), [ids[0]])
    assert.deepEqual(await found('?status=approved'), [ids[1]])
    assert.deepEqual(await found('?status=pending'), [ids[2]])
    assert.isEmpty(await found('?status=merged'))
    assert.equal((await admin.get(`${requests}?status=lost`)).status, 422)
    const left = () => db.from('fix_requests').where('app_id', app)
    assert.lengthOf(await left(), 3)
    assert.equal((await admin.delete(path('1.0.0'))).status, 204)
    assert.lengthOf(await left(), 0)
    await admin.put(`${path('1.1.0')}/kickoff`)
    await admin.post(`${path('1.1.0')}/fixRequest`, { title: 'x' })
    await admin.post(`/app/${app}/triageIssue`, { title: 'x' })
    assert.equal((await admin.delete(`/app/${app}/config?force=true`)).status, 204)
    assert.lengthOf(await left(), 0)
    assert.lengthOf(await db.from('triage_issues').where('app_id', app), 0)
    assert.lengthOf(await db.from('fix_settings').where('app_id', app), 0)
  })
})
