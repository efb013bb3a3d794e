/*
 * Google's refusals, in its own words as far as they are known.
 */

interface Words {
  /** The machine-readable reason in older parts of the API. */
  reason?: string
  /** The canonical code. */
  status?: string
  /** `google.rpc.ErrorInfo`. */
  info?: string
}

/** A refusal, which any part of the fake throws. */
export class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
    private readonly words: Words = {}
  ) {
    super(message)
  }

  response(headers: Record<string, string> = {}): Response {
    const { code, message } = this
    const { reason = 'badRequest', status = 'INVALID_ARGUMENT', info } = this.words
    const error = {
      code,
      message,
      errors: [{ message, domain: 'global', reason }],
      status,
      ...(info === undefined
        ? {}
        : { details: [{ '@type': INFO, 'reason': info, 'domain': 'googleapis.com' }] }),
    }
    return Response.json({ error }, { status: code, headers })
  }
}

const INFO = 'type.googleapis.com/google.rpc.ErrorInfo'

const invalid = (message: string) => new Refusal(400, message)
const forbidden = (message: string, words: Words = {}) =>
  new Refusal(403, message, { reason: 'forbidden', status: 'PERMISSION_DENIED', ...words })

export const REFUSALS = {
  editUnknown: () => new Refusal(404, 'Edit not found.', { status: 'NOT_FOUND' }),
  editDeleted: () => invalid('This Edit has been deleted.'),
  editExpired: () => invalid('This edit has expired, please create a new Edit.'),
  trackUnknown: (track: string) =>
    new Refusal(404, `Track not found: ${track}.`, { status: 'NOT_FOUND' }),
  listingUnknown: (language: string) =>
    new Refusal(404, `Listing not found: ${language}.`, { status: 'NOT_FOUND' }),
  codeUnknown: (code: number) => invalid(`Version code ${code} is not in the app's library.`),
  codeTwice: (code: number) => invalid(`Version code ${code} is in more than one release.`),
  codeUsed: (code: number) =>
    forbidden(`Version code ${code} has already been used.`, {
      reason: 'apkUpgradeVersionConflict',
    }),
  notUpgradable: () =>
    forbidden(
      'You cannot rollout this release because it does not allow any existing users to upgrade to the newly added APKs.',
      { reason: 'multiApkNoUpgrade' }
    ),
  fractionMissing: () => invalid('A staged release needs a userFraction between 0 and 1.'),
  fractionNotAllowed: () =>
    invalid('userFraction can only be set when status is inProgress or halted.'),
  priorityOutOfRange: () => invalid('inAppUpdatePriority must be in the range [0, 5].'),
  statusNotAllowed: (status: string) =>
    invalid(`A release cannot be given the status ${status} here.`),
  nameTooLong: () => invalid('The release name is too long: at most 50 characters are allowed.'),
  notesTooLong: () =>
    invalid('The release notes are too long: at most 500 characters are allowed.'),
  listingTooLong: () => invalid('The listing is too long.'),
  tooMany: (status: string) => invalid(`Too many ${status} releases specified.`),
  draftAppOnly: () => invalid('Only releases with status draft may be created on draft app.'),
  firstNotStaged: () => invalid('The first release on a track cannot be staged.'),
  firstNotHalted: () => invalid('The first release on a track cannot be halted.'),
  fullyReleased: () => invalid('Fully released can not be staged.'),
  declarationMissing: () =>
    forbidden('You must complete the permissions declaration form before you release.'),
  notSentAutomatically: () =>
    invalid(
      'Changes cannot be sent for review automatically. Please set the query parameter changesNotSentForReview to true. Once committed, the changes in this edit can be sent for review from the Google Play Console UI.'
    ),
  sentAutomatically: () =>
    invalid(
      'Changes are sent for review automatically. The query parameter changesNotSentForReview must not be set.'
    ),
  reviewInProgress: () =>
    new Refusal(400, 'There are changes in review.', {
      status: 'FAILED_PRECONDITION',
      info: 'CHANGES_ALREADY_IN_REVIEW',
    }),
  packageUnknown: (name: string) =>
    new Refusal(404, `Package not found: ${name}.`, {
      reason: 'applicationNotFound',
      status: 'NOT_FOUND',
    }),
  apiDisabled: () =>
    forbidden(
      'Google Play Android Developer API has not been used in project 4711 before or it is disabled.',
      { info: 'SERVICE_DISABLED' }
    ),
  noPermission: () => forbidden('The caller does not have permission'),
  dailyQuota: () => forbidden('Quota exceeded for the day.', { reason: 'dailyLimitExceeded' }),
  minuteQuota: () =>
    forbidden("Quota exceeded for quota metric 'Queries' and limit 'Queries per minute'.", {
      reason: 'rateLimitExceeded',
    }),
  replyTooLong: () => invalid('Replies of more than 350 characters are rejected.'),
  reviewUnknown: () => new Refusal(404, 'Review not found.', { status: 'NOT_FOUND' }),
  unauthenticated: () =>
    new Refusal(401, 'Request had invalid authentication credentials.', {
      reason: 'authError',
      status: 'UNAUTHENTICATED',
    }),
} as const
