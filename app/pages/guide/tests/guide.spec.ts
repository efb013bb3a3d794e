import { IncomingMessage, ServerResponse } from 'node:http'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import testUtils from '@adonisjs/core/services/test_utils'
import { test } from '@japa/runner'
import { serveGuide } from '../serve_guide.js'
import { GuideSite } from '../site.js'

const SCRIPT = 'document.title'
// openssl dgst -sha256 -binary | base64
const HASH = 'sha256-o3vzFSF4YhB5rDb5tpELAmIlJDq+2XOarY4IDsOum1c='

const FILES = {
  'index.html': `<!doctype html><script src="/guide/assets/app.1.js"></script><script>${SCRIPT}</script>`,
  'how-to/index.html': 'How to',
  'how-to/fly.html': 'Fly',
  'assets/app.1.js': 'let a',
  'hashmap.json': '{}',
  '../secret.html': 'outside',
}

test.group('GET /guide', (group) => {
  let parent: string
  let site: GuideSite

  group.each.setup(async () => {
    parent = await mkdtemp(join(tmpdir(), 'tarmac-guide-'))
    site = new GuideSite(join(parent, 'dist'))
    return () => rm(parent, { recursive: true })
  })

  const build = async (files: Record<string, string> = FILES) => {
    for (const [name, text] of Object.entries(files)) {
      const path = join(parent, 'dist', name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text)
    }
  }

  async function get(path: string, headers: Record<string, string> = {}) {
    const req = new IncomingMessage(new Socket())
    Object.assign(req, { method: 'GET', url: path, headers })
    const http = await testUtils.createHttpContext({ req, res: new ServerResponse(req) })
    await serveGuide(http, site)
    const { response } = http
    return {
      status: response.getStatus(),
      text: String(response.getBody() ?? ''),
      header: (name: string) => String(response.getHeader(name) ?? ''),
    }
  }

  test('says how to build the guide if it is not built', async ({ assert }) => {
    const { status, text, header } = await get('/guide/')
    assert.equal(status, 404)
    assert.include(text, 'npm run docs:build')
    assert.include(header('content-security-policy'), "default-src 'none'")
  })

  test('serves pages without their ending, and folders by their index', async ({ assert }) => {
    await build()
    const to = await get('/guide')
    assert.deepEqual([to.status, to.header('location')], [308, '/guide/'])
    assert.include((await get('/guide/how-to/')).text, 'How to')
    const { status, text, header } = await get('/guide/how-to/fly')
    assert.deepEqual([status, text], [200, 'Fly'])
    assert.equal(header('content-type'), 'text/html; charset=utf-8')
    assert.equal(header('x-content-type-options'), 'nosniff')
  })

  test('allows the inline scripts of a page by their hashes, and no others', async ({ assert }) => {
    await build()
    const { header } = await get('/guide/')
    assert.include(header('content-security-policy'), `script-src 'self' '${HASH}';`)
    assert.notInclude((await get('/guide/how-to/')).header('content-security-policy'), 'sha256')
  })

  test('answers 304 to a current entity tag, and lets browsers keep assets', async ({ assert }) => {
    await build()
    const first = await get('/guide/')
    const again = await get('/guide/', { 'if-none-match': first.header('etag') })
    assert.deepEqual([again.status, again.text], [304, ''])
    assert.include(first.header('cache-control'), 'no-cache')
    assert.include((await get('/guide/assets/app.1.js')).header('cache-control'), 'immutable')
  })

  test('serves nothing outside of its folder', async ({ assert }) => {
    await build()
    for (const path of ['../secret', '..%2fsecret', 'how-to/../../secret', '/etc/passwd', 'x'])
      assert.equal((await get(`/guide/${path}`)).status, 404, path)
  })

  test('serves a new build without a restart', async ({ assert }) => {
    await build()
    await get('/guide/how-to/fly')
    await build({ 'how-to/fly.html': 'Land', 'hashmap.json': '{"a":1}' })
    await utimes(join(parent, 'dist/hashmap.json'), 1, 1)
    assert.equal((await get('/guide/how-to/fly')).text, 'Land')
  })
})
