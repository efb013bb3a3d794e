import type { Readable } from 'node:stream'
import { DataStore, ERRORS, Upload } from '@tus/server'
import type { PartFiles } from '../../core/files/part_files.js'
import type { Instant } from '../../core/clock.js'
import { refuse } from '../../core/problems/problem.js'
import { IDLE_MS } from '../http/read_body.js'
import type { AnnouncedFile } from './tables.js'
import { LIFE_MS, type UploadRow, type UploadRows } from './upload_rows.js'
import { stillFinishing, type UploadLease } from './upload_lease.js'

/** Ids of complete uploads that this process is processing. No request may write to them. */
export const finishing = new Set<string>()

/** @throws request_running while this process processes the upload */
export function requireNotFinishing(id: string): void {
  if (finishing.has(id)) throw stillFinishing()
}

/** Returns the problem for bytes beyond the announced length of the file. */
export const tooManyBytes = (headers: Record<string, string> = {}) =>
  refuse('too_large', {
    detail: 'The upload would exceed its Upload-Length. HEAD returns its current offset.',
    headers: { ...headers, connection: 'close' },
  })

/** Stores uploads for `@tus/server`: metadata in rows, bytes in files. */
export class UploadStore extends DataStore {
  override extensions = ['creation', 'creation-with-upload', 'expiration', 'termination']

  /** The announcement of a new upload; set before `create`. */
  announced: AnnouncedFile | null = null

  /** The body of the request, and a signal that aborts it in favour of the next request. */
  incoming: { bytes: Readable; signal: AbortSignal } | null = null

  constructor(
    private readonly rows: UploadRows,
    private readonly parts: PartFiles,
    private readonly now: Instant,
    /** The lease, if other processes may handle the same uploads. */
    private readonly lease: UploadLease | null = null
  ) {
    super()
  }

  override async create(upload: Upload): Promise<Upload> {
    const { id, size: length = 0, metadata = null } = upload
    await this.parts.removeLeftovers(Date.parse(this.now) - LIFE_MS)
    await this.parts.begin(id)
    try {
      await this.rows.add({ id, length, metadata, file: this.announced! })
    } catch (error) {
      await this.parts.remove(id)
      throw error
    }
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const row = await this.rows.find(id)
    const offset = row && (await this.offsetOf(row))
    if (row === null || offset === null) throw ERRORS.FILE_NOT_FOUND
    if (row.expiresAt <= this.now) throw ERRORS.FILE_NO_LONGER_EXISTS
    const { length: size, metadata, createdAt } = row
    return new Upload({
      id,
      size,
      offset,
      metadata: metadata ?? undefined,
      creation_date: createdAt,
    })
  }

  /**
   * Returns the offset of an upload. Its last byte counts only once the file has been processed, so
   * that a client sends this byte again if processing failed.
   * @returns null if this machine does not have the file
   */
  async offsetOf({ id, length, finishedAt }: UploadRow): Promise<number | null> {
    if (finishedAt !== null) return length
    const size = await this.parts.sizeOf(id)
    return size === null ? null : Math.min(size, length - 1)
  }

  /**
   * Reads the bytes directly from the request. The library's stream would copy them and pass them
   * through four more streams.
   */
  override async write(_stream: Readable, id: string, offset: number): Promise<number> {
    requireNotFinishing(id)
    this.lease?.requireNotFinishing()
    const row = await this.rows.find(id)
    if (row === null) throw ERRORS.FILE_NOT_FOUND
    // A client that missed the response to the last byte gets it again.
    if (row.finishedAt) return offset
    const { length } = row
    const { bytes, signal } = this.incoming!
    return this.parts.append(id, bytes, offset, IDLE_MS, {
      length,
      signal,
      demand: (end) => {
        if (end > length) throw tooManyBytes()
        this.lease?.requireOwn()
      },
    })
  }

  override async remove(id: string): Promise<void> {
    if (!(await this.rows.find(id))) throw ERRORS.FILE_NOT_FOUND
    await this.rows.remove(id)
    await this.parts.remove(id)
  }

  override getExpiration(): number {
    return LIFE_MS
  }
}
