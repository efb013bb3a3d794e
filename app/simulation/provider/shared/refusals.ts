import type { Lifecycle } from '#plugin-kit/plugin'
import type { ProviderErrorCode } from '#plugin-kit/provider_error'

/** Error codes for the refusals of a world; all others are classified by status. */
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

/** Reasons with a name of their own in the plugin kit. */
const REASONS: Readonly<Record<string, string>> = {
  branchUnknown: 'branch',
  commitUnknown: 'commit',
  nothingToPick: 'nothing_to_pick',
}

/** Classifies a refusal of a world by its code, which becomes the reason. */
export const describeError: NonNullable<Lifecycle['describeError']> = (status, body) => {
  if (status < 400 || typeof body !== 'object' || body === null) return undefined
  const { code } = body as { code?: unknown }
  if (typeof code !== 'string' || !Object.hasOwn(REFUSALS, code)) return undefined
  return { code: REFUSALS[code], reason: REASONS[code] ?? code }
}
