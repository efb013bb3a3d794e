import { STORE_NAMES } from '#apps/vocabulary'
import type { Scope } from '#foundation/core/scope'
import { holderOf, SERVICE, type Condition, type Who } from '#releases/engine/conditions'
import { assessSteps, statusesOf } from '#releases/engine/evaluate'
import { outlook } from '#releases/engine/outlook'
import type { HeldOutside } from '#releases/engine/why_not_moving'
import type { Expected } from '#releases/extensions'
import { loadFacts } from '#releases/queries/load_facts'
import type { ReleaseRow } from '#releases/queries/read_release'
import type { StoreType } from '../vocabulary.js'
import {
  isAskedFor,
  pairOf,
  sideOf,
  standingTakeoff,
  stateOfPair,
  type Paired,
  type PairState,
} from './find_pair.js'
import { isNamed, nameOfSide } from './pair_names.js'
import { OTHER, type PairStep } from './pair_step.js'

const storeOf = (side: StoreType): Who => ({ type: 'store', name: STORE_NAMES[side] })
const PEOPLE = holderOf('SubmitForReview')

/** Returns what a release waits for in its pair; null if it has no pair, is out, or has left it. */
export async function pairWaits(scope: Scope, release: ReleaseRow): Promise<HeldOutside | null> {
  const row = await pairOf(scope, release)
  if (!row) return null
  const state = await stateOfPair(scope, row)
  const own = sideOf(row, release)
  const { status } = state.sides[own].side
  if (status === 'out' || status === 'left') return null
  const conditions = conditionsOf(scope, state, own)
  const by = standingTakeoff(row)?.by.name
  const takeoffNote = by === undefined ? '' : ` ${by} started the takeoff of both.`
  return {
    isTakenOff: by !== undefined,
    isForOther: isForOther(state.step, own),
    conditions: conditions.map(({ message, ...each }) => ({
      ...each,
      message: `${message}${takeoffNote}`.slice(0, 1000),
    })),
  }
}

const isForOther = (step: PairStep, own: StoreType): boolean =>
  step.kind === 'waits' ? !step.for.includes(own) : step.kind === 'asks' && step.side !== own

function conditionsOf(scope: Scope, { sides, step }: PairState, own: StoreType): Condition[] {
  const other = OTHER[own]
  const nameOf = (side: StoreType) => {
    if (side === own) return 'this one'
    const { appId, publicId } = sides[side].release
    return isNamed(scope, appId) ? publicId : nameOfSide(side)
  }
  const condition = (of: StoreType, message: string, who: Who[]): Condition => {
    const { appId, publicId: id, version: name } = sides[of].release
    const subject = isNamed(scope, appId) ? { subject: { type: 'release', id, name } as const } : {}
    return { code: 'pair_waits', message, ...subject, who }
  }
  switch (step.kind) {
    case 'waits':
      return step.for.flatMap((side) => {
        if (side === own && step.for.length > 1) return []
        const { text, who } = obstacleOf(sides[side], side)
        const together = `It goes out together with ${nameOf(other)}`
        const isOut = sides[OTHER[side]].side.status === 'out'
        let message = `${together}, which ${text}.`
        if (isOut) message = `${nameOf(other)} is out: this one follows once it is ready.`
        else if (side === own) message = `${together}, which is waiting for this one.`
        return [condition(side, message, who)]
      })
    case 'due':
      return [
        condition(
          other,
          `It goes out together with ${nameOf(other)}: both are ready. Start the joint takeoff.`,
          [PEOPLE]
        ),
      ]
    case 'asks': {
      const { release, stores } = sides[step.side]
      const failed = stores.find(({ plan }) => plan?.wanted?.status === 'failed')?.plan?.wanted
      const refused = failed?.what === 'released' ? failed.reason : null
      if (refused) {
        const isReported = step.side === own || isNamed(scope, release.appId)
        const why = isReported ? `: ${refused}` : '.'
        const message = `It goes out together with ${nameOf(other)}, and ${nameOf(step.side)} could not be released${why}`
        return [condition(step.side, message, [PEOPLE])]
      }
      if (!isAskedFor(stores)) {
        const message = `It goes out together with ${nameOf(other)}: the service asks ${STORE_NAMES[step.side]} to release ${nameOf(step.side)} next.`
        return [condition(step.side, message, [SERVICE])]
      }
      return [condition(step.side, askText(step.side, own, nameOf(other)), movers(step.side))]
    }
    case 'alone':
      return sides[other].side.status === 'out'
        ? [
            condition(
              other,
              `It was to go out together with ${nameOf(other)}, which is already out without a joint takeoff. This one needs its own takeoff.`,
              [PEOPLE]
            ),
          ]
        : []
    case 'over':
    case 'ended':
      return []
  }
}

const movers = (side: StoreType) => (side === 'google' ? [PEOPLE] : [SERVICE, storeOf('apple')])

function askText(side: StoreType, own: StoreType, other: string): string {
  if (side === 'apple') {
    return own === 'apple'
      ? `${other} is out: the service asks the App Store to release this one.`
      : `${other} is out: this one is published next.`
  }
  const publish = 'open the Publishing overview in the Play Console and press Publish changes'
  return own === 'google'
    ? `It goes out together with ${other}, which is released once this one is live on Google Play. To publish it, ${publish}.`
    : `It is released once ${other} is live on Google Play. To publish that, ${publish}.`
}

/** Returns what holds up a release of a pair, as the end of a sentence, and who can resolve it. */
function obstacleOf({ release, stores }: Paired, side: StoreType): { text: string; who: Who[] } {
  if (stores.some(({ facts }) => facts.storeReview.state === 'rejected')) {
    return { text: 'was rejected and has to be resubmitted', who: [PEOPLE] }
  }
  if (stores.some(({ facts }) => !facts.submission.submitted)) {
    const text = release.kickedOffAt === null ? 'is not kicked off' : 'is not submitted for review'
    return { text, who: [PEOPLE] }
  }
  if (stores.some(({ facts }) => facts.storeReview.state !== 'approved')) {
    return { text: 'is not approved by its store yet', who: [storeOf(side)] }
  }
  return { text: 'is approved but has incomplete required steps', who: [{ type: 'releasePilot' }] }
}

/** Returns the expected release on the target date of the other release of the pair. */
export async function pairExpects(scope: Scope, release: ReleaseRow): Promise<Expected[]> {
  const row = await pairOf(scope, release)
  if (!row || row.takeoff) return []
  const { sides, step } = await stateOfPair(scope, row)
  if (step.kind !== 'waits' && step.kind !== 'due') return []
  const other = sides[OTHER[sideOf(row, release)]].release
  const { facts } = await loadFacts(scope, other)
  const dated = outlook(facts, statusesOf(assessSteps(facts)), scope.now)
  return dated.flatMap(({ what, at }) =>
    what === 'release'
      ? [
          {
            at,
            what,
            message: `It goes out with ${nameOfSide(OTHER[sideOf(row, release)])} on the target date of that release, if that release is ready by then.`,
          },
        ]
      : []
  )
}
