import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { isPostgres } from '../../core/database/connections.js'
import { newId } from '../../core/ids.js'
import { refuse } from '../../core/problems/problem.js'
import type { Scope } from '../../core/scope.js'
import { handlingBy, inputOf } from '../execution/input_of.js'
import { ok, type OperationResponse } from '../operation/response.js'
import {
  type AnyOperation,
  type Call,
  type UploadDeclaration,
  type Wire,
} from '../operation/declaration.js'
import { operations } from '../operation/registry.js'
import { executor } from '../services.js'
import { announcedFile } from './announced_file.js'
import { uploadEntity } from './entity.js'
import { handleTus } from './protocol.js'
import type { AnnouncedFile } from './tables.js'
import { UploadRows } from './upload_rows.js'
import { requireNotFinishing, finishing, UploadStore } from './upload_store.js'
import { UploadLease } from './upload_lease.js'

type WireCall = Call<Wire>

/** A kind of resumable upload. */
export interface ResumableKind {
  /** The operation that receives the complete file. The uploads have its path parameters. */
  operation: string
  /** Returns the path of a collection of uploads. */
  pathOf(params: Record<string, string>): string
  /** Checks that the requester may call the operation. @throws Problem */
  admit(scope: Scope, params: Record<string, string>): Promise<void>
  /** Checks a new upload before any byte arrives. @throws Problem */
  admitNew(scope: Scope, params: Record<string, string>): Promise<void>
  /** Returns the path of the entity that the operation returned. */
  locationOf(params: Record<string, string>, result: unknown): string
}

/**
 * Receives uploads in several requests. The complete file then goes to an operation, as if the
 * sender of the last byte had sent it in a single request.
 */
export class ResumableUploads {
  constructor(private readonly kind: ResumableKind) {}

  async handle(call: WireCall): Promise<OperationResponse> {
    const { scope, body: wire, params } = call
    const { uploadId, ...parents } = params
    await this.kind.admit(scope, parents)
    const parts = await app.container.make('partFiles')
    const rows = this.#rows(scope, parents)
    const id = uploadId ?? newId('upload')
    const lease = isPostgres(db as never) ? new UploadLease(scope, id) : null
    const store = new UploadStore(rows, parts, scope.now, lease)
    const extraHeaders: Record<string, string> = {}
    const handling = handlingBy(
      wire.headers.prefer?.toString(),
      (ignored) => (extraHeaders['ignored-fields'] = ignored)
    )
    const response = await handleTus({
      wire,
      path: this.kind.pathOf(parents),
      id,
      store,
      lease,
      async requireUpload() {
        if (uploadId !== undefined && !(await rows.find(uploadId))) throw refuse('not_found')
      },
      maxBytes: this.#declared.maxBytes,
      begin: async (metadata, length) => {
        if (length === 0) {
          throw refuse('malformed_request', { detail: 'The file is empty.' })
        }
        await this.kind.admitNew(scope, parents)
        store.announced = await announcedFile(metadata, this.#operation, handling)
      },
      finish: async () => {
        requireNotFinishing(id)
        finishing.add(id)
        try {
          return await this.#finish(call, rows, parents, id)
        } finally {
          finishing.delete(id)
        }
      },
    })
    return { ...response, headers: { ...response.headers, ...extraHeaders } }
  }

  /** Returns the state of an upload without interrupting a request that writes to it. */
  async show({ scope, params }: WireCall): Promise<OperationResponse> {
    const { uploadId, ...parents } = params
    await this.kind.admit(scope, parents)
    const parts = await app.container.make('partFiles')
    const rows = this.#rows(scope, parents)
    const row = await rows.find(uploadId)
    const offset = row && (await new UploadStore(rows, parts, scope.now).offsetOf(row))
    if (row === null || offset === null) throw refuse('not_found')
    if (row.expiresAt <= scope.now) throw refuse('upload_gone')
    return ok(uploadEntity(row, offset), { 'cache-control': 'no-store' })
  }

  async #finish(
    call: WireCall,
    rows: UploadRows,
    parents: Record<string, string>,
    id: string
  ): Promise<string> {
    const row = await rows.find(id)
    // The upload was cancelled or has expired since its last byte arrived.
    if (row === null) throw refuse('not_found')
    if (row.location !== null) return row.location
    const parts = await app.container.make('partFiles')
    const location = await parts.use(id, async (path, sha256) => {
      if (row.file.sha256 !== null && row.file.sha256 !== sha256) return null
      const file = { ...row.file, sha256, path, size: row.length }
      return this.kind.locationOf(parents, await this.#runOperation(call, parents, id, file))
    })
    if (location === null) {
      await rows.remove(id)
      await parts.remove(id)
      throw refuse('digest_mismatch', {
        detail: 'The SHA-256 of the file is not the announced one. The upload was deleted.',
      })
    }
    await rows.finish(id, location)
    await parts.remove(id)
    return location
  }

  /**
   * Runs the operation with the complete file. The id of the upload is its idempotency key: if the
   * process ends before the upload is marked as finished, sending the last byte again replays the
   * first response.
   */
  async #runOperation(
    { scope, origin }: WireCall,
    params: Record<string, string>,
    idempotencyKey: string,
    file: AnnouncedFile & { sha256: string; path: string; size: number }
  ): Promise<unknown> {
    const declared = this.#operation
    const { fileName, data, ...rest } = file
    const body = { ...rest, fileName: fileName ?? undefined, data: data ?? undefined }
    const { organization, actor, permissions } = scope
    const { bytes } = await executor.execute(
      declared,
      { organization, actor, permissions },
      {
        params,
        origin,
        idempotencyKey,
        input: () => inputOf(declared, { params, body }),
      }
    )
    return JSON.parse(String(bytes))
  }

  get #operation(): AnyOperation {
    return operations.get(this.kind.operation)
  }

  get #declared(): UploadDeclaration<unknown> {
    return this.#operation.body as unknown as UploadDeclaration<unknown>
  }

  #rows(scope: Scope, params: Record<string, string>): UploadRows {
    return new UploadRows(scope, { operation: this.kind.operation, params })
  }
}
