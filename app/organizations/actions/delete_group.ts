import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '../audit.js'
import { findGroup } from '../queries/group_entities.js'
import { demandCustom } from './group_changes.js'

/** Someone or something that a list names: an owner of an item, a member of a bucket. */
interface Party {
  type: string
  id: string
}

/**
 * Deletes a custom group. Memberships and the scopes of keys go with the row; owners and
 * bucket members are taken out of their lists. A completed release keeps what it said.
 */
export class DeleteGroup {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found, default_group */
  async handle(id: string): Promise<void> {
    const { scope } = this
    const group = await findGroup(scope, id)
    demandCustom(group)

    await this.#forget(id, {
      rows: await scope
        .table('checklist_items')
        .whereLike('owners', `%${id}%`)
        .select('id', 'owners as list'),
      save: (row, list) =>
        scope
          .table('checklist_items')
          .where('id', row.id)
          .update({ owners: list, updated_at: scope.now }),
    })
    await this.#forget(id, {
      rows: await scope
        .table('release_items')
        .join('releases', 'releases.id', 'release_items.release_id')
        .whereNot('releases.status', 'completed')
        .whereLike('release_items.owners', `%${id}%`)
        .select(
          'release_items.release_id',
          'release_items.item_id as id',
          'release_items.owners as list'
        ),
      save: (row, list) =>
        scope
          .table('release_items')
          .where({ release_id: row.release_id, item_id: row.id })
          .update({ owners: list }),
    })
    await this.#forget(id, {
      rows: await scope
        .table('buckets')
        .whereLike('members', `%${id}%`)
        .select('id', 'members as list'),
      save: (row, list) =>
        scope.table('buckets').where('id', row.id).update({ members: list, updated_at: scope.now }),
    })

    await group.delete()
    await recordAudit(scope, {
      action: 'group.deleted',
      subject: id,
      data: { name: group.name },
    })
  }

  async #forget<Row extends { list: string }>(
    groupId: string,
    held: { rows: Row[]; save: (row: Row, list: string) => PromiseLike<unknown> }
  ) {
    for (const row of held.rows) {
      const parties = JSON.parse(row.list) as Party[]
      const kept = parties.filter((party) => party.type !== 'group' || party.id !== groupId)
      if (kept.length < parties.length) await held.save(row, JSON.stringify(kept))
    }
  }
}
