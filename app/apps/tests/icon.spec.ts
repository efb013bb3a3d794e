import { test } from '@japa/runner'
import sharp from 'sharp'
import { operations } from '#foundation/api/operation/registry'
import { refuse } from '#foundation/core/problems/problem'
import { unitOfWork } from '#foundation/core/services'
import { makeApp } from '#tests/support/app_fixture'
import { form } from '#tests/support/form'
import { endingWith, serveAlone } from '#tests/support/upload_server'
import { storedKeys } from '#tests/support/disks'
import { makeWorld } from '#tests/support/world'

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2563eb' } })

/** Returns a multipart body with a picture. */
const iconForm = (file: Buffer, field = 'file') =>
  form({ file, field, fileName: 'icon.png', contentType: 'image/png' })

test.group('POST /app/{appId}/icon', () => {
  test('200 stores the picture as a PNG that needs no key, and deletes the previous one', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const upload = async (file: Buffer) =>
      world.admin.post(`/app/${app}/icon`, undefined, iconForm(file))
    const jpeg = await picture(600, 600).jpeg().toBuffer()
    const first = await upload(jpeg)
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

    const same = await upload(jpeg)
    assert.equal(same.body.iconUrl, first.body.iconUrl)
    assert.equal((await fetch(first.body.iconUrl)).status, 200)

    const second = await upload(await picture(64, 64).webp().toBuffer())
    assert.notEqual(second.body.iconUrl, first.body.iconUrl)
    assert.equal((await fetch(first.body.iconUrl)).status, 404)
  })

  test('422 for a file that is no picture, an SVG, or a picture that is too large', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    const files = [
      Buffer.from('GIF89a not really'),
      svg,
      await picture(4097, 10).png().toBuffer(),
      (await picture(64, 64).png().toBuffer()).subarray(0, 60),
    ]
    for (const file of files) {
      const { status, body } = await world.admin.post(`/app/${app}/icon`, undefined, iconForm(file))
      assert.equal(status, 422)
      assert.equal(body.errors[0].code, 'image')
    }
    const path = `/app/${app}/icon`
    const { status, body } = await world.admin.post(path, undefined, iconForm(Buffer.alloc(0)))
    assert.deepEqual([status, body.errors[0].code], [422, 'empty'])
    assert.isNull((await world.admin.get(`/app/${app}`)).body.iconUrl)
  })

  test('400 for a broken form, 413 over 5 MiB, 415 for another content type', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const send = (options: object) => world.admin.post(`/app/${app}/icon`, undefined, options)
    const wrongPart = await send(iconForm(Buffer.from('x'), 'picture'))
    assert.equal(wrongPart.status, 400)
    assert.equal(wrongPart.body.code, 'malformed_multipart')
    const noBoundary = await send({
      raw: 'x',
      headers: { 'content-type': 'multipart/form-data' },
    })
    assert.equal(noBoundary.status, 400)
    assert.equal((await send(iconForm(Buffer.alloc(5 * 1024 * 1024 + 1)))).status, 413)
    const plain = await send({ raw: 'x', headers: { 'content-type': 'image/png' } })
    assert.equal(plain.status, 415)
  })

  test('403 without UpdateAppSettings', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const qa = await world.keyed({ groups: ['QA'] })
    const file = iconForm(await picture(64, 64).png().toBuffer())
    const { status, body } = await qa.post(`/app/${app}/icon`, undefined, file)
    assert.equal(status, 403)
    assert.include(body.detail, 'UpdateAppSettings')
  })
})

test.group('Keeping an icon', () => {
  /** Uploads an icon to an app that already has one, with the given transaction outcome. */
  async function uploadAgain(transactions: ReturnType<typeof endingWith>) {
    const world = await makeWorld()
    const app = await makeApp(world)
    const png = iconForm(await picture(8, 8).png().toBuffer())
    const other = iconForm(await picture(9, 9).png().toBuffer())
    const first = await world.admin.post(`/app/${app}/icon`, undefined, png)
    const files = async () => (await storedKeys('icons/')).length
    const before = await files()
    const declared = operations.get('uploadAppIcon')
    const server = await serveAlone(declared, { params: { appId: app }, transactions })
    const { body } = await server.client(world.adminKey)(other)
    server.close()
    const { iconUrl } = (await world.admin.get(`/app/${app}`)).body
    return {
      code: body.code,
      isReplaced: iconUrl !== first.body.iconUrl,
      shown: (await fetch(iconUrl)).status,
      more: (await files()) - before,
    }
  }

  test('a change that is rolled back leaves no file and keeps the previous icon', async ({
    assert,
  }) => {
    const after = await uploadAgain(endingWith(refuse('not_stored'), { isDone: false }))
    assert.deepEqual(after, { code: 'not_stored', isReplaced: false, shown: 200, more: 0 })
  })

  test('a change with an unknown outcome keeps its file', async ({ assert }) => {
    const after = await uploadAgain(endingWith(refuse('outcome_unknown')))
    assert.deepEqual(after, { code: 'outcome_unknown', isReplaced: true, shown: 200, more: 0 })
  })

  test('a stored file is deleted when its row cannot be stored', async ({ assert }) => {
    const breaking: typeof unitOfWork = Object.create(unitOfWork)
    breaking.readScope = (principal) => unitOfWork.readScope(principal)
    breaking.inTransaction = (principal, work) =>
      unitOfWork.inTransaction(principal, async (scope) => {
        Object.defineProperty(scope, 'now', { value: null })
        return work(scope)
      })
    const after = await uploadAgain(breaking)
    assert.deepEqual(after, { code: 'internal_error', isReplaced: false, shown: 200, more: 0 })
  })
})

test.group('GET /icons/{fileName}', () => {
  test('404 for an invalid name, including one that leaves the folder', async ({ assert }) => {
    const { admin } = await makeWorld()
    for (const name of ['nothing.png', '..%2F..%2Fapp.key', 'x'.repeat(24) + '.png']) {
      assert.equal((await admin.get(`/icons/${name}`)).status, 404)
    }
  })
})
