import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { requireOpen } from '#releases/preconditions/require_open'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import {
  featureItemEntity,
  featureItemsById,
  type FeatureItemRow,
} from '../queries/feature_items.js'
import { deriveCounts } from '../readiness/derive_features.js'
import { featureItems } from '../tables.js'
import type { IgnoreItemsInput } from '../validators/features_input.js'

interface Wanted {
  id: string
  ignored: boolean
}

/** Ignores work items of a release, or restores them. */
export class IgnoreItems {
  constructor(private readonly scope: Scope) {}

  /** Collects the errors of an input beyond its shape. */
  check({ items, itemIds }: PartiallyValid<IgnoreItemsInput>, errors: InputErrors): void {
    if (items !== undefined && itemIds !== undefined) {
      const message = 'Give either `items` or `itemIds`, not both.'
      errors.add({ pointer: '/itemIds', code: 'one_of', message })
    }
    if (!errors.isWellFormed('/items') || !errors.isWellFormed('/itemIds')) return
    if (items !== undefined || itemIds !== undefined) return
    errors.add({ pointer: '/items', code: 'required', message: 'Name the items.' })
  }

  /** @throws invalid_input, release_completed, release_skipped, all_items_failed */
  async handle(release: Release, input: IgnoreItemsInput) {
    const { scope } = this
    const inputErrors = new InputErrors()
    this.check(input, inputErrors)
    inputErrors.throwIfAny()
    requireOpen(release)
    const { items = [], itemIds = [], ignore = true } = input
    const wanted: Wanted[] = [...items, ...itemIds.map((id) => ({ id, ignored: ignore }))]
    const ids = wanted.map(({ id }) => id)
    const found = new Map(
      (await featureItemsById(scope, release.id, ids)).map((row) => [row.id, row])
    )
    const { good, errors } = this.#sort(wanted, found)
    if (good.length === 0) {
      throw refuse('all_items_failed', {
        detail: `Every item failed; the first: ${errors[0].error}`,
        members: { updated: [], errors: errors.map((each) => ({ ...each, message: each.error })) },
      })
    }
    const changed = good.filter(({ id, ignored }) => found.get(id)!.ignored !== ignored)
    await this.#set(release, changed, true, found)
    await this.#set(release, changed, false, found)
    if (changed.length > 0) await deriveCounts(scope, release)
    const now = new Map(
      (await featureItemsById(scope, release.id, ids)).map((row) => [row.id, row])
    )
    return { updated: good.map(({ id }) => featureItemEntity(now.get(id)!)), errors }
  }

  /** Sorts requested changes into possible ones, each item once, and errors. */
  #sort(wanted: readonly Wanted[], found: ReadonlyMap<string, FeatureItemRow>) {
    const good: Wanted[] = []
    const errors: { id: string; error: string; code: string }[] = []
    const seen = new Set<string>()
    for (const each of wanted) {
      const { id } = each
      if (seen.has(id)) {
        errors.push({ id, error: `The item ${id} is listed twice.`, code: 'duplicate_id' })
      } else if (!found.has(id)) {
        errors.push({ id, error: `The release has no work item ${id}.`, code: 'not_found' })
      } else good.push(each)
      seen.add(id)
    }
    return { good, errors }
  }

  async #set(
    release: Release,
    changed: readonly Wanted[],
    ignored: boolean,
    found: ReadonlyMap<string, FeatureItemRow>
  ): Promise<void> {
    const { scope } = this
    const ids = changed.filter((each) => each.ignored === ignored).map(({ id }) => id)
    if (ids.length === 0) return
    const by = ignored
      ? { ignoredBy: scope.actor, ignoredAt: scope.now }
      : { ignoredBy: null, ignoredAt: null }
    await scope.update(featureItems, { id: ids }, { ignored, ...by })
    const names = ids.map((id) => nameOf(found.get(id)!))
    const shown = names.length === 1 ? names[0] : `${names.length} work items`
    recordReleaseEvent(scope, release, {
      type: ignored ? 'featureReadiness.itemsIgnored' : 'featureReadiness.itemsRestored',
      title: `Feature readiness: ${shown} ${ignored ? 'put aside' : 'taken up again'}`,
      data: { items: ids.map((id, index) => ({ id, name: names[index] })) },
      payload: null,
    })
  }
}

/** Returns the name of a work item for people. */
function nameOf({ ticket, itemKey }: FeatureItemRow): string {
  const [kind, name] = itemKey.split(':')
  return ticket?.key ?? (kind === 'pull' ? `#${name}` : name.slice(0, 10))
}
