import type { Instant } from '#foundation/core/clock'
import { of, select } from '#foundation/core/database/statement'
import type { RowOf } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { storesOfRelease, type StoreOfRelease } from '#stores/queries/store_state'
import { stops } from '#stores/reconciler/states'
import type { WantedRollout } from '#stores/tables'
import { redButtons } from '../tables.js'

const PRESSED = select(
  of(redButtons, 'b', ['issueId', 'pressedAt', 'pressedBy', 'reason', 'generations']),
  'from red_buttons b where b.organization_id = :org and b.release_id = :releaseId'
)

export type Pressed = Pick<
  RowOf<typeof redButtons>,
  'issueId' | 'pressedAt' | 'pressedBy' | 'reason' | 'generations'
>

/**
 * Returns the press of a release's red button; null if it was not pressed, or somebody let the
 * release go on since.
 * @param stores of the release, if already read
 */
export async function pressedOf(
  scope: Scope,
  release: { id: string; appId: string },
  stores?: readonly StoreOfRelease[]
): Promise<Pressed | null> {
  const [pressed] = await scope.rows(PRESSED, { releaseId: release.id })
  if (!pressed) return null
  return stands(pressed, stores ?? (await storesOfRelease(scope, release))) ? pressed : null
}

/** Returns whether a stop in a store belongs to the press and not to another decision. Pure. */
export const isStopByPress = (
  pressed: Pressed,
  { target }: StoreOfRelease,
  decided: WantedRollout
) =>
  !isAfter(pressed, target, decided) &&
  decided.at >= pressed.pressedAt &&
  JSON.stringify(decided.by) === JSON.stringify(pressed.pressedBy)

/**
 * Returns whether a press stands: until every store that it stopped goes on, or, if it stopped
 * none, until any store goes on.
 */
function stands(pressed: Pressed, stores: readonly StoreOfRelease[]): boolean {
  return (
    stores.some((each) => isHeld(pressed, each)) || !stores.some((each) => goesOn(pressed, each))
  )
}

const isHeld = (pressed: Pressed, { target, plan }: StoreOfRelease) => {
  const decided = plan?.rollout ?? null
  return decided !== null && stops(decided.to) && !isAfter(pressed, target, decided)
}

function goesOn(pressed: Pressed, { target, plan }: StoreOfRelease): boolean {
  const { wanted = null, rollout = null } = plan ?? {}
  if (rollout !== null && !stops(rollout.to) && isAfter(pressed, target, rollout)) return true
  const isComing = wanted !== null && wanted.what !== 'withdrawn' && wanted.stoppedAt === undefined
  return isComing && isAfter(pressed, target, wanted)
}

/**
 * Returns whether a decision was made after the press: by its generation, or by its time in a store
 * that the press does not know.
 */
function isAfter(
  { generations, pressedAt }: Pressed,
  { integrationId }: StoreOfRelease['target'],
  decided: { generation: number; at: Instant }
): boolean {
  const atPress = generations[integrationId]
  return atPress === undefined ? decided.at > pressedAt : decided.generation > atPress
}
