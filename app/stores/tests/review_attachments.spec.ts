import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { makeApp } from '#tests/support/app_fixture'
import { form } from '#tests/support/form'
import { makeWorld } from '#tests/support/world'

/** Returns a multipart form with several files. */
function files(names: readonly string[], data?: object) {
  const boundary = 'part-of-files'
  const parts = names.map(
    (name) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n` +
      `Content-Type: application/pdf\r\n\r\nbytes of ${name}\r\n`
  )
  const dataPart = data
    ? `--${boundary}\r\nContent-Disposition: form-data; name="data"\r\n\r\n${JSON.stringify(data)}\r\n`
    : ''
  return {
    raw: `${parts.join('')}${dataPart}--${boundary}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

test.group('POST /app/{appId}/appStoreReviewAttachmentFiles', () => {
  test('200 keeps every file that was sent, for a release or none', async ({ assert }) => {
    const world = await makeWorld()
    const appId = await makeApp(world)
    const path = `/app/${appId}/appStoreReviewAttachmentFiles`
    await world.admin.post(`/app/${appId}/release`, { version: '1.4.0' })
    const sent = files(['login.pdf', 'demo.pdf', 'demo.pdf'], { releaseId: `${appId}:1.4.0` })
    const { status, body } = await world.admin.post<any>(path, undefined, sent)
    assert.equal(status, 200)
    assert.deepEqual(
      body.map(({ fileName, size }: { fileName: string; size: number }) => [fileName, size]),
      [
        ['login.pdf', 18],
        ['demo.pdf', 17],
        ['demo.pdf', 17],
      ]
    )
    const one = await world.admin.post<any>(path, undefined, files(['one.pdf']))
    assert.deepEqual([one.status, one.body.length], [200, 1])
    const rows = await db.from('app_store_review_attachments').where('app_id', appId)
    assert.lengthOf(rows, 4)
    assert.equal(rows.filter(({ release_id: release }) => release !== null).length, 3)
    assert.isTrue(rows.every(({ file_id: file }) => file !== null))
  })

  test('removing the app removes the files', async ({ assert }) => {
    const world = await makeWorld()
    const appId = await makeApp(world)
    const path = `/app/${appId}/appStoreReviewAttachmentFiles`
    await world.admin.post(path, undefined, files(['login.pdf', 'demo.pdf']))
    assert.equal((await world.admin.delete(`/app/${appId}/app/config`)).status, 204)
    const held = db.from('stored_files').where('organization_id', world.organizationId)
    assert.isEmpty(await held)
  })

  test('409 for another store, 403, 404, and 4xx for an invalid form', async ({ assert }) => {
    const world = await makeWorld()
    const android = await makeApp(world, { platform: 'android' })
    const ios = await makeApp(world)
    const path = `/app/${ios}/appStoreReviewAttachmentFiles`
    const google = await world.admin.post<any>(
      `/app/${android}/appStoreReviewAttachmentFiles`,
      undefined,
      files(['a.pdf'])
    )
    assert.deepEqual([google.status, google.body.code], [409, 'review_files_unsupported'])
    const reader = await world.keyed({ name: 'reader' })
    assert.equal((await reader.post(path, undefined, files(['a.pdf']))).status, 403)
    const other = await makeWorld()
    assert.equal((await other.admin.post(path, undefined, files(['a.pdf']))).status, 404)
    const nowhere = files(['a.pdf'], { releaseId: `${ios}:9.9.9` })
    assert.equal((await world.admin.post(path, undefined, nowhere)).status, 404)
    assert.equal((await world.admin.post(path, undefined, files([]))).status, 400)
    const many = files(Array.from({ length: 11 }, (_, index) => `${index}.pdf`))
    assert.equal((await world.admin.post(path, undefined, many)).status, 400)
    const empty = form({ file: '', fileName: 'a.pdf' })
    assert.equal((await world.admin.post(path, undefined, empty)).status, 422)
    const held = db.from('stored_files').where('organization_id', world.organizationId)
    assert.isEmpty(await held)
    assert.isEmpty(await db.from('app_store_review_attachments').whereIn('app_id', [ios, android]))
  })
})
