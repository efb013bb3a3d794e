import { createHash } from 'node:crypto'
import { BaseCheck, HealthChecks, Result } from '@adonisjs/core/health'
import app from '@adonisjs/core/services/app'
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
    const { status, text, headers } = await anyone.get('/docs/plain')
    assert.equal(status, 200)
    assert.match(headers['content-type'], /^text\/html/)
    assert.match(headers['content-security-policy'], /default-src 'none'/)
    // The policy allows the page's own inline style, by its digest.
    const [, style] = /<style>([^]*?)<\/style>/.exec(text)!
    const digest = createHash('sha256').update(style).digest('base64')
    assert.include(headers['content-security-policy'], `style-src 'sha256-${digest}';`)
    assert.notInclude(headers['content-security-policy'], 'unsafe-inline')
    for (const { summary } of operations.ofApi()) assert.include(text, summary)
    assert.notMatch(text, /<(script|link|img)[^>]+(src|href)="(https?:)?\/\//)
  })

  test('every problem code has a page, others have none', async ({ assert }) => {
    for (const code of allProblems().keys()) {
      assert.equal((await anyone.get(`/problems/${code}`)).status, 200, code)
    }
    assert.equal((await anyone.get('/problems/toString')).status, 404)
    const [, path, id] = /href="([^"#]+)#([^"]+)">All problem codes/.exec(
      (await anyone.get('/problems/not_found')).text
    )!
    assert.include((await anyone.get(path)).text, `id="${id}"`)
  })

  test('the probes answer without a key', async ({ assert }) => {
    for (const path of ['/health/live', '/health/ready']) {
      const { status, body } = await anyone.get(path)
      assert.deepEqual([status, body], [200, { status: 'ok' }])
    }
  })

  test('readiness names the failing checks, and nothing more', async ({ assert, cleanup }) => {
    cleanup(() => app.container.restore(HealthChecks))
    app.container.swap(HealthChecks, () =>
      new HealthChecks().register([
        new Answer('database', Result.failed('refused by db.internal:5432', new Error('secret'))),
        new Answer('search index', Result.ok('fast')),
        new Answer('mail', Result.warning('slow')),
        new Answer('store of the limits', Result.failed('gone')),
      ])
    )
    const { status, text, body, headers } = await anyone.get('/health/ready')
    assert.equal(status, 503)
    assert.equal(headers['retry-after'], '5')
    assert.containsSubset(body, {
      code: 'not_ready',
      detail: 'The database does not respond. The store of the limits does not respond.',
    })
    assert.notMatch(text, /internal|secret|gone|slow/)
  })

  test('a warning leaves the service ready', async ({ assert, cleanup }) => {
    cleanup(() => app.container.restore(HealthChecks))
    app.container.swap(HealthChecks, () =>
      new HealthChecks().register([new Answer('mail', Result.warning('slow'))])
    )
    const { status, body } = await anyone.get('/health/ready')
    assert.deepEqual([status, body], [200, { status: 'ok' }])
  })

  test('the report names every check, and reveals no error message', async ({
    assert,
    cleanup,
  }) => {
    cleanup(() => app.container.restore(HealthChecks))
    app.container.swap(HealthChecks, () =>
      new HealthChecks().register([
        new Answer('mail', Result.warning('slow')),
        new Answer('database', Result.failed('db.internal is gone')),
      ])
    )
    const { status, body } = await anyone.get('/health')
    assert.deepEqual([status, body.status], [200, 'error'])
    assert.deepEqual(body.checks.slice(0, 2), [
      { name: 'mail', status: 'warning', message: 'slow' },
      { name: 'database', status: 'error', message: 'It does not respond.' },
    ])
  })

  test('the service checks what every request needs, and what only causes warnings', async ({
    assert,
  }) => {
    const health = await app.container.make(HealthChecks)
    const { checks } = await health.run()
    assert.deepEqual(
      checks.map(({ name, status }) => [name, status]),
      [
        ['database', 'ok'],
        ['storage of the database', 'ok'],
        ['store of the limits', 'ok'],
        ['storage of files', 'ok'],
        ['plugins of integration providers', 'ok'],
        ['integration providers', 'ok'],
      ]
    )
  })
})

class Answer extends BaseCheck {
  constructor(
    public name: string,
    private readonly result: Result
  ) {
    super()
  }

  async run(): Promise<Result> {
    return this.result
  }
}
