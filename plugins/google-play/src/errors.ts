import {
  describeKnown,
  refused as refusedBy,
  type KnownError,
  type Lifecycle,
  type ProviderError,
  type ProviderErrorCode,
} from '@tarmac/plugin-kit'

/** Makes an error that the plugin itself detects, before anything was changed. */
export function refused(
  code: ProviderErrorCode,
  message: string,
  reason?: string,
  action?: string
): ProviderError {
  return refusedBy(code, { message, reason, action })
}

const CONNECTS = 'Whoever may change integrations'
const RELEASES = 'Whoever may release the app in the Play Console'

/** The message about a change that waits for the review of others. */
export const REVIEW_RUNS = 'Google Play reviews other changes of the app.'

/** Refusals of Google that a team can resolve. The first match counts. */
const KNOWN: readonly KnownError[] = [
  {
    statuses: [400, 401],
    says: 'invalid_grant',
    code: 'unauthorized',
    reason:
      'Google does not know the key of the service account any more: it was deleted, or disabled.',
    action: `${CONNECTS} makes a new key in the Google Cloud console and rotates the connection.`,
  },
  {
    statuses: [400, 401],
    says: 'invalid_scope',
    code: 'unauthorized',
    reason: 'The service account may not ask for the scopes of Google Play.',
    action: `${CONNECTS} makes a key of a service account without restrictions of scopes.`,
  },
  {
    statuses: [403],
    says: 'SERVICE_DISABLED',
    code: 'forbidden',
    reason: 'The API is not enabled in the Google Cloud project of the service account.',
    action:
      'An owner of the project enables the Google Play Android Developer API and the Google Play Developer Reporting API.',
  },
  {
    statuses: [403],
    says: 'has not been used in project',
    code: 'forbidden',
    reason: 'The API is not enabled in the Google Cloud project of the service account.',
    action:
      'An owner of the project enables the Google Play Android Developer API and the Google Play Developer Reporting API.',
  },
  {
    statuses: [403],
    says: 'rateLimitExceeded',
    code: 'rateLimited',
    reason: 'Google got too many calls at once.',
    action: 'Nobody has to act: calls continue in a moment.',
  },
  {
    statuses: [403],
    says: 'quota',
    code: 'quotaExhausted',
    reason: 'The quota of Google for this API is used up.',
    action:
      'Nobody has to act: calls continue once Google allows it. An owner of the Google Cloud project asks for more if it happens often.',
  },
  {
    statuses: [401, 403],
    says: 'does not have permission',
    code: 'forbidden',
    reason: 'The service account lacks a permission for this app.',
    action:
      'An administrator of the Play Console compares its permissions with the table in docs/how-to/connect/google-play.md (Users and permissions).',
  },
  {
    statuses: [401, 403],
    says: 'insufficient permissions',
    code: 'forbidden',
    reason: 'The service account lacks a permission for this app.',
    action:
      'An administrator of the Play Console compares its permissions with the table in docs/how-to/connect/google-play.md (Users and permissions).',
  },
  {
    statuses: [404],
    says: 'package not found',
    code: 'notFound',
    reason:
      'Google Play has no such app for this account: the package name is another, the app was removed, or nothing was ever uploaded for it.',
    action:
      'Whoever may change the app compares bundleId with the Play Console. The first upload of a new app is made there.',
  },
  {
    says: 'CHANGES_ALREADY_IN_REVIEW',
    code: 'conflict',
    reason: REVIEW_RUNS,
    action: 'Nobody has to do anything: it is done once that review has ended.',
  },
  {
    says: 'edit has been deleted',
    code: 'conflict',
    reason:
      "Another edit of the app, of this service or somebody else's, was in the way each time it was tried.",
    action:
      'It is retried automatically. If it happens often, CI gets a service account of its own.',
  },
  {
    says: 'edit has expired',
    code: 'conflict',
    reason: 'The edit was open for too long, and Google has ended it.',
    action: 'The release pilot tries again.',
  },
  {
    says: 'cannot be sent for review automatically',
    code: 'preconditionFailed',
    reason: 'Google Play sends changes of this app for review by hand alone at present.',
    action: `${RELEASES} presses Send for review in it, under Publishing overview.`,
  },
  {
    says: 'changesNotSentForReview must not be set',
    code: 'preconditionFailed',
    reason: 'Google Play sends changes of this app for review automatically again.',
    action: 'The release pilot tries again.',
  },
  {
    says: 'status draft may be created on draft app',
    code: 'preconditionFailed',
    reason: 'The app was never published, and takes drafts alone.',
    action: `${RELEASES} completes its page there, and publishes its first release by hand.`,
  },
  {
    says: 'first release on a track cannot be staged',
    code: 'preconditionFailed',
    reason: 'The first release of a track goes to all users.',
    action: 'The release pilot submits it without a staged rollout.',
  },
  {
    says: 'first release on a track cannot be halted',
    code: 'preconditionFailed',
    reason: 'The first release of a track cannot be halted: there is none before it to serve.',
    action: 'The release pilot releases a fix, or unpublishes the app in the Play Console.',
  },
  {
    says: 'fully released can not be staged',
    code: 'preconditionFailed',
    reason: 'All users have the release already, so its share cannot shrink.',
    action: 'The release pilot halts it, or releases a fix.',
  },
  {
    says: 'releases specified',
    code: 'preconditionFailed',
    reason: 'A track takes one release of a status, and another was to stand beside it.',
    action: 'The release pilot looks at the track in the Play Console, and tries again.',
  },
  {
    says: 'does not allow any existing users to upgrade',
    code: 'preconditionFailed',
    reason:
      'Nobody could upgrade to the build: users have a higher version code, or other devices.',
    action: 'Whoever builds the app raises its version code, and has it built again.',
  },
  {
    says: "not in the app's library",
    code: 'preconditionFailed',
    reason: 'The build has not been uploaded to Google Play.',
    action: 'Whoever builds the app uploads it, and the release pilot tries again.',
  },
  {
    says: 'version code',
    statuses: [400, 403, 409],
    code: 'preconditionFailed',
    reason: 'The version code cannot be used: version codes are used once, and only grow.',
    action: 'Whoever builds the app raises its version code, and has it built again.',
  },
  {
    says: 'declaration',
    code: 'preconditionFailed',
    reason: 'Google Play wants a declaration about what the app does, such as its permissions.',
    action: `${RELEASES} fills in the declaration there, under App content.`,
  },
  {
    says: 'replies of more than',
    code: 'invalid',
    reason: 'The reply is too long: Google Play takes 350 characters.',
    action: 'Whoever replies writes less.',
  },
]

interface ErrorBody {
  error?: unknown
  error_description?: unknown
}

interface Refusal {
  message?: unknown
  status?: unknown
  errors?: { reason?: unknown; message?: unknown }[]
  details?: { reason?: unknown }[]
}

/** Returns the meaning of Google's error; undefined if its status says enough. */
export const describeError: NonNullable<Lifecycle['describeError']> = (status, body) => {
  if (status < 400) return undefined
  const { error, error_description: description } = (
    typeof body === 'object' && body !== null ? body : {}
  ) as ErrorBody
  // `error` is a code of the token endpoint, or an object of the API.
  const refusal = (typeof error === 'object' && error !== null ? error : {}) as Refusal
  const { message, errors, details } = refusal
  const reasons = [errors, details]
    .flatMap((each) => (Array.isArray(each) ? each : []))
    .map((each: { reason?: unknown } | null) => each?.reason)
  const said = [error, description, message, ...reasons].filter((each) => typeof each === 'string')
  return describeKnown(KNOWN, { status, said: said.join('\n') })
}
