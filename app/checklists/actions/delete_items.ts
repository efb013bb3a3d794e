import { chunked } from '#foundation/core/chunked'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import Release from '#releases/models/release'
import { requireOpen } from '#releases/preconditions/require_open'
import ChecklistItem from '../models/checklist_item.js'
import type { ItemKind } from '#releases/vocabulary'
import { duplicateId } from '../definitions/duplicate_id.js'
import { reportTemplates, reportedItem } from '../definitions/item_entries.js'
import { attempt, isDone, type Outcome } from '#foundation/core/problems/attempt'
import { applyToOpenReleases } from '../release_items/apply_to_open_releases.js'

/**
 * Deletes items of one kind of an app. Upcoming releases lose them, and active releases lose them
 * if they are untouched there. Other releases keep them.
 */
export class DeleteItems {
  constructor(
    private readonly scope: Scope,
    private readonly appId: string,
    private readonly kind: ItemKind
  ) {}

  /** Deletes every item that can be deleted, and returns the problem of each other one. */
  async handle(ids: readonly string[]): Promise<Outcome<string>[]> {
    const items = await this.#items(ids)
    const releases = await this.#releases([...items.values()])
    const deleted = new Set<string>()
    const outcomes: Outcome<string>[] = []
    for (const id of ids) {
      const outcome = await attempt(() => {
        const item = items.get(id)
        if (!item) throw refuse('not_found', { detail: `There is no ${this.kind} item ${id}.` })
        if (deleted.has(id)) throw duplicateId(id)
        if (item.releaseId) requireOpen(releases.get(item.releaseId)!)
        return id
      })
      if (isDone(outcome)) deleted.add(id)
      outcomes.push(outcome)
    }
    for (const chunk of chunked([...deleted])) {
      await this.scope
        .table('checklist_items')
        .whereIn('id', chunk)
        .update({ deleted_at: this.scope.now, updated_at: this.scope.now })
    }
    const templates = [...deleted].map((id) => items.get(id)!).filter((item) => !item.releaseId)
    reportTemplates(this.scope, this.appId, 'removed', templates.map(reportedItem))
    await applyToOpenReleases(this.scope, this.appId, deleted, deleted)
    return outcomes
  }

  async #items(ids: readonly string[]): Promise<Map<string, ChecklistItem>> {
    const items = await this.scope
      .query(ChecklistItem)
      .where({ appId: this.appId, kind: this.kind })
      .whereNull('deletedAt')
      .whereIn('id', [...new Set(ids)])
      .exec()
    return new Map(items.map((item) => [item.id, item]))
  }

  async #releases(items: readonly ChecklistItem[]): Promise<Map<string, Release>> {
    const ids = [...new Set(items.flatMap((item) => item.releaseId ?? []))]
    if (ids.length === 0) return new Map()
    const releases = await this.scope.query(Release).whereIn('id', ids).exec()
    return new Map(releases.map((release) => [release.id, release]))
  }
}
