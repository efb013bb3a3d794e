import { MINUTE } from '../durations.js'
import { open, type FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
  type S3Client,
} from '@aws-sdk/client-s3'
import logger from '@adonisjs/core/services/logger'
import {
  failingWith,
  StoreFailure,
  type ByteRange,
  type FailureKind,
  type FileSource,
  type FileStore,
  type ListedFile,
  type Unfinished,
} from './file_store.js'
import { partSizeOf } from './part_size.js'

/** Parts of one file that are uploaded, and in memory, at the same time. */
const PARTS_AT_ONCE = 2

/**
 * Time limit for the storage to assemble the parts of a file, in milliseconds; large files take
 * minutes.
 */
const COMPLETE_MS = 10 * MINUTE

/** The time for which a download waits for the next bytes, in milliseconds. */
const SILENCE_MS = 30_000

interface Target {
  Bucket: string
  Key: string
}

interface PartedUpload extends Target {
  UploadId: string | undefined
}

const attempt = failingWith(kindOf)

/** Keeps files in a bucket of S3 or of a compatible storage. */
export class S3Store implements FileStore {
  constructor(
    private readonly client: S3Client,
    private readonly bucket: string
  ) {}

  put(key: string, source: FileSource, contentType: string): Promise<void> {
    return attempt(async () => {
      const target = this.#target(key)
      if (source instanceof Uint8Array) {
        await this.client.send(
          new PutObjectCommand({ ...target, ContentType: contentType, Body: source })
        )
        return
      }
      const file = await open(source.path)
      try {
        await this.#putFile(target, file, source.size, contentType)
      } finally {
        await file.close()
      }
    })
  }

  async #putFile(target: Target, file: FileHandle, size: number, contentType: string) {
    const partSize = partSizeOf(size)
    if (size <= partSize) {
      const Body = await bytesOf(file, 0, size)
      await this.client.send(new PutObjectCommand({ ...target, ContentType: contentType, Body }))
      return
    }
    const { UploadId } = await this.client.send(
      new CreateMultipartUploadCommand({ ...target, ContentType: contentType })
    )
    try {
      const Parts = await this.#putParts({ ...target, UploadId }, file, size, partSize)
      await this.#complete({ ...target, UploadId }, Parts, size)
    } catch (error) {
      await this.#abort(target, UploadId).catch((failure) =>
        logger.warn({ err: failure, key: target.Key }, 'an upload to S3 could not be aborted')
      )
      throw error
    }
  }

  /**
   * Completes an upload. If the answer is lost, it checks for the file by its key, which was never
   * used before.
   */
  async #complete(upload: PartedUpload, Parts: CompletedPart[], size: number): Promise<void> {
    const command = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })
    try {
      await this.client.send(command, { requestTimeout: COMPLETE_MS })
    } catch (error) {
      if ((await this.sizeOf(upload.Key).catch(() => null)) !== size) throw error
    }
  }

  /** Sends the parts of a file, some at a time; begins no further part after a failure. */
  async #putParts(
    upload: PartedUpload,
    file: FileHandle,
    size: number,
    partSize: number
  ): Promise<CompletedPart[]> {
    const parts: CompletedPart[] = []
    let next = 0
    let failed = false
    const send = async () => {
      while (!failed && next * partSize < size) {
        const at = next++
        const Body = await bytesOf(file, at * partSize, Math.min(partSize, size - at * partSize))
        const part = { ...upload, PartNumber: at + 1, Body }
        const { ETag } = await this.client.send(new UploadPartCommand(part))
        parts[at] = { PartNumber: at + 1, ETag }
      }
    }
    const sending = Array.from({ length: PARTS_AT_ONCE }, () =>
      send().catch((error) => {
        failed = true
        throw error
      })
    )
    // Waits for all parts, even after a failure: an abort would miss one that is under way.
    const ends = await Promise.allSettled(sending)
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    return parts
  }

  async #abort(target: Target, UploadId: string | undefined): Promise<void> {
    await this.client.send(new AbortMultipartUploadCommand({ ...target, UploadId }))
  }

  open(key: string, range?: ByteRange): Promise<Readable> {
    return attempt(async () => {
      const Range = range && `bytes=${range.first}-${range.last}`
      const { Body } = await this.client.send(new GetObjectCommand({ ...this.#target(key), Range }))
      return Readable.from(unlessSilent(Body as Readable), { objectMode: false })
    })
  }

  localPath(): null {
    return null
  }

  async sizeOf(key: string): Promise<number | null> {
    try {
      return await attempt(async () => {
        const { ContentLength } = await this.client.send(new HeadObjectCommand(this.#target(key)))
        return ContentLength ?? 0
      })
    } catch (error) {
      if ((error as StoreFailure).kind !== 'missing') throw error
      // HEAD has no body that could distinguish a missing file from a missing bucket.
      await this.check()
      return null
    }
  }

  async remove(key: string): Promise<void> {
    await attempt(() => this.client.send(new DeleteObjectCommand(this.#target(key))))
  }

  async *list(folder: string): AsyncGenerator<ListedFile[]> {
    let after: string | undefined
    do {
      const page = await attempt(() =>
        this.client.send(
          new ListObjectsV2Command({
            Bucket: this.bucket,
            Prefix: folder,
            ContinuationToken: after,
          })
        )
      )
      yield (page.Contents ?? []).map(({ Key = '', Size = 0, LastModified }) => ({
        key: Key,
        size: Size,
        modifiedAt: LastModified?.getTime() ?? 0,
      }))
      after = page.NextContinuationToken
    } while (after !== undefined)
  }

  async *unfinished(folders: readonly string[]): AsyncGenerator<Unfinished[]> {
    for (const folder of folders) {
      let KeyMarker: string | undefined
      let UploadIdMarker: string | undefined
      do {
        const page = await attempt(() =>
          this.client.send(
            new ListMultipartUploadsCommand({
              Bucket: this.bucket,
              Prefix: folder,
              KeyMarker,
              UploadIdMarker,
            })
          )
        )
        yield (page.Uploads ?? []).map(({ Key = '', UploadId, Initiated }) => ({
          name: `multipart upload ${UploadId} of ${Key}`,
          begunAt: Initiated?.getTime() ?? 0,
          remove: () => attempt(() => this.#abort(this.#target(Key), UploadId)),
        }))
        KeyMarker = page.NextKeyMarker || undefined
        UploadIdMarker = page.NextUploadIdMarker || undefined
        if (!page.IsTruncated) break
      } while (KeyMarker !== undefined)
    }
  }

  async check(): Promise<void> {
    await attempt(() => this.client.send(new HeadBucketCommand({ Bucket: this.bucket }))).catch(
      (failure: StoreFailure) => {
        throw failure.kind === 'missing' ? new StoreFailure('refused', failure.cause) : failure
      }
    )
  }

  #target(Key: string): Target {
    return { Bucket: this.bucket, Key }
  }
}

/** Reads a part of a file into memory, so that it can be sent again. */
async function bytesOf(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled)
    if (bytesRead === 0) throw new Error('The file is shorter than it was said to be')
    filled += bytesRead
  }
  return bytes
}

/** Yields the chunks of a stream; fails if none arrives for `SILENCE_MS` while somebody waits. */
async function* unlessSilent(stream: Readable): AsyncGenerator<Buffer> {
  const chunks = stream[Symbol.asyncIterator]()
  try {
    for (;;) {
      const silence = setTimeout(() => stream.destroy(new Error('S3 sends nothing')), SILENCE_MS)
      const { done, value } = await chunks.next().finally(() => clearTimeout(silence))
      if (done) return
      yield value
    }
  } finally {
    stream.destroy()
  }
}

/** Status codes caused by settings: keys, permissions, the bucket or its region. */
const LASTING = new Set([301, 307, 400, 401, 403, 405])

function kindOf(error: unknown): FailureKind {
  const { name, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } }
  if (name === 'NoSuchBucket' || name === 'CredentialsProviderError') return 'refused'
  // A wrong clock on either side is corrected sooner or later; S3 reports it with 403.
  if (name === 'RequestTimeTooSkewed' || name === 'SlowDown') return 'away'
  const status = $metadata?.httpStatusCode
  if (status === 404) return 'missing'
  return status !== undefined && LASTING.has(status) ? 'refused' : 'away'
}
