import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from '@japa/runner'
import type { FileStore } from '#foundation/core/files/file_store'
import { withLocalCopy } from '#foundation/core/files/local_copy'
import { Spool } from '#foundation/core/files/spool'
import { discardFiles, localPathOf, storeFile } from '#foundation/core/files/stored_files'
import { useStore } from '#tests/support/disks'

test.group('A stored file on this machine', (group) => {
  let folder: string
  group.each.setup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spool-'))
    return () => rm(folder, { recursive: true })
  })
  const never = new AbortController().signal

  test('is the file itself where it is kept in a folder', async ({ assert }) => {
    const key = 'files/local-copy'
    await storeFile(key, Buffer.from('bytes'), 'text/plain')
    const path = await withLocalCopy(new Spool(folder), key, never, async (each) => {
      assert.equal(await readFile(each, 'utf8'), 'bytes')
      return each
    })
    assert.equal(path, await localPathOf(key))
    assert.isEmpty(await readdir(folder))
    await discardFiles([key])
  })

  test('is a copy where it is kept elsewhere, which goes whatever becomes of the work', async ({
    assert,
    cleanup,
  }) => {
    const keepElsewhere = async (open: () => Promise<Readable>) => {
      cleanup(await useStore({ localPath: () => null, open } as Partial<FileStore> as FileStore))
    }
    await keepElsewhere(async () => Readable.from([Buffer.from('far away')]))
    const spool = new Spool(folder)
    const read = await withLocalCopy(spool, 'key', never, (path) => readFile(path, 'utf8'))
    assert.equal(read, 'far away')
    const work = async () => {
      throw new Error('As asked')
    }
    await assert.rejects(() => withLocalCopy(spool, 'key', never, work), 'As asked')
    await keepElsewhere(async () => new Readable({ read() {} }))
    const signal = AbortSignal.timeout(50)
    await assert.rejects(() => withLocalCopy(spool, 'key', signal, work), /aborted/)
    assert.isEmpty(await readdir(folder))
  })
})
