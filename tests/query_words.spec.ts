import { test } from '@japa/runner'
import { wholeDocument } from '#tests/support/whole_document'
import { writtenOut } from '#foundation/api/openapi/written_out'
import { operations } from '#foundation/api/operation/registry'
import { Fixtures } from '#tests/support/fixtures'
import { makeWorld } from '#tests/support/world'

/*
 * A value outside the enumeration of a query parameter is refused, not used as a filter that matches
 * nothing. Every enumerated query parameter in the document is tried.
 */

type Schema = { [keyword: string]: any }

const document = writtenOut(wholeDocument()) as {
  paths: Record<string, Record<string, { operationId: string; parameters: Schema[] }>>
  components: { schemas: Record<string, Schema> }
}
const resolve = (schema: Schema): Schema =>
  schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema
const wordsOf = (schema: Schema): string[] | undefined =>
  resolve(schema).enum ?? (schema.items && wordsOf(schema.items))

const cases = operations.all().flatMap((operation) => {
  const declared = document.paths[operation.path][operation.method.toLowerCase()]
  return (declared.parameters ?? []).flatMap(({ in: place, name, schema }) => {
    const words = place === 'query' && wordsOf(schema)
    return words ? [{ operation, name: name as string, words }] : []
  })
})

test.group('Words in queries', () => {
  for (const { operation, name, words } of cases) {
    test(`${operation.id} takes the words of ${name}, and is 422 for any other`, async ({
      assert,
    }) => {
      const world = await makeWorld()
      const path = await new Fixtures(world).path(operation.path)
      const ask = (query: string) => world.admin.get(`${path}?${query}`)
      for (const word of words) assert.equal((await ask(`${name}=${word}`)).status, 200, word)
      const [word] = words
      const unknown = [`${name}=nowhere`, `${name}=`, `${name}=${word.toUpperCase()}X`]
      const repeated = [`${name}=${word}&${name}=nowhere`, `${name}[]=nowhere`]
      for (const query of [...unknown, ...repeated]) {
        const { status, body } = await ask(query)
        assert.deepEqual([status, body.code], [422, 'invalid_input'], query)
        assert.match(body.errors[0].parameter, new RegExp(`^${name}(\\.|$)`))
        assert.include(body.errors[0].message, word)
      }
    })
  }

  test('the cases include all kinds of enumerations', ({ assert }) => {
    const seen = cases.map(({ operation, name }) => `${operation.id} ${name}`)
    assert.includeMembers(seen, [
      'listApps platform',
      'listAppIntegrations kind',
      'listReleases status',
      'listReleases releaseType',
      'listReleaseSteps type',
      'listReleaseSteps status',
      'listTimelineEvents type',
      'listStepTimelineEvents type',
      'listReleaseChecklistItems kind',
      'listReleaseChecklistItems status',
      'listReleaseChecklistItems stepType',
      'listWebhookDeliveries status',
      'listWebhookDeliveries eventType',
      'listWebhookEvents eventType',
    ])
  })
})
