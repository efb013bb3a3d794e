import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { sendFile, sha256, storedKeys } from '#distribution/tests/support'
import { makeApp } from '#tests/support/app_fixture'
import { CUSTOM_BUILD, installIntegration } from '#tests/support/custom_integrations'
import { makeCustomCi } from './support.js'

test.group('POST /app/{appId}/integration/{integrationInstallationId}/build', () => {
  test('200 returns the build as it was sent, with its download address', async ({ assert }) => {
    const { admin, app, installation, path, send, reported } = await makeCustomCi()
    const syncedAt = async () =>
      (await admin.get(`/app/${app}/integrations`)).body[0].lastSyncedAt as string | null
    assert.isNull(await syncedAt())
    const { status, body } = await send({ commitAuthor: 'Ada' }, { bytes: 'bits' })
    assert.equal(status, 200)
    assert.containsSubset(body, {
      buildIdentifier: '1873',
      buildStatus: 'success',
      branch: 'release/1.4.0',
      integrationId: 'generic-ci',
      integrationInstallationId: installation,
      workflowData: CUSTOM_BUILD.workflowData,
      artifactFileName: 'Acme.ipa',
      fileSize: 4,
      additionalFiles: [],
      artifacts: [{ fileName: 'Acme.ipa', size: 4 }],
      commitAuthor: 'Ada',
      commitMessage: null,
      releaseId: null,
    })
    assert.equal(body.finishedAt, body.createdAt)
    assert.equal(await syncedAt(), body.createdAt)
    const { pathname } = new URL(body.downloadUrl)
    assert.equal(pathname, `${path}/${body.id}/download`)
    const download = await admin.get(pathname)
    assert.equal(download.text, 'bits')
    assert.equal(download.headers.etag, `"${sha256('bits')}"`)
    const [event, ...others] = await reported()
    assert.isEmpty(others)
    assert.equal(event.type, 'ciBuild.statusChanged')
    assert.containsSubset(body, event.payload.ciBuild)
    assert.notProperty(event.payload, 'release')
  })

  test('200 under /v1 too, and uploading a build twice records it once', async ({ assert }) => {
    const { world, path, send, reported } = await makeCustomCi()
    const before = await storedKeys()
    const first = await send()
    const again = await sendFile(world.admin, `/v1${path}`, { data: CUSTOM_BUILD })
    assert.deepEqual(again.body, first.body)
    assert.lengthOf(await reported(), 1)
    assert.lengthOf(await storedKeys(), before.length + 1)
    assert.lengthOf((await world.admin.get(path)).body.data, 1)
  })

  test('200 a build goes from pending over running to its end, each step recorded once', async ({
    assert,
  }) => {
    const { send, reported } = await makeCustomCi()
    const before = await storedKeys()
    const { body: first } = await send({ status: 'pending' }, { bytes: 'half', fileName: 'a.txt' })
    assert.deepEqual([first.buildStatus, first.finishedAt], ['pending', null])
    await send({ status: 'running', url: 'https://ci.acme.example/1873' }, { bytes: 'half' })
    await send({ status: 'running' }, { bytes: 'half' })
    const { body } = await send({ status: 'success' }, { bytes: 'whole' })
    assert.deepEqual(
      [body.id, body.buildStatus, body.artifactFileName, body.fileSize, body.url],
      [first.id, 'success', 'Acme.ipa', 5, 'https://ci.acme.example/1873']
    )
    assert.lengthOf(body.artifacts, 1)
    assert.deepEqual(
      (await reported()).map(({ type, payload }) => [type, payload.ciBuild.buildStatus]),
      ['pending', 'running', 'success'].map((status) => ['ciBuild.statusChanged', status])
    )
    assert.lengthOf(await storedKeys(), before.length + 1)
  })

  test('409 for a change of the status, commit or file of a build that has ended', async ({
    assert,
  }) => {
    const { send, reported } = await makeCustomCi()
    await send({}, { bytes: 'bits' })
    const before = await storedKeys()
    const changes: [object, { bytes: string; fileName?: string }][] = [
      [{ status: 'failed' }, { bytes: 'bits' }],
      [{ status: 'running' }, { bytes: 'bits' }],
      [{ commitHash: 'abc' }, { bytes: 'bits' }],
      [{}, { bytes: 'other bits' }],
      [{}, { bytes: 'other bits', fileName: 'Other.ipa' }],
    ]
    for (const [change, file] of changes) {
      const { status, body } = await send(change, file)
      assert.deepEqual([status, body.code], [409, 'conflict'], JSON.stringify(change))
    }
    assert.lengthOf(await reported(), 1)
    assert.deepEqual(await storedKeys(), before)
  })

  test('a build belongs to the named release, or to that of its branch', async ({ assert }) => {
    const { admin, app, path, send, reported } = await makeCustomCi()
    const pattern = { all: 'release/{version}' }
    await db
      .from('apps')
      .where('id', app)
      .update({
        branch_settings: JSON.stringify([
          {
            integration: 'vcs',
            allPattern: pattern.all,
            hotfixPattern: null,
            workingBranch: 'main',
          },
        ]),
      })
    for (const version of ['1.4.0', '2.0.0']) await admin.post(`/app/${app}/release`, { version })
    const releaseOf = async (buildIdentifier: string, change: object) =>
      (await send({ buildIdentifier, ...change }, { bytes: buildIdentifier })).body.releaseId
    assert.equal(await releaseOf('1', {}), `${app}:1.4.0`)
    assert.equal(await releaseOf('2', { version: '2' }), `${app}:2.0.0`)
    assert.equal(
      await releaseOf('3', { releaseId: `${app}:2.0.0`, version: '2.0.0' }),
      `${app}:2.0.0`
    )
    assert.isNull(await releaseOf('4', { branch: 'main' }))
    assert.isNull(await releaseOf('5', { version: '3.0' }))
    await db
      .from('releases')
      .where({ app_id: app, version: '2.0.0' })
      .update({ release_branch: 'x' })
    assert.equal(await releaseOf('6', { branch: 'x' }), `${app}:2.0.0`)
    const { body: made } = await admin.post(`/app/${app}/release`, { version: '3.0.0' })
    const identifiers = async (query: string) =>
      (await admin.get(`${path}?${query}`)).body.data.map((each: any) => each.buildIdentifier)
    assert.deepEqual(await identifiers(`releaseId=${made.id}`), ['5'])
    assert.sameMembers(await identifiers(`releaseId=${app}:2.0.0`), ['2', '3', '6'])
    assert.sameMembers(await identifiers('version=2.0'), ['2', '3', '6'])
    assert.sameMembers(await identifiers('branch=main'), ['4'])
    assert.sameMembers(await identifiers('branch=refs/heads/main'), ['4'])

    const [event] = (await reported()).filter(({ type }) => type === 'ciBuild.statusChanged')
    assert.equal(event.payload.release.id, `${app}:1.4.0`)
    const timeline = await admin.get(`/app/${app}/release/${app}:2.0.0/timelineEvents`)
    const entries = timeline.body.data.filter((each: any) => each.type === 'ciBuild.statusChanged')
    assert.lengthOf(entries, 3)
    assert.containsSubset(entries[0].data, { from: null, to: 'success' })
  })

  test('refused builds leave no row and no file', async ({ assert }) => {
    const { world, admin, app, path, send, reported } = await makeCustomCi()
    await admin.post(`/app/${app}/release`, { version: '1.4.0' })
    const other = await makeApp(world)
    const analytics = await installIntegration(world, app, 'generic-analytics')
    const before = [await storedKeys(), (await reported()).length]
    const to = (id: string) =>
      sendFile(admin, `/app/${app}/integration/${id}/build`, { data: CUSTOM_BUILD })
    const refusals: [Promise<{ status: number; body: any }>, number, string[]][] = [
      [sendFile(admin, path), 422, ['/data/buildIdentifier']],
      [sendFile(admin, path, { text: 'no JSON' }), 400, []],
      [send({ status: 'done' }), 422, ['/data/status']],
      [send({ version: 'x' }), 422, ['/data/version']],
      [send({ releaseId: `${other}:1.4.0` }), 422, ['/data/releaseId']],
      [send({ releaseId: `${app}:9` }), 422, ['/data/releaseId']],
      [send({ releaseId: `${app}:1.4.0`, version: '1.5' }), 422, ['/data/version']],
      [to('int_none'), 404, []],
      [to(analytics), 409, []],
      [sendFile(admin, path.replace(app, other), { data: CUSTOM_BUILD }), 404, []],
      [admin.post(path, CUSTOM_BUILD), 415, []],
    ]
    for (const [refused, status, pointers] of refusals) {
      const response = await refused
      assert.equal(response.status, status, JSON.stringify(response.body))
      const found = response.body.errors.map(({ pointer }: any) => pointer)
      assert.includeMembers(found, pointers)
    }
    assert.deepEqual([await storedKeys(), (await reported()).length], before)
    assert.isEmpty(await db.from('ci_builds').where('organization_id', world.organizationId))
  })

  test('403 without UploadBuilds', async ({ assert }) => {
    const { world, send } = await makeCustomCi()
    const key = await world.keyed({ groups: ['Marketing'] })
    assert.equal((await send({}, {}, {}, key)).status, 403)
  })

  test('an interrupted upload leaves nothing, and concurrent uploads make one build', async ({
    assert,
  }) => {
    const { world, path, send } = await makeCustomCi()
    const before = await storedKeys()
    const port = Number(process.env.PORT)
    const { connect } = await import('node:net')
    await new Promise<void>((resolve) => {
      const socket = connect(port, process.env.HOST ?? '127.0.0.1', () => {
        socket.write(
          `POST ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${world.adminKey}\r\n` +
            'content-type: multipart/form-data; boundary=b\r\ncontent-length: 100000\r\n\r\n' +
            '--b\r\ncontent-disposition: form-data; name="file"; filename="a.ipa"\r\n\r\nhalf'
        )
        setTimeout(() => socket.destroy(), 50)
      })
      socket.on('close', () => resolve())
    })
    assert.deepEqual(await storedKeys(), before)
    const sent = await Promise.all(Array.from({ length: 6 }, () => send()))
    assert.deepEqual([...new Set(sent.map(({ status }) => status))], [200])
    assert.lengthOf(new Set(sent.map(({ body }) => body.id)), 1)
    assert.lengthOf(await storedKeys(), before.length + 1)
  })
})

test.group('POST …/build/{buildId}/additionalFiles', () => {
  test('200 attaches a file under its own name or the one in data, and replaces that name', async ({
    assert,
  }) => {
    const { admin, path, send } = await makeCustomCi()
    const { body: build } = await send()
    const to = `${path}/${build.id}/additionalFiles`
    await sendFile(admin, to, { bytes: 'a', fileName: 'notes.txt' })
    await sendFile(admin, to, { bytes: 'bb', fileName: 'x', data: { fileName: 'mapping.txt' } })
    const { status, body } = await sendFile(admin, to, { bytes: 'ccc', fileName: 'notes.txt' })
    assert.equal(status, 200)
    assert.deepEqual(body.additionalFiles, [
      { fileName: 'mapping.txt', size: 2 },
      { fileName: 'notes.txt', size: 3 },
    ])
    assert.equal((await admin.get(`${to}/notes.txt`)).text, 'ccc')
    assert.equal((await admin.get(`${to}/absent.txt`)).status, 404)
    assert.equal((await admin.get(`${to}/..%2F..%2Fetc%2Fpasswd`)).status, 404)
    const part = await admin.get(`${to}/notes.txt`, { headers: { range: 'bytes=1-1' } })
    assert.deepEqual([part.status, part.text], [206, 'c'])
    const elsewhere = `${path}/build_none/additionalFiles`
    assert.equal((await sendFile(admin, elsewhere)).status, 404)
  })
})

test.group('GET …/build', () => {
  test('200 lists builds newest first, page by page', async ({ assert }) => {
    const { admin, path, send } = await makeCustomCi()
    const ids: string[] = []
    for (const buildIdentifier of ['1', '2', '3']) {
      ids.unshift((await send({ buildIdentifier }, { bytes: buildIdentifier })).body.id)
    }
    const seen: string[] = []
    let url = `${path}?limit=2`
    while (url) {
      const { body, headers } = await admin.get(url)
      seen.push(...body.data.map(({ id }: any) => id))
      url = /^<(.+)>; rel="next"$/.exec(headers.link ?? '')?.[1] ?? ''
    }
    assert.sameMembers(seen, ids)
    assert.lengthOf(seen, 3)
    assert.equal((await admin.get(`${path}?version=x`)).status, 400)
    assert.equal((await admin.get(`${path}?releaseId=none:1`)).status, 404)
    assert.lengthOf((await admin.get(`${path}?status=failed`)).body.data, 0)
  })

  test('files are deleted with the app', async ({ assert }) => {
    const { admin, app, send } = await makeCustomCi()
    const before = await storedKeys()
    await send({}, { bytes: `bits of ${app}` })
    assert.lengthOf(await storedKeys(), before.length + 1)
    assert.equal((await admin.delete(`/app/${app}/config?force=true`)).status, 204)
    assert.deepEqual(await storedKeys(), before)
  })
})
