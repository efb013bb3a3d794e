import { test } from '@japa/runner'
import type { AnyOperation, BodyDeclaration } from '#foundation/api/operation/declaration'
import { operations } from '#foundation/api/operation/registry'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'
import {
  ignoredFields,
  ignoredMembers,
  isStrict,
  unknownErrors,
} from '../api/execution/ignored_members.js'
import { inputOf } from '../api/execution/input_of.js'

type JsonBody = Extract<BodyDeclaration<unknown>, { kind: 'json' }>

const strict = { headers: { prefer: 'handling=strict' } }

/** Operations with a JSON body, and the declarations of these bodies. */
const writes = operations.all().flatMap((operation): [AnyOperation, JsonBody][] => {
  const body = operation.body as BodyDeclaration<unknown> | undefined
  return body?.kind === 'json' ? [[operation, body]] : []
})

test.group('Members that an operation does not take', () => {
  test('do not occur in examples, but are found if one is added', ({ assert }) => {
    assert.isAbove(writes.length, 50)
    for (const [operation, { validator, example }] of writes) {
      const of = (value: unknown) => ignoredMembers(operation, validator, value)
      assert.deepEqual(of(example), [], operation.id)
      const [found] = of({ ...(example as object), zz9: 1 })
      assert.deepEqual(found, { pointer: '/zz9', isReadOnly: false }, operation.id)
    }
  })

  test('are ignored and named, misspelt ones with the member that was meant', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const body = {
      version: '1.0.0',
      releasePilott: 'x',
      customMetadata: { entries: [{ 'key': 'a', 'value': 'b', 'colour "ü"': 1 }] },
      id: 'x',
      createdAt: '2026-01-01T00:00:00Z',
    }
    const { status, headers } = await world.admin.post(`/app/${app}/release`, body)
    assert.equal(status, 201)
    const named = [
      '"/releasePilott";near="releasePilotId"',
      '%"/customMetadata/entries/0/colour %22%c3%bc%22"',
      '"/id"',
      '"/createdAt"',
    ]
    assert.equal(headers['ignored-fields'], named.join(', '))
    const refused = await world.admin.post(
      `/app/${app}/release`,
      { ...body, version: '2.0.0' },
      strict
    )
    assert.deepEqual([refused.status, refused.body.code], [422, 'invalid_input'])
    assert.equal(refused.headers['ignored-fields'], named.join(', '))
    assert.deepEqual(
      refused.body.errors.map(({ pointer, code }: any) => `${pointer} ${code}`),
      ['/releasePilott unknown', '/customMetadata/entries/0/colour "ü" unknown']
    )
    assert.match(refused.body.errors[0].message, /Did you mean releasePilotId\?/)
  })

  test('are not refused if the GET of the entity shows them', ({ assert }) => {
    const changing = writes.filter(
      ([{ method, precondition }]) => method !== 'POST' && precondition
    )
    assert.isAbove(changing.length, 5)
    for (const [operation, { validator }] of changing) {
      const [, shown] = Object.entries(operations.get(operation.precondition!.of).responses)[0]
      const given = typeof shown.example === 'function' ? shown.example() : shown.example
      if (Array.isArray(given)) continue
      const ignored = ignoredMembers(operation, validator, given)
      assert.deepEqual(unknownErrors(ignored), [], operation.id)
    }
  })

  test('are not refused when a client sends back what it read, even strictly', async ({
    assert,
  }) => {
    const { admin, organizationId } = await makeWorld()
    const path = `/org/${organizationId}/group`
    const { body: made } = await admin.post(path, { name: 'A', userActions: [] })
    const { status, headers } = await admin.put(`${path}/${made.id}`, made, strict)
    assert.equal(status, 200)
    assert.include(headers['ignored-fields'], '"/id"')
    const plain = await admin.put(`${path}/${made.id}`, { name: 'B' }, strict)
    assert.equal(plain.status, 200)
    assert.notProperty(plain.headers, 'ignored-fields')
  })

  test('are refused together with all other errors, and nothing is written', async ({ assert }) => {
    const { admin, organizationId } = await makeWorld()
    const path = `/org/${organizationId}/group`
    const { status, body } = await admin.post(path, { name: 7, userActionss: [] }, strict)
    assert.equal(status, 422)
    const pointers = body.errors.map(({ pointer }: any) => pointer)
    assert.includeMembers(pointers, ['/name', '/userActionss', '/userActions'])
  })

  test('are found in each item of a batch or list', async ({ assert }) => {
    const of = (id: string, value: unknown) => {
      const [operation, { validator }] = writes.find(([each]) => each.id === id)!
      return ignoredFields(ignoredMembers(operation, validator, value))
    }
    const items = [{ titel: 'a' }, { title: 'b', kind: 'regression' }]
    assert.include(of('createRegressionItems', { items }), '"/items/0/titel";near="title"')
    const events = [{ name: 'a', valeu: 1, properties: { anything: 1 } }]
    assert.equal(of('postCustomEvents', events), '"/0/valeu";near="value"')
  })

  test('are named up to twenty, and long names are cut', ({ assert }) => {
    const [operation, { validator }] = writes.find(([{ id }]) => id === 'createGroup')!
    const body = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [`${index}${'x'.repeat(300)}`, 1])
    )
    const named = ignoredFields(ignoredMembers(operation, validator, body))
    assert.lengthOf(named.split(', '), 20)
    assert.isBelow(named.length, 5000)
  })

  test('are refused if they have the name of a read-only member but another type', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const post = (body: object) => world.admin.post(`/app/${app}/release`, body, strict)
    const misspelt = await post({ version: '1.0.0', releasePilot: 'ada@acme.example' })
    assert.equal(misspelt.status, 422)
    assert.equal(misspelt.headers['ignored-fields'], '"/releasePilot";near="releasePilotId"')
    for (const releasePilot of [null, { id: 'usr_1', email: 'ada@acme.example', name: 'Ada' }]) {
      const version = releasePilot === null ? '1.0.0' : '2.0.0'
      const { status, headers } = await post({ version, releasePilot })
      assert.deepEqual([status, headers['ignored-fields']], [201, '"/releasePilot"'])
    }
  })

  test('are listed before read-only members, however many of these there are', async ({
    assert,
  }) => {
    const { admin, organizationId } = await makeWorld()
    const path = `/org/${organizationId}/users/groups`
    const users = Array.from({ length: 300 }, (_, index) => ({
      ...{ email: `u${index}@acme.example`, groupIds: [], userId: 'x', groups: [] },
      ...(index === 299 && { emial: 'x' }),
    }))
    const { status, body, headers } = await admin.put(path, { users }, strict)
    assert.equal(status, 422)
    assert.deepEqual(
      body.errors.map(({ pointer }: any) => pointer),
      ['/users/299/emial']
    )
    assert.match(headers['ignored-fields'] as string, /^"\/users\/299\/emial"/)
  })

  test('may be names that would set a prototype, which are treated like others', async ({
    assert,
  }) => {
    const { admin, organizationId } = await makeWorld()
    const path = `/org/${organizationId}/group`
    const raw = '{"name":"A","userActions":[],"__proto__":{"name":"B"},"constructor":1}'
    const headers = { 'content-type': 'application/json' }
    const made = await admin.post(path, undefined, { raw, headers })
    assert.deepEqual([made.status, made.body.name], [201, 'A'])
    assert.equal(made.headers['ignored-fields'], '"/__proto__", "/constructor"')
    const refused = await admin.post(path, undefined, {
      raw,
      headers: { ...headers, ...strict.headers },
    })
    assert.deepEqual(
      refused.body.errors.map(({ pointer, code }: any) => `${pointer} ${code}`),
      ['/__proto__ unknown', '/constructor unknown']
    )
  })

  test('are refused for agents and the console', async ({ assert }) => {
    const given = { body: { name: 'A', userActions: [], nmae: 'B' } }
    const createGroup = operations.get('createGroup')
    await assert.rejects(() => inputOf(createGroup, { ...given, strict: true }), /no member \/nmae/)
    await inputOf(createGroup, given)
  })

  test('are refused by every spelling of the preference that the RFC allows', ({ assert }) => {
    for (const prefer of ['handling=strict', 'respond-async, Handling = "strict"; x=1'])
      assert.isTrue(isStrict(prefer), prefer)
    for (const prefer of [undefined, 'handling=lenient', 'xhandling=strict', 'handling=stricter'])
      assert.isFalse(isStrict(prefer), prefer)
  })
})
