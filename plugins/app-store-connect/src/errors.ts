import { describeKnown, type KnownError, type Lifecycle } from '@tarmac/plugin-kit'

/** The app has, or had, a version of that name. */
export const VERSION_TAKEN = {
  reason: 'The version name is taken: the app has, or had, a version of that name.',
  action: 'Whoever releases chooses a higher one, and has it built into the app.',
}

/** Apple refuses the change because of the submission's own state alone. */
export const SUBMISSION_CLOSED = {
  code: 'preconditionFailed' as const,
  reason: 'The state of the submission for review does not allow this.',
  action: 'Whoever releases looks at the submission in App Store Connect.',
}

/** Refusals of Apple that a team can resolve. The first match counts. */
const KNOWN: readonly KnownError[] = [
  {
    statuses: [401],
    code: 'unauthorized',
    reason:
      'Apple does not accept the key: it was revoked, or key ID, issuer ID and key file do not belong together.',
    action:
      'An Admin of the account makes a new key in App Store Connect, and someone who may change integrations rotates the connection.',
  },
  {
    statuses: [403],
    says: 'required_agreements_missing_or_expired',
    code: 'forbidden',
    reason: 'An agreement with Apple is not signed or has ended, and Apple refuses everything.',
    action: 'The Account Holder signs it in App Store Connect, under Business.',
    who: 'Account Holder',
  },
  {
    statuses: [403],
    code: 'forbidden',
    reason: 'The role of the key does not allow this.',
    action:
      'An Admin of the account compares it with docs/how-to/connect/app-store-connect.md: a role of a key cannot be changed, so a new key is made.',
  },
  {
    statuses: [404],
    says: "type 'apps'",
    code: 'notFound',
    reason:
      'The key does not see the app: it was removed from the account, or the key is for others.',
    action:
      'Whoever may change the app corrects its bundleId, or an Admin of the account gives the key access.',
  },
  {
    statuses: [409, 422],
    says: 'previously used',
    code: 'invalid',
    ...VERSION_TAKEN,
  },
  {
    statuses: [409, 422],
    says: 'higher',
    code: 'invalid',
    reason: 'The version name is not higher than that of the last version.',
    action: 'Whoever releases chooses a higher one, and has it built into the app.',
  },
  {
    statuses: [409],
    says: 'cannot create a new version of the app in the current state',
    code: 'conflict',
    reason: 'Another version of the app is under way: Apple takes one at a time.',
    action: 'Whoever releases brings that one to users, or deletes it in App Store Connect.',
  },
  {
    statuses: [409, 422],
    says: 'export compliance',
    code: 'preconditionFailed',
    reason: 'Nobody has said of the build whether it encrypts (export compliance).',
    action:
      'Whoever may submit answers that at the build in App Store Connect; ITSAppUsesNonExemptEncryption in Info.plist answers it for good.',
  },
  {
    statuses: [409, 422],
    says: 'expired',
    code: 'preconditionFailed',
    reason: 'The build has expired: Apple takes one for 90 days.',
    action: 'Whoever releases has a new build made, and chooses that.',
  },
  {
    statuses: [409, 422],
    says: 'valid processing state',
    code: 'preconditionFailed',
    reason: 'Apple has not processed the build yet.',
    action: 'Whoever releases waits until the build is ready.',
  },
  {
    statuses: [409, 422],
    says: 'another build is in review',
    code: 'conflict',
    reason: 'Another build of the same version is in beta review: Apple takes one at a time.',
    action:
      'Whoever tests waits for that review, or takes the other build out of it in App Store Connect.',
  },
  {
    statuses: [409],
    says: 'already added to another reviewsubmission',
    code: 'conflict',
    reason: 'The version is part of another submission for review.',
    action: 'Whoever releases removes it from that one in App Store Connect.',
  },
  {
    statuses: [409],
    says: "'whatsnew' cannot be edited",
    code: 'preconditionFailed',
    reason: 'Apple takes no release notes here: the first version of an app has none.',
    action: 'Whoever releases leaves them out.',
  },
  {
    statuses: [409],
    says: "attribute 'whatsnew'",
    code: 'preconditionFailed',
    reason: 'The version lacks release notes in one of its languages.',
    action: 'Whoever writes them adds them for every language of the version.',
  },
  {
    statuses: [409],
    says: 'screenshot',
    code: 'preconditionFailed',
    reason: 'The version lacks a screenshot that Apple demands: {detail}',
    action: 'Whoever keeps the store page adds it in App Store Connect.',
  },
  {
    statuses: [409],
    says: 'data usages',
    code: 'preconditionFailed',
    reason: "Apple demands answers about the app's use of data (App Privacy).",
    action: 'An Admin or App Manager publishes them in App Store Connect.',
  },
  {
    statuses: [409, 422],
    says: 'too_long',
    code: 'invalid',
    reason: 'A text is longer than Apple takes: {detail}',
    action: 'Whoever writes it makes it shorter.',
  },
  {
    statuses: [409],
    says: 'paused for',
    code: 'preconditionFailed',
    reason: 'The phased release was paused for 30 days in all, and Apple allows no more.',
    action: 'Whoever releases removes the app from sale in App Store Connect, or ships a fix.',
  },
  {
    statuses: [409],
    says: 'state_error',
    code: 'preconditionFailed',
    reason: 'The state of the version does not allow this: {detail}',
    action: 'Whoever releases looks at the version in App Store Connect, which says what it lacks.',
  },
  {
    statuses: [409],
    says: 'not in valid state',
    code: 'preconditionFailed',
    reason: 'The state of the version does not allow this: {detail}',
    action: 'Whoever releases looks at the version in App Store Connect, which says what it lacks.',
  },
  {
    statuses: [409, 422],
    says: 'entity_',
    code: 'invalid',
    reason: 'Apple does not accept a value: {detail}',
    action: 'Whoever asked corrects it, or looks at the version in App Store Connect.',
  },
]

interface Entry {
  code?: unknown
  title?: unknown
  detail?: unknown
  meta?: { associatedErrors?: Record<string, unknown> }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Returns the errors of an answer, each followed by its associated errors. */
function entriesIn(body: unknown): Entry[] {
  const { errors } = (typeof body === 'object' && body !== null ? body : {}) as { errors?: unknown }
  const own = (Array.isArray(errors) ? errors : []).filter(
    (each): each is Entry => typeof each === 'object' && each !== null
  )
  return own.flatMap((each) => [
    each,
    ...Object.values(each.meta?.associatedErrors ?? {})
      .flat()
      .filter((behind): behind is Entry => typeof behind === 'object' && behind !== null),
  ])
}

/**
 * Returns whether Apple refuses a change because of the submission's own state alone, without
 * associated errors.
 */
function isOfSubmission(status: number, [first, ...others]: readonly Entry[]): boolean {
  const { code, detail } = first ?? {}
  if (status !== 409 || others.length > 0 || !isText(code) || !isText(detail)) return false
  return (
    /^STATE_ERROR(\.ENTITY_STATE_INVALID)?$/.test(code) &&
    /^reviewSubmissions with id .* not in (a )?valid state/i.test(detail) &&
    !detail.includes('associated errors')
  )
}

/** Returns the meaning of Apple's error; undefined if its status says enough. */
export const describeError: NonNullable<Lifecycle['describeError']> = (status, body) => {
  if (status < 400) return undefined
  const entries = entriesIn(body)
  if (isOfSubmission(status, entries)) return SUBMISSION_CLOSED
  const said = entries.flatMap(({ code, title, detail }) => [code, title, detail]).filter(isText)
  // The last detail is the most specific: the first often only refers to associated errors.
  const detail = entries
    .flatMap(({ detail: text }) => text ?? [])
    .filter(isText)
    .at(-1)
  return describeKnown(KNOWN, { status, said: said.join('\n'), words: { detail } })
}
