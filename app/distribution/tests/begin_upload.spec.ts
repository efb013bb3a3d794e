import { test } from '@japa/runner'
import { MAX_UNFINISHED } from '#foundation/api/resumable/upload_rows'
import { makeBucket } from './support.js'
import { begin, metadataOf, parts, send, tus } from './tus_requests.js'

test.group('OPTIONS …/uploads', () => {
  test('204 with the protocol and its limits', async ({ assert }) => {
    const { path, admin } = await makeBucket()
    const { status, headers } = await admin.send('OPTIONS', `${path}/uploads`)
    assert.equal(status, 204)
    assert.equal(headers['tus-version'], '1.0.0')
    assert.equal(headers['tus-extension'], 'creation,creation-with-upload,expiration,termination')
    assert.equal(headers['tus-max-size'], String(4 * 1024 ** 3))
  })
})

test.group('POST …/uploads', () => {
  test('refuses a wrong or missing length, another protocol version and wrong metadata', async ({
    assert,
  }) => {
    const { admin, path } = await makeBucket()
    const before = parts().length
    const post = (headers: Record<string, string>) =>
      admin.post(`${path}/uploads`, undefined, { headers })
    const length = { 'upload-length': '9' }
    const cases: [Record<string, string>, number, string][] = [
      [{ ...tus, 'upload-length': String(4 * 1024 ** 3 + 1) }, 413, 'too_large'],
      [{ ...tus, 'upload-length': '0' }, 400, 'malformed_request'],
      [{ ...tus, 'upload-length': '-1' }, 400, 'malformed_request'],
      [tus, 400, 'malformed_request'],
      [{ ...tus, 'upload-defer-length': '1' }, 400, 'malformed_request'],
      [length, 412, 'protocol_version'],
      [{ ...tus, ...length, 'upload-metadata': 'filename !' }, 400, 'malformed_request'],
      [
        { ...tus, ...length, 'upload-metadata': metadataOf({ sha256: 'abc' }) },
        400,
        'malformed_request',
      ],
      [{ ...tus, ...length, 'upload-metadata': metadataOf({ data: '{' }) }, 400, 'malformed_json'],
      [
        { ...tus, ...length, 'upload-metadata': metadataOf({ data: '{"testerNotes":1}' }) },
        422,
        'invalid_input',
      ],
      [{ ...tus, ...length, 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ]
    for (const [headers, status, code] of cases) {
      const response = await post(headers)
      assert.deepEqual(
        [response.status, response.body.code],
        [status, code],
        JSON.stringify(headers)
      )
    }
    const other = await post({ ...length, 'tus-resumable': '0.2.2' })
    assert.deepEqual([other.status, other.headers['tus-version']], [412, '1.0.0'])
    assert.lengthOf(parts(), before)
  })

  test('reports ignored fields of the metadata, and refuses them with handling=strict', async ({
    assert,
  }) => {
    const { admin, path } = await makeBucket()
    const metadata = metadataOf({ data: '{"testerNote":"a"}' })
    const headers = { ...tus, 'upload-length': '9', 'upload-metadata': metadata }
    const begun = await admin.post(`${path}/uploads`, undefined, { headers })
    assert.equal(begun.status, 201)
    assert.equal(begun.headers['ignored-fields'], '"/data/testerNote";near="testerNotes"')
    const strict = { ...headers, prefer: 'handling=strict' }
    const refused = await admin.post(`${path}/uploads`, undefined, { headers: strict })
    assert.deepEqual([refused.status, refused.body.code], [422, 'invalid_input'])
    assert.equal(refused.body.errors[0].pointer, '/data/testerNote')
  })

  test('409 in an archived bucket; 403 for a requester who may not upload there', async ({
    assert,
  }) => {
    const { admin, path, world } = await makeBucket({
      members: [{ name: 'QA', permissionLevel: 'tester' }],
    })
    const tester = await world.keyed({ groups: ['QA'] })
    const refused = await begin(tester, path, 9)
    assert.deepEqual([refused.status, refused.body.code], [403, 'bucket_level_missing'])
    const { headers } = await begin(admin, path, 9)
    assert.equal((await send(tester, headers.location, 0, 'the')).status, 403)
    await admin.patch(path, { status: 'archived' })
    assert.equal((await begin(admin, path, 9)).status, 409)
    assert.equal((await send(admin, headers.location, 0, 'the build')).status, 409)
    assert.equal((await admin.delete(headers.location, undefined, { headers: tus })).status, 204)
  })

  test('429 if the organization has too many unfinished uploads', async ({ assert }) => {
    const { admin, path } = await makeBucket()
    let at = ''
    for (let each = 0; each < MAX_UNFINISHED; each++) {
      const { status, headers } = await begin(admin, path, 3)
      assert.equal(status, 201)
      at = headers.location
    }
    const { status, body, headers } = await begin(admin, path, 3)
    assert.deepEqual([status, body.code, headers['retry-after']], [429, 'too_many_uploads', '60'])
    assert.equal((await send(admin, at, 0, 'abc')).status, 204)
    assert.equal((await begin(admin, path, 3)).status, 201)
  })
})
