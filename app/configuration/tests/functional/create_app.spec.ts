import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { randomText } from '#foundation/core/ids'
import { Api } from '#tests/support/api'
import { makeWorld, type World } from '#tests/support/world'
import { sendYaml } from './yaml.js'

/** Creates a unique name, because ids of apps are unique in the whole service. */
const newName = () => `Create ${randomText(10).toLowerCase()}`
const slugOf = (name: string) => name.toLowerCase().replace(' ', '-')

async function counts(organizationId: string): Promise<Record<string, number>> {
  const tables = ['apps', 'users', 'buckets', 'step_configs', 'destinations', 'app_users', 'events']
  const found: Record<string, number> = {}
  for (const table of tables) {
    const row = await db
      .from(table)
      .where('organization_id', organizationId)
      .count('* as n')
      .first()
    found[table] = Number(row.n)
  }
  return found
}

test.group('POST /org/{orgId}/app/config', () => {
  const create = (world: World, text: string, query = '') =>
    sendYaml(world.admin, 'POST', `/org/${world.organizationId}/app/config${query}`, text)

  test('201 makes the app with its defaults', async ({ assert }) => {
    const world = await makeWorld()
    const name = newName()
    const { status, body, headers } = await create(world, `name: ${name}\nplatform: ios\n`)
    assert.equal(status, 201)
    assert.equal(body.id, `${slugOf(name)}-ios`)
    assert.equal(headers.location, `/app/${body.id}`)
    assert.containSubset(body, {
      name,
      platform: 'ios',
      settings: { defaultReleaseType: 'standard' },
      destinations: [{ name: 'App Store', storeType: 'apple' }],
    })
    assert.equal(body.steps[0].type, 'kickoff')
    const read = await world.admin.get(`/app/${body.id}`)
    assert.deepEqual(read.body, body)
  })

  test('201 makes everything in the file', async ({ assert }) => {
    const world = await makeWorld()
    const { status, body } = await create(
      world,
      [
        `name: ${newName()}`,
        'platform: android',
        'appGroup: Shop',
        'appUsers: [Ann@acme.example, bob@acme.example]',
        'buildDistro:',
        '  buckets:',
        '    Nightly:',
        '      type: dev',
        '      members: {QA: admin, ann@acme.example: tester}',
        '      rules:',
        '        - {type: Branch, branch: develop, workflow: build}',
        'appSettings: {assumeHotfixesArePointReleases: true, versionFiles: [gradle.properties]}',
        'tagSettings: {release: {pattern: "v{version}"}}',
        'stepGroups:',
        '  - steps:',
        '      - {name: Go, archetype: kickoff, releaseTypes: {standard: {required: true}}}',
        '      - {name: Ship, archetype: takeoff, releaseTypes: {hotfix: {required: false}}}',
      ].join('\n')
    )
    assert.equal(status, 201)
    assert.containSubset(body, {
      appGroup: 'Shop',
      appUsers: ['ann@acme.example', 'bob@acme.example'],
      settings: { assumeHotfixesArePointReleases: true, versionFiles: ['gradle.properties'] },
      steps: [
        { name: 'Go', type: 'kickoff', groupIndex: 0, position: 0, destinationId: null },
        { name: 'Ship', type: 'takeoff', position: 1, destinationId: body.destinations[0].id },
      ],
    })
    const users = await db.from('users').where('organization_id', world.organizationId)
    assert.deepEqual(new Set(users.map((user) => user.status)), new Set(['invited']))
    const exported = await world.admin.get(`/app/${body.id}/app/config`)
    assert.include(
      exported.text,
      '      members:\n        QA: admin\n        ann@acme.example: tester\n'
    )
  })

  test('201 for every accepted content type and the file of a form', async ({ assert }) => {
    const world = await makeWorld()
    const path = `/org/${world.organizationId}/app/config`
    for (const type of [
      'application/x-yaml',
      'text/yaml',
      'text/plain',
      'application/yaml; charset=utf-8',
    ]) {
      const { status } = await sendYaml(
        world.admin,
        'POST',
        path,
        `name: ${newName()}\nplatform: ios`,
        {
          'content-type': type,
        }
      )
      assert.equal(status, 201, type)
    }
    const form = [
      '--x',
      'content-disposition: form-data; name="file"; filename="app.yml"',
      'content-type: application/yaml',
      '',
      `name: ${newName()}\nplatform: ios\n`,
      '--x--',
      '',
    ].join('\r\n')
    const { status } = await sendYaml(world.admin, 'POST', path, form, {
      'content-type': 'multipart/form-data; boundary=x',
    })
    assert.equal(status, 201)
  })

  test('201 by the short path, in the organization of the key', async ({ assert }) => {
    const world = await makeWorld()
    const response = await sendYaml(
      world.admin,
      'POST',
      '/app/config',
      `name: ${newName()}\nplatform: ios`
    )
    assert.equal(response.status, 201)
    assert.equal(response.body.orgId, world.organizationId)
    assert.equal(
      response.headers.link,
      `</org/${world.organizationId}/app/config>; rel="canonical"`
    )
    const second = await sendYaml(
      world.admin,
      'POST',
      '/v1/app/config',
      `name: ${newName()}\nplatform: ios`
    )
    assert.equal(second.status, 201)
  })

  test('201 gives a taken id a number, in other organizations too', async ({ assert }) => {
    const name = newName()
    const ids: string[] = []
    for (const world of [await makeWorld(), await makeWorld()]) {
      for (let count = 0; count < 2; count += 1) {
        ids.push((await create(world, `name: ${name}\nplatform: ios`)).body.id)
      }
    }
    const slug = `${slugOf(name)}-ios`
    assert.deepEqual(ids, [slug, `${slug}-2`, `${slug}-3`, `${slug}-4`])
  })

  test('201 for apps of one name made at the same time', async ({ assert }) => {
    const [one, other] = [await makeWorld(), await makeWorld()]
    const name = newName()
    const responses = await Promise.all(
      [one, other, one, other].map((world) => create(world, `name: ${name}\nplatform: ios`))
    )
    assert.deepEqual(
      responses.map((response) => response.status),
      [201, 201, 201, 201]
    )
    assert.lengthOf(new Set(responses.map((response) => response.body.id)), 4)
  })

  test('200 with dryRun answers the plan and writes nothing', async ({ assert }) => {
    const world = await makeWorld()
    const before = await counts(world.organizationId)
    const text = `name: ${newName()}\nplatform: ios\nappUsers: [x@acme.example]`
    const { status, body } = await create(world, text, '?dryRun=true')
    assert.equal(status, 200)
    assert.isTrue(body.every((change: { op: string }) => change.op === 'add'))
    assert.equal(body[0].path, 'name')
    assert.deepEqual(await counts(world.organizationId), before)
  })

  test('400 for what is not one YAML document, with its places', async ({ assert }) => {
    const world = await makeWorld()
    const texts = [
      'a: [1',
      'a: 1\na: 2',
      'a: !x 1',
      'a: 1\n---\nb: 2',
      '__proto__: 1',
      'a: &a [*a]',
    ]
    for (const text of texts) {
      const { status, body } = await create(world, text)
      assert.equal(status, 400, text)
      assert.equal(body.code, 'malformed_yaml')
      assert.isAbove(body.errors[0].line, 0)
    }
    const broken = await create(world, 'name: \u00e9'.replace('\u00e9', '\ud800'))
    assert.oneOf(broken.status, [400, 422])
  })

  test('413 over 128 KiB, whatever the content', async ({ assert }) => {
    const world = await makeWorld()
    const { status, body } = await create(world, '# '.repeat(65 * 1024))
    assert.equal(status, 413)
    assert.equal(body.limit, 128 * 1024)
  })

  test('415 for another content type', async ({ assert }) => {
    const world = await makeWorld()
    const path = `/org/${world.organizationId}/app/config`
    assert.equal((await world.admin.post(path, { name: 'x' })).status, 415)
  })

  test('422 lists every problem with path, line, column and suggestion, and writes nothing', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const before = await counts(world.organizationId)
    const text = [
      'name: Acme',
      'platform: ios',
      'appUsers: [new@acme.example]',
      'integrations:',
      '  git: {type: github-vcs, provider: "github:1"}',
      'stepGroups:',
      '  - steps:',
      '      - name: A',
      '        archetype: kickof',
      '        releaseTypes: {standard: {required: true}}',
    ].join('\n')
    const { status, body } = await create(world, text)
    assert.equal(status, 422)
    assert.equal(body.code, 'invalid_configuration')
    assert.containSubset(body.errors, [
      { path: 'integrations.git.provider', code: 'provider_unknown', line: 5, column: 37 },
      {
        path: 'stepGroups[0].steps[0].archetype',
        pointer: '/stepGroups/0/steps/0/archetype',
        line: 9,
        column: 20,
        suggestion: 'kickoff',
      },
    ])
    assert.include(body.errors[0].message, 'no connected integration providers yet')
    assert.deepEqual(await counts(world.organizationId), before)
  })

  test('a repeated request with its Idempotency-Key makes one app', async ({ assert }) => {
    const world = await makeWorld()
    const path = `/org/${world.organizationId}/app/config`
    const text = `name: ${newName()}\nplatform: ios`
    const headers = { 'idempotency-key': 'once' }
    const first = await sendYaml(world.admin, 'POST', path, text, headers)
    const again = await sendYaml(world.admin, 'POST', path, text, headers)
    assert.equal(again.status, 201)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.deepEqual(again.body, first.body)
    assert.equal((await counts(world.organizationId)).apps, 1)
  })

  test('401 without a key, 403 without the right, 404 for another organization', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const theirs = await makeWorld()
    const path = `/org/${world.organizationId}/app/config`
    const text = `name: ${newName()}\nplatform: ios`
    assert.equal((await sendYaml(new Api(null), 'POST', path, text)).status, 401)
    assert.equal((await sendYaml(theirs.admin, 'POST', path, text)).status, 404)
    const reader = await world.keyed()
    assert.equal((await sendYaml(reader, 'POST', path, text)).status, 403)
    const { body } = await create(world, text)
    const restricted = await world.keyed({ groups: ['Ops'], appIds: [body.id] })
    const refused = await sendYaml(restricted, 'POST', path, text)
    assert.equal(refused.status, 403)
    assert.equal(refused.body.code, 'app_scope_missing')
    // The key does not get another key's stored response either.
    const once = { 'idempotency-key': 'once' }
    const another = `name: ${newName()}\nplatform: ios`
    assert.equal((await sendYaml(world.admin, 'POST', path, another, once)).status, 201)
    const repeated = await sendYaml(restricted, 'POST', path, another, once)
    assert.deepEqual([repeated.status, repeated.body.code], [403, 'app_scope_missing'])
    const ops = await world.keyed({ groups: ['Ops'] })
    assert.equal((await sendYaml(ops, 'POST', path, text)).status, 201)
  })
})
