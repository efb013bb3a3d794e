import { rm } from 'node:fs/promises'
import drive from '@adonisjs/drive/services/main'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import sharp from 'sharp'
import { useStore } from '#tests/support/disks'
import { startS3 } from '#tests/support/s3_server'
import { MINUTE, SECOND, Stage } from '#foundation/jobs/tests/support/stage'
import { SystemClock } from '#foundation/core/clock'
import { localPathOf } from '#foundation/core/files/stored_files'
import { unitOfWork } from '#foundation/core/services'
import { INFO, writeAab, writeApk, writeIpa } from '#app-archives/writing/sane_archives'
import { metadataWarnings } from '../reading/metadata_warnings.js'
import { readOnCommand } from '../reading/read_on_command.js'
import { makeBucket, sha256, storedKeys } from './support.js'

/** Makes a bucket, and a worker that reads the uploaded files. */
async function makeReadingBucket() {
  const stage = await Stage.set(readOnCommand)
  const bucket = await makeBucket()
  /** Has the worker carry out due jobs. */
  const work = () => {
    stage.clock.travelTo(new SystemClock().now())
    return stage.worker.turn()
  }
  const shown = async (id: string) => (await bucket.admin.get(`${bucket.path}/build/${id}`)).body
  /** Uploads, and returns the build once a worker has read it. */
  const uploadAndRead = async (bytes: Buffer, fileName?: string) => {
    const { body } = await bucket.upload({ bytes, fileName })
    await work()
    return shown(body.id)
  }
  const filesOf = (buildId: string) => db.from('distribution_files').where('build_id', buildId)
  return { ...bucket, stage, work, shown, uploadAndRead, filesOf }
}

const keysOf = async (work: () => Promise<unknown>) => {
  const before = await storedKeys()
  await work()
  return (await storedKeys()).filter((key) => !before.includes(key))
}

test.group('Reading the artifact of a build', () => {
  test('happens after the upload was answered, and describes the app', async ({ assert }) => {
    const { admin, path, work, shown, upload } = await makeReadingBucket()
    const bytes = writeIpa()
    const { body: uploaded } = await upload({ bytes, fileName: 'Acme.ipa' })
    assert.deepEqual(
      [uploaded.metadataStatus, uploaded.metadata, uploaded.metadataFailure, uploaded.version],
      ['pending', null, null, null]
    )
    assert.equal(await work(), 1)
    const build = await shown(uploaded.id)
    assert.containsSubset(build, {
      metadataStatus: 'read',
      metadataFailure: null,
      status: 'active',
      version: '4.2.0',
      buildNumber: '4711',
      metadata: {
        format: 'ipa',
        sha256: sha256(bytes),
        platform: 'ios',
        bundleId: 'com.acme.app',
        profile: { type: 'adHoc', deviceCount: 2 },
        profileFailure: null,
        iconFailure: null,
        warnings: [],
      },
    })
    const { contents, ...listed } = build
    assert.deepEqual((await admin.get(`${path}/builds`)).body.data, [listed])
    assert.deepEqual(contents, {
      components: [],
      exported: [],
      omitted: 0,
      omittedExported: 0,
      sizes: { ...contents.sizes, code: 24, libraries: 0, extensions: 0, assets: 0 },
      abiSizes: [],
    })
    assert.equal((await admin.get(path)).body.latestBuild.version, '4.2.0')
    assert.deepEqual(
      await admin.patch(`${path}/build/${build.id}`, {}).then(({ body }) => body),
      build
    )
  })

  test('stores the icon re-encoded, until the build is deleted', async ({ assert }) => {
    const { admin, path, uploadAndRead, filesOf } = await makeReadingBucket()
    let build: any
    const kept = await keysOf(async () => {
      build = await uploadAndRead(writeIpa())
    })
    assert.lengthOf(kept, 2)
    const icon = await filesOf(build.id).where('kind', 'icon').first()
    assert.deepEqual([icon.file_name, icon.content_type], ['icon.png', 'image/png'])
    const stored = await db.from('stored_files').where('id', icon.file_id).first()
    const { format, width } = await sharp(
      Buffer.from(await drive.use().getBytes(stored.key))
    ).metadata()
    assert.deepEqual([format, width], ['png', 16])
    assert.isEmpty(build.additionalArtifacts)
    await admin.delete(`${path}/build/${build.id}`)
    const left = await storedKeys()
    assert.isEmpty(kept.filter((key) => left.includes(key)))
    assert.isNull(await db.from('build_readings').where('build_id', build.id).first())
  })

  test('stores an icon of several builds once, and removes it with the last of them', async ({
    assert,
  }) => {
    const { admin, path, uploadAndRead } = await makeReadingBucket()
    const kept = await keysOf(async () => {
      for (const buildNumber of ['1', '2']) {
        await uploadAndRead(writeIpa({ info: { ...INFO, CFBundleVersion: buildNumber } }))
      }
    })
    assert.lengthOf(kept, 3)
    const { data } = (await admin.get(`${path}/builds`)).body
    for (const { id } of data) await admin.patch(`${path}/build/${id}`, { status: 'expired' })
    const left = await storedKeys()
    assert.isEmpty(kept.filter((key) => left.includes(key)))
    const { body } = await admin.get(`${path}/build/${data[0].id}`)
    assert.deepEqual([body.status, body.metadata.buildNumber], ['expired', '2'])
  })

  test('recognizes an .apk and an .aab, whatever their names', async ({ assert }) => {
    const { uploadAndRead } = await makeReadingBucket()
    const apk = await uploadAndRead(writeApk(), 'artifact.zip')
    const aab = await uploadAndRead(writeAab(), 'Acme')
    assert.deepEqual(
      [apk, aab].map(({ metadata }) => [metadata.format, metadata.signing.isDebugSigned]),
      [
        ['apk', false],
        ['aab', true],
      ]
    )
    const message = 'The file is for android, the app for ios.'
    assert.deepEqual(apk.metadata.warnings, [{ code: 'platform_differs', message }])
  })

  test('leaves a build that can be downloaded if it fails, and says why', async ({ assert }) => {
    const { admin, uploadAndRead } = await makeReadingBucket()
    const build = await uploadAndRead(Buffer.from('the build'), 'App.zip')
    assert.containsSubset(build, {
      status: 'active',
      metadataStatus: 'failed',
      metadataFailure: 'It is no zip archive, or it is cut off.',
      metadata: null,
      version: null,
    })
    const { pathname } = new URL(build.downloadUrl)
    assert.equal((await admin.get(pathname)).text, 'the build')
  })

  test('succeeds without the icon if that cannot be decoded', async ({ assert }) => {
    const { uploadAndRead, filesOf } = await makeReadingBucket()
    const icon = Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8 nonsense', 'latin1')
    const build = await uploadAndRead(writeApk({ icon }))
    assert.deepEqual(
      [build.metadataStatus, build.metadata.iconFailure],
      ['read', 'The icon is not a picture that can be shown.']
    )
    assert.lengthOf(await filesOf(build.id), 1)
  })

  test('is repeated after an unfinished attempt, and stores one icon', async ({ assert }) => {
    const { stage, work, shown, upload, filesOf } = await makeReadingBucket()
    const { body } = await upload({ bytes: writeIpa() })
    const begun = { claim_id: 'of a process that is gone', attempts: 1, doubts: 1 }
    await db.from('jobs').where('subject', body.id).update(begun)
    assert.equal(await work(), 1)
    assert.equal((await shown(body.id)).metadataStatus, 'read')
    assert.lengthOf(await filesOf(body.id).where('kind', 'icon'), 1)
    assert.equal(await stage.pass(60 * MINUTE), 0)
  })

  test('fails after four attempts if the file is missing on disk', async ({ assert }) => {
    const { world, stage, work, shown, upload } = await makeReadingBucket()
    const { body } = await upload({ bytes: writeIpa() })
    const held = db.from('stored_files').where('organization_id', world.organizationId)
    await rm((await localPathOf((await held.first()).key))!)
    await work()
    for (const wait of [11 * SECOND, MINUTE + SECOND]) assert.equal(await stage.pass(wait), 1)
    assert.equal((await shown(body.id)).metadataStatus, 'pending')
    await stage.pass(11 * MINUTE)
    const build = await shown(body.id)
    assert.deepEqual(
      [build.metadataStatus, build.metadataFailure, build.status],
      ['failed', 'The file could not be fetched from where it is stored.', 'active']
    )
  })

  test('fetches only ranges of a file in S3, never the complete file', async ({
    assert,
    cleanup,
  }) => {
    const s3 = await startS3()
    cleanup(() => s3.stop())
    cleanup(await useStore(s3.store))
    const { uploadAndRead } = await makeReadingBucket()
    const ranges: unknown[] = []
    s3.interceptWith(({ method, headers }) => {
      if (method === 'GET') ranges.push(headers.range)
      return false
    })
    const content = Buffer.alloc(2_000_000, 'x')
    const build = await uploadAndRead(
      writeIpa({ more: [{ name: 'Payload/Acme.app/Assets.car', content, stored: true }] })
    )
    assert.deepEqual([build.metadataStatus, build.version], ['read', '4.2.0'])
    assert.isNotEmpty(ranges)
    for (const range of ranges) assert.match(String(range), /^bytes=\d+-\d+$/)
  })

  test('reads a file that was lost and uploaded again at its new place', async ({ assert }) => {
    const { admin, world, work, shown, upload } = await makeReadingBucket()
    const bytes = writeIpa()
    const { body } = await upload({ bytes })
    const held = () => db.from('stored_files').where('organization_id', world.organizationId)
    const { key } = await held().first()
    await rm((await localPathOf(key))!)
    await held().update({ lost: true })
    await upload({ bytes })
    assert.notEqual((await held().first()).key, key)
    await work()
    assert.equal((await shown(body.id)).metadataStatus, 'read')
    const { status } = await admin.get(new URL(body.downloadUrl).pathname)
    assert.equal(status, 200)
  })

  test('is canceled if the build is deleted before', async ({ assert }) => {
    const { admin, path, stage, work, upload } = await makeReadingBucket()
    const { body } = await upload({ bytes: writeIpa() })
    await admin.delete(`${path}/build/${body.id}`)
    assert.isEmpty(await stage.jobs())
    assert.equal(await work(), 0)
  })

  test('leaves no icon if the build is deleted meanwhile', async ({ assert }) => {
    const { world, stage, admin, path, upload } = await makeReadingBucket()
    const left = await keysOf(async () => {
      const { body } = await upload({ bytes: writeIpa() })
      // A started job is no longer canceled by a removal.
      await db.from('jobs').where('subject', body.id).update({ attempts: 1 })
      await admin.delete(`${path}/build/${body.id}`)
      const [entry] = await stage.jobs()
      assert.equal(entry.organization_id, world.organizationId)
      const { call, storeResult, isKept, discard } = readOnCommand.handler as any
      const requested = { subject: body.id, payload: JSON.parse(entry.payload) }
      const context = {
        scope: unitOfWork.readScope(world.principal),
        signal: AbortSignal.timeout(5000),
      }
      assert.containsSubset(await call(requested, context), {
        outcome: 'notApplied',
        isFinal: true,
      })
      const { body: other } = await upload({ bytes: writeIpa() })
      const { id: fileId } = await db
        .from('stored_files')
        .where('organization_id', world.organizationId)
        .firstOrFail()
      const { result: reading } = await call({ payload: { fileId } }, context)
      assert.isNotNull(reading.icon)
      const kept = await world.write((scope) => storeResult(scope, requested, reading))
      assert.isFalse(isKept(kept))
      await discard(reading)
      await admin.delete(`${path}/build/${other.id}`)
    })
    assert.isEmpty(left)
  })
})

test.group('Warnings about an artifact', () => {
  const file = { platform: 'ios', bundleId: 'com.acme.app' } as Parameters<
    typeof metadataWarnings
  >[0]

  test('name another platform and another bundle id than in any of the stores', ({ assert }) => {
    const codes = (platform: 'ios' | 'tvos' | 'flutter-ota', ...bundleIds: string[]) =>
      metadataWarnings(file, { platform, bundleIds }).map(({ code }) => code)
    assert.isEmpty(codes('ios'))
    assert.isEmpty(codes('ios', 'com.acme.white', 'com.acme.app'))
    assert.isEmpty(codes('flutter-ota'))
    assert.deepEqual(codes('tvos'), ['platform_differs'])
    assert.deepEqual(codes('tvos', 'com.acme.other'), ['platform_differs', 'bundle_id_differs'])
  })
})
