import { test } from '@japa/runner'
import { earlier, later } from '#foundation/core/clock'
import { clock } from '#foundation/core/services'
import { makeUser } from '#tests/support/app_fixture'
import { visit, DAY, IPHONE, makeInstallable } from './support.js'

test.group('POST installLink', () => {
  test('201 for a tester; a link to a build ends after a week, one to the newest build never', async ({
    assert,
  }) => {
    const { admin, path, email, testerId, add } = await makeInstallable()
    const build = await add('a build')
    const before = clock.now()
    const made = await admin.post(`${path}/installLink`, { buildDistroBuildId: build.id, email })
    assert.equal(made.status, 201)
    assert.equal(made.headers.location, `${path}/installLink/${made.body.id}`)
    assert.deepEqual(made.body.tester, { id: testerId, email, name: email.split('@')[0] })
    assert.deepEqual(made.body.createdBy.type, 'apiKey')
    const { expiresAt } = made.body
    assert.isTrue(later(before, 7 * DAY) <= expiresAt && expiresAt <= later(clock.now(), 7 * DAY))
    assert.match(made.body.url, /\/install\/[\w-]{42}$/)
    const newest = await admin.post(`${path}/installLink`, { email: email.toUpperCase() })
    assert.deepEqual(
      [newest.body.buildDistroBuildId, newest.body.expiresAt, newest.body.tester.id],
      [null, null, testerId]
    )
    assert.deepEqual((await admin.get(made.headers.location)).body, made.body)
    const { data } = (await admin.get(`${path}/installLink`)).body
    assert.deepEqual(data, [newest.body, made.body])
  })

  test('201 for a public link if the bucket has public links, otherwise 409', async ({
    assert,
  }) => {
    const { admin, path } = await makeInstallable()
    const refused = await admin.post(`${path}/installLink`, {})
    assert.deepEqual([refused.status, refused.body.code], [409, 'public_links_disabled'])
    await admin.patch(path, { publicLinkEnabled: true })
    const { status, body } = await admin.post(`${path}/installLink`, { email: null })
    assert.deepEqual([status, body.tester], [201, null])
  })

  test('403 below uploader, and for a public link below admin', async ({ assert }) => {
    const members = [
      { name: 'QA', permissionLevel: 'uploader' },
      { name: 'Marketing', permissionLevel: 'tester' },
    ]
    const { world, path, email } = await makeInstallable({ members, publicLinkEnabled: true })
    const [qa, marketing] = [
      await world.keyed({ groups: ['QA'] }),
      await world.keyed({ groups: ['Marketing'] }),
    ]
    assert.equal((await qa.post(`${path}/installLink`, { email })).status, 201)
    for (const response of [
      await qa.post(`${path}/installLink`, {}),
      await marketing.post(`${path}/installLink`, { email }),
      await marketing.get(`${path}/installLink`),
    ]) {
      assert.deepEqual([response.status, response.body.code], [403, 'bucket_level_missing'])
    }
    const powerless = await world.keyed()
    assert.equal((await powerless.get(`${path}/installLink`)).body.code, 'action_missing')
  })

  test('422 for an unknown tester or build, a tester who may not see the bucket, and a past end', async ({
    assert,
  }) => {
    const { world, admin, app, path, email } = await makeInstallable({
      orgWideAccessEnabled: false,
      members: [{ name: 'QA', permissionLevel: 'tester' }],
    })
    const member = `qa@${app}.example`
    await makeUser(world, member, ['QA'])
    const code = async (json: object) => {
      const { status, body } = await admin.post(`${path}/installLink`, json)
      return status === 201 ? status : [status, body.errors[0].pointer, body.errors[0].code]
    }
    assert.deepEqual(await code({ email: 'nobody@acme.example' }), [422, '/email', 'unknown_user'])
    assert.deepEqual(await code({ email }), [422, '/email', 'no_access'])
    assert.deepEqual(await code({ email: 'no address' }), [422, '/email', 'email'])
    assert.equal(await code({ email: member }), 201)
    await admin.patch(path, { members: [{ name: email, permissionLevel: 'tester' }] })
    assert.equal(await code({ email }), 201)
    const at = '/buildDistroBuildId'
    assert.deepEqual(await code({ email, buildDistroBuildId: 'build_0' }), [422, at, 'unknown'])
    const past = { email, expiresAt: earlier(clock.now(), 1) }
    assert.deepEqual(await code(past), [422, '/expiresAt', 'in_the_past'])
  })

  test('404 in the bucket of another app', async ({ assert }) => {
    const { path, admin, email } = await makeInstallable()
    const { path: other } = await makeInstallable()
    const elsewhere = path.replace(/bucket\/.*/, other.slice(other.indexOf('bucket/')))
    assert.equal((await admin.post(`${elsewhere}/installLink`, { email })).status, 404)
    const { body } = await admin.post(`${path}/installLink`, { email })
    assert.equal((await admin.get(`${elsewhere}/installLink/${body.id}`)).status, 404)
  })
})

test.group('An install link', () => {
  test('is invalid after its end, and valid again when its end is changed', async ({ assert }) => {
    const { admin, path, link, add, world, email } = await makeInstallable()
    const build = await add('a build')
    const made = await link({ email, buildDistroBuildId: build.id })
    const at = `${path}/installLink/${made.id}`
    const wrong = await admin.patch(at, { expiresAt: '2020-01-01T00:00:00Z' })
    assert.equal(wrong.body.errors[0].code, 'in_the_past')
    const ended = { expires_at: earlier(clock.now(), 1) }
    await world.write((scope) =>
      scope.client.from('install_links').where('id', made.id).update(ended)
    )
    const gone = await visit(made.path, IPHONE)
    assert.equal(gone.status, 410)
    assert.include(gone.text, 'no longer valid')
    const longer = await admin.patch(at, { expiresAt: null })
    assert.deepEqual([longer.status, longer.body.expiresAt], [200, null])
    assert.equal((await admin.patch(at, {})).headers.etag, longer.headers.etag)
    assert.equal((await visit(made.path, IPHONE)).status, 200)
  })

  test('is invalid at once when it is withdrawn, or its tester loses access', async ({
    assert,
  }) => {
    const { admin, path, link, email } = await makeInstallable()
    const made = await link()
    assert.equal((await visit(made.path, IPHONE)).status, 200)
    await admin.patch(path, { orgWideAccessEnabled: false })
    assert.equal((await visit(made.path, IPHONE)).status, 410)
    await admin.patch(path, { members: [{ name: email, permissionLevel: 'tester' }] })
    assert.equal((await visit(made.path, IPHONE)).status, 200)
    assert.equal((await admin.delete(`${path}/installLink/${made.id}`)).status, 204)
    assert.equal((await visit(made.path, IPHONE)).status, 410)
    assert.equal((await admin.get(`${path}/installLink/${made.id}`)).status, 404)
    assert.equal((await admin.delete(`${path}/installLink/${made.id}`)).status, 404)
  })

  test('is invalid while its tester is deactivated', async ({ assert }) => {
    const { admin, world, path, link, email, testerId } = await makeInstallable()
    const made = await link()
    const user = `/org/${world.organizationId}/user/${testerId}`
    assert.equal((await admin.put(`${user}/deactivate`)).status, 200)
    assert.equal((await visit(made.path, IPHONE)).status, 410)
    assert.equal((await admin.post(`${path}/installLink`, { email })).status, 422)
    await admin.put(`${user}/activate`)
    assert.equal((await visit(made.path, IPHONE)).status, 200)
  })

  test('that is public is invalid once the bucket has no public links', async ({ assert }) => {
    const { admin, path, link } = await makeInstallable({ publicLinkEnabled: true })
    const made = await link({})
    assert.equal((await visit(made.path, IPHONE)).status, 200)
    await admin.patch(path, { publicLinkEnabled: false })
    assert.equal((await visit(made.path, IPHONE)).status, 410)
  })

  test('is deleted with its build', async ({ assert }) => {
    const { admin, path, link, add, email } = await makeInstallable()
    const build = await add('a build')
    const made = await link({ email, buildDistroBuildId: build.id })
    assert.equal((await admin.delete(`${path}/build/${build.id}`)).status, 204)
    assert.equal((await visit(made.path, IPHONE)).status, 410)
    assert.isEmpty((await admin.get(`${path}/installLink`)).body.data)
  })
})
