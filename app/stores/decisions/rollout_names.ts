import type { RolloutChange, StoreCall } from '../reconciler/record.js'

/** Returns a change of a rollout as a participle for a sentence: "is being resumed". */
export function nameOf(change: RolloutChange): string {
  switch (change.action) {
    case 'pause':
      return 'paused'
    case 'resume':
      return 'resumed'
    case 'halt':
      return 'halted'
    case 'complete':
      return 'completed'
    case 'set':
      return `set to ${change.percentage} %`
  }
}

const CHANGES = { pause: 'Pause', resume: 'Resume', halt: 'Halt', complete: 'Complete' } as const

/** Returns the text of a call to a store, for people. */
export function callText(call: StoreCall): string {
  const { version } = call
  switch (call.method) {
    case 'prepare':
      return `Prepare ${version} with build ${call.buildNumber}`
    case 'submit':
      return `Submit ${version} for review`
    case 'cancelReview':
      return `Withdraw ${version} from review`
    case 'release':
      return `Release ${version} to users`
    case 'setRollout':
      return 'fraction' in call.to
        ? `Set the rollout of ${version} to ${Math.round(call.to.fraction * 1e4) / 100} %`
        : `${CHANGES[call.to.action]} the rollout of ${version}`
  }
}
