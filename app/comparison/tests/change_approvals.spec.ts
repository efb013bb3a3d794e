import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { CreateKey } from '#organizations/actions/create_key'
import { Api } from '#tests/support/api'
import { makeUser } from '#tests/support/app_fixture'
import { withLiveVersion } from './support.js'

const NEW = 'New permissions since 1.0.0'

test.group('An approval that a change of the build needs', () => {
  test('is asked of the groups, names the changes, and holds the release', async ({ assert }) => {
    const { build, release, legal } = await withLiveVersion()
    const [unknown] = await release.items()
    assert.equal(unknown.title, `${NEW}: not known`)
    assert.match(unknown.description, /no bucket has a file of 1\.1\.0/)
    await build('1.1.0', { number: '11', uses: ['camera', 'location', 'contacts'] })
    const [item, ...more] = await release.items()
    assert.isEmpty(more)
    assert.containsSubset(item, {
      kind: 'approval',
      title: NEW,
      description:
        'Build 11 against 1.0.0 (build 10):\n- Asks for NSContactsUsageDescription\n- Asks for NSLocationWhenInUseUsageDescription',
      owners: [{ type: 'group', id: legal.id, name: 'Legal' }],
      required: true,
      requiredApprovals: 1,
      status: { type: 'notStarted' },
      demand: {
        rule: 'permissionAdded',
        changes: [
          'Asks for NSContactsUsageDescription',
          'Asks for NSLocationWhenInUseUsageDescription',
        ],
        omitted: 0,
      },
    })
    const { demand } = item
    assert.isNotNull(demand.buildId)
    assert.isNotNull(demand.baseBuildId)
    assert.notProperty(demand, 'key')
    assert.equal((await release.step('approvals')).status, 'notStarted')
    assert.include(await release.timeline(), `"${NEW}: not known" was added`)
  })

  test('is given only by members of its groups, or by an admin who breaks the glass', async ({
    assert,
  }) => {
    const { build, release, world, admin } = await withLiveVersion()
    await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
    const [{ id }] = await release.items()
    const refused = await release.vote(id)
    assert.deepEqual([refused.status, refused.body.code], [403, 'action_missing'])
    assert.match(refused.body.detail, /has to be approved by Legal: ask one of them/)
    await makeUser(world, 'qa@acme.example', ['Approvers'])
    const other = await release.vote(id, { userEmail: 'qa@acme.example' })
    assert.deepEqual([other.status, other.body.code], [403, 'action_missing'])
    await makeUser(world, 'lea@acme.example', ['Legal'])
    const { body } = await release.vote(id, { userEmail: 'lea@acme.example' })
    assert.deepEqual([body.status.type, body.approvals.length], ['approved', 1])
    assert.equal((await release.step('approvals')).status, 'complete')
    await release.vote(id, { status: 'notStarted' }, admin)
    const broken = await release.vote(id, { breakGlass: { reason: 'They are asleep.' } })
    assert.equal(broken.body.status.type, 'approved')
  })

  test('is given by an API key of the group, which needs no user action', async ({ assert }) => {
    const { build, release, world, legal } = await withLiveVersion()
    await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
    const input = { name: 'legal', groupIds: [legal.id] }
    const { key } = await world.write((scope) => new CreateKey(scope).handle(input))
    const [{ id }] = await release.items()
    const { status } = await release.vote(id, {}, new Api(key))
    assert.equal(status, 200)
  })

  test('falls if another build has other changes, and stands if it has the same', async ({
    assert,
  }) => {
    const { build, release, world } = await withLiveVersion()
    await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
    await makeUser(world, 'lea@acme.example', ['Legal'])
    const approve = async () => {
      const [{ id }] = await release.items()
      return release.vote(id, { userEmail: 'lea@acme.example', comment: 'Fine' })
    }
    await approve()
    await build('1.1.0', { number: '12', uses: ['camera', 'location'] })
    const [same] = await release.items()
    assert.deepEqual([same.status.type, same.approvals.length], ['approved', 1])
    assert.include(same.description, 'Build 12')
    await build('1.1.0', { number: '13', uses: ['camera', 'location', 'contacts'] })
    const [other] = await release.items()
    assert.equal(other.id, same.id)
    assert.deepEqual([other.status.type, other.approvals.length], ['notStarted', 0])
    assert.equal(other.status.comment.text, 'Fine')
    assert.equal((await release.step('approvals')).status, 'notStarted')
    assert.include(await release.timeline(), `${NEW}: approved → notStarted`)
    await approve()
    assert.deepEqual(await release.approvals(), [`${NEW}: approved`])
  })

  test('is removed once the build has no such change; the timeline keeps its last status', async ({
    assert,
  }) => {
    const { build, release, world } = await withLiveVersion()
    await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
    await makeUser(world, 'lea@acme.example', ['Legal'])
    const [{ id }] = await release.items()
    await release.vote(id, { userEmail: 'lea@acme.example' })
    await build('1.1.0', { number: '12', uses: [] })
    assert.isEmpty(await release.items())
    assert.equal((await release.step('approvals')).status, 'complete')
    assert.include(await release.timeline(), `"${NEW}" was removed; its status was approved`)
  })

  test('is given on behalf of a member only by a key that is in the group, too', async ({
    assert,
  }) => {
    const { build, release, world, legal, admin } = await withLiveVersion()
    await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
    await makeUser(world, 'lea@acme.example', ['Legal'])
    const { body: group } = await admin.post(`/org/${world.organizationId}/group`, {
      name: 'Crew',
      userActions: ['UpdateApprovalItemStatus'],
    })
    const [{ id }] = await release.items()
    const statuses = []
    for (const groupIds of [[group.id], [group.id, legal.id]]) {
      const { key } = await world.write((scope) =>
        new CreateKey(scope).handle({ name: 'one', groupIds })
      )
      const { status } = await release.vote(id, { userEmail: 'lea@acme.example' }, new Api(key))
      statuses.push(status)
    }
    assert.deepEqual(statuses, [403, 200])
  })

  test('cannot be edited by people', async ({ assert }) => {
    const { build, release, admin, app } = await withLiveVersion()
    await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
    const [{ id }] = await release.items()
    for (const edit of [
      { title: 'Never mind', required: false, owners: [] },
      { placement: { stepType: 'approvals', position: 3 } },
      { releaseTypes: ['hotfix'] },
    ]) {
      const { status, body } = await admin.put(`/app/${app}/checklistItem/${id}`, edit)
      assert.deepEqual([status, body.code], [409, 'conflict'])
    }
    const [item] = await release.items()
    assert.deepEqual(
      [item.title, item.required, item.owners.length, item.demand.rule],
      [NEW, true, 1, 'permissionAdded']
    )
    assert.equal((await release.step('approvals')).status, 'notStarted')
  })

  test('is not needed by a first release', async ({ assert }) => {
    const { build, release } = await withLiveVersion({ isFirst: true })
    await build('1.1.0', { number: '11', uses: ['camera'] })
    assert.isEmpty(await release.items())
    const { body } = await release.compare()
    assert.isNull(body.base)
    assert.match(body.explanation, /^Users have no other version yet/)
  })

  test('is still needed if a file of another bucket or another app has no such change', async ({
    assert,
  }) => {
    const { build, release, admin, app } = await withLiveVersion()
    const { body: buckets } = await admin.get(`/app/${app}/bucket`)
    const of = (type: string) => buckets.find((each: any) => each.type === type).id
    await build('1.1.0', { number: '12', uses: ['camera', 'location'] }, of('rc'))
    await build('1.1.0', { number: '11', uses: ['camera'] }, of('dev'))
    assert.deepEqual(await release.approvals(), [`${NEW}: notStarted`])
    const other = { number: '13', uses: [], bundleId: 'com.acme.app.dev' }
    await build('1.1.0', other, of('rc'))
    assert.deepEqual(await release.approvals(), [`${NEW}: notStarted`])
  })

  test('is needed for changes since a halted version if users have no other', async ({
    assert,
  }) => {
    const { build, release, app } = await withLiveVersion()
    await db
      .from('releases')
      .where({ app_id: app, version: '1.0.0' })
      .update({ halted_at: new Date().toISOString() })
    await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
    assert.deepEqual(await release.approvals(), [`${NEW}: notStarted`])
  })

  test('stays approved when the file of the live version is deleted', async ({ assert }) => {
    const { build, release, admin, app, bucket, world } = await withLiveVersion()
    await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
    await makeUser(world, 'lea@acme.example', ['Legal'])
    const [{ id, demand }] = await release.items()
    await release.vote(id, { userEmail: 'lea@acme.example' })
    const path = `/app/${app}/bucket/${bucket.id}/build/${demand.baseBuildId}`
    assert.equal((await admin.delete(path)).status, 204)
    assert.deepEqual(await release.approvals(), [`${NEW}: approved`])
    await build('1.1.0', { number: '12', uses: ['camera', 'contacts'] })
    assert.deepEqual(await release.approvals(), [`${NEW}: not known: notStarted`])
  })

  test('stays on the required step, whatever happens to other steps', async ({ assert }) => {
    const on = (required: boolean) => ({ standard: { required }, hotfix: { required } })
    const { build, release, admin, app, configure, world } = await withLiveVersion({
      steps: [
        { type: 'kickoff', releaseTypes: on(true) },
        { type: 'approvals', name: 'Early look', releaseTypes: on(false) },
        { type: 'approvals', name: 'Approvals', releaseTypes: on(true) },
        { type: 'submission', releaseTypes: on(true) },
      ],
    })
    await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
    const held = async () =>
      (await admin.get(`${release.path}/steps`)).body
        .filter(({ type }: any) => type === 'approvals')
        .map(({ checklistItems }: any) => checklistItems.total)
    assert.deepEqual(await held(), [0, 1])
    const rename = async (from: string, to: string) => {
      const { text } = await admin.get(`/app/${app}/app/config`)
      const { status } = await configure(text.replace(from, to))
      assert.equal(status, 200)
    }
    await rename('Early look', 'First look')
    assert.deepEqual(await held(), [0, 1])
    await makeUser(world, 'lea@acme.example', ['Legal'])
    const [{ id }] = await release.items()
    await release.vote(id, { userEmail: 'lea@acme.example' })
    await rename('First look', 'Look')
    assert.deepEqual(await held(), [0, 1])
  })

  test('is needed again as "not known" once the build is deleted; evidence keeps what was approved', async ({
    assert,
  }) => {
    const { build, release, admin, app, bucket, world } = await withLiveVersion()
    const first = await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
    await makeUser(world, 'lea@acme.example', ['Legal'])
    const [{ id, demand }] = await release.items()
    await release.vote(id, { userEmail: 'lea@acme.example' })
    const { body } = await admin.get(`${release.path}/evidence`)
    const [approval] = body.approvals.items
    assert.deepEqual([approval.demand, approval.votes.length], [demand, 1])
    await admin.delete(`/app/${app}/bucket/${bucket.id}/build/${first}`)
    assert.deepEqual(await release.approvals(), [`${NEW}: not known: notStarted`])
  })
})
