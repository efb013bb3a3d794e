import { test } from '@japa/runner'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'

const errorsOf = ({ body }: { body: any }): string[] =>
  body.errors.map(({ pointer, code }: any) => `${pointer} ${code}`)

async function train() {
  const world = await makeWorld()
  const app = await makeApp(world, {
    steps: [{ type: 'kickoff' }, { type: 'metadata' }, { type: 'submission' }],
  })
  const create = (body: object) => world.admin.post(`/app/${app}/release`, body)
  return { world, app, create }
}

test.group('Errors of a request about a release', () => {
  test('errors of shape, contradictions and unknown references are all listed at once', async ({
    assert,
  }) => {
    const { world, create } = await train()
    const response = await create({
      version: 'one',
      releaseName: 5,
      createBranch: null,
      releasePilotId: 'nobody@acme.example',
      targetKickoffAt: '2026-12-05T00:00:00Z',
      targetSubmitAt: '2026-12-04T00:00:00Z',
      targetReleaseAt: 'soon',
      cherryPickCommits: ['abcdef1'],
      baseTag: { name: 'v1' },
      rollback: { sourceVersion: '1', targetVersion: '2' },
      customMetadata: {
        entries: [{ key: 'a', value: {} }, { key: '' }, { key: 'a', value: 1 }],
      },
    })
    assert.equal(response.status, 422)
    assert.equal(response.body.code, 'invalid_input')
    assert.sameMembers(errorsOf(response), [
      '/version version',
      '/releaseName string',
      '/createBranch null',
      '/releasePilotId unknown_user',
      '/targetSubmitAt target_order',
      '/targetReleaseAt date_time',
      '/cherryPickCommits hotfix_only',
      '/baseTag hotfix_only',
      '/rollback rollback_only',
      '/customMetadata/entries/0/value scalar',
      '/customMetadata/entries/1/key min_length',
      '/customMetadata/entries/2/key unique',
    ])
    assert.match(response.body.detail, /^12 fields are broken; the first: /)
    assert.isEmpty(await world.events())
  })

  test('every rule is checked for a body of the right shape', async ({ assert }) => {
    const { create } = await train()
    const rollback = await create({
      version: '1.x',
      releaseType: 'rollback',
      rollback: { sourceVersion: '3.0', targetVersion: 'x' },
      baseTag: { name: 'v1' },
      releasePilotId: 'user_0',
    })
    assert.sameMembers(errorsOf(rollback), [
      '/version version',
      '/rollback/sourceVersion unknown_release',
      '/rollback/targetVersion version',
      '/baseTag hotfix_only',
      '/releasePilotId unknown_user',
    ])
    const hotfix = await create({
      version: '1.0',
      releaseType: 'hotfix',
      targetKickoffAt: '2026-12-05T00:00:00Z',
      targetReleaseAt: '2026-12-04T00:00:00Z',
    })
    assert.sameMembers(errorsOf(hotfix), ['/baseTag required', '/targetReleaseAt target_order'])
    const below = await create({
      version: '1.0',
      releaseType: 'hotfix',
      baseTag: { name: 'v1.2.0' },
      releasePilotId: 'user_0',
    })
    assert.sameMembers(errorsOf(below), ['/version above_base', '/releasePilotId unknown_user'])
  })

  test('rules that depend on an invalid member are not checked', async ({ assert }) => {
    const { create } = await train()
    // Its kind and its base are unknown.
    const type = await create({ version: '1.0', releaseType: 'hotfxi', baseTag: { name: 'v1' } })
    assert.deepEqual(errorsOf(type), ['/releaseType enum'])
    const base = await create({ version: '1.0', releaseType: 'hotfix', baseTag: { name: '' } })
    assert.deepEqual(errorsOf(base), ['/baseTag/name min_length'])
    const source = { sourceVersion: 5, targetVersion: '1.0' }
    const half = await create({ version: '2.0', releaseType: 'rollback', rollback: source })
    assert.sameMembers(errorsOf(half), [
      '/rollback/sourceVersion string',
      '/rollback/targetVersion unknown_release',
    ])
    const middle = await create({
      version: '1.0',
      targetKickoffAt: '2026-12-05T00:00:00Z',
      targetSubmitAt: 'then',
      targetReleaseAt: '2026-12-04T00:00:00Z',
    })
    assert.sameMembers(errorsOf(middle), [
      '/targetSubmitAt date_time',
      '/targetReleaseAt target_order',
    ])
  })

  test('a requester without the right only learns about the shape', async ({ assert }) => {
    const { world, app } = await train()
    const path = `/org/${world.organizationId}/group`
    await world.admin.post(path, { name: 'Drafters', userActions: ['CreateDeleteRelease'] })
    const key = await world.keyed({ groups: ['Drafters'] })
    const hotfix = { version: 'x', releaseType: 'hotfix', releasePilotId: 'user_0' }
    const refused = await key.post(`/app/${app}/release`, hotfix)
    assert.equal(refused.status, 403)
    const broken = await key.post(`/app/${app}/release`, { ...hotfix, releaseName: 5 })
    assert.deepEqual(errorsOf(broken), ['/releaseName string'])
    const plain = await key.post(`/app/${app}/release`, { ...hotfix, releaseType: 'release' })
    assert.deepEqual(errorsOf(plain), ['/version version', '/releasePilotId unknown_user'])
  })

  test('a change lists its errors too, compared with the existing release', async ({ assert }) => {
    const { world, app, create } = await train()
    const { body } = await create({
      version: '1.0',
      targetKickoffAt: '2026-12-03T00:00:00Z',
      targetSubmitAt: '2026-12-04T00:00:00Z',
    })
    const put = (changes: object) => world.admin.put(`/app/${app}/release/${body.id}`, changes)
    const response = await put({
      version: 'x',
      releaseName: '',
      releaseType: null,
      releasePilotId: 'user_0',
      targetReleaseAt: '2026-12-01T00:00:00Z',
    })
    assert.equal(response.status, 422)
    assert.sameMembers(errorsOf(response), [
      '/version version',
      '/releaseName min_length',
      '/releaseType null',
      '/releasePilotId unknown_user',
      '/targetReleaseAt target_order',
    ])
    const whole = await put({
      version: 'x',
      releaseType: 'rollback',
      releasePilotId: 'user_0',
      targetKickoffAt: '2026-12-05T00:00:00Z',
    })
    assert.sameMembers(errorsOf(whole), [
      '/version version',
      '/releaseType rollback',
      '/releasePilotId unknown_user',
      '/targetSubmitAt target_order',
    ])
    // The intended submit date is unknown: the existing one is not compared.
    const broken = await put({ targetKickoffAt: '2026-12-05T00:00:00Z', targetSubmitAt: 'x' })
    assert.deepEqual(errorsOf(broken), ['/targetSubmitAt date_time'])
    const detail = await world.admin.get(`/v2/app/${app}/releases/${body.id}`)
    assert.equal(detail.body.updatedAt, body.updatedAt)
  })

  test('custom metadata and store texts list all of their errors', async ({ assert }) => {
    const { world, app, create } = await train()
    const { body } = await create({ version: '1.0' })
    const path = `/app/${app}/release/${body.id}`
    const metadata = await world.admin.put(`${path}/metadata`, {
      entries: [
        { key: 'a' },
        { key: 'a', value: [] },
        { value: 1 },
        { key: 'b', value: 'x'.repeat(10_001) },
      ],
    })
    assert.sameMembers(errorsOf(metadata), [
      '/entries/1/key unique',
      '/entries/1/value scalar',
      '/entries/2/key required',
      '/entries/3/value max_length',
    ])
    const steps = (await world.admin.get(`${path}/steps?type=metadata`)).body
    const texts = await world.admin.put(`${path}/stepRun/${steps[0].stepRunId}/metadata`, {
      localizations: [
        { locale: 'en-US', whatsNew: 'a', releaseNotes: 'b', keywords: 'x'.repeat(101) },
        { locale: 'not a tag', title: 'A', description: 7 },
        { locale: 'en-us', promotionalText: 'y'.repeat(171), supportUrl: 'javascript:alert(1)' },
        { description: 'without a locale', shortDescription: 'B' },
      ],
    })
    assert.equal(texts.status, 422)
    assert.sameMembers(errorsOf(texts), [
      '/localizations/0/releaseNotes alias',
      '/localizations/0/keywords max_length',
      '/localizations/1/locale locale',
      '/localizations/1/title wrong_store',
      '/localizations/1/description string',
      '/localizations/2/locale unique',
      '/localizations/2/promotionalText max_length',
      '/localizations/2/supportUrl url',
      '/localizations/3/locale required',
      '/localizations/3/shortDescription wrong_store',
    ])
  })
})
