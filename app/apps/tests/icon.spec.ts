import { test } from '@japa/runner'
import drive from '@adonisjs/drive/services/main'
import sharp from 'sharp'
import { UploadIcon } from '#apps/actions/upload_icon'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2563eb' } })

/** A multipart body with one file part. */
function form(file: Buffer, { field = 'file', name = 'icon.png' } = {}) {
  const boundary = 'tarmac-test-boundary'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n`
  return {
    raw: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

test.group('POST /app/{appId}/icon', () => {
  test('200 keeps the picture as a PNG that needs no key, and forgets the one before', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const upload = async (file: Buffer) =>
      world.admin.post(`/app/${app}/icon`, undefined, form(file))
    const first = await upload(await picture(600, 600).jpeg().toBuffer())
    assert.equal(first.status, 200)
    const { pathname } = new URL(first.body.iconUrl)
    assert.equal((await world.admin.get(`/app/${app}`)).body.iconUrl, first.body.iconUrl)

    const shown = await fetch(first.body.iconUrl)
    assert.equal(shown.status, 200)
    assert.equal(shown.headers.get('content-type'), 'image/png')
    assert.equal(shown.headers.get('x-content-type-options'), 'nosniff')
    const { format, width } = await sharp(Buffer.from(await shown.arrayBuffer())).metadata()
    assert.deepEqual([format, width], ['png', 512])
    assert.equal((await world.admin.get(pathname)).status, 200)

    const second = await upload(await picture(64, 64).webp().toBuffer())
    assert.notEqual(second.body.iconUrl, first.body.iconUrl)
    assert.equal((await fetch(first.body.iconUrl)).status, 404)
  })

  test('422 for what is no picture, an SVG, or one too large', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    const files = [
      Buffer.from('GIF89a not really'),
      svg,
      await picture(4097, 10).png().toBuffer(),
      (await picture(64, 64).png().toBuffer()).subarray(0, 60),
      Buffer.alloc(0),
    ]
    for (const file of files) {
      const { status, body } = await world.admin.post(`/app/${app}/icon`, undefined, form(file))
      assert.equal(status, 422)
      assert.equal(body.errors[0].code, 'image')
    }
    assert.isNull((await world.admin.get(`/app/${app}`)).body.iconUrl)
  })

  test('400 for a broken form, 413 over 5 MiB, 415 for another content type', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const send = (options: object) => world.admin.post(`/app/${app}/icon`, undefined, options)
    const wrongPart = await send(form(Buffer.from('x'), { field: 'picture' }))
    assert.equal(wrongPart.status, 400)
    assert.equal(wrongPart.body.code, 'malformed_multipart')
    const noBoundary = await send({
      raw: 'x',
      headers: { 'content-type': 'multipart/form-data' },
    })
    assert.equal(noBoundary.status, 400)
    assert.equal((await send(form(Buffer.alloc(5 * 1024 * 1024 + 1)))).status, 413)
    const plain = await send({ raw: 'x', headers: { 'content-type': 'image/png' } })
    assert.equal(plain.status, 415)
  })

  test('403 without UpdateAppSettings', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const qa = await world.keyed({ groups: ['QA'] })
    const file = form(await picture(64, 64).png().toBuffer())
    const { status, body } = await qa.post(`/app/${app}/icon`, undefined, file)
    assert.equal(status, 403)
    assert.include(body.detail, 'UpdateAppSettings')
  })
})

test.group('Keeping an icon', () => {
  test('a change that is taken back leaves no file, and the icon before stands', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const png = await picture(8, 8).png().toBuffer()
    const kept = await world.write((scope) => new UploadIcon(scope).handle(app, png))
    let lost = ''
    const failing = world.write(async (scope) => {
      lost = await new UploadIcon(scope).handle(app, png)
      throw new Error('Taken back')
    })
    await assert.rejects(() => failing, 'Taken back')
    assert.isTrue(await drive.use().exists(`icons/${kept}`))
    assert.isFalse(await drive.use().exists(`icons/${lost}`))
  })

  test('a file that was stored is gone although its row could not be', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const count = async () => [...(await drive.use().listAll('icons', {})).objects].length
    const png = await picture(8, 8).png().toBuffer()
    await world.write((scope) => new UploadIcon(scope).handle(app, png))
    const before = await count()
    const failing = world.write(async (scope) => {
      Object.defineProperty(scope, 'now', { value: null })
      await new UploadIcon(scope).handle(app, png)
    })
    await assert.rejects(() => failing)
    assert.equal(await count(), before)
  })
})

test.group('GET /icons/{fileName}', () => {
  test('404 for a name that is none, also one that climbs', async ({ assert }) => {
    const { admin } = await makeWorld()
    for (const name of ['nothing.png', '..%2F..%2Fapp.key', 'x'.repeat(24) + '.png']) {
      assert.equal((await admin.get(`/icons/${name}`)).status, 404)
    }
  })
})
