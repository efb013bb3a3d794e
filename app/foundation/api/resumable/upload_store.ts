import type { Readable } from 'node:stream'
import { DataStore, ERRORS, Upload } from '@tus/server'
import type { PartFiles } from '../../core/files/part_files.js'
import type { Instant } from '../../core/clock.js'
import { IDLE_MS } from '../http/read_body.js'
import type { AnnouncedFile } from './tables.js'
import { LIFE_MS, type UploadRow, type UploadRows } from './upload_rows.js'
import { stillFinishing, type UploadTurn } from './upload_turn.js'

/** Ids of whole files that this process is making something of: nobody writes to them. */
export const finishing = new Set<string>()

/** @throws request_running */
export function demandNotFinishing(id: string): void {
  if (finishing.has(id)) throw stillFinishing()
}

/** Keeps uploads for the protocol: what is said of them in rows, what arrived of them in files. */
export class UploadStore extends DataStore {
  override extensions = ['creation', 'creation-with-upload', 'expiration', 'termination']

  /** Of the upload that is begun; known before it is. */
  announced: AnnouncedFile | null = null

  constructor(
    private readonly rows: UploadRows,
    private readonly parts: PartFiles,
    private readonly now: Instant,
    /** Where other processes may be at the same uploads. */
    private readonly turn: UploadTurn | null = null
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
   * How much of an upload has arrived: its last byte only once the file has become what it was
   * uploaded for. A client that asks where to go on sends that byte again where this failed.
   * @returns null when this machine does not have the file
   */
  async offsetOf({ id, length, finishedAt }: UploadRow): Promise<number | null> {
    if (finishedAt !== null) return length
    const arrived = await this.parts.sizeOf(id)
    return arrived === null ? null : Math.min(arrived, length - 1)
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    demandNotFinishing(id)
    this.turn?.demandNotFinishing()
    const row = await this.rows.find(id)
    // Whoever did not hear that it is finished sends nothing more, and is told again.
    if (row?.finishedAt) return offset
    return this.parts.append(id, stream, offset, IDLE_MS)
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
