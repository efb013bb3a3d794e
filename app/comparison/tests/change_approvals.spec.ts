import { test } from '@japa/runner'
import { CreateKey } from '#organizations/actions/create_key'
import { Api } from '#tests/support/api'
import { makeUser } from '#tests/support/app_fixture'
import { withLiveVersion } from './support.js'

const NEW = 'New permissions since 1.0.0'

test.group('An approval that a change of the build needs', () => {
  test('is asked of the groups, names the changes, and holds the release', async ({ assert }) => {
    const { build, release, legal } = await withLiveVersion()
    assert.isEmpty(await release.items())
    assert.equal((await release.step('approvals')).status, 'complete')
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
    assert.include(await release.timeline(), `"${NEW}" was added`)
  })

  test('is given by the groups alone: others who may approve do not, an admin breaks the glass', async ({
    assert,
  }) => {
    const { build, release, world, admin } = await withLiveVersion()
    await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
    const [{ id }] = await release.items()
    const refused = await release.vote(id)
    assert.deepEqual([refused.status, refused.body.code], [403, 'action_missing'])
    assert.match(refused.body.detail, /is approved by Legal: ask one of them/)
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

  test('a key of the group gives it without any user action', async ({ assert }) => {
    const { build, release, world, legal } = await withLiveVersion()
    await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
    const input = { name: 'legal', groupIds: [legal.id] }
    const { key } = await world.write((scope) => new CreateKey(scope).handle(input))
    const [{ id }] = await release.items()
    const { status } = await release.vote(id, {}, new Api(key))
    assert.equal(status, 200)
  })

  test('falls with other changes of another build, and stands for the same', async ({ assert }) => {
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

  test('goes once the build has no such change, with a word of what was said', async ({
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

  test('comes back when people take it away, and as it was worded', async ({ assert }) => {
    const { build, release, admin, app } = await withLiveVersion()
    await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
    const [{ id }] = await release.items()
    const edited = await admin.put(`/app/${app}/checklistItem/${id}`, {
      title: 'Never mind',
      required: false,
      owners: [],
    })
    assert.equal(edited.status, 200)
    const [item] = await release.items()
    assert.deepEqual(
      [item.title, item.required, item.owners.length, item.demand.rule],
      [NEW, true, 1, 'permissionAdded']
    )
    assert.equal((await release.step('approvals')).status, 'notStarted')
  })

  test('a first release needs none', async ({ assert }) => {
    const { build, release } = await withLiveVersion({ isFirst: true })
    await build('1.1.0', { number: '11', uses: ['camera'] })
    assert.isEmpty(await release.items())
    const { body } = await release.compare()
    assert.isNull(body.base)
    assert.match(body.explanation, /^Users have no other version yet/)
  })

  test('goes with a build that is deleted; evidence has what was approved', async ({ assert }) => {
    const { build, release, admin, app, bucket, world } = await withLiveVersion()
    const first = await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
    await makeUser(world, 'lea@acme.example', ['Legal'])
    const [{ id, demand }] = await release.items()
    await release.vote(id, { userEmail: 'lea@acme.example' })
    const { body } = await admin.get(`${release.path}/evidence`)
    const [approval] = body.approvals.items
    assert.deepEqual([approval.demand, approval.votes.length], [demand, 1])
    await admin.delete(`/app/${app}/bucket/${bucket.id}/build/${first}`)
    assert.isEmpty(await release.items())
  })
})
