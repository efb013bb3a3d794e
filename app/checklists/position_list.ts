import { chunked } from '#foundation/core/chunked'
import type { Scope } from '#foundation/core/scope'
import type { Placement } from './placement.js'
import type { ItemKind } from '#releases/vocabulary'

/** The items that are counted together: of one kind, on one step, of the app or of one release. */
export interface ListKey extends Placement {
  appId: string
  kind: ItemKind
  releaseId: string | null
}

/**
 * The positions within one list. An item goes where it is told, and pushes those from there
 * on back by one where the place is taken; without a position it goes to the end.
 */
export class PositionList {
  /** Those that were given a place; their caller stores it. */
  #placed = new Set<string>()

  private constructor(
    private readonly positions: Map<string, number>,
    /** As they are stored. */
    private readonly stored: ReadonlyMap<string, number>,
    /** The end of the templates that a one-off comes after. */
    private readonly floor: number
  ) {}

  static async load(scope: Scope, key: ListKey): Promise<PositionList> {
    const list = (releaseId: string | null) =>
      scope
        .table('checklist_items')
        .where({ app_id: key.appId, kind: key.kind })
        .whereNull('deleted_at')
        .where({ step_config_id: key.stepConfigId, step_type: key.stepType, release_id: releaseId })
        .select('id', 'position')
    const rows: { id: string; position: number }[] = await list(key.releaseId)
    const before: { position: number }[] = key.releaseId === null ? [] : await list(null)
    const stored = new Map(rows.map((row) => [row.id, row.position]))
    return new PositionList(new Map(stored), stored, endOf(before.map((row) => row.position)))
  }

  /** Gives an item its place. */
  place(id: string, wanted: number | undefined): number {
    this.positions.delete(id)
    const position = wanted ?? Math.max(this.floor, endOf([...this.positions.values()]))
    if ([...this.positions.values()].includes(position)) {
      for (const [other, at] of this.positions) {
        if (at >= position) this.positions.set(other, at + 1)
      }
    }
    this.positions.set(id, position)
    this.#placed.add(id)
    return position
  }

  /** Where an item is by now; later ones may have pushed it. */
  positionOf(id: string): number {
    return this.positions.get(id)!
  }

  /** Stores the places of the items that were pushed. @returns their ids. */
  async save(scope: Scope): Promise<string[]> {
    const pushed: string[] = []
    const byDistance = new Map<number, string[]>()
    for (const [id, before] of this.stored) {
      const distance = (this.positions.get(id) ?? before) - before
      if (distance === 0 || this.#placed.has(id)) continue
      byDistance.set(distance, [...(byDistance.get(distance) ?? []), id])
      pushed.push(id)
    }
    for (const [distance, ids] of byDistance) {
      for (const chunk of chunked(ids)) {
        await scope.table('checklist_items').whereIn('id', chunk).increment('position', distance)
        await scope.table('checklist_items').whereIn('id', chunk).update({ updated_at: scope.now })
      }
    }
    return pushed
  }
}

function endOf(positions: readonly number[]): number {
  return positions.reduce((end, position) => Math.max(end, position + 1), 0)
}
