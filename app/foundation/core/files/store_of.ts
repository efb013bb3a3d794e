import { fileURLToPath } from 'node:url'
import type { Disk } from '@adonisjs/drive'
import type { S3Client } from '@aws-sdk/client-s3'
import type { FileStore } from './file_store.js'
import { FolderStore } from './folder_store.js'

/** The configuration of a Drive disk: a local folder, or a bucket. */
interface DiskOptions {
  location?: string | URL
  bucket?: string
  client?: S3Client
}

/** Returns the file store of a Drive disk; the only place that distinguishes kinds of disks. */
export async function storeOf({ driver }: Pick<Disk, 'driver'>): Promise<FileStore> {
  const { location, bucket, client } = (driver as { options?: DiskOptions }).options ?? {}
  if (location !== undefined) {
    return new FolderStore(typeof location === 'string' ? location : fileURLToPath(location))
  }
  if (bucket === undefined || client === undefined) throw new Error('No such disk is known')
  const { S3Store } = await import('./s3_store.js')
  return new S3Store(client, bucket)
}
