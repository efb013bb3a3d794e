import { test } from '@japa/runner'
import type { Deprecation } from '#foundation/api/operation/declaration'
import { buildDocument } from '#foundation/api/openapi/document'
import { operations } from '#foundation/api/operation/registry'
import { makeTrain } from '#releases/tests/helpers/release_world'

const DEPRECATED: Deprecation = {
  since: '2026-11-01T00:00:00.000Z',
  sunset: '2027-05-01T00:00:00.000Z',
  link: 'https://tarmac.acme.example/guide/reference/stability',
}

/** Deprecates an operation; returns a function that ends that. */
function deprecate(id: string, deprecated: Deprecation): () => void {
  const operation = operations.get(id)
  operation.deprecated = deprecated
  return () => delete operation.deprecated
}

const LINK = `<${DEPRECATED.link}>; rel="deprecation"; type="text/html"`

test.group('A deprecated operation', () => {
  test('says so in every answer, even in refusals and cached answers', async ({
    assert,
    cleanup,
  }) => {
    const { admin, app, world } = await makeTrain(['1.0.0', '1.1.0'])
    const path = `/v2/app/${app}/releases`
    const plain = await admin.get(path)
    assert.notProperty(plain.headers, 'deprecation')
    assert.notProperty(plain.headers, 'link')
    cleanup(deprecate('listReleases', DEPRECATED))
    const ifNoneMatch = { headers: { 'if-none-match': plain.headers.etag } }
    const responses = [
      await admin.get(path),
      await admin.get(path, ifNoneMatch),
      await admin.get(`${path}?limit=0`),
      await admin.get('/v2/app/none/releases'),
      await admin.head(path),
    ]
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 304, 400, 404, 200]
    )
    for (const { headers } of responses) {
      assert.equal(headers.deprecation, '@1793491200')
      assert.equal(headers.sunset, 'Sat, 01 May 2027 00:00:00 GMT')
      assert.equal(headers.link, LINK)
    }
    const first = await admin.get(`${path}?limit=1`)
    assert.include(first.headers.link, LINK)
    assert.match(first.headers.link, /<[^>]*cursor=[^>]*>; rel="next"/)
    const other = await admin.get(`/org/${world.organizationId}/apps`)
    assert.notProperty(other.headers, 'deprecation')
  })

  test('has no sunset header while its end is undecided', async ({ assert, cleanup }) => {
    const { admin, app } = await makeTrain()
    const { since, link } = DEPRECATED
    cleanup(deprecate('getApp', { since, link }))
    const { headers } = await admin.get(`/app/${app}`)
    assert.equal(headers.deprecation, '@1793491200')
    assert.notProperty(headers, 'sunset')
  })

  test('is marked in the document, unlike others', ({ assert, cleanup }) => {
    cleanup(deprecate('getApp', DEPRECATED))
    const document = buildDocument(operations.all(), [], '1') as {
      paths: Record<string, Record<string, { operationId: string; deprecated?: boolean }>>
    }
    const marked = Object.values(document.paths)
      .flatMap((each) => Object.values(each))
      .filter(({ deprecated }) => deprecated)
    assert.sameMembers(
      marked.map(({ operationId }) => operationId),
      operations.all().flatMap(({ id, deprecated }) => (deprecated ? [id] : []))
    )
    assert.include(JSON.stringify(marked), '"getApp"')
  })
})
