import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { storeWorld, timeIn, type WorldRow } from '../queries/find_world.js'
import type { ConsoleActionInput } from '../validators/world_input.js'
import { performAction, CONSOLE_DEEDS, CONSOLES, settleUntil } from '../world/consoles.js'

/**
 * Performs a deed in the console of a store of a world, now, for each app of the store.
 * @throws conflict for a deed that the store does not have, or refuses
 */
export async function actInConsole(
  scope: Scope,
  row: WorldRow,
  { store, deed: action }: ConsoleActionInput
): Promise<void> {
  const kind = CONSOLES[store]
  if (!CONSOLE_DEEDS[kind].includes(action)) {
    throw refuse('conflict', {
      detail: `The console of ${store} has no action ${action}; it has ${CONSOLE_DEEDS[kind].join(', ')}.`,
    })
  }
  const at = timeIn(row, scope)
  const before = settleUntil(row.state, at)
  const state = performAction(before, { store: kind, deed: action, at, when: null }, at)
  const refusals = state.done.slice(before.done.length).flatMap(({ refused }) => refused ?? [])
  const apps = Object.keys(kind === 'apple' ? state.appStores : state.plays)
  if (apps.length > 0 && refusals.length === apps.length) {
    throw refuse('conflict', { detail: `The store refuses it: ${refusals[0]}.` })
  }
  await storeWorld(scope, row.id, { state })
  await scope.jobs.pollNow()
}
