import { test } from '@japa/runner'
import { makeWorld } from '#tests/support/world'

async function group() {
  const world = await makeWorld()
  const path = `/org/${world.organizationId}/group`
  const { body } = await world.admin.post(path, { name: 'Crew', userActions: [] })
  const at = `${path}/${body.id}`
  const { etag } = (await world.admin.get(at)).headers
  const put = (name: string, headers: Record<string, string> = {}) =>
    world.admin.put(at, { name }, { headers })
  return { world, at, etag, put, path }
}

test.group('Representations', () => {
  test('have the same headers for HEAD as for GET, without a body', async ({ assert }) => {
    const { world, at } = await group()
    const [get, head] = [await world.admin.get(at), await world.admin.head(at)]
    assert.deepEqual([head.status, head.text], [200, ''])
    assert.equal(head.headers.etag, get.headers.etag)
    assert.equal(head.headers['content-length'], get.headers['content-length'])
    assert.equal((await world.admin.head(`${at}x`, { unchecked: true })).status, 404)
  })

  test('are the same under /v1', async ({ assert }) => {
    const { world, at } = await group()
    const [plain, prefixed] = [await world.admin.get(at), await world.admin.get(`/v1${at}`)]
    assert.equal(prefixed.text, plain.text)
    assert.equal((await world.admin.get('/v1/nowhere')).status, 404)
    assert.equal((await world.admin.get(`/v1/v1${at}`)).status, 404)
  })

  test('get 304 if If-None-Match names the tag, weakly or among others, or is *', async ({
    assert,
  }) => {
    const { world, at, etag, put } = await group()
    const ask = async (tag: string) => {
      const { status, text, headers } = await world.admin.get(at, {
        headers: { 'if-none-match': tag },
      })
      if (status === 304) assert.deepEqual([text, headers.etag], ['', etag])
      return status
    }
    assert.match(etag, /^"[^"]+"$/)
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      assert.equal(await ask(tag), 304)
    }
    for (const tag of ['"other"', etag.slice(1, -1), '']) assert.equal(await ask(tag), 200)
    await put('Other')
    assert.equal(await ask(etag), 200)
  })

  test('get 412 if If-Match does not name the current state, and nothing is written', async ({
    assert,
  }) => {
    const { world, at, etag, put } = await group()
    const lost = await put('Lost', { 'if-match': '"other"' })
    assert.deepEqual([lost.status, lost.body.code], [412, 'precondition_failed'])
    assert.equal(lost.headers.etag, etag)
    assert.equal((await put('Lost', { 'if-match': `W/${etag}` })).status, 412)
    assert.equal((await world.admin.get(at)).body.name, 'Crew')
    const won = await put('Won', { 'if-match': `"other", ${etag}` })
    assert.equal(won.status, 200)
    assert.equal((await put('Next', { 'if-match': won.headers.etag })).status, 200)
    assert.equal((await put('Star', { 'if-match': '*' })).status, 200)
  })

  test('let only one of several writers with the same tag succeed', async ({ assert }) => {
    const { etag, put } = await group()
    const responses = await Promise.all(
      ['A', 'B', 'C'].map((name) => put(name, { 'if-match': etag }))
    )
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 412, 412])
  })
})
