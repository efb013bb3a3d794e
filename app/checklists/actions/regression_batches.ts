import { validateWhole } from '#foundation/api/execution/validate'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { requireOpen } from '#releases/preconditions/require_open'
import { findReferencedRelease } from '#releases/queries/find_release'
import { duplicateId } from '../definitions/duplicate_id.js'
import { itemEntities } from '../queries/find_item.js'
import { findReleaseItems, type ReleaseItem } from '../queries/find_release_items.js'
import { createImpliedItem, updateBatchItem } from '../validators/item_inputs.js'
import { attemptAll, batchError, isDone } from '#foundation/core/problems/attempt'
import { batchAnswer } from '../definitions/batch.js'
import { CreateItems } from './create_items.js'
import { DeleteItems } from './delete_items.js'
import { requireLegalStatus, setItemStatuses } from '../release_items/set_item_statuses.js'
import type { StatusChange } from '../release_items/write_statuses.js'

/** Batches of regression items. Valid entries are carried out, and the others return an error. */
export class RegressionBatches {
  constructor(
    private readonly scope: Scope,
    private readonly appId: string
  ) {}

  /** @throws all_items_failed */
  async create(items: readonly object[]) {
    const creating = new CreateItems(this.scope, this.appId, 'regression')
    const inputs = await attemptAll(items, (item) =>
      validateWhole(createImpliedItem, item, (sound, errors) => creating.check(sound, errors))
    )
    const outcomes = await creating.all(inputs.filter(isDone).map(({ value }) => value))
    const created = outcomes.filter(isDone).map(({ value }) => value)
    // Each valid input has one outcome, in order.
    const remaining = outcomes.values()
    const errors = inputs.flatMap((input, index) => {
      const outcome = isDone(input) ? remaining.next().value! : input
      return isDone(outcome) ? [] : { index, ...batchError(outcome.problem) }
    })
    return batchAnswer('created', await itemEntities(this.scope, created), errors)
  }

  /** @throws not_found, release_completed, release_skipped, all_items_failed */
  async setStatuses(releaseId: string, items: readonly { id: string }[]) {
    const release = await findReferencedRelease(this.scope, this.appId, releaseId)
    requireOpen(release)
    const itemIds = [...new Set(items.map(({ id }) => id))]
    const found = await findReleaseItems(this.scope, release, { kind: 'regression', itemIds })
    const byId = new Map(found.map((each) => [each.item.id, each]))
    const seen = new Set<string>()
    const changes = await attemptAll(items, (item) => this.#change(item, byId, seen))
    const errors = changes.flatMap((change, index) =>
      isDone(change) ? [] : { id: items[index].id, ...batchError(change.problem) }
    )
    const done = changes.filter(isDone).map(({ value }) => value)
    const updated = done.length > 0 ? await setItemStatuses(this.scope, release, done) : []
    return batchAnswer('updated', updated, errors)
  }

  /** @throws all_items_failed */
  async delete(ids: readonly string[]) {
    const outcomes = await new DeleteItems(this.scope, this.appId, 'regression').handle(ids)
    const errors = outcomes.flatMap((outcome, index) =>
      isDone(outcome) ? [] : { id: ids[index], ...batchError(outcome.problem) }
    )
    const deleted = outcomes.filter(isDone).map(({ value }) => value)
    return batchAnswer('deleted', deleted, errors)
  }

  /** Validates one entry. A repeated id is reported as a duplicate before any other fault. */
  async #change(
    item: { id: string },
    byId: ReadonlyMap<string, ReleaseItem>,
    seen: Set<string>
  ): Promise<StatusChange> {
    if (seen.has(item.id)) throw duplicateId(item.id)
    seen.add(item.id)
    const found = byId.get(item.id)
    if (!found) {
      throw refuse('not_found', { detail: `The release has no regression item ${item.id}.` })
    }
    const { status, comment } = await validateWhole(updateBatchItem, item, (sound, errors) =>
      errors.collect(() => sound.status && requireLegalStatus(found.item, sound.status))
    )
    requireLegalStatus(found.item, status)
    return { current: found, status, comment }
  }
}
