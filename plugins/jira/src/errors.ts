import {
  describeKnown,
  type DescribedError,
  type KnownError,
  type Lifecycle,
  type ProviderErrorCode,
} from '@tarmac/plugin-kit'

/**
 * The header by which Jira reports refused credentials, while it answers as to an anonymous caller.
 */
const LOGIN = 'x-seraph-loginreason'
const REFUSED_LOGINS = ['AUTHENTICATED_FAILED', 'AUTHENTICATION_DENIED']

const REVOKED: DescribedError = {
  code: 'unauthorized',
  reason: 'Jira does not accept the credentials: they were revoked, or have expired.',
  action: 'Whoever may change integrations makes a new key and rotates the connection.',
}

/** The reasons of rate limits. Another header has the wait. */
const LIMITS: Readonly<Record<string, DescribedError>> = {
  'jira-quota': { code: 'quotaExhausted', reason: 'The points of this hour are used up.' },
  'jira-burst': { code: 'rateLimited', reason: 'Too many requests of one kind in a second.' },
  'jira-per-issue': {
    code: 'rateLimited',
    reason: 'One issue was changed too often in a short time.',
  },
}

const ADMINISTER =
  'An administrator of the Jira project gives the account "Administer Projects" there.'
const EDIT = 'An administrator of the Jira project gives the account "Edit Issues" there.'

/** Refusals of Jira that a team can resolve. The first match counts. */
const KNOWN: readonly KnownError[] = [
  {
    statuses: [401, 403],
    says: 'scope',
    code: 'forbidden',
    reason: 'The credentials lack a scope for this.',
    action:
      'Whoever made them compares their scopes with docs/how-to/connect/jira.md, and makes new ones.',
  },
  { statuses: [401], ...REVOKED, action: REVOKED.action! },
  {
    statuses: [403],
    says: 'allowlist',
    code: 'forbidden',
    reason: 'The site allows only listed addresses, and that of the service is not listed.',
    action: 'An administrator of the organization at Atlassian adds the address of the service.',
  },
  {
    says: 'administrator rights',
    code: 'forbidden',
    reason: 'The account lacks "Administer Projects", which versions need.',
    action: ADMINISTER,
  },
  {
    statuses: [403],
    says: 'permission to edit',
    code: 'forbidden',
    reason: 'The account lacks "Edit Issues".',
    action: EDIT,
  },
  {
    statuses: [400],
    says: "for the field 'project'",
    code: 'notFound',
    reason: 'The account does not see a project: its key has changed, or it was deleted or hidden.',
    action:
      'Whoever may change the app puts the current key into its file, or an administrator of the Jira project gives the account "Browse Projects".',
  },
  {
    statuses: [404],
    says: 'no project could be found',
    code: 'notFound',
    reason:
      'The account does not see the project: its key has changed, or it was deleted or hidden.',
    action:
      'Whoever may change the app puts the current key into its file, or an administrator of the Jira project gives the account "Browse Projects".',
  },
  {
    statuses: [404],
    says: 'issue does not exist',
    code: 'notFound',
    reason: 'The account does not see the issue: it was deleted, or is hidden.',
    action:
      'Somebody who sees it in Jira gives the account "Browse Projects", or its security level.',
  },
  {
    statuses: [400],
    says: 'archived',
    code: 'preconditionFailed',
    reason: 'The version or the project is archived, so it cannot be changed.',
    action: 'Somebody with "Administer Projects" unarchives it in Jira.',
  },
  {
    statuses: [400],
    says: 'cannot be set',
    code: 'preconditionFailed',
    reason: 'The field {field} is on no screen of the issue, or the account may not set it.',
    action:
      'An administrator of the Jira project puts it on the edit screen, and gives the account "Edit Issues" and "Resolve Issues".',
  },
  {
    statuses: [400],
    says: 'contains spaces',
    code: 'invalid',
    reason: 'A label in Jira cannot contain spaces.',
    action: 'Whoever may change the app gives featureAffiliations a pattern without spaces.',
  },
  {
    statuses: [400],
    says: 'is not valid',
    code: 'notFound',
    reason: 'The project of the issue has no such version: it was renamed or deleted.',
    action: 'Restore its name.',
  },
  {
    statuses: [400],
    says: 'is required',
    code: 'preconditionFailed',
    reason: 'The field {field} is required, and the issue has none.',
    action:
      'Somebody fills it in at the issue, or an administrator of the Jira project gives it a default.',
  },
  {
    statuses: [410],
    code: 'unsupported',
    reason: 'Jira has removed the operation that the service calls.',
    action: 'Whoever operates the service installs a newer version of it.',
  },
]

/** Codes of statuses whose text is in members that only Jira uses. */
const BY_STATUS: Readonly<Record<number, ProviderErrorCode>> = {
  400: 'invalid',
  403: 'forbidden',
  404: 'notFound',
  409: 'conflict',
}

interface ErrorBody {
  errorMessages?: unknown
  errors?: unknown
  message?: unknown
}

/** Returns the meaning of Jira's error; undefined if its status says enough. */
export const describeError: NonNullable<Lifecycle['describeError']> = (status, body, headers) => {
  const login = headers.get(LOGIN)?.toUpperCase() ?? ''
  if (REFUSED_LOGINS.some((each) => login.includes(each))) return REVOKED
  if (status < 400) return undefined
  const limit = headers.get('ratelimit-reason') ?? ''
  const [, limited] = Object.entries(LIMITS).find(([name]) => limit.startsWith(name)) ?? []
  if (status === 429) return limited
  const { texts, field } = saidIn(body)
  const said = texts.join('\n')
  const known = describeKnown(KNOWN, { status, said, words: { field } })
  if (known) return known
  return said !== '' && Object.hasOwn(BY_STATUS, status)
    ? { code: BY_STATUS[status], reason: texts.join(' ') }
    : undefined
}

/** Returns the texts of an error: general ones, and those of fields. */
function saidIn(body: unknown): { texts: string[]; field: string | undefined } {
  const { errorMessages, errors, message } = (
    typeof body === 'object' && body !== null ? body : {}
  ) as ErrorBody
  const general = [message, ...(Array.isArray(errorMessages) ? errorMessages : [])]
  const byField = typeof errors === 'object' && errors !== null ? Object.entries(errors) : []
  const texts = [...general, ...byField.map(([, text]) => text)]
  return {
    texts: texts.filter((each): each is string => typeof each === 'string' && each !== ''),
    field: byField[0]?.[0],
  }
}
