import type { ApplicationService } from '@adonisjs/core/types'
import { isWrite, type AnyOperation } from '#foundation/api/operation/declaration'
import type { Executor } from '#foundation/api/execution/execute'

/*
 * In every test, each response that may come from the cache is also made anew. As long as the
 * change number of the organization is the same, both must be equal.
 */

/** Compares each response that may be kept with a fresh one. */
export async function compareCachedResponses(app: ApplicationService): Promise<void> {
  const executor = await app.container.make('executor')
  const changes = await app.container.make('changes')
  const execute = executor.execute.bind(executor)
  const compared: Executor['execute'] = async (operation, principal, request) => {
    const shown = await execute(operation, principal, request)
    const { id, changes: number } = principal.organization
    if (!mayBeCached(operation) || request.asked === undefined || shown.status !== 200) return shown
    // A request without a change number never gets a kept response.
    const organization = { ...principal.organization, changes: undefined }
    const fresh = await execute(operation, { ...principal, organization }, request)
    const isSame = Buffer.from(shown.bytes).equals(Buffer.from(fresh.bytes))
    if (isSame || (await changes.of(id)) !== number) return shown
    throw new Error(
      `${operation.id} is stale: ${request.asked}\n${shown.bytes}\nis now\n${fresh.bytes}`
    )
  }
  executor.execute = compared
}

const mayBeCached = (operation: AnyOperation) =>
  !isWrite(operation) && operation.isOfStored === true
