import type { StoreVersion } from '#plugin-kit/capabilities/stores'
import type { Decision } from './system.js'

/*
 * Interprets the views of the store for the naive system.
 */

export const SERVED = ['rolledOutPartially', 'halted', 'live']
export const OPEN = [
  'preparing',
  'readyForReview',
  'rejected',
  'metadataRejected',
  'developerRejected',
]
export const IN_REVIEW = ['waitingForReview', 'inReview']
export const isHeld = ({ rollout }: StoreVersion) =>
  rollout?.state === 'halted' || rollout?.state === 'paused'

export const wordsOf = ({ status, rollout }: StoreVersion) =>
  `${status.state} ${rollout?.state} ${rollout?.fraction}`

export function isShownWhereWanted(decision: Decision, view: StoreVersion): boolean {
  const { status, rollout, buildNumbers, waitsForSending } = view
  const isServed = SERVED.includes(status.state)
  switch (decision.what) {
    case 'submit': {
      const isSent = ![...OPEN, 'replaced', 'removed'].includes(status.state)
      return isSent && buildNumbers?.[0] === decision.buildNumber
    }
    case 'withdraw':
      return OPEN.includes(status.state) && !waitsForSending
    case 'release':
      return isServed || status.state === 'processing'
    case 'pause':
    case 'halt':
      return isServed && isHeld(view)
    case 'resume':
      return isServed && !isHeld(view)
    case 'complete':
      return status.state === 'live'
    case 'set':
      return (
        isServed &&
        !isHeld(view) &&
        Math.abs((rollout?.fraction ?? 0) * 100 - decision.percentage) < 0.01
      )
    case 'close':
    case 'stopTakeoff':
      return true
  }
}
