import type { DescribedError, Lifecycle, ProviderErrorCode } from '@tarmac/plugin-kit'

/** The remedy for a problem with a channel that the app's integration names. */
const OTHER_CHANNEL = 'whoever may change the settings of the app names another channel'

type Known = Readonly<Record<string, readonly [ProviderErrorCode, reason: string, action?: string]>>

const key = (reason: string): Known[string] => [
  'unauthorized',
  reason,
  'Whoever may change integrations connects Slack anew.',
]

const workspace = (reason: string): Known[string] => [
  'forbidden',
  reason,
  'An administrator of the workspace allows it to the app.',
]

/** Error codes of Slack that somebody can remedy. */
const KNOWN: Known = {
  invalid_auth: key('Slack does not know the token.'),
  not_authed: key('Slack got no token.'),
  account_inactive: key('The app was removed from the workspace.'),
  token_revoked: key('The token was revoked.'),
  token_expired: key('The token has expired.'),
  invalid_client_id: key('Slack does not know the client ID.'),
  bad_client_secret: key('Slack does not take the client secret.'),
  invalid_code: key('Slack does not take the code of the browser, or took it before.'),
  bad_redirect_uri: [
    'unauthorized',
    'The app does not know the address that Slack leads back to.',
    'Whoever made the app adds it under OAuth & Permissions.',
  ],
  missing_scope: [
    'forbidden',
    'The app lacks the scope {needed}.',
    'Whoever made the app adds it under OAuth & Permissions, and installs the app again.',
  ],
  channel_not_found: [
    'notFound',
    'There is no such channel, or it is private and the app is not in it.',
    `Somebody in a private channel invites the app (/invite), or ${OTHER_CHANNEL}.`,
  ],
  is_archived: [
    'preconditionFailed',
    'The channel is archived.',
    `Somebody takes it out of the archive in Slack, or ${OTHER_CHANNEL}.`,
  ],
  not_in_channel: [
    'forbidden',
    'The app is not in the channel.',
    `Somebody in the channel invites the app (/invite), or ${OTHER_CHANNEL}.`,
  ],
  message_not_found: ['notFound', 'The message was deleted.'],
  thread_not_found: ['notFound', 'The message of the thread was deleted.'],
  edit_window_closed: [
    'conflict',
    'The workspace allows nobody to edit a message of that age.',
    'An owner of the workspace lets messages be edited at any time.',
  ],
  cant_update_message: ['conflict', 'The message is not one of this app.'],
  restricted_action: workspace('The workspace lets only some people do this.'),
  restricted_action_read_only_channel: workspace('Only some people may write in the channel.'),
  restricted_action_thread_only_channel: workspace('The channel takes answers in threads alone.'),
  restricted_action_non_threadable_channel: workspace('The channel has no threads.'),
  restricted_action_thread_locked: workspace('The thread is locked.'),
  team_access_not_granted: workspace('The app is not approved for the workspace.'),
  ekm_access_denied: workspace('The workspace has suspended access to its messages.'),
  org_login_required: workspace('The workspace is being moved into an organization.'),
  name_taken: ['conflict', 'There is a channel of that name.'],
  users_not_found: ['notFound', 'Nobody in the workspace has that address.'],
  user_not_found: ['notFound', 'There is no such person in the workspace.'],
  ratelimited: ['rateLimited', 'There were too many calls.'],
  rate_limited: ['rateLimited', 'There were too many messages.'],
}

/** Prefixes of codes about an invalid request. */
const INVALID = /^(invalid_|no_|too_|msg_|blocks_|metadata_|missing_|unknown_)/

/** Errors of Slack's servers, after which the outcome is unknown. */
export const BROKEN = ['fatal_error', 'internal_error', 'request_timeout', 'service_unavailable']

/**
 * Returns the meaning of Slack's error, which has status 200; undefined if the status says enough.
 */
export const describeError: NonNullable<Lifecycle['describeError']> = (status, body) => {
  const { ok, error, needed } = (body ?? {}) as { ok?: unknown; error?: unknown; needed?: unknown }
  if (status >= 300 || ok !== false) return undefined
  const code = typeof error === 'string' ? error : 'unknown_error'
  // Without a meaning here, the client reports an unknown outcome.
  if (BROKEN.includes(code)) return undefined
  const known = Object.hasOwn(KNOWN, code) ? KNOWN[code] : undefined
  if (!known) return { code: INVALID.test(code) ? 'invalid' : 'preconditionFailed', reason: code }
  const [is, reason, action] = known
  const scope = typeof needed === 'string' ? needed : 'that this needs'
  return {
    ...{ code: is, reason: reason.replace('{needed}', scope) },
    ...(action !== undefined && { action }),
  } satisfies DescribedError
}
