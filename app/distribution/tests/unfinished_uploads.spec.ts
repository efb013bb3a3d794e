import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import db from '@adonisjs/lucid/services/db'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { uploads } from '#config/uploads'
import { PruneUploads } from '#foundation/api/resumable/prune_uploads'
import { LIFE_MS } from '#foundation/api/resumable/upload_rows'
import { VirtualClock } from '#foundation/core/clock'
import { PartFiles } from '#foundation/core/files/part_files'
import { clock } from '#foundation/core/services'
import { makeBucket } from './support.js'
import { begin, offsetOf, parts, send, tus } from './tus_requests.js'

test.group('Unfinished uploads', () => {
  test('are removed from the disk of each machine, even if another machine removed their rows', async ({
    assert,
    cleanup,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), 'tarmac-parts-'))
    cleanup(() => rmSync(folder, { recursive: true }))
    const files = new PartFiles(folder)
    const now = Date.now()
    for (const [name, age] of Object.entries({ dead: LIFE_MS + 1000, living: 1000 })) {
      writeFileSync(join(folder, name), 'x')
      utimesSync(join(folder, name), (now - age) / 1000, (now - age) / 1000)
    }
    await files.removeLeftovers(now - LIFE_MS)
    assert.deepEqual(readdirSync(folder), ['living'])
    // The folder is checked once an hour, not with each upload.
    const long = (now - LIFE_MS) / 1000 - 1
    writeFileSync(join(folder, 'late'), 'x')
    utimesSync(join(folder, 'late'), long, long)
    await files.removeLeftovers(now - LIFE_MS + 3_599_999)
    assert.deepEqual(readdirSync(folder).sort(), ['late', 'living'])
    await files.removeLeftovers(now - LIFE_MS + 3_600_000)
    assert.deepEqual(readdirSync(folder), ['living'])
  })

  test('are removed when another upload begins', async ({ assert }) => {
    const { admin, path } = await makeBucket()
    mkdirSync(uploads.parts, { recursive: true })
    const dead = join(uploads.parts, 'upload_dead')
    writeFileSync(dead, 'x')
    const long = new Date(Date.now() - LIFE_MS - 60_000)
    utimesSync(dead, long, long)
    app.container.bindValue('partFiles', new PartFiles(uploads.parts))
    assert.equal((await begin(admin, path, 9)).status, 201)
    assert.isFalse(existsSync(dead))
  })

  test('204 for canceling one, which removes it', async ({ assert }) => {
    const { admin, path } = await makeBucket()
    const { headers } = await begin(admin, path, 9)
    const at = headers.location
    await send(admin, at, 0, 'the ')
    assert.equal((await admin.delete(at, undefined, { headers: tus })).status, 204)
    assert.equal((await admin.head(at, { headers: tus })).status, 404)
    assert.notInclude(parts().join(), at.split('/').at(-1)!)
  })

  test('410 after they expire, until they are removed with their files', async ({ assert }) => {
    const { admin, path } = await makeBucket()
    const { headers } = await begin(admin, path, 9)
    const { headers: young } = await begin(admin, path, 9)
    const at = headers.location
    const id = at.split('/').at(-1)!
    await send(admin, at, 0, 'the ')
    await db
      .from('resumable_uploads')
      .where('id', id)
      .update({ expires_at: '2020-01-01T00:00:00.000Z' })
    for (const { status } of [
      await admin.head(at, { headers: tus }),
      await admin.get(at),
      await send(admin, at, 4, 'build'),
    ]) {
      assert.equal(status, 410)
    }
    const files = await app.container.make('partFiles')
    assert.include(parts(), id)
    await new PruneUploads(db as never, new VirtualClock(clock.now()), files).run()
    assert.notInclude(parts(), id)
    assert.equal((await admin.get(at)).status, 404)
    assert.equal(await offsetOf(admin, young.location), '0')
  })
})
