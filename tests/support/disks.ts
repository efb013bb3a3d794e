import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import type { FileStore } from '#foundation/core/files/file_store'
import { FolderStore } from '#foundation/core/files/folder_store'
import { startS3 } from './s3_server.js'

/** Every kind of disk that files can be kept on. */
const DISKS: Readonly<Record<string, () => Promise<{ store: FileStore; stop(): unknown }>>> = {
  async fs() {
    const folder = mkdtempSync(join(tmpdir(), 'tarmac-files-'))
    const stop = () => rmSync(folder, { recursive: true, force: true })
    return { store: new FolderStore(folder), stop }
  },
  s3: startS3,
}

type Group = Parameters<Parameters<typeof test.group>[1]>[0]

/** Has the service keep its files in a store. @returns a function that restores the store before */
export async function useStore(store: FileStore): Promise<() => void> {
  const before = await app.container.make('fileStore')
  app.container.bindValue('fileStore', store)
  return () => app.container.bindValue('fileStore', before)
}

/** Defines a group of tests that run on every kind of disk, each empty at the start. */
export function onEveryDisk(title: string, define: (group: Group) => void): void {
  for (const [name, start] of Object.entries(DISKS)) {
    test.group(`${title} (files on ${name})`, (group) => {
      group.setup(async () => {
        const { store, stop } = await start()
        const restore = await useStore(store)
        return async () => {
          restore()
          await stop()
        }
      })
      define(group)
    })
  }
}

/** Returns the keys of files that the service has stored. */
export async function storedKeys(folder = 'files/'): Promise<string[]> {
  const store = await app.container.make('fileStore')
  const pages = await Array.fromAsync(store.list(folder))
  return pages
    .flat()
    .map(({ key }) => key)
    .sort()
}
