import { test } from '@japa/runner'
import { wholeDocument } from '#tests/support/whole_document'
import type { AnyOperation } from '#foundation/api/operation/declaration'
import { operations } from '#foundation/api/operation/registry'
import { jsonPointer } from '#foundation/core/json_pointer'
import { Fixtures } from '#tests/support/fixtures'
import { exampleBody, withValue } from '#tests/support/references'
import { makeWorld } from '#tests/support/world'

/*
 * `null` clears a member or is refused, but is never silently ignored. Every property of every JSON
 * body in the document is tried.
 */

type Schema = { [keyword: string]: any }
type Path = (string | number)[]

const document = wholeDocument() as { components: { schemas: Record<string, Schema> } }
const resolve = (schema: Schema): Schema =>
  schema.$ref ? resolve(document.components.schemas[schema.$ref.split('/').at(-1)]) : schema

const isNullable = (given: Schema): boolean => {
  const schema = resolve(given)
  if (schema.anyOf) return schema.anyOf.some(isNullable)
  return [schema.type].flat().includes('null')
}

/** Returns every property of a schema, and every entry of its lists. */
function properties(given: Schema, path: Path = []): { path: Path; schema: Schema }[] {
  const schema = resolve(given)
  const below = (schema.anyOf ?? []).flatMap((each: Schema) => properties(each, path))
  for (const [name, member] of Object.entries((schema.properties ?? {}) as Schema)) {
    const here = [...path, name]
    below.push({ path: here, schema: member }, ...properties(member, here))
  }
  for (const member of [schema.items].flat().filter(Boolean)) {
    below.push({ path: [...path, 0], schema: member }, ...properties(member, [...path, 0]))
  }
  return below
}

/** Batches report the errors of each item separately. */
const BATCHES = new Set(['createRegressionItems', 'updateRegressionItems'])

const writes = operations
  .all()
  .filter(({ body }) => (body as AnyOperation['body'])?.kind === 'json') as AnyOperation[]

test.group('null in bodies', () => {
  for (const operation of writes) {
    test(`${operation.id} clears a null member, or is 422 with its pointer`, async ({ assert }) => {
      const world = await makeWorld()
      const fixtures = new Fixtures(world)
      const path = await fixtures.path(operation.path)
      const body = operation.body as unknown as { name: string }
      const example = await exampleBody(operation, fixtures.get)
      const cases = properties(document.components.schemas[body.name])
      assert.isNotEmpty(cases)
      for (const { path: at, schema } of cases) {
        const json = withValue(example, at, null)
        const label = `${operation.id} ${at.join('.')}`
        const response = await world.admin.send<any>(operation.method, path, { json })
        if (isNullable(schema)) {
          const shown = response.status < 300 && at.length === 1 ? response.body[at[0]] : undefined
          assert.isEmpty(shown ?? [], `${label} is kept`)
          continue
        }
        assert.equal(response.status, 422, label)
        if (BATCHES.has(operation.id) && response.body.code === 'all_items_failed') continue
        const pointers = response.body.errors.map(({ pointer }: any) => pointer)
        assert.include(pointers, jsonPointer(...at), label)
      }
    }).timeout(60_000)
  }
})
