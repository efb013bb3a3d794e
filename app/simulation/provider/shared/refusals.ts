import type { Lifecycle } from '#plugin-kit/plugin'
import type { ProviderErrorCode } from '#plugin-kit/provider_error'

/** Meaning of a world's refusals; all others are classified by status. */
export const REFUSALS: Readonly<Record<string, ProviderErrorCode>> = {
  versionInFlight: 'conflict',
  versionNotShown: 'preconditionFailed',
  versionNotHigher: 'invalid',
  versionUnknown: 'notFound',
  buildTaken: 'conflict',
  buildUnknown: 'notFound',
  buildNotReady: 'preconditionFailed',
  buildInvalid: 'preconditionFailed',
  buildExpired: 'preconditionFailed',
  buildMissing: 'preconditionFailed',
  complianceMissing: 'preconditionFailed',
  groupUnknown: 'notFound',
  notEditable: 'conflict',
  textTooLong: 'invalid',
  notInReview: 'conflict',
  notApproved: 'preconditionFailed',
  notPhased: 'preconditionFailed',
  notLive: 'preconditionFailed',
  pauseBudgetSpent: 'preconditionFailed',
  reviewUnknown: 'notFound',
  editUnknown: 'notFound',
  editDeleted: 'conflict',
  editExpired: 'conflict',
  trackUnknown: 'notFound',
  versionCodeTaken: 'conflict',
  versionCodeTwice: 'invalid',
  fractionInvalid: 'invalid',
  fractionNotAllowed: 'invalid',
  statusNotAllowed: 'preconditionFailed',
  draftAppOnly: 'preconditionFailed',
  firstNotStaged: 'preconditionFailed',
  firstNotHalted: 'preconditionFailed',
  fullyReleased: 'preconditionFailed',
  notUpgradable: 'preconditionFailed',
  reviewInProgress: 'conflict',
  notSentAutomatically: 'preconditionFailed',
  sentAutomatically: 'preconditionFailed',
  commitUnknown: 'notFound',
  branchUnknown: 'notFound',
  pullUnknown: 'notFound',
  nothingToMerge: 'invalid',
  nothingToPick: 'conflict',
}

/** Reasons that the kit has words for. */
const REASONS: Readonly<Record<string, string>> = {
  branchUnknown: 'branch',
  commitUnknown: 'commit',
  nothingToPick: 'nothing_to_pick',
}

/** Reads the code that a store of a world gives for what it refuses; the reason is that code. */
export const describeError: NonNullable<Lifecycle['describeError']> = (status, body) => {
  if (status < 400 || typeof body !== 'object' || body === null) return undefined
  const { code } = body as { code?: unknown }
  if (typeof code !== 'string' || !Object.hasOwn(REFUSALS, code)) return undefined
  return { code: REFUSALS[code], reason: REASONS[code] ?? code }
}
