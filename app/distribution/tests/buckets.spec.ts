import { test } from '@japa/runner'
import { makeApp, makeUser } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'
import { makeBucket, sendFile } from './support.js'

async function groupId(world: Awaited<ReturnType<typeof makeWorld>>, name: string) {
  const { body } = await world.admin.get(`/org/${world.organizationId}/group`)
  return body.find((group: { name: string }) => group.name === name).id as string
}

test.group('POST /app/{appId}/bucket', () => {
  test('201 a custom bucket with its members and rules', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    await makeUser(world, 'ada@acme.example')
    const { status, body, headers } = await world.admin.post(`/app/${app}/bucket`, {
      name: 'Beta',
      notificationsEnabled: true,
      members: [
        { name: 'QA', permissionLevel: 'uploader' },
        { name: 'Ada@acme.example', permissionLevel: 'tester' },
      ],
      rules: [{ type: 'Branch', branch: 'release/{version}', workflow: 'release.yml' }],
    })
    assert.equal(status, 201)
    assert.equal(headers.location, `/app/${app}/bucket/${body.id}`)
    assert.match(body.id, /^bucket_/)
    assert.containsSubset(body, {
      type: 'custom',
      status: 'active',
      orgWideAccessEnabled: false,
      notificationsEnabled: true,
      buildCount: 0,
      latestBuild: null,
      members: [
        { type: 'group', name: 'QA', permissionLevel: 'uploader' },
        { type: 'user', name: 'ada@acme.example', permissionLevel: 'tester' },
      ],
      rules: [{ type: 'Branch', branch: 'release/{version}', baseBranch: null }],
    })
    const read = await world.admin.get(headers.location)
    assert.deepEqual(read.body, body)
  })

  test('409 a second bucket of the name, a second rc, a second dev', async ({ assert }) => {
    const { admin, app } = await makeBucket()
    for (const type of ['rc', 'dev']) {
      assert.equal((await admin.post(`/app/${app}/bucket`, { name: type, type })).status, 201)
      const second = await admin.post(`/app/${app}/bucket`, { name: `${type} 2`, type })
      assert.deepEqual([second.status, second.body.code], [409, 'bucket_exists'])
    }
    const { status, body } = await admin.post(`/app/${app}/bucket`, { name: 'Beta' })
    assert.deepEqual([status, body.code], [409, 'bucket_exists'])
    assert.lengthOf((await admin.get(`/app/${app}/bucket`)).body, 3)
  })

  test('422 with all errors in members and rules', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const { status, body } = await world.admin.post(`/app/${app}/bucket`, {
      name: 'Beta',
      members: [
        { name: 'Nobody', permissionLevel: 'tester' },
        { name: 'QA', permissionLevel: 'tester' },
        { id: await groupId(world, 'QA'), permissionLevel: 'admin' },
      ],
      rules: [
        { type: 'Branch', baseBranch: 'main' },
        { type: 'PR', baseBranch: 'main', branch: 'x' },
        { type: 'Branch', branch: '{unknown}' },
      ],
    })
    assert.equal(status, 422)
    assert.deepEqual(
      body.errors.map(({ pointer }: { pointer: string }) => pointer),
      [
        '/members/0',
        '/members/2',
        '/rules/0/branch',
        '/rules/0/baseBranch',
        '/rules/1/branch',
        '/rules/2/branch',
      ]
    )
    const personal = await world.admin.post(`/app/${app}/bucket`, { name: 'Me', type: 'personal' })
    assert.equal(personal.status, 422)
    assert.lengthOf((await world.admin.get(`/app/${app}/bucket`)).body, 0)
  })

  test('403 without ManageBuckets', async ({ assert }) => {
    const { world, app } = await makeBucket()
    const key = await world.keyed({ groups: ['QA'] })
    const { status, body } = await key.post(`/app/${app}/bucket`, { name: 'Mine' })
    assert.deepEqual([status, body.missingActions], [403, ['ManageBuckets']])
  })
})

test.group('GET and PATCH /app/{appId}/bucket/{bucketId}', () => {
  test('200 replaces given lists, keeps absent members, and writes nothing if nothing changes', async ({
    assert,
  }) => {
    const { admin, path, bucket } = await makeBucket({
      members: [{ name: 'QA', permissionLevel: 'tester' }],
      rules: [{ type: 'Branch', branch: 'main' }],
    })
    const same = await admin.patch(path, {
      name: 'Beta',
      rules: [{ type: 'Branch', branch: 'main' }],
    })
    assert.deepEqual(same.body, bucket)
    const { body, headers } = await admin.patch(path, {
      members: [],
      rules: [
        { type: 'PR', baseBranch: 'main' },
        { type: 'Branch', branch: 'main' },
      ],
    })
    assert.deepEqual([body.name, body.members], ['Beta', []])
    assert.equal(body.rules[1].id, bucket.rules[0].id, 'a rule that stays keeps its id')
    assert.equal(headers.etag, (await admin.get(path)).headers.etag)
    const archived = await admin.patch(path, { status: 'archived' })
    assert.equal(archived.body.status, 'archived')
  })

  test('409 for a name that is taken; 422 for an unknown level or status', async ({ assert }) => {
    const { admin, app, path } = await makeBucket()
    await admin.post(`/app/${app}/bucket`, { name: 'Other' })
    assert.equal((await admin.patch(path, { name: 'Other' })).status, 409)
    assert.equal((await admin.patch(path, { status: 'gone' })).status, 422)
    const members = [{ name: 'QA', permissionLevel: 'owner' }]
    assert.equal((await admin.patch(path, { members })).status, 422)
  })

  test('404 for a bucket of another app or organization', async ({ assert }) => {
    const { world, admin, bucket } = await makeBucket()
    const other = await makeApp(world)
    assert.equal((await admin.get(`/app/${other}/bucket/${bucket.id}`)).status, 404)
    const { admin: stranger, app } = await makeBucket()
    assert.equal((await stranger.get(`/app/${app}/bucket/${bucket.id}`)).status, 404)
  })
})

test.group('Levels in a bucket', () => {
  /** Returns the statuses when a key of groups reads a bucket, uploads to it and changes it. */
  async function allowed(members: object[], settings: object, groups: string[]) {
    const { world, path } = await makeBucket({ ...settings, members })
    const key = await world.keyed({ groups })
    const [seen, sent, changed] = [
      await key.get(path),
      await sendFile(key, `${path}/build`),
      await key.patch(path, { notificationsEnabled: true }),
    ]
    return [seen.status, sent.status, changed.status]
  }

  const level = (permissionLevel: string, name = 'QA') => [{ name, permissionLevel }]

  test('a group that the bucket names has the rights of its level', async ({ assert }) => {
    assert.deepEqual(await allowed(level('tester'), {}, ['QA']), [200, 403, 403])
    assert.deepEqual(await allowed(level('uploader'), {}, ['QA']), [200, 200, 403])
    assert.deepEqual(await allowed(level('admin'), {}, ['QA']), [200, 200, 200])
  })

  test('of several groups the highest level counts', async ({ assert }) => {
    const members = [...level('tester'), ...level('admin', 'Design')]
    assert.deepEqual(await allowed(members, {}, ['QA', 'Design']), [200, 200, 200])
  })

  test('others do not see a bucket with members, unless it is open to all', async ({ assert }) => {
    assert.deepEqual(await allowed(level('admin'), {}, ['Design']), [404, 404, 404])
    const open = { orgWideAccessEnabled: true }
    assert.deepEqual(await allowed(level('admin'), open, ['Design']), [200, 403, 403])
  })

  test('a key without groups reads every bucket and changes none', async ({ assert }) => {
    assert.deepEqual(await allowed(level('admin'), {}, []), [200, 403, 403])
  })

  test('requesters with UploadBuilds may upload to a bucket without members', async ({
    assert,
  }) => {
    const { world, path, app } = await makeBucket()
    const groups = [
      { name: 'CI', userActions: ['UploadBuilds'], expected: [200, 200, 403] },
      { name: 'Bosses', userActions: ['ManageBuckets'], expected: [200, 200, 200] },
      { name: 'Guests', userActions: ['EditRelease'], expected: [404, 404, 404] },
    ]
    for (const { name, userActions, expected } of groups) {
      await world.admin.post(`/org/${world.organizationId}/group`, { name, userActions })
      const key = await world.keyed({ groups: [name] })
      const [seen, sent, changed] = [
        await key.get(path),
        await sendFile(key, `${path}/build`),
        await key.patch(path, { notificationsEnabled: name === 'Bosses' }),
      ]
      assert.deepEqual([seen.status, sent.status, changed.status], expected, name)
      const listed = (await key.get(`/app/${app}/bucket`)).body
      assert.lengthOf(listed, expected[0] === 200 ? 1 : 0)
    }
  })

  test('403 names the level that is needed', async ({ assert }) => {
    const { world, path } = await makeBucket({ members: level('tester') })
    const key = await world.keyed({ groups: ['QA'] })
    const { body } = await sendFile(key, `${path}/build`)
    assert.deepEqual([body.code, body.neededLevel], ['bucket_level_missing', 'uploader'])
    assert.include(
      body.detail,
      'In a bucket without members, the user action UploadBuilds is enough.'
    )
  })
})
