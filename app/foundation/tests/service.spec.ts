import { test } from '@japa/runner'
import { operations } from '../api/operation/registry.js'
import { allProblems } from '../core/problems/catalog.js'
import { Api } from '#tests/support/api'

const anyone = new Api(null)

test.group('Descriptions and probes', () => {
  test('the OpenAPI document is served to anyone, with a tag', async ({ assert }) => {
    const { status, body, headers } = await anyone.get('/openapi.json')
    assert.equal(status, 200)
    assert.equal(body.openapi, '3.1.0')
    const again = await anyone.get('/openapi.json', {
      headers: { 'if-none-match': headers.etag },
      unchecked: true,
    })
    assert.deepEqual([again.status, again.text], [304, ''])
  })

  test('the reference page names every operation and loads nothing from elsewhere', async ({
    assert,
  }) => {
    const { status, text, headers } = await anyone.get('/docs')
    assert.equal(status, 200)
    assert.match(headers['content-type'], /^text\/html/)
    assert.match(headers['content-security-policy'], /default-src 'none'/)
    for (const { summary } of operations.all()) assert.include(text, summary)
    assert.notMatch(text, /<(script|link|img)[^>]+(src|href)="(https?:)?\/\//)
  })

  test('every problem code has a page, others have none', async ({ assert }) => {
    for (const code of allProblems().keys()) {
      assert.equal((await anyone.get(`/problems/${code}`)).status, 200, code)
    }
    assert.equal((await anyone.get('/problems/toString')).status, 404)
  })

  test('the probes answer without a key', async ({ assert }) => {
    for (const path of ['/health/live', '/health/ready']) {
      const { status, body } = await anyone.get(path)
      assert.deepEqual([status, body], [200, { status: 'ok' }])
    }
  })
})
