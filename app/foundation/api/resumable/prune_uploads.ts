import type { Database } from '@adonisjs/lucid/database'
import { from } from '../../core/database/from.js'
import type { Clock } from '../../core/clock.js'
import { transact } from '../../core/database/transact.js'
import type { PartFiles } from '../../core/files/part_files.js'

/** Rows removed in one transaction; others are served in between. */
const BATCH = 200

/**
 * Removes expired uploads, with their files on this machine. Other machines remove their files when
 * an upload begins there (`PartFiles.removeLeftovers`).
 */
export class PruneUploads {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly parts: PartFiles
  ) {}

  /** Runs until nothing is left to remove, or it may not go on. */
  async run(mayContinue = () => true): Promise<void> {
    const now = this.clock.now()
    let ids: string[] = []
    do {
      ids = await transact(this.database, async (client) => {
        const over = from(client, 'resumable_uploads').where('expires_at', '<=', now).limit(BATCH)
        const found = (await over.select('id')).map((row: { id: string }) => row.id)
        await from(client, 'resumable_uploads').whereIn('id', found).delete()
        return found
      })
      for (const id of ids) await this.parts.remove(id)
    } while (ids.length === BATCH && mayContinue())
  }
}
