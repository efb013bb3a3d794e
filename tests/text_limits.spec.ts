import { test } from '@japa/runner'
import { wholeDocument } from '#tests/support/whole_document'
import type { AnyOperation } from '#foundation/api/operation/declaration'
import { operations } from '#foundation/api/operation/registry'
import { jsonPointer } from '#foundation/core/json_pointer'
import { lengthOf } from '#foundation/core/text'
import { makeApp } from '#tests/support/app_fixture'
import { Fixtures } from '#tests/support/fixtures'
import { exampleBody, withValue } from '#tests/support/references'
import { makeWorld } from '#tests/support/world'

/*
 * Character limits count Unicode code points, as `maxLength` in the document does. Every text
 * without a format, pattern or enumeration in every JSON body is tried.
 */

type Schema = { [keyword: string]: any }
type Path = (string | number)[]

const EMOJI = '😀'
const document = wholeDocument() as { components: { schemas: Record<string, Schema> } }
const resolve = (schema: Schema): Schema =>
  schema.$ref ? resolve(document.components.schemas[schema.$ref.split('/').at(-1)]) : schema

function texts(given: Schema, path: Path = []): { path: Path; max: number }[] {
  const schema = resolve(given)
  const { type, maxLength: max, properties, items, anyOf, format, pattern } = schema
  const isFree = [type].flat().includes('string') && max && !format && !pattern && !schema.enum
  return [
    ...(isFree ? [{ path, max }] : []),
    ...(anyOf ?? []).flatMap((each: Schema) => texts(each, path)),
    ...(items ? texts(items, [...path, 0]) : []),
    ...Object.entries((properties ?? {}) as Schema).flatMap(([name, member]) =>
      texts(member, [...path, name])
    ),
  ]
}

const BATCHES = new Set(['createRegressionItems', 'updateRegressionItems'])

const writes = operations
  .all()
  .filter(({ body }) => (body as AnyOperation['body'])?.kind === 'json') as AnyOperation[]

test.group('Character limits', () => {
  test('count code points, and leave combining marks as they are', ({ assert }) => {
    for (const text of [
      '',
      'abc',
      EMOJI,
      `a${EMOJI}b`,
      'e\u0301',
      '👨‍👩‍👧',
      '\ud83d',
      '\ude00\ud83d',
    ]) {
      assert.equal(lengthOf(text), [...text].length, JSON.stringify(text))
    }
  })

  for (const operation of writes) {
    const { name } = operation.body as unknown as { name: string }
    const cases = texts(document.components.schemas[name])
    if (cases.length === 0) continue
    test(`${operation.id}: an emoji is one character, at the limit and beyond`, async ({
      assert,
    }) => {
      const world = await makeWorld()
      const fixtures = new Fixtures(world)
      const path = await fixtures.path(operation.path)
      const example = await exampleBody(operation, fixtures.get)
      for (const { path: at, max } of cases) {
        const pointer = jsonPointer(...at)
        const codes = async (length: number) => {
          const json = withValue(example, at, EMOJI.repeat(length))
          const { status, body } = await world.admin.send<any>(operation.method, path, { json })
          assert.isBelow(status, 500)
          const errors: { pointer?: string; code: string }[] = body?.errors ?? []
          return BATCHES.has(operation.id)
            ? errors.map(({ code }) => code)
            : errors.filter((each) => each.pointer === pointer).map(({ code }) => code)
        }
        assert.notInclude(await codes(max), 'max_length', `${pointer} at ${max}`)
        assert.include(await codes(max + 1), 'max_length', `${pointer} beyond ${max}`)
      }
    }).timeout(60_000)
  }

  test('fit the database, and texts are not normalised', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world, { steps: [{ type: 'metadata' }, { type: 'submission' }] })
    const releaseName = `e\u0301\u00e9${EMOJI.repeat(197)}`
    const { body } = await world.admin.post(`/app/${app}/release`, { version: '1.0', releaseName })
    assert.equal(body.releaseName, releaseName)
    const path = `/app/${app}/release/${body.id}`
    assert.equal(
      (await world.admin.get(`/v2/app/${app}/releases/${body.id}`)).body.releaseName,
      releaseName
    )

    const [{ stepRunId }] = (await world.admin.get(`${path}/steps?type=metadata`)).body
    const put = (promotionalText: string) =>
      world.admin.put(`${path}/stepRun/${stepRunId}/metadata`, {
        localizations: [{ locale: 'en-US', promotionalText }],
      })
    const limit = `e\u0301${EMOJI.repeat(168)}`
    assert.equal((await put(limit)).body.data.localizations[0].promotionalText, limit)
    assert.equal((await put(`${limit}!`)).body.errors[0].code, 'max_length')

    const metadata = (value: string) =>
      world.admin.put(`${path}/metadata`, { entries: [{ key: 'a', value }] })
    assert.equal((await metadata(EMOJI.repeat(10_000))).status, 200)
    assert.equal((await metadata(EMOJI.repeat(10_001))).body.errors[0].code, 'max_length')
  })

  test('count code points in a configuration file, too', async ({ assert }) => {
    const world = await makeWorld()
    const post = (name: string) =>
      world.admin.send<any>('POST', '/app/config', {
        raw: `name: ${name}\nplatform: ios\n`,
        headers: { 'content-type': 'application/yaml' },
      })
    const name = `e\u0301${EMOJI.repeat(98)}`
    const made = await post(name)
    assert.deepEqual([made.status, made.body.name], [201, name])
    const { text } = await world.admin.get(`/app/${made.body.id}/config`)
    assert.include(text, name)
    const long = await post(`${name}!`)
    assert.equal(long.body.errors[0].message, 'Holds 101 characters, at most 100 are allowed')
  })
})
