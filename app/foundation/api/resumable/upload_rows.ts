import { HOUR } from '../../core/durations.js'
import { select, of } from '../../core/database/statement.js'
import type { RowOf } from '../../core/database/table.js'
import { later } from '../../core/clock.js'
import { refuse } from '../../core/problems/problem.js'
import type { Scope } from '../../core/scope.js'
import { unitOfWork } from '../../core/services.js'
import { parameters } from '../operation/parameters.js'
import { resumableUploads } from './tables.js'

export type UploadRow = RowOf<typeof resumableUploads>

/** Maximum lifetime of an upload, in milliseconds. */
export const LIFE_MS = 48 * HOUR

/** Maximum number of unfinished, unexpired uploads of an organization. */
export const MAX_UNFINISHED = 20

const UNFINISHED = select(
  of(resumableUploads, 'u', ['id']),
  `from resumable_uploads u where u.organization_id = :org and u.finished_at is null
    and u.expires_at > :now`
)
const FIND = select(
  of(resumableUploads, 'u'),
  'from resumable_uploads u where u.organization_id = :org and u.id = :id'
)

/** The place of an upload: its operation and path parameters. */
export interface UploadPlace {
  operation: string
  params: Record<string, string>
}

/** The uploads of one place that the requester may see. */
export class UploadRows {
  constructor(
    private readonly scope: Scope,
    private readonly place: UploadPlace
  ) {}

  /** @returns null if there is no upload with this id in this place */
  async find(id: string): Promise<UploadRow | null> {
    const [row] = await this.scope.rows(FIND, { id })
    return row && isAt(row, this.place) ? row : null
  }

  /** @throws too_many_uploads */
  async add(upload: Pick<UploadRow, 'id' | 'length' | 'file' | 'metadata'>): Promise<void> {
    await this.#write(async (scope) => {
      // Uploads of one organization begin one at a time, so that the limit is not exceeded.
      if (scope.isShared) await parameters.get('orgId').lock?.(scope, scope.organization.id)
      const { length } = await scope.rows(UNFINISHED, { now: scope.now })
      if (length >= MAX_UNFINISHED) {
        throw refuse('too_many_uploads', {
          detail: `An organization has at most ${MAX_UNFINISHED} unfinished uploads.`,
          retryAfter: 60,
        })
      }
      await scope.insert(resumableUploads, [
        {
          ...upload,
          ...this.place,
          location: null,
          createdAt: scope.now,
          expiresAt: later(scope.now, LIFE_MS),
          finishedAt: null,
          holder: null,
          heldUntil: null,
          isAwaited: false,
          isFinishing: false,
        },
      ])
    })
  }

  async finish(id: string, location: string): Promise<void> {
    await this.#write((scope) =>
      scope.update(resumableUploads, { id }, { location, finishedAt: scope.now })
    )
  }

  async remove(id: string): Promise<void> {
    await this.#write((scope) => scope.table('resumable_uploads').where('id', id).delete())
  }

  async #write(work: (scope: Scope) => Promise<unknown>): Promise<void> {
    await unitOfWork.inTransaction(this.scope, work)
  }
}

function isAt(row: UploadRow, { operation, params }: UploadPlace): boolean {
  const names = Object.keys(params)
  return row.operation === operation && names.every((name) => row.params[name] === params[name])
}
