import { isDeepStrictEqual } from 'node:util'
import { test } from '@japa/runner'
import { wholeDocument } from '#tests/support/whole_document'
import { writtenOut } from '#foundation/api/openapi/written_out'

/*
 * The OpenAPI document explains each field to integrators, and shows one story: the same app,
 * release and people in every example, with instants in order.
 */

type Schema = { [keyword: string]: any }
type Place = { path: string; value: any }

const document: Schema = writtenOut(wholeDocument())
const schemas: Record<string, Schema> = document.components.schemas

/** Yields every schema below a schema, with its path. */
function* within(schema: Schema, path: string): Generator<[string, Schema]> {
  yield [path, schema]
  for (const [name, each] of Object.entries((schema.properties ?? {}) as Record<string, Schema>)) {
    yield* within(each, `${path}.${name}`)
  }
  for (const keyword of ['items', 'additionalProperties', 'contentSchema']) {
    const each = schema[keyword]
    if (typeof each === 'object') yield* within(each, `${path}[]`)
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    for (const [index, each] of ((schema[keyword] ?? []) as Schema[]).entries()) {
      yield* within(each, `${path}|${index}`)
    }
  }
}

/** Operations and webhooks, by id. */
const operations: [string, Schema][] = [
  ...Object.values(document.paths as Record<string, Schema>).flatMap((item) =>
    Object.values(item as Record<string, Schema>)
  ),
  ...Object.values(document.webhooks as Record<string, Schema>).map(({ post }) => post),
].map((operation) => [operation.operationId, operation])

const contents = operations.flatMap(([id, { requestBody, responses }]) =>
  [requestBody, ...Object.values(responses as Record<string, Schema>)].flatMap((each) =>
    Object.entries((each?.content ?? {}) as Record<string, Schema>).map(
      ([type, content]): [string, Schema] => [`${id} ${type}`, content]
    )
  )
)

const all = [
  ...Object.entries(schemas).flatMap(([name, schema]) => [...within(schema, name)]),
  ...contents.flatMap(([id, { schema }]) => (schema ? [...within(schema, id)] : [])),
]

function resolve(schema: Schema): Schema {
  return schema.$ref ? schemas[schema.$ref.split('/').at(-1)!] : schema
}

const isNull = (schema: Schema) => schema.type === 'null'

/** Yields every value within an example, with the names that lead to it. */
function* values(value: unknown, path: string): Generator<Place> {
  yield { path, value }
  if (typeof value !== 'object' || value === null) return
  for (const [name, each] of Object.entries(value)) yield* values(each, `${path}.${name}`)
}

const examples = contents.flatMap(([id, { example }]) =>
  example === undefined ? [] : [...values(example, id)]
)
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const named = (...names: string[]) =>
  examples.filter(({ path }) => names.includes(path.slice(path.lastIndexOf('.') + 1)))
const distinct = (places: Place[]) => [
  ...new Set(places.map(({ value }) => value).filter((value) => value !== null)),
]

test.group('The words of the OpenAPI document', () => {
  test('describe every named model', ({ assert }) => {
    const undescribed = Object.entries(schemas).filter(([, { description }]) => !description)
    assert.deepEqual(
      undescribed.map(([name]) => name),
      []
    )
  })

  test('describe every property', ({ assert }) => {
    const undescribed = all.flatMap(([path, schema]) =>
      Object.entries((schema.properties ?? {}) as Record<string, Schema>)
        .filter(([, each]) => !(each.description ?? resolve(each).description))
        .map(([name]) => `${path}.${name}`)
    )
    assert.deepEqual([...new Set(undescribed)], [])
  })

  test('describe every parameter and header', ({ assert }) => {
    const undescribed = operations.flatMap(([id, { parameters = [], responses }]) => [
      ...(parameters as Schema[]).filter(({ description }) => !description).map(({ name }) => name),
      ...Object.values(responses as Record<string, Schema>)
        .flatMap(({ headers = {} }) => Object.entries(headers as Record<string, Schema>))
        .filter(([, { description }]) => !description)
        .map(([name]) => `${id} ${name}`),
    ])
    assert.deepEqual(undescribed, [])
  })

  test('describe every request body', ({ assert }) => {
    const undescribed = operations.filter(
      ([, { requestBody }]) => requestBody && !requestBody.description
    )
    assert.deepEqual(
      undescribed.map(([id]) => id).filter((id) => !id.startsWith('on')),
      []
    )
  })

  test('are sentences that say more than the name', ({ assert }) => {
    const reported = all.flatMap(([path, schema]) =>
      Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(
        ([name, each]): [string, string, string] => [path, name, each.description ?? '']
      )
    )
    for (const [path, name, description] of reported.filter(([, , words]) => words !== '')) {
      const bare = description.toLowerCase().replace(/[^a-z]/g, '')
      assert.notEqual(bare, name.toLowerCase(), `${path}.${name}`)
      assert.match(description, /^[A-Z0-9`*].*[.!?]$/s, `${path}.${name}`)
    }
  })

  test('say of every nullable field when it is null', ({ assert }) => {
    const unexplained = all.flatMap(([path, schema]) =>
      Object.entries((schema.properties ?? {}) as Record<string, Schema>)
        .filter(([, each]) => (each.type ?? []).includes('null') || each.anyOf?.some(isNull))
        .filter(([, each]) => !/\b(null|none)\b/i.test(each.description ?? ''))
        .map(([name]) => `${path}.${name}`)
    )
    assert.deepEqual([...new Set(unexplained)], [])
  })

  test('distinguish unions of models by a discriminator', ({ assert }) => {
    // The type of the step, a sibling of the data, is the discriminator.
    const TYPED_BY_SIBLING = ['ReleaseStepData', 'StepRunData']
    const undistinguished = all
      .filter(([path]) => !TYPED_BY_SIBLING.includes(path))
      .filter(([, schema]) => {
        const variants = ((schema.anyOf ?? schema.oneOf ?? []) as Schema[])
          .filter((each) => !isNull(each))
          .map(resolve)
        const types = variants.map(({ type }) => String(type))
        return new Set(types).size < variants.length && !schema.discriminator
      })
    assert.deepEqual(
      undistinguished.map(([path]) => path),
      []
    )
  })
})

test.group('The examples of the OpenAPI document', () => {
  test('answer with the values of their requests', ({ assert }) => {
    // They answer with another status than the one in the request.
    const OTHER_STATUS = ['updateReleaseRegressionStatus', 'updateStepRunRegressionStatus']
    const isPlain = (value: unknown) => JSON.stringify(value)?.includes('{') === false
    const exampleOf = (body?: Schema) => body?.content?.['application/json']?.example ?? {}
    const differing: string[] = []
    for (const [id, operation] of operations) {
      const { requestBody, responses } = operation
      const given: Schema = exampleOf(requestBody)
      const shown: Schema = exampleOf(responses['201'] ?? responses['202'] ?? responses['200'])
      for (const [name, value] of Object.entries(given)) {
        const isStatus = name === 'status' && OTHER_STATUS.includes(id)
        // A request may name a pilot by e-mail address; the answer has the id.
        const isAddress = /@/.test(String(value))
        if (isStatus || isAddress || !isPlain(value) || !isPlain(shown[name])) continue
        if (isDeepStrictEqual(value, shown[name])) continue
        differing.push(`${id} ${name}: ${value} → ${shown[name]}`)
      }
    }
    assert.deepEqual(differing, [])
  })

  test('exist for every request and answer except pictures and files', ({ assert }) => {
    const bare = contents.filter(
      ([id, { example }]) =>
        example === undefined &&
        !/ (image\/|application\/(octet-stream|vnd\.android\.package-archive))/.test(id)
    )
    assert.deepEqual(
      bare.map(([id]) => id),
      []
    )
  })

  test('hold no placeholder and no empty object', ({ assert }) => {
    const empty = (value: unknown) =>
      ['text', 'string', 'example', 'foo'].includes(value as string) ||
      (typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        Object.keys(value).length === 0)
    // Steps of these types have empty data.
    const dataless = new Set(
      examples.flatMap(({ path, value }) =>
        (value?.stepRunId && value.type === 'metadata') ||
        (value?.stepId && value.type === 'takeoff')
          ? `${path}.data`
          : []
      )
    )
    assert.deepEqual(
      examples
        .filter(({ path, value }) => empty(value) && !dataless.has(path))
        .map(({ path }) => path),
      []
    )
  })

  test('are about one organization, one app and one release', ({ assert }) => {
    assert.deepEqual(distinct(named('appId')), ['acme-ios'])
    // The second release is paired with the first.
    assert.deepEqual(distinct(named('releaseId')), ['acme-ios:4.2.0', 'acme-android:4.2.0'])
    const ofModels = examples.filter(({ value }) => typeof value === 'object' && value !== null)
    const models = (member: string) => ofModels.filter(({ value }) => member in value)
    assert.deepEqual(distinct(named('orgId')), ['org_4fJq0VbM2wXy7TtZr9Kd'])
    for (const { path, value } of models('releaseBranch')) {
      assert.equal(value.id, 'acme-ios:4.2.0', path)
      assert.equal(value.version, '4.2.0', path)
    }
    for (const { path, value } of named('org', 'app')) {
      const wanted = path.endsWith('.org') ? 'org_4fJq0VbM2wXy7TtZr9Kd' : 'acme-ios'
      assert.equal(value.id, wanted, path)
    }
    for (const [, { parameters = [] }] of operations) {
      for (const { name, example } of parameters as Schema[]) {
        if (example === undefined) continue
        if (name === 'appId') assert.equal(example, 'acme-ios')
        if (name === 'releaseId') assert.equal(example, 'acme-ios:4.2.0')
        if (name === 'orgId') assert.equal(example, 'org_4fJq0VbM2wXy7TtZr9Kd')
      }
    }
  })

  test('give the same id to the same person, step and item throughout', ({ assert }) => {
    const known = new Map<string, string>()
    const same = (id: string, name: string, path: string) => {
      assert.equal(known.get(id) ?? name, name, path)
      known.set(id, name)
    }
    for (const { path, value } of examples) {
      if (typeof value !== 'object' || value === null) continue
      if (typeof value.id !== 'string') continue
      if (value.email) same(`${value.id} email`, value.email, path)
      const title = value.title ?? value.name
      if (title && !value.id.startsWith('fix_')) same(value.id, title, path)
    }
    const ids = [...known.keys()].filter((id) => /^\w+_\w+$/.test(id))
    for (const id of ids) assert.match(id, /^[a-z]+_[0-9A-Za-z]{20}$/)
  })

  test('put instants in order', ({ assert }) => {
    const CHAINS = [
      ['createdAt', 'kickedOffAt', 'submittedAt', 'approvedAt', 'releasedAt', 'completedAt'],
      ['targetKickoffAt', 'targetSubmitAt', 'targetReleaseAt'],
      ['createdAt', 'updatedAt'],
      ['createdAt', 'lastAttemptAt', 'finishedAt'],
      ['startedAt', 'completedAt'],
      ['startedAt', 'finishedAt'],
      ['createdAt', 'expiresAt'],
      ['from', 'to'],
    ]
    for (const { path, value } of examples) {
      if (typeof value !== 'object' || value === null) continue
      for (const chain of CHAINS) {
        const given = chain.map((name) => value[name]).filter((each) => INSTANT.test(each))
        assert.deepEqual(given, [...given].sort(), `${path}: ${chain.join(', ')}`)
      }
    }
  })

  test('show the story of the release in the order of their sequences', ({ assert }) => {
    const events = Object.values(document.webhooks as Record<string, Schema>).map(
      ({ post }) => post.requestBody.content['application/json'].example
    )
    const inOrder = events.toSorted((a, b) => a.sequence - b.sequence)
    const times = inOrder.map(({ createdAt }) => createdAt)
    assert.deepEqual(times, [...times].sort())
    assert.lengthOf(new Set(events.map(({ id }) => id)), events.length)
    assert.lengthOf(new Set(events.map(({ sequence }) => sequence)), events.length)
    for (const { eventType, createdAt, release } of events) {
      if (!release?.updatedAt) continue
      assert.isTrue(release.updatedAt <= createdAt, `${eventType} is in the future`)
    }
  })
})
