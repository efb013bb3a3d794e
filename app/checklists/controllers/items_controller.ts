import { created, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { CreateItems } from '../actions/create_items.js'
import { UpdateItem } from '../actions/update_item.js'
import { itemEntities, showItem } from '../queries/find_item.js'
import { readReferencedRelease } from '#releases/queries/find_release'
import type { ItemChanges, ItemInput, ItemQuery } from '../validators/item_inputs.js'
import type { ItemKind } from '#releases/vocabulary'

/** Items as the app defines them. */
export class ItemsController {
  async create(kind: ItemKind, { scope, params, body }: Call<ItemInput>) {
    const item = await new CreateItems(scope, params.appId, kind).one(body)
    return async () => {
      const [entity] = await itemEntities(scope, [item])
      return created(entity, `/app/${params.appId}/checklistItem/${item.id}`)
    }
  }

  checkCreate(
    kind: ItemKind,
    { scope, params, body }: Call<PartiallyValid<ItemInput>>,
    errors: InputErrors
  ) {
    return new CreateItems(scope, params.appId, kind).check(body, errors)
  }

  checkUpdate(
    { scope, params, body }: Call<PartiallyValid<ItemChanges>, unknown>,
    errors: InputErrors
  ) {
    return new UpdateItem(scope).check(params.appId, params.checklistItemId, body, errors)
  }

  async show({ scope, params, query }: Call<undefined, ItemQuery>) {
    return ok(await showItem(scope, params.appId, params.checklistItemId, query.releaseId))
  }

  async update({ scope, params, body, query }: Call<ItemChanges, ItemQuery>) {
    // Report a release that does not exist before anything is written.
    if (query.releaseId) await readReferencedRelease(scope, params.appId, query.releaseId)
    await new UpdateItem(scope).handle(params.appId, params.checklistItemId, body)
    return async () =>
      ok(await showItem(scope, params.appId, params.checklistItemId, query.releaseId))
  }
}
