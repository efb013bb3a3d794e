import { from } from '#foundation/core/database/from'
import { change } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type { Placement } from './placement.js'
import type { ReleaseStepType } from '#workflow/vocabulary'

const PUSH = change(
  `update checklist_items set position = position + :distance, updated_at = :now
  where organization_id = :org and id in json(:ids)`
)

/** Identifies a list: the items on steps of one type, of an app or of one release. */
export interface ListKey extends Placement {
  appId: string
  releaseId: string | null
}

/**
 * Assigns unique positions within a list. Items of all kinds and of all steps of one type form one
 * list, so two items of a step never share a position. An item with a position takes it and moves
 * the items from there on back by one; an item without a position goes to the end.
 */
export class PositionList {
  /** Ids of the items that `place` was called for. The caller stores their positions. */
  #placed = new Set<string>()
  readonly #taken: Set<number>

  private constructor(
    private readonly positions: Map<string, number>,
    /** The positions in the database. */
    private readonly stored: ReadonlyMap<string, number>,
    /** The lowest position for a one-off without a position: after all templates. */
    private readonly floor: number
  ) {
    this.#taken = new Set(positions.values())
  }

  static async load(scope: Scope, key: ListKey): Promise<PositionList> {
    const { appId } = key
    const stepType = await stepTypeOf(scope, key)
    const list = (releaseId: string | null) =>
      scope
        .table('checklist_items')
        .where({ app_id: appId, release_id: releaseId })
        .whereNull('deleted_at')
        .where((either) =>
          either
            .where('step_type', stepType)
            .orWhereIn('step_config_id', (configs) =>
              from(configs, 'step_configs').where({ app_id: appId, type: stepType }).select('id')
            )
        )
        .select('id', 'position')
    const rows: { id: string; position: number }[] = await list(key.releaseId)
    const before: { position: number }[] = key.releaseId === null ? [] : await list(null)
    const stored = new Map(rows.map((row) => [row.id, row.position]))
    return new PositionList(new Map(stored), stored, endOf(before.map((row) => row.position)))
  }

  /** Assigns a position to an item; without a wanted one, at the end. @returns the position */
  place(id: string, wanted: number | undefined): number {
    const before = this.positions.get(id)
    this.positions.delete(id)
    if (before !== undefined) this.#taken.delete(before)
    const position = wanted ?? Math.max(this.floor, endOf(this.#taken))
    if (this.#taken.has(position)) this.#pushFrom(position)
    this.positions.set(id, position)
    this.#taken.add(position)
    this.#placed.add(id)
    return position
  }

  #pushFrom(position: number) {
    this.#taken.clear()
    for (const [id, at] of this.positions) {
      const pushed = at >= position ? at + 1 : at
      this.positions.set(id, pushed)
      this.#taken.add(pushed)
    }
  }

  /** Returns the current position of an item; later insertions may have moved it. */
  positionOf(id: string): number {
    return this.positions.get(id)!
  }

  /** Stores the positions of the items that were pushed. @returns their ids */
  async save(scope: Scope): Promise<string[]> {
    const pushed: string[] = []
    const byDistance = new Map<number, string[]>()
    for (const [id, before] of this.stored) {
      const distance = (this.positions.get(id) ?? before) - before
      if (distance === 0 || this.#placed.has(id)) continue
      const alike = byDistance.get(distance)
      if (alike) alike.push(id)
      else byDistance.set(distance, [id])
      pushed.push(id)
    }
    for (const [distance, ids] of byDistance) {
      await scope.change(PUSH, { distance, ids: JSON.stringify(ids), now: scope.now })
    }
    return pushed
  }
}

function endOf(positions: Iterable<number>): number {
  let end = 0
  for (const position of positions) end = Math.max(end, position + 1)
  return end
}

/** Returns the type of the step that a placement names. */
async function stepTypeOf(scope: Scope, { stepType, stepConfigId }: Placement) {
  if (stepType !== null) return stepType
  const row = await scope.table('step_configs').where('id', stepConfigId!).select('type').first()
  return row?.type as ReleaseStepType
}
