import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createHash } from 'node:crypto'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { uploads } from '#config/uploads'
import type { SelectRunner } from '../core/database/runner.js'
import { DAY } from '../core/durations.js'
import type { FileNames, NamedFile } from '../core/files/file_names.js'
import { StoreFailure, type FileStore } from '../core/files/file_store.js'
import { othersMarks, serviceId } from '../core/files/storage_marks.js'
import { discardFiles, readStoredFile, storeUpload } from '../core/files/stored_files.js'
import { referenceFile } from '../core/files/held_files.js'
import { randomText } from '../core/ids.js'
import { selects } from '../core/services.js'
import type { Chore } from '../jobs/handlers.js'
import { recordStorage } from '../service/chores.js'
import { StorageVerify } from '../service/storage_verify.js'
import { VerifyStorage } from '../service/verify_storage.js'
import { runCommand } from '#tests/support/console'
import { onEveryDisk, storedKeys, useStore } from '#tests/support/disks'
import { BUCKET, refuseAs, startS3 } from '#tests/support/s3_server'
import { makeWorld } from '#tests/support/world'

/** Stores bytes as an upload that a row names. */
async function keep(text: string) {
  const world = await makeWorld()
  const path = join(uploads.spool, randomText(10))
  mkdirSync(uploads.spool, { recursive: true })
  writeFileSync(path, text)
  const sha256 = createHash('sha256').update(text).digest('hex')
  const file = await storeUpload({ path, size: text.length, sha256, contentType: 'text/plain' })
  const id = await world.write((scope) => referenceFile(scope, file))
  return { world, file, id }
}

/** Replaces some methods of the store. */
async function changeStore(
  cleanup: (work: () => void) => void,
  change: (store: FileStore) => Partial<FileStore>
) {
  const store = await app.container.make('fileStore')
  const same: FileStore = {
    localPath: () => null,
    put: (...given) => store.put(...given),
    open: (...given) => store.open(...given),
    sizeOf: (key) => store.sizeOf(key),
    remove: (key) => store.remove(key),
    check: () => store.check(),
    list: (folder) => store.list(folder),
    unfinished: (folders) => store.unfinished(folders),
  }
  cleanup(await useStore({ ...same, ...change(store) }))
}

/** Makes files look as if they had been stored two days earlier. */
const ageFiles = (cleanup: (work: () => void) => void) =>
  changeStore(cleanup, (store) => ({
    async *list(folder) {
      for await (const page of store.list(folder)) {
        yield page.map((file) => ({ ...file, modifiedAt: file.modifiedAt - 2 * DAY }))
      }
    },
    async *unfinished(folders) {
      for await (const page of store.unfinished(folders)) {
        yield page.map(({ name, begunAt, remove }) => ({
          name,
          begunAt: begunAt - 2 * DAY,
          remove,
        }))
      }
    },
  }))

/** Removes rows of other tests, which name files of other stores. */
const forgetRows = async () => {
  const heldBy = (table: string) => db.from(table).whereNotNull('file_id').select('file_id')
  await db
    .from('stored_files')
    .whereNotIn('id', heldBy('distribution_files'))
    .whereNotIn('id', heldBy('ci_build_files'))
    .whereNotIn('id', heldBy('app_store_review_attachments'))
    .delete()
}

const aboutMine = (document: any, keys: string[]) =>
  document.findings.filter(({ name }: { name: string }) => keys.some((key) => name.includes(key)))

onEveryDisk('storage:verify', () => {
  test('finds no fault in new files, and leaves young files alone', async ({ assert }) => {
    const { file } = await keep('sound')
    const store = await app.container.make('fileStore')
    await store.put('files/young', Buffer.from('nobody names it yet'), 'text/plain')
    const { document } = await runCommand(StorageVerify, ['--fix'])
    assert.isEmpty(aboutMine(document, [file.key, 'files/young']))
    assert.includeMembers(await storedKeys(), [file.key, 'files/young'])
    await discardFiles(['files/young'])
  })

  test('finds missing, corrupted and orphaned files, and names the remedies', async ({
    assert,
    cleanup,
  }) => {
    const store = await app.container.make('fileStore')
    const [sound, missing, corrupted, longer] = [
      await keep('sound 2'),
      await keep('missing'),
      await keep('corrupted'),
      await keep('longer'),
    ]
    await store.remove(missing.file.key)
    await store.remove(corrupted.file.key)
    await store.put(corrupted.file.key, Buffer.from('corruptex'), 'text/plain')
    await store.remove(longer.file.key)
    await store.put(longer.file.key, Buffer.from('longer than that'), 'text/plain')
    await store.put('files/orphan', Buffer.from('orphan'), 'text/plain')
    await store.put('icons/orphan.png', Buffer.from('icon'), 'image/png')
    await ageFiles(cleanup)
    const mine = [sound, missing, corrupted, longer].map(({ file }) => file.key)
    const all = [...mine, 'files/orphan', 'icons/orphan.png']
    const verdicts = (document: any) =>
      Object.fromEntries(aboutMine(document, all).map(({ name, wrong }: any) => [name, wrong]))

    const first = await runCommand(StorageVerify, [])
    assert.equal(first.code, 1)
    const expected = {
      [missing.file.key]: 'missing',
      [corrupted.file.key]: 'corrupted',
      [longer.file.key]: 'corrupted',
      'files/orphan': 'orphaned',
      'icons/orphan.png': 'orphaned',
    }
    assert.deepEqual(verdicts(first.document), expected)
    for (const { isFixed, remedy } of aboutMine(first.document, all)) {
      assert.isFalse(isFixed)
      assert.isNotNull(remedy)
    }
    assert.isNotNull(await readStoredFile('files/orphan'))

    const quick = await runCommand(StorageVerify, ['--quick'])
    const { [corrupted.file.key]: unseen, ...rest } = expected
    assert.equal(unseen, 'corrupted')
    assert.deepEqual(verdicts(quick.document), rest)

    const fixed = await runCommand(StorageVerify, ['--fix'])
    assert.deepEqual(verdicts(fixed.document), expected)
    assert.isNull(await readStoredFile('files/orphan'))
    assert.isNull(await readStoredFile('icons/orphan.png'))
    assert.equal(String(await readStoredFile(sound.file.key)), 'sound 2')
    const again = await runCommand(StorageVerify, [])
    assert.notProperty(verdicts(again.document), 'files/orphan')
    assert.equal(verdicts(again.document)[missing.file.key], 'missing')
  })

  test('--fix lets the next upload of the same content replace a lost file', async ({ assert }) => {
    const { world, file, id } = await keep('lost and found')
    await discardFiles([file.key])
    const hold = async () => {
      const path = join(uploads.spool, randomText(10))
      writeFileSync(path, 'lost and found')
      const copy = await storeUpload({ ...file, path, contentType: 'text/plain' })
      return { copy, id: await world.write((scope) => referenceFile(scope, copy)) }
    }
    const before = await hold()
    assert.equal(before.id, id)
    assert.isNull(await readStoredFile(file.key), 'the lost one is still the one that is named')
    await runCommand(StorageVerify, ['--fix', '--quick'])
    const after = await hold()
    assert.equal(after.id, id)
    const row = await db.from('stored_files').where('id', id).first()
    assert.deepEqual([row.key, Number(row.holders), Boolean(row.lost)], [after.copy.key, 3, false])
    assert.equal(String(await readStoredFile(row.key)), 'lost and found')
    const { document } = await runCommand(StorageVerify, [])
    assert.isEmpty(aboutMine(document, [after.copy.key]))
  })
})

onEveryDisk('The owner of a storage', () => {
  test('is marked once by a chore, and other owners are found', async ({ assert }) => {
    const { run } = recordStorage.handler as Chore
    const store = await app.container.make('fileStore')
    const own = `services/${await serviceId(selects)}`
    await store.remove(own)
    for (let each = 0; each < 2; each++) assert.deepEqual(await run(() => true), { hasMore: false })
    assert.match(String(await readStoredFile(own)), /^The Tarmac service svc_\w{20} keeps files/)
    assert.isEmpty(await othersMarks(store, await serviceId(selects)))
    assert.deepEqual(await othersMarks(store, 'svc_other'), [own])
  })
})

test.group('storage:verify', (group) => {
  group.each.setup(forgetRows)

  test('--fix removes nothing if another service keeps files there, and names it', async ({
    assert,
    cleanup,
  }) => {
    const store = await app.container.make('fileStore')
    await store.put('files/theirs', Buffer.from('named by rows of theirs'), 'text/plain')
    await store.put('services/svc_other', Buffer.from('theirs'), 'text/plain')
    await ageFiles(cleanup)
    const refused = await runCommand(StorageVerify, ['--fix'])
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
    assert.match(refused.stderr, /^Another service also keeps files here \(services\/svc_other\)/)
    assert.isNotNull(await readStoredFile('files/theirs'))
    const { document } = await runCommand(StorageVerify, ['--quick'])
    assert.lengthOf(aboutMine(document, ['files/theirs']), 1)
    const own = await serviceId(selects)
    assert.sameMembers(await storedKeys('services/'), [`services/${own}`, 'services/svc_other'])
    await store.remove('services/svc_other')
    await runCommand(StorageVerify, ['--fix', '--quick'])
    assert.isNull(await readStoredFile('files/theirs'))
  })

  test('finds and aborts uploads to S3 that were never completed', async ({ assert, cleanup }) => {
    const s3 = await startS3()
    cleanup(() => s3.stop())
    cleanup(await useStore(s3.store))
    const { CreateMultipartUploadCommand } = await import('@aws-sdk/client-s3')
    await s3.client.send(new CreateMultipartUploadCommand({ Bucket: BUCKET, Key: 'files/x' }))
    const young = await runCommand(StorageVerify, ['--quick', '--fix'])
    assert.equal(young.document.unfinished, 0)
    assert.lengthOf(s3.uploads(), 1)
    await ageFiles(cleanup)
    const reported = await runCommand(StorageVerify, ['--quick'])
    assert.include(reported.document.findings.at(-1).name, 'of files/x')
    assert.lengthOf(s3.uploads(), 1)
    await runCommand(StorageVerify, ['--quick', '--fix'])
    assert.isEmpty(s3.uploads())
  })

  test('finds remainders of uploads on this machine', async ({ assert }) => {
    mkdirSync(uploads.spool, { recursive: true })
    mkdirSync(uploads.parts, { recursive: true })
    const [old, young] = ['old', 'young'].map((name) => join(uploads.spool, `${name}-verify`))
    const part = join(uploads.parts, 'upload_verify')
    for (const path of [old, young, part]) writeFileSync(path, 'x')
    const before = new Date(Date.now() - 1.5 * DAY)
    for (const path of [old, part]) utimesSync(path, before, before)
    const { document } = await runCommand(StorageVerify, ['--quick', '--fix'])
    const names = document.findings.map(({ name }: { name: string }) => name).join()
    assert.include(names, old)
    assert.notInclude(names, young)
    assert.notInclude(names, part, 'its upload still lives')
    for (const path of [young, part]) rmSync(path)
  })

  test('reports a file that cannot be read, and goes on', async ({ assert, cleanup }) => {
    const [broken, refused, missing] = [await keep('broken'), await keep('no'), await keep('gone')]
    const keys = [broken, refused, missing].map(({ file }) => file.key)
    await discardFiles([missing.file.key])
    let isAway = false
    await changeStore(cleanup, (store) => ({
      async open(key, range) {
        if (key === broken.file.key) {
          return Readable.from(
            (async function* () {
              yield Buffer.from('bro')
              throw new Error('EIO: i/o error, read')
            })()
          )
        }
        if (key === refused.file.key) throw new StoreFailure('refused', new Error('AccessDenied'))
        return store.open(key, range)
      },
      async check() {
        if (isAway) throw new StoreFailure('away', new Error('It is gone'))
      },
    }))
    const { code, document } = await runCommand(StorageVerify, ['--fix'])
    assert.equal(code, 1)
    const reported = aboutMine(document, keys)
    assert.deepEqual(
      Object.fromEntries(reported.map(({ name, wrong, remedy }: any) => [name, [wrong, remedy]])),
      {
        [keys[0]]: ['unreadable', null],
        [keys[1]]: ['unreadable', null],
        [keys[2]]: ['missing', 'let the next upload of the same content take its place'],
      }
    )
    const lost = await db.from('stored_files').whereIn('key', keys).where('lost', true)
    assert.deepEqual(
      lost.map(({ key }) => key),
      [keys[2]]
    )
    isAway = true
    const ended = await runCommand(StorageVerify, [])
    assert.match(ended.stderr, /^The file storage does not respond \(It is gone\)\.$/)
  })

  test('reports in one line when the storage does not answer', async ({ assert, cleanup }) => {
    const s3 = await startS3()
    cleanup(() => s3.stop())
    cleanup(await useStore(s3.store))
    await keep('x')
    s3.interceptWith((_, response) => refuseAs(response, 403, 'AccessDenied'))
    const { code, stdout, stderr } = await runCommand(StorageVerify, [])
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^The file storage refuses access; check its settings \([^\n]+\)\.$/)
    const wrong = await runCommand(StorageVerify, ['--grace=0'])
    assert.equal(wrong.stderr, '--grace takes a number of hours, at least 1.')
    s3.interceptWith(() => false)
    await forgetRows()
  })

  test('verifies any number of files some at a time, and reads no page twice', async ({
    assert,
  }) => {
    const TOTAL = 100_000
    const keyOf = (index: number) => `many/${String(index).padStart(6, '0')}`
    let mostAtOnce = 0
    const pages: string[] = []
    const names: FileNames = {
      folder: 'many/',
      async after(_selects: SelectRunner, place, limit) {
        pages.push(place)
        const first = place === '' ? 0 : Number(place) + 1
        const length = Math.min(limit, TOTAL - first)
        mostAtOnce = Math.max(mostAtOnce, length)
        return Array.from({ length }, (_, index): NamedFile => {
          const at = first + index
          return { place: String(at), key: keyOf(at), size: 1, sha256: null }
        })
      },
      among: async (_selects, keys) => keys.filter((key) => !key.endsWith('7')),
    }
    const store = {
      sizeOf: async (key: string) => (key.endsWith('99999') ? null : 1),
      async *list() {
        for (let first = 0; first < TOTAL; first += 1000) {
          yield Array.from({ length: 1000 }, (_, index) => ({
            key: keyOf(first + index),
            size: 1,
            modifiedAt: 0,
          }))
        }
      },
      async *unfinished() {},
    }
    const verification = new VerifyStorage(
      {
        store: store as never,
        selects,
        names: [names],
        leftovers: async () => [],
        write: async () => {},
      },
      { quick: true, fix: false, before: 1 }
    )
    const counts: Record<string, number> = {}
    for await (const { wrong } of verification.run()) counts[wrong] = (counts[wrong] ?? 0) + 1
    assert.deepEqual(counts, { missing: 1, orphaned: TOTAL / 10 })
    assert.isAtMost(mostAtOnce, 500)
    assert.lengthOf(new Set(pages), pages.length)
  })
})
