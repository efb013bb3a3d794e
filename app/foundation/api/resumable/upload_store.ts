import type { Readable } from 'node:stream'
import { DataStore, ERRORS, Upload } from '@tus/server'
import type { PartFiles } from '../../core/files/part_files.js'
import type { Instant } from '../../core/clock.js'
import { refuse } from '../../core/problems/problem.js'
import { IDLE_MS } from '../http/read_body.js'
import type { AnnouncedFile } from './tables.js'
import { LIFE_MS, type UploadRow, type UploadRows } from './upload_rows.js'
import { stillFinishing, type UploadLease } from './upload_lease.js'

/** Ids of whole files that this process is making something of: nobody writes to them. */
export const finishing = new Set<string>()

/** @throws request_running */
export function demandNotFinishing(id: string): void {
  if (finishing.has(id)) throw stillFinishing()
}

/** The refusal of bytes that no file of the length has room for. */
export const beyondLength = (headers: Record<string, string> = {}) =>
  refuse('too_large', {
    detail: 'The bytes go beyond the Upload-Length of the upload; HEAD answers where it stands.',
    headers: { ...headers, connection: 'close' },
  })

/** Keeps uploads for the protocol: what is said of them in rows, what arrived of them in files. */
export class UploadStore extends DataStore {
  override extensions = ['creation', 'creation-with-upload', 'expiration', 'termination']

  /** Data of the new upload; known before it exists. */
  announced: AnnouncedFile | null = null

  /** The bytes of the request as they arrive, and what ends it for the next one. */
  arriving: { bytes: Readable; signal: AbortSignal } | null = null

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
   * Returns how much of an upload has arrived: its last byte counts only once the file has been
   * processed. If that failed, a client that asks where to continue sends this byte again.
   * @returns null if this machine does not have the file
   */
  async offsetOf({ id, length, finishedAt }: UploadRow): Promise<number | null> {
    if (finishedAt !== null) return length
    const arrived = await this.parts.sizeOf(id)
    return arrived === null ? null : Math.min(arrived, length - 1)
  }

  /**
   * Takes the bytes from the request itself: the stream that the library makes of it copies each
   * of them, and passes them through four more.
   */
  override async write(_stream: Readable, id: string, offset: number): Promise<number> {
    demandNotFinishing(id)
    this.lease?.demandNotFinishing()
    const row = await this.rows.find(id)
    if (row === null) throw ERRORS.FILE_NOT_FOUND
    // A client that missed the completion sends nothing more and receives the answer again.
    if (row.finishedAt) return offset
    const { length } = row
    const { bytes, signal } = this.arriving!
    return this.parts.append(id, bytes, offset, IDLE_MS, {
      length,
      signal,
      demand: (end) => {
        if (end > length) throw beyondLength()
        this.lease?.demandOwn()
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
