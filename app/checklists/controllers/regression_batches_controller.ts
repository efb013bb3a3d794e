import { ok } from '#foundation/api/operation/answer'
import type { Call } from '#foundation/api/operation/declaration'
import { validateBody } from '#foundation/api/http/validate'
import { Problem, refuse } from '#foundation/core/problems/problem'
import { demandOpen } from '#releases/actions/demand_open'
import type { ChecklistItemEntity } from '../entities.js'
import { CreateItems } from '../actions/create_items.js'
import { DeleteItems } from '../actions/delete_items.js'
import { duplicateId } from '../actions/duplicate_id.js'
import { demandLegalStatus, setItemStatuses } from '../actions/set_item_statuses.js'
import { itemEntities } from '../queries/find_item.js'
import { referredRelease } from '../queries/referred_release.js'
import { releaseItems, type PlacedItem } from '../queries/release_items.js'
import { createImpliedItem, updateBatchItem, type ItemInput } from '../validators/item_inputs.js'
import type { ItemStatus } from '../vocabulary.js'

interface BatchError {
  error: string
  code: string
}

/** Batches of regression items: what can be done is done, the rest comes back with its error. */
export class RegressionBatchesController {
  async create({ scope, params, body }: Call<{ items: object[] }>) {
    const read = await Promise.all(body.items.map((item) => attempt(() => readItem(item))))
    const readable = read.flatMap((each) => ('value' in each ? each.value : []))
    const outcomes = await new CreateItems(scope, params.appId, 'regression').all(readable)

    const made = outcomes.flatMap((outcome) => ('item' in outcome ? outcome.item : []))
    const next = outcomes.values()
    const errors = read.flatMap((each, index) => {
      if ('problem' in each) return { index, ...batchError(each.problem) }
      const outcome = next.next().value!
      return 'problem' in outcome ? { index, ...batchError(outcome.problem) } : []
    })
    return answer('created', await itemEntities(scope, made), errors)
  }

  async update({ scope, params, body }: Call<{ releaseId: string; items: { id: string }[] }>) {
    const release = await referredRelease(scope, params.appId, body.releaseId)
    demandOpen(release)
    const held = new Map(
      (
        await releaseItems(scope, release, {
          kind: 'regression',
          itemIds: [...new Set(body.items.map(({ id }) => id))],
        })
      ).map((placed) => [placed.item.id, placed])
    )
    const seen = new Set<string>()
    const read = await Promise.all(
      body.items.map((item) => attempt(() => readChange(item, held, seen)))
    )
    const changes = read.flatMap((each) => ('value' in each ? each.value : []))
    const errors = read.flatMap((each, index) =>
      'problem' in each ? { id: body.items[index].id, ...batchError(each.problem) } : []
    )
    const updated = changes.length > 0 ? await setItemStatuses(scope, release, changes) : []
    return answer('updated', updated, errors)
  }

  async delete({ scope, params, body }: Call<{ ids: string[] }>) {
    const outcomes = await new DeleteItems(scope, params.appId, 'regression').handle(body.ids)
    return answer(
      'deleted',
      outcomes.flatMap(({ id, problem }) => (problem ? [] : id)),
      outcomes.flatMap(({ id, problem }) => (problem ? { id, ...batchError(problem) } : []))
    )
  }
}

type Attempt<Value> = { value: Value } | { problem: Problem }

async function attempt<Value>(work: () => Promise<Value>): Promise<Attempt<Value>> {
  try {
    return { value: await work() }
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem
    return { problem }
  }
}

async function readItem(item: object): Promise<ItemInput> {
  return validateBody(createImpliedItem, item)
}

/** A duplicate is one whatever else is wrong with it: only the first mention counts. */
async function readChange(
  item: { id: string },
  held: ReadonlyMap<string, PlacedItem>,
  seen: Set<string>
) {
  if (seen.has(item.id)) throw duplicateId(item.id)
  seen.add(item.id)
  const placed = held.get(item.id)
  if (!placed) {
    throw refuse('not_found', { detail: `The release has no regression item ${item.id}.` })
  }
  const change: { status: ItemStatus; comment?: string | null } = await validateBody(
    updateBatchItem,
    item
  )
  demandLegalStatus(placed.item, change.status)
  return { item: placed, status: change.status, comment: change.comment }
}

function batchError({ code, message, extras }: Problem): BatchError {
  return { error: message, code: extras.errors?.[0]?.code ?? code }
}

/**
 * The answer of a batch; when every item failed the same members are part of the problem.
 * @throws all_items_failed, so that nothing is written
 */
function answer<Name extends string>(
  name: Name,
  done: readonly (ChecklistItemEntity | string)[],
  errors: readonly BatchError[]
) {
  if (done.length > 0) return ok({ [name]: done, errors })
  throw refuse('all_items_failed', {
    detail: `Every item failed; the first: ${errors[0].error}`,
    members: { [name]: [], errors: errors.map((each) => ({ ...each, message: each.error })) },
  })
}
